"""A constant out of the weights."""

from __future__ import annotations

import numpy as np

from addison.ir.model import Constant
from addison.spec.elements import Packing
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, dtype_of


def constant(operation: Constant) -> Array | Tensor:
    """Whole-byte types are a read-only view of the weights, wherever they lie; the others are unpacked."""
    element, sizes = operation.element_type, operation.shape.sizes
    dtype = dtype_of(element)
    if dtype is not None and element.packing is Packing.BYTES:
        return np.frombuffer(operation.data, dtype.newbyteorder("<")).reshape(sizes)
    packed = Tensor(element, sizes, operation.data)
    return packed if dtype is None else packed.to_numpy()
