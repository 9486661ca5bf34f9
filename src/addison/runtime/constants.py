"""The values of a model that do not depend on its inputs, and whose value each layer hands on."""

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
"""Bytes of values computed when a model is compiled, beside the weights; what is more is computed when it runs."""


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
        self._same: dict[int, int] = {}
        left = min(limit, LARGEST_FOLDED)
        for index in steps:
            operation, fact = model.layers[index].operation, facts.of(index)
            operands = [self.origin(one.layer) for one in model.graph.producers[index] if one is not None]
            if _hands_on(operation, index, facts):
                self._same[index] = operands[0]
            elif isinstance(operation, Constant) and fact.element_type.packing is Packing.BYTES:
                self.views.add(index)
                self.values[index] = _value(operation, [], engine)
            elif not isinstance(operation, Parameter) and all(one in self.values for one in operands):
                size = fact.shape.elements * array_dtype(fact.element_type).itemsize
                if size <= left:
                    left -= size
                    self.values[index] = _value(operation, [self.values[one] for one in operands], engine)
                else:
                    self.complete &= not isinstance(operation, Constant)

    def origin(self, index: int) -> int:
        """The layer whose value this one hands on: its own, unless it is a Result or a Convert to the same type."""
        return self._same.get(index, index)


def _hands_on(operation: Operation, index: int, facts: Inference) -> bool:
    same = isinstance(operation, Convert) and facts.inputs(index)[0].element_type == operation.destination
    return same or isinstance(operation, Result)


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
