"""A model run layer by layer: any engine, any type."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from addison.engines import Engine
from addison.inference.graph import Inference
from addison.ir.model import Add, Constant, Convert, Model, Result
from addison.runtime import ops
from addison.runtime.feeding import Value
from addison.runtime.lifetimes import check_bytes, copied, drops
from addison.runtime.limits import check_allocatable
from addison.runtime.names import Endpoint
from addison.spec.elements import Packing
from addison.tensor import Tensor
from addison.tensor.dtypes import array_dtype, dtype_of, element_of


class Stepwise:
    """The layers ``steps`` of a model, producers first, run one after the other."""

    def __init__(self, model: Model, steps: Sequence[int], outputs: Sequence[Endpoint], engine: Engine) -> None:
        self._model = model
        self._steps = tuple(steps)
        self._outputs = tuple(outputs)
        self._engine = engine
        reads = [[one.layer for one in model.graph.producers[index] if one is not None] for index in self._steps]
        values = [self._value(one.layer) for one in self._outputs]
        self._drops = drops(reads, set(values))
        self._copied = copied(values, self._adds)

    def check_bytes(self, facts: Inference, limit: int) -> None:
        """Raises LimitExceeded when inputs, values and copies that live at the same time take more."""
        layers = self._model.layers
        run = [
            (layers[index], {index: self._allocated(index, facts)}, dropped)
            for index, dropped in zip(self._steps, self._drops, strict=True)
        ]
        copies = [one.layer for one, is_copy in zip(self._outputs, self._copied, strict=True) if is_copy]
        end = [(layers[index], {-1 - i: self._bytes(index, facts)}, ()) for i, index in enumerate(copies)]
        check_bytes([*run, *end], limit)

    def run(self, fed: dict[int, Value], progress: Callable[[int, int], None] | None) -> dict[str, Value]:
        """The outputs for these values of the Parameters."""
        values = dict(fed)
        for number, (index, dropped) in enumerate(zip(self._steps, self._drops, strict=True)):
            if progress is not None:
                progress(number, len(self._steps))
            operation = self._model.layers[index].operation
            operands = [values[one.layer] for one in self._model.graph.producers[index] if one is not None]
            match operation:
                case Constant():
                    values[index] = ops.constant(operation)
                case Convert():
                    values[index] = ops.convert(operands[0], operation.destination)
                case Add():
                    values[index] = ops.add(operation, operands[0], operands[1], self._engine)
                case Result():
                    values[index] = operands[0]
            for value in dropped:
                values.pop(value, None)
        every = zip(self._outputs, self._copied, strict=True)
        return {one.key: _own(values[one.layer]) if is_copy else values[one.layer] for one, is_copy in every}

    def _value(self, result: int) -> int:
        """The layer whose value a Result takes."""
        producer = self._model.graph.producers[result][0]
        return result if producer is None else producer.layer

    def _adds(self, index: int) -> bool:
        """Whether a layer's value is an Add's, and so nobody else's."""
        return isinstance(self._model.layers[index].operation, Add)

    def _allocated(self, index: int, facts: Inference) -> int:
        """Bytes that a step's value takes. A constant of whole bytes is a view of the weights, a Result takes none."""
        layer, fact = self._model.layers[index], facts.of(index)
        check_allocatable(fact, f"{layer.type} {layer.name!r}")
        match layer.operation:
            case Constant() if fact.element_type.packing is Packing.BYTES:
                return 0
            case Result():
                return 0
        return self._bytes(index, facts)

    def _bytes(self, index: int, facts: Inference) -> int:
        """A type without a dtype is unpacked and packed again on the way."""
        fact = facts.of(index)
        each = array_dtype(fact.element_type).itemsize if dtype_of(fact.element_type) is not None else 4
        return fact.shape.elements * each


def _own(value: Value) -> Value:
    """A copy, so that every output is the caller's own: not an input again, a view of the weights, another output."""
    if isinstance(value, Tensor):
        return Tensor(value.element_type, value.shape, bytearray(value.data))
    return np.array(value, dtype=array_dtype(element_of(value.dtype)))
