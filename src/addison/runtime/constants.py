"""The values of a model that do not depend on its inputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from addison.engines import Engine
from addison.inference.graph import Inference
from addison.ir.model import Add, Constant, Convert, Model, Operation, Parameter, Result
from addison.runtime import ops
from addison.spec.elements import Packing
from addison.tensor.dtypes import Array, array_dtype

LARGEST_FOLDED = 256 << 20
"""Bytes of values that a program computes once, beside the weights; what is more is computed at every run."""


class Constants:
    """``values`` by the index of the layer: Constants, and Converts and Adds of nothing else, computed once. Those in
    ``views`` lie in the weights and take no memory of their own. ``complete`` tells that no Constant was too large.
    """

    def __init__(
        self, model: Model, steps: Sequence[int], facts: Inference, engine: Engine, limit: int = LARGEST_FOLDED
    ) -> None:
        self.values: dict[int, Array] = {}
        self.views: set[int] = set()
        self.complete = True
        left = min(limit, LARGEST_FOLDED)
        for index in steps:
            operation = model.layers[index].operation
            operands = [one.layer for one in model.graph.producers[index] if one is not None]
            if isinstance(operation, Parameter | Result) or any(one not in self.values for one in operands):
                continue
            fact = facts.of(index)
            size = fact.shape.elements * array_dtype(fact.element_type).itemsize
            if isinstance(operation, Constant) and fact.element_type.packing is Packing.BYTES:
                self.views.add(index)
                size = 0
            if size > left:
                self.complete &= not isinstance(operation, Constant)
                continue
            left -= size
            self.values[index] = _value(operation, [self.values[one] for one in operands], engine)


def _value(operation: Operation, operands: Sequence[Array], engine: Engine) -> Array:
    match operation:
        case Constant():
            value = ops.constant(operation)
        case Convert():
            value = ops.convert(operands[0], operation.destination)
        case Add():
            value = ops.add(operation, operands[0], operands[1], engine)
    assert isinstance(value, np.ndarray)
    return value
