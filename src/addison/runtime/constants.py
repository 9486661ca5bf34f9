"""The values of a model that do not depend on its inputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from addison.engines import Engine
from addison.inference.graph import Inference
from addison.inference.operations import Fact
from addison.ir.model import Add, Constant, Convert, Model, Operation
from addison.runtime import ops
from addison.spec.elements import Packing
from addison.tensor.dtypes import Array, array_dtype

LARGEST_FOLDED = 256 << 20
"""Bytes of values that a program computes once, beside the weights; what is more is computed at every run."""


class Constants:
    """``values`` by the index of the layer: of Constants, and of Converts and Adds of nothing else, those that other
    layers read. ``views`` are those that lie in the weights and take no memory of their own. ``complete`` tells that
    the Constants below a byte, unpacked, are not too large together; Converts and Adds that are stay what they are.
    """

    def __init__(
        self, model: Model, steps: Sequence[int], facts: Inference, engine: Engine, limit: int = LARGEST_FOLDED
    ) -> None:
        self.values: dict[int, Array] = {}
        self.views: set[int] = set()
        self.complete = True
        self._left = min(limit, LARGEST_FOLDED)
        operations = {index: model.layers[index].operation for index in steps}
        operands = {index: [one.layer for one in model.graph.producers[index] if one is not None] for index in steps}
        constants = [index for index in steps if isinstance(operations[index], Constant)]
        others = [index for index in steps if isinstance(operations[index], Convert | Add)]
        for index in [*constants, *others]:  # first what has to be there
            read = [self.values[one] for one in operands[index] if one in self.values]
            if len(read) == len(operands[index]) and self._takes(operations[index], facts.of(index)):
                self.values[index] = value = _value(operations[index], read, engine)
                handed_on = any(value is self.values[one] for one in operands[index] if one in self.views)
                if handed_on or _in_weights(operations[index], facts.of(index)):
                    self.views.add(index)
        needed = {one for index in steps if index not in self.values for one in operands[index]}
        self.values = {index: value for index, value in self.values.items() if index in needed}

    def _takes(self, operation: Operation, fact: Fact) -> bool:
        """Whether there is room for a value, which is then counted."""
        if _in_weights(operation, fact):
            return True
        size = fact.shape.elements * array_dtype(fact.element_type).itemsize
        if size <= self._left:
            self._left -= size
            return True
        self.complete &= not isinstance(operation, Constant)
        return False


def _in_weights(operation: Operation, fact: Fact) -> bool:
    return isinstance(operation, Constant) and fact.element_type.packing is Packing.BYTES


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
