"""What rules look at: a model, the facts of each of its graphs, and which runtime is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from addison.diagnostics import Span
from addison.inference.graph import Inference
from addison.inference.operations import Fact
from addison.ir.linking import live_layers
from addison.ir.model import Add, Constant, Convert, Graph, Layer, Model
from addison.ir.report import Report


@dataclass(frozen=True, slots=True)
class AddSite:
    """One Add: where it stands, what it is, and the facts of its operands and result."""

    view: View
    index: int
    layer: Layer
    operation: Add
    a: Fact
    b: Fact
    total: Fact

    @property
    def doubles(self) -> bool:
        """Whether both operands are one tensor: their shapes are equal whatever they are."""
        a, b = self.view.graph.producers[self.index]
        return a is not None and a == b

    def constant(self, position: int) -> tuple[Layer, Constant] | None:
        """The constant that an operand is, straight or through Converts."""
        at, slot = self.index, position
        while True:
            producers = self.view.graph.producers[at]
            producer = producers[slot] if slot < len(producers) else None  # a Convert without inputs has its finding
            if producer is None:
                return None
            layer = self.view.graph.layers[producer.layer]
            if isinstance(layer.operation, Constant):
                return layer, layer.operation
            if not isinstance(layer.operation, Convert):
                return None
            at, slot = producer.layer, 0


@dataclass(frozen=True, eq=False)
class View:
    """One graph of the model, its path, and its facts."""

    path: str
    graph: Graph
    facts: Inference

    @cached_property
    def live(self) -> frozenset[int]:
        """The layers that a Result or an Assign depends on."""
        return frozenset(live_layers(self.graph.layers, self.graph.producers))

    def adds(self) -> Iterator[AddSite]:
        """Every Add that has two inputs."""
        yield from self._adds

    @cached_property
    def _adds(self) -> tuple[AddSite, ...]:
        """Found once: each rule asks for them."""
        found = []
        for index, layer in enumerate(self.graph.layers):
            if isinstance(layer.operation, Add) and len(layer.inputs) == 2 and index in self.facts:
                a, b = self.facts.inputs(index)
                found.append(AddSite(self, index, layer, layer.operation, a, b, self.facts.of(index)))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Scope:
    """A model with its views: the model's own graph first, then every body's."""

    model: Model
    views: tuple[View, ...]
    report: Report
    runtime: str | None = None

    @classmethod
    def of(cls, model: Model, runtime: str | None = None) -> Scope:
        """The facts of every graph; what inference finds is in ``report``."""
        report = Report(model.source)
        views = tuple(View(path, graph, Inference(graph, report)) for path, graph in model.graphs())
        return cls(model, views, report, runtime)

    def adds(self) -> Iterator[AddSite]:
        """Every Add of every graph."""
        for view in self.views:
            yield from view.adds()

    def place(self, at: int, attribute: str = "") -> Span:
        """The tag that starts at a byte, or one of its attributes."""
        span = self.report.span(at, attribute)
        assert span is not None
        return span
