"""What ``addison shapes`` does: the layers of a model with their facts, or two shapes axis by axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from addison.diagnostics import Diagnostic
from addison.inference.graph import Inference
from addison.inference.operations import Fact
from addison.ir.model import Add, Graph, Model, Opaque, Parameter, Result
from addison.ir.report import Report
from addison.runtime import names
from addison.spec.broadcast import Clash, Column, Merge, check_rule, merge
from addison.spec.shapes import Shape


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One layer: where it stands, what it is, what goes in and what comes out."""

    path: str
    id: int
    type: str
    line: int
    inputs: tuple[Fact, ...]
    output: Fact | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two shapes under a rule: what comes of them, and each axis (none when a rank is not known)."""

    a: Shape
    b: Shape
    auto_broadcast: str
    axis: int
    outcome: Merge | Clash
    columns: tuple[Column, ...]


def pair(a: str, b: str, auto_broadcast: str, axis: int) -> Pair:
    """Two spellings of shapes put together under a rule; InvalidInput when they cannot be read."""
    check_rule(auto_broadcast, axis)
    left, right = Shape.parse(a), Shape.parse(b)
    outcome = merge(left, right, auto_broadcast, axis)
    return Pair(
        left, right, auto_broadcast, axis, outcome, outcome.every if isinstance(outcome, Clash) else outcome.columns
    )


def layer_rows(model: Model, shapes: Mapping[str, Shape], every: bool) -> tuple[list[LayerRow], tuple[Diagnostic, ...]]:
    """Inferred facts of the Parameters, Adds and Results (``every``: of all layers), and the findings on the way.

    ``shapes`` narrows Parameters of the model, by name.
    """
    report = Report(model.source)
    given = _given(model, shapes)
    rows: list[LayerRow] = []
    for path, graph in model.graphs():
        facts = Inference(graph, report, given if graph is model.graph else None)
        rows += _rows(model, path, graph, facts, every)
    return rows, report.sorted()


def _rows(model: Model, path: str, graph: Graph, facts: Inference, every: bool) -> Iterator[LayerRow]:
    for index, layer in enumerate(graph.layers):
        shown = isinstance(layer.operation, Parameter | Add | Result)
        if shown or every:
            output = facts.of(index) if layer.outputs or isinstance(layer.operation, Result) else None
            inputs = facts.inputs(index) if isinstance(layer.operation, Add | Opaque) else ()
            yield LayerRow(path + layer.name, layer.id, layer.type, model.place(layer).line, inputs, output)


def _given(model: Model, shapes: Mapping[str, Shape]) -> dict[int, Fact]:
    endpoints = names.inputs(model)
    found = [(names.find(name, endpoints, "input"), shape) for name, shape in shapes.items()]
    return {one.layer: names.narrowed(model, one, shape) for one, shape in found}
