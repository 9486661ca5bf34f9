"""What is shown of a model, as values: layers with their facts and findings, edges, what was left out. Every form of
``addison show`` is made from these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from addison.diagnostics import Diagnostic, Severity
from addison.errors import InvalidInput
from addison.inference.graph import Inference
from addison.inference.operations import Fact
from addison.ir.model import Add, Constant, Convert, Graph, Layer, Model, Operation, Parameter, Producer, Result
from addison.ir.report import Report
from addison.report.concerns import Concern, Concerns, Where
from addison.report.markup import clipped
from addison.report.neighbourhood import Neighbourhood, neighbourhood, reading_order

KINDS: dict[type[Operation], str] = {
    Add: "add", Parameter: "input", Result: "output", Constant: "constant", Convert: "convert",
}  # fmt: skip
"""What a layer is drawn as; every other operation is "other"."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One layer. ``index`` is its place in the graph, ``findings`` are numbers in the picture's list; ``fixed`` says
    that it depends on constants only; ``unseen`` counts the edges in and out whose other end is not shown."""

    index: int
    path: str
    layer: Layer
    kind: str
    inputs: tuple[Fact, ...]
    outputs: tuple[Fact, ...]
    sources: tuple[Producer | None, ...]
    bodies: tuple[str, ...]
    findings: tuple[int, ...]
    fixed: bool
    unseen: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Joint:
    """One edge, between indices of the graph; ``findings`` as in a layer."""

    source: int
    output: int
    target: int
    input: int
    fact: Fact
    findings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """One graph, or the part of it that is shown: ``around`` says which, and ``total`` how many layers there are.
    ``number`` is the graph's in its album."""

    number: int
    path: str
    layers: tuple[Shown, ...]
    edges: tuple[Joint, ...]
    total: int
    around: Neighbourhood | None

    def at(self, index: int) -> Shown:
        """The layer with that index in the graph."""
        return next(one for one in self.layers if one.index == index)

    @property
    def said(self) -> str:
        """What is shown, when that is not everything; else nothing."""
        if self.around is None:
            return ""
        name = self.at(self.around.centre).path
        edges = f"{self.around.depth} edge{'s' if self.around.depth != 1 else ''}"
        some = "the first " if self.around.cut else ""
        return f"{some}{len(self.layers):,} of {self.total:,} layers: those within {edges} of {name}"


class Album:
    """A model and everything found in it; gives pictures of its graphs.

    >>> from addison import read_model
    >>> album = Album(read_model("examples/broadcast.xml"), (), "broadcast.xml")
    >>> [(one.path, str(one.outputs[0])) for one in album.picture(0).layers if one.kind == "add"]
    [('sum', 'f32 [8,7,6,5]')]
    """

    def __init__(self, model: Model, findings: Sequence[Diagnostic], file: str) -> None:
        self.model = model
        self.file = file
        self.findings = tuple(findings)
        self.paths: list[str] = []
        self.graphs: list[Graph] = []
        for path, graph in model.graphs():
            self.paths.append(path)
            self.graphs.append(graph)
        self._bodies = self._number_bodies()
        self._facts: dict[int, Inference] = {}
        self._by_layer, self._by_edge = self._place()

    def picture(self, number: int, around: Neighbourhood | None = None) -> Picture:
        """The graph with that number, or a neighbourhood in it."""
        graph, facts = self.graphs[number], self.facts(number)
        wanted = around.layers if around else frozenset(range(len(graph.layers)))
        fixed = _fixed(graph)
        unseen = [[0, 0] for _ in graph.layers]
        edges = []
        for target, inputs in enumerate(graph.producers):
            for position, one in enumerate(inputs):
                if one is None:
                    continue
                unseen[target][0] += one.layer not in wanted
                unseen[one.layer][1] += target not in wanted
                if one.layer in wanted and target in wanted:
                    found = tuple(self._by_edge.get((number, target, position), ()))
                    edges.append(Joint(one.layer, one.output, target, position, facts.output(one), found))
        layers = []
        for index in reading_order(graph):
            if index in wanted:
                hidden = (unseen[index][0], unseen[index][1])
                layers.append(self._shown(number, index, facts, index in fixed, hidden))
        return Picture(number, self.paths[number], tuple(layers), tuple(edges), len(graph.layers), around)

    def facts(self, number: int) -> Inference:
        """The types and shapes of a graph."""
        if number not in self._facts:
            self._facts[number] = Inference(self.graphs[number], Report(self.model.source))
        return self._facts[number]

    def bodies(self, number: int, index: int) -> tuple[int, ...]:
        """The numbers of the graphs that are a layer's bodies."""
        return self._bodies.get((number, index), ())

    def body(self, path: str) -> int:
        """The number of the graph with that path, as ``If_9/then_body``; InvalidInput when there is not one."""
        found = [number for number, one in enumerate(self.paths) if one.rstrip("/") == path.rstrip("/")]
        if len(found) == 1:
            return found[0]
        known = [clipped(one.rstrip("/"), 200) for one in self.paths[1:101]]
        remedy = "its bodies: " + ", ".join(known[:5]) + (", ..." if len(known) > 5 else "") if known else "it has none"
        what = f"{len(found)} bodies are called" if found else "the model has no body"
        raise InvalidInput(f"{what} {path!r}", help=remedy, body=path, found=len(found), wanted=tuple(known))

    def centre(self, number: int) -> int:
        """What a graph is shown around when nobody says: the worst finding's layer, else its first Add."""
        graph = self.graphs[number]
        homes = {where.layer: numbers for where, numbers in self._by_layer.items() if where.graph == number}
        if homes:
            ranked = [(-self.findings[one].severity, one, layer) for layer, every in homes.items() for one in every]
            return min(ranked)[2]
        adds = graph.of_kind(Add)
        return adds[0] if adds else 0

    def near(self, number: int, centre: int, depth: int | None) -> Neighbourhood:
        """The neighbourhood of a layer."""
        return neighbourhood(self.graphs[number], centre, depth)

    def find(self, key: str, number: int | None = None) -> Where:
        """The layer with that path, name or id, in the whole model or in one graph."""
        if number is not None:
            layers = self.graphs[number].layers
            found = [i for i, one in enumerate(layers) if one.name == key or self.paths[number] + one.name == key]
            found = found or [i for i, one in enumerate(layers) if str(one.id) == key]
            if len(found) == 1:
                return Where(number, found[0])
            raise InvalidInput(
                f"{len(found) or 'no'} layer{'s' if len(found) > 1 else ''} of {self.paths[number].rstrip('/')!r} "
                f"{'are' if len(found) > 1 else 'is'} called {key!r}",
                help="give a name or an id of that body", layer=key, found=len(found),
            )  # fmt: skip
        _, graph, index = self.model.find(key)
        return Where(self.graphs.index(graph), index)

    @property
    def failed(self) -> bool:
        """Whether anything found is an error."""
        return any(one.severity is Severity.ERROR for one in self.findings)

    def _shown(self, number: int, index: int, facts: Inference, fixed: bool, unseen: tuple[int, int]) -> Shown:
        graph = self.graphs[number]
        layer = graph.layers[index]
        return Shown(
            index,
            self.paths[number] + layer.name,
            layer,
            KINDS.get(type(layer.operation), "other"),
            facts.inputs(index),
            tuple(facts.output(Producer(index, k)) for k in range(len(layer.outputs))),
            graph.producers[index],
            tuple(self.paths[one].rstrip("/") for one in self.bodies(number, index)),
            tuple(self._by_layer.get(Where(number, index), ())),
            fixed,
            unseen,
        )

    def _number_bodies(self) -> dict[tuple[int, int], tuple[int, ...]]:
        numbers = {id(graph): number for number, graph in enumerate(self.graphs)}
        return {
            (number, index): tuple(numbers[id(body.graph)] for body in layer.bodies)
            for number, graph in enumerate(self.graphs)
            for index, layer in enumerate(graph.layers)
            if layer.bodies
        }

    def _place(self) -> tuple[dict[Where, list[int]], dict[tuple[int, int, int], list[int]]]:
        """The findings of each layer, and of each edge by graph, target and input."""
        layers: dict[Where, list[int]] = {}
        edges: dict[tuple[int, int, int], list[int]] = {}
        concerns = Concerns(self.model) if self.findings else None
        for number, finding in enumerate(self.findings):
            concern = concerns.of(finding) if concerns else None
            if concern is not None:
                layers.setdefault(concern.home, []).append(number)
                for position in self._wrong_inputs(concern):
                    edges.setdefault((*concern.home, position), []).append(number)
        return layers, edges

    def _wrong_inputs(self, concern: Concern) -> list[int]:
        producers = self.graphs[concern.home.graph].producers[concern.home.layer]
        return [
            position
            for position, one in enumerate(producers)
            if one is not None and (position == concern.input or Where(concern.home.graph, one.layer) in concern.others)
        ]


def _fixed(graph: Graph) -> set[int]:
    """The layers that depend on constants only."""
    fixed: set[int] = set()
    for index in graph.order:
        inputs = graph.producers[index]
        fed = bool(inputs) and all(one is not None and one.layer in fixed for one in inputs)
        if fed or isinstance(graph.layers[index].operation, Constant):
            fixed.add(index)
    return fixed
