"""Add-1, by whichever engine was asked for."""

from __future__ import annotations

from addison.engines import Engine
from addison.ir.model import Add
from addison.tensor import Tensor
from addison.tensor.dtypes import Array


def add(operation: Add, a: Array | Tensor, b: Array | Tensor, engine: Engine) -> Array | Tensor:
    """The sum under the layer's rule."""
    total: Array | Tensor = engine.add(a, b, auto_broadcast=operation.auto_broadcast, axis=operation.axis)
    return total
