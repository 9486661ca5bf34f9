"""A model compiled to a list of steps, and the steps run on arrays.

Shapes and types are inferred afresh from what is fed; how many bytes that takes is known, and held against a limit,
before anything is allocated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from addison import engines
from addison.diagnostics import Diagnostic, Severity
from addison.engines.operands import as_operand
from addison.errors import InvalidInput, InvalidModel, LimitExceeded, Unsupported
from addison.inference.graph import Inference
from addison.inference.operations import Fact
from addison.ir.model import Add, Constant, Convert, Layer, Model, Opaque, Parameter, Result
from addison.ir.report import Report
from addison.runtime import names, ops
from addison.runtime.limits import check_allocatable
from addison.runtime.names import Endpoint
from addison.runtime.ops.convert import check_convert
from addison.spec.elements import DYNAMIC, Packing
from addison.spec.shapes import Shape
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, array_dtype, dtype_of, element_of

LARGEST_RUN = 4 << 30
"""Bytes that the values of one run may take at once, unless another limit is given."""

Value = Array | Tensor


def compile_model(
    model: Model, engine: str | None = None, *, outputs: Iterable[str] | None = None, limit: int = LARGEST_RUN
) -> Program:
    """A callable that runs the model: a mapping of names, or a list in file order, in; a dict of names out.

    ``engine`` is a name out of ``addison.engines.names()``. ``outputs`` asks for some outputs only. ``limit`` is how
    many bytes a run's values may take at once. Raises Unsupported, naming type, layer and line, when an operation that
    is not implemented is on the way to an output, and InvalidModel when shapes or types do not fit.

    >>> import numpy as np
    >>> from addison import read_model
    >>> model = read_model("examples/none.xml")
    >>> program = compile_model(model)
    >>> program([np.full((256, 56), 200, np.uint8), np.full((256, 56), 100, np.uint8)])["sum"][0, :3]
    array([44, 44, 44], dtype=uint8)
    """
    if not isinstance(model, Model):
        raise Unsupported(f"the model is {type(model).__name__}", help="read it first: addison.read_model(path)")
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
        raise InvalidInput(f"the limit {limit!r} is no number of bytes", limit=limit)
    return Program(model, engines.get(engine), (outputs,) if isinstance(outputs, str) else outputs, limit)


class Program:
    """A compiled model; see ``compile_model``."""

    def __init__(self, model: Model, engine: engines.Engine, wanted: Iterable[str] | None, limit: int) -> None:
        self.model = model
        self.engine = engine
        self.limit = limit
        self.inputs = names.inputs(model)
        every = names.outputs(model)
        self.outputs = every if wanted is None else names.asked_for(wanted, every)
        self._steps = self._needed()
        self._step_set = frozenset(self._steps)
        self._refuse_opaque()
        self._infer({})

    def __repr__(self) -> str:
        return f"Program({self.model.name!r}, {len(self._steps)} steps, engine {self.engine.name!r})"

    def __call__(
        self, inputs: Mapping[str, Any] | Sequence[Any] = (), *, progress: Callable[[int, int], None] | None = None
    ) -> dict[str, Value]:
        """Runs on these inputs. Arrays, or ``Tensor`` for u3, u6 and nf4, which also come out as ``Tensor``.

        ``progress`` is called with how many steps are done, and of how many.
        """
        fed = self._bind(inputs)
        facts = self._infer({index: fact_of(value) for index, value in fed.items()})
        self._check_bytes(facts)
        return self._run(fed, progress)

    def needs(self, endpoint: Endpoint) -> bool:
        """Whether an output depends on this input."""
        return endpoint.layer in self._step_set

    # -- compiling

    def _needed(self) -> tuple[int, ...]:
        """The layers that the outputs depend on, producers first."""
        pending = [one.layer for one in self.outputs]
        needed = set(pending)
        while pending:
            for producer in self.model.graph.producers[pending.pop()]:
                if producer is not None and producer.layer not in needed:
                    needed.add(producer.layer)
                    pending.append(producer.layer)
        return tuple(index for index in self.model.graph.order if index in needed)

    def _refuse_opaque(self) -> None:
        for index in self._steps:
            layer = self.model.layers[index]
            self._refuse_not_numeric(layer)
            if isinstance(layer.operation, Opaque):
                raise Unsupported(
                    f"{self.model.place(layer)}: the operation {layer.type} of layer {layer.name!r} (id {layer.id}) is "
                    "not implemented, and an output depends on it",
                    help="ask for outputs that do not, or run one Add alone with --layer",
                    layer=layer.name,
                    type=layer.type,
                    line=self.model.place(layer).line,
                )

    def _refuse_not_numeric(self, layer: Layer) -> None:
        if isinstance(layer.operation, Parameter | Constant):
            element = layer.operation.element_type
            if not element.numeric and element is not DYNAMIC:
                raise Unsupported(
                    f"{self.model.place(layer)}: the {layer.type} {layer.name!r} (id {layer.id}) is {element}, which "
                    "is not numeric, and an output depends on it",
                    help="ask for outputs that do not depend on it",
                    layer=layer.name,
                    type=layer.type,
                    element_type=element.name,
                    line=self.model.place(layer).line,
                )

    def _infer(self, given: Mapping[int, Fact]) -> Inference:
        """Facts for these inputs; raises when shapes or types of a needed layer do not fit."""
        report = Report(self.model.source)
        facts = Inference(self.model.graph, report, given, self._steps)
        faults = [one for one in report.sorted() if one.severity is Severity.ERROR]
        if faults:
            raise _fault(faults, bool(given))
        for index in self._steps:
            layer = self.model.layers[index]
            if isinstance(layer.operation, Convert):
                source = facts.inputs(index)[0].element_type
                if source is not DYNAMIC:
                    check_convert(source, layer.operation.destination, layer.name, self.model.place(layer))
        return facts

    # -- running

    def _bind(self, inputs: Mapping[str, Any] | Sequence[Any]) -> dict[int, Value]:
        """The value of each Parameter that is needed, by the index of its layer."""
        fed: dict[int, Value] = {}
        for endpoint, value in self._named(inputs):
            if endpoint.layer in fed:
                raise InvalidInput(
                    f"the input {endpoint.key!r} is given twice",
                    help="give it under one of its names",
                    name=endpoint.key,
                )
            fed[endpoint.layer] = self._accept(endpoint, value)
        for endpoint in self.inputs:
            if self.needs(endpoint) and endpoint.layer not in fed:
                parameter = self.model.layers[endpoint.layer].operation
                assert isinstance(parameter, Parameter)
                raise InvalidInput(
                    f"the input {endpoint.key!r} is missing",
                    help=f"it is {parameter.element_type} {parameter.shape}",
                    name=endpoint.key,
                )
        return fed

    def _named(self, inputs: Mapping[str, Any] | Sequence[Any]) -> list[tuple[Endpoint, Any]]:
        if isinstance(inputs, Mapping):
            return [(names.find(name, self.inputs, "input"), value) for name, value in inputs.items()]
        if isinstance(inputs, np.ndarray | Tensor | str | bytes) or not isinstance(inputs, Sequence):
            raise InvalidInput(
                f"the inputs are one {type(inputs).__name__}",
                help="pass a dict of names, or a list of arrays in file order",
            )
        if len(inputs) > len(self.inputs):
            raise InvalidInput(
                f"{len(inputs)} inputs are given; the model has {len(self.inputs)}",
                found=len(inputs),
                wanted=len(self.inputs),
            )
        return list(zip(self.inputs, inputs, strict=False))

    def _accept(self, endpoint: Endpoint, value: Any) -> Value:
        """An input held against its Parameter."""
        array = as_operand(f"the input {endpoint.key!r}", value)
        if isinstance(array, int | float):
            raise Unsupported(
                f"the input {endpoint.key!r} is a bare number",
                help="make it a NumPy array, which has a type",
                name=endpoint.key,
            )
        parameter = self.model.layers[endpoint.layer].operation
        assert isinstance(parameter, Parameter)
        found = fact_of(array)
        wanted = Fact(parameter.element_type, parameter.shape)
        if wanted.element_type not in (DYNAMIC, found.element_type):
            raise Unsupported(
                f"the input {endpoint.key!r} is {found}; the model takes {wanted}",
                help="convert it first",
                name=endpoint.key,
                found=found.element_type.name,
                wanted=wanted.element_type.name,
            )
        if not found.shape.within(wanted.shape):
            raise InvalidInput(
                f"the input {endpoint.key!r} is {found}; the model takes {wanted}",
                name=endpoint.key,
                found=str(found.shape),
                wanted=str(wanted.shape),
            )
        if isinstance(array, Tensor) and dtype_of(array.element_type) is not None:
            return array.to_numpy()
        return array

    def _check_bytes(self, facts: Inference) -> None:
        """Walks the steps as the run will, counting bytes that live at the same time: inputs, values, copies."""
        uses = self._uses()
        live = 0
        sizes: dict[int, int] = {}
        for index in self._steps:
            layer = self.model.layers[index]
            sizes[index] = self._allocated(index, facts)
            live += sizes[index]
            if live > self.limit:
                raise LimitExceeded(
                    f"running up to {layer.type} {layer.name!r} takes {live} bytes at once; the limit is {self.limit}",
                    help="raise the limit, or make the inputs smaller",
                    limit=self.limit,
                    found=live,
                    layer=layer.name,
                )
            for used in self._release(index, uses):
                live -= sizes.get(used, 0)

    def _allocated(self, index: int, facts: Inference) -> int:
        """Bytes that a step's value takes. A constant of whole bytes is a view of the weights, and what a Result hands
        out is copied unless an Add made it. A type without a dtype is unpacked and packed again on the way."""
        layer, fact = self.model.layers[index], facts.of(index)
        check_allocatable(fact, f"{layer.type} {layer.name!r}")
        match layer.operation:
            case Constant() if fact.element_type.packing is Packing.BYTES:
                return 0
            case Result() if self._made(index):
                return 0
        each = array_dtype(fact.element_type).itemsize if dtype_of(fact.element_type) is not None else 4
        return fact.shape.elements * each

    def _uses(self) -> dict[int, int]:
        uses: dict[int, int] = {}
        for index in self._steps:
            for producer in self.model.graph.producers[index]:
                if producer is not None:
                    uses[producer.layer] = uses.get(producer.layer, 0) + 1
        return uses

    def _release(self, index: int, uses: dict[int, int]) -> list[int]:
        """The layers whose value nobody needs once this step is done. What a Result takes is kept."""
        if isinstance(self.model.layers[index].operation, Result):
            return []
        done = []
        for producer in self.model.graph.producers[index]:
            if producer is not None:
                uses[producer.layer] -= 1
                if uses[producer.layer] == 0:
                    done.append(producer.layer)
        return done

    def _run(self, fed: dict[int, Value], progress: Callable[[int, int], None] | None) -> dict[str, Value]:
        values = dict(fed)
        uses = self._uses()
        for number, index in enumerate(self._steps):
            if progress is not None:
                progress(number, len(self._steps))
            operation = self.model.layers[index].operation
            operands = [values[one.layer] for one in self.model.graph.producers[index] if one is not None]
            match operation:
                case Constant():
                    values[index] = ops.constant(operation)
                case Convert():
                    values[index] = ops.convert(operands[0], operation.destination)
                case Add():
                    values[index] = ops.add(operation, operands[0], operands[1], self.engine)
                case Result():
                    values[index] = operands[0]
            for used in self._release(index, uses):
                values.pop(used, None)
        return {one.key: self._hand_out(one.layer, values[one.layer]) for one in self.outputs}

    def _made(self, result: int) -> bool:
        """Whether the value of a Result is an Add's, and so nobody else's."""
        producer = self.model.graph.producers[result][0]
        return producer is not None and isinstance(self.model.layers[producer.layer].operation, Add)

    def _hand_out(self, result: int, value: Value) -> Value:
        """The value of a Result, as an array of the caller's own: not an input again, not a view of the weights."""
        if self._made(result) or isinstance(value, Tensor):
            return value
        return np.array(value, dtype=array_dtype(element_of(value.dtype)))


def fact_of(value: Value) -> Fact:
    """Element type and shape of a value."""
    element = value.element_type if isinstance(value, Tensor) else element_of(value.dtype)
    return Fact(element, Shape(*value.shape))


def _fault(faults: list[Diagnostic], bound: bool) -> InvalidInput | InvalidModel:
    """The first fault as an exception: of the inputs when they were given, else of the model."""
    first = faults[0]
    says = f"{first}: {first.label}" if first.label else str(first)
    if bound:
        return InvalidInput(says, help=first.help, **{**first.fields, "findings": tuple(faults)})
    return InvalidModel(says, help=first.help, findings=tuple(faults))
