"""The specification element by element: lists of codes, index arithmetic in Python, ``spec.addition`` for each pair.

Slow (about ten microseconds an element) and independent: it shares with the other engines only the checks of the
arguments, not the broadcasting and not the sums.
"""

from __future__ import annotations

import math
from typing import Any, SupportsIndex

import numpy as np

from addison.engines.operands import prepare
from addison.spec.addition import add_codes
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, code_dtype, codes_of, from_codes


def add(
    a: Any, b: Any, /, *, auto_broadcast: str = "numpy", axis: SupportsIndex = -1, out: Array | Tensor | None = None
) -> Array | Tensor:
    """The sum of two tensors, each element by ``spec.addition``; arguments and errors are those of ``addison.add``.

    >>> import numpy as np
    >>> add(np.array([127], np.int8), np.array([[1], [2]], np.int8))
    array([[-128],
           [-127]], dtype=int8)
    """
    call = prepare(a, b, auto_broadcast, axis, out)
    left, right = codes_of(call.a, call.element).ravel().tolist(), codes_of(call.b, call.element).ravel().tolist()
    pairs = zip(_walk(call.a.shape, call.shape), _walk(call.b.shape, call.shape), strict=True)
    sums = [add_codes(call.element, left[i], right[j]) for i, j in pairs]
    return call.deliver(from_codes(np.array(sums, code_dtype(call.element)).reshape(call.shape), call.element))


def _walk(sizes: tuple[int, ...], shape: tuple[int, ...]) -> list[int]:
    """For each element of the result in row-major order, which element of this operand it is made from."""
    if math.prod(shape) == 0:
        return []
    places = [0]
    step = math.prod(sizes)
    for size, wide in zip(sizes, shape, strict=True):
        step //= size
        stride = step if size == wide else 0
        places = [place + i * stride for place in places for i in range(wide)]
    return places
