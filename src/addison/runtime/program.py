"""A model compiled to a list of steps, and the steps run on arrays.

Shapes and types are inferred afresh from what is fed; how many bytes that takes is known, and held against a limit,
before anything is allocated.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, SupportsIndex

from addison import engines
from addison.diagnostics import Diagnostic, Severity
from addison.errors import InvalidInput, InvalidModel, Unsupported
from addison.inference.graph import Inference
from addison.inference.operations import Fact
from addison.ir.model import Constant, Convert, Layer, Model, Opaque, Parameter
from addison.ir.report import Report
from addison.runtime import names
from addison.runtime.feeding import Value, fact_of, feed
from addison.runtime.names import Endpoint
from addison.runtime.ops.convert import check_convert
from addison.runtime.prepared import PreparedRuns
from addison.runtime.stepwise import Stepwise
from addison.spec.elements import DYNAMIC

LARGEST_RUN = 4 << 30
"""Bytes that the values of one run may take at once, unless another limit is given."""


def compile_model(
    model: Model, engine: str | None = None, *, outputs: Iterable[str] | None = None, limit: int = LARGEST_RUN
) -> Program:
    """A callable that runs the model: a mapping of names, or a list in file order, in; a dict of names out.

    ``engine`` is a name out of ``addison.engines.names()``. ``outputs`` asks for some outputs only. ``limit`` is how
    many bytes a run's values may take at once. Raises Unsupported, naming type, layer and line, when an operation that
    is not implemented is on the way to an output, and InvalidModel when shapes or types do not fit.

    The first call with inputs of new shapes takes some time to prepare for them. After that the native engine makes one
    pass of each chain of sums, with the bits of separate sums. Many threads may call at once.

    >>> import numpy as np
    >>> from addison import read_model
    >>> model = read_model("examples/none.xml")
    >>> program = compile_model(model)
    >>> program([np.full((256, 56), 200, np.uint8), np.full((256, 56), 100, np.uint8)])["sum"][0, :3]
    array([44, 44, 44], dtype=uint8)
    """
    if not isinstance(model, Model):
        raise Unsupported(f"the model is {type(model).__name__}", help="read it first: addison.read_model(path)")
    if isinstance(limit, bool) or not isinstance(limit, SupportsIndex) or operator.index(limit) < 0:
        raise InvalidInput(f"the limit {limit!r} is no number of bytes", limit=limit)
    if not isinstance(outputs, Iterable | None):
        raise InvalidInput(f"outputs is {type(outputs).__name__}", help="pass names, or one name", argument="outputs")
    wanted = (outputs,) if isinstance(outputs, str) else outputs
    return Program(model, engines.get(engine), wanted, operator.index(limit))


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
        self._stepwise = Stepwise(model, self._steps, self.outputs, engine)
        self._prepared = PreparedRuns(model, self._steps, self.inputs, self.outputs, engine, limit)
        self._infer({})

    def __repr__(self) -> str:
        return f"Program({self.model.name!r}, {len(self._steps)} steps, engine {self.engine.name!r})"

    def __call__(
        self, inputs: Mapping[str, Any] | Sequence[Any] = (), *, progress: Callable[[int, int], None] | None = None
    ) -> dict[str, Value]:
        """Runs on these inputs. Arrays, or ``Tensor`` for u3, u6 and nf4, which also come out as ``Tensor``.

        ``progress`` is called with how many steps are done, and of how many.
        """
        if progress is not None and not callable(progress):
            raise InvalidInput(f"progress is {type(progress).__name__}, which cannot be called", argument="progress")
        for place, run in enumerate(self._prepared.runs):
            outputs = run(inputs, progress)
            if outputs is not NotImplemented:
                if place >= self._prepared.unsorted:
                    self._prepared.used(run)
                return outputs  # type: ignore[no-any-return]
        return self._call_any(inputs, progress)

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

    def _call_any(
        self, inputs: Mapping[str, Any] | Sequence[Any], progress: Callable[[int, int], None] | None
    ) -> dict[str, Value]:
        """Runs on inputs that no prepared run takes: of other shapes, or not as it reads them."""
        fed = feed(self.model, self.inputs, self._step_set, inputs)
        ready = self._prepared.find(fed) or self._prepared.prepare(fed, self._infer_fed(fed))
        outputs = NotImplemented if ready is None else ready.run(self._prepared.plain(fed, ready), progress)
        if outputs is not NotImplemented:
            return outputs  # type: ignore[no-any-return]
        self._stepwise.check_bytes(self._infer_fed(fed), self.limit)
        return self._stepwise.run(fed, progress)

    def _infer_fed(self, fed: Mapping[int, Value]) -> Inference:
        return self._infer({index: fact_of(value) for index, value in fed.items()})


def _fault(faults: list[Diagnostic], bound: bool) -> InvalidInput | InvalidModel:
    """The first fault as an exception: of the inputs when they were given, else of the model."""
    first = faults[0]
    says = f"{first}: {first.label}" if first.label else str(first)
    if bound:
        return InvalidInput(says, help=first.help, **{**first.fields, "findings": tuple(faults)})
    return InvalidModel(says, help=first.help, findings=tuple(faults))
