"""What two models differ in: layers, and what each has otherwise. Ids and places in the .bin are no difference."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from addison.inference.graph import Inference
from addison.ir.model import Add, Constant, Convert, Graph, Layer, Model, Parameter, Producer
from addison.ir.report import Report
from addison.report.diff_constants import BitsDiffer, NotCompared, compare


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is otherwise. ``what`` is type, version, name, attribute, rt_info, input, output, names, body or
    constant; ``key`` which of them; a and b are both sides, None where there is nothing. ``bits`` is a constant's."""

    what: str
    key: str
    a: str | None
    b: str | None
    bits: BitsDiffer | None = None


@dataclass(frozen=True, slots=True)
class Lone:
    """A layer that only one of the models has; ``inside`` counts the layers in its bodies."""

    path: str
    id: int
    type: str
    outputs: tuple[str, ...]
    inside: int


@dataclass(frozen=True, slots=True)
class Changed:
    """A layer that both models have, and what is otherwise; ``b`` is its path in the second model."""

    path: str
    b: str
    type: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that two models differ in. ``unseen`` says of which constants the bits were not compared, and why."""

    a: str
    b: str
    model: tuple[Change, ...]
    removed: tuple[Lone, ...]
    added: tuple[Lone, ...]
    changed: tuple[Changed, ...]
    same: int
    unseen: tuple[tuple[str, str], ...]

    def __bool__(self) -> bool:
        return bool(self.model or self.removed or self.added or self.changed)


def diff(
    a: Model, b: Model, names: tuple[str, str] = ("a", "b"), progress: Callable[[int, int], None] | None = None
) -> Difference:
    """What the second model has otherwise than the first.

    Layers are matched by name within their graph, those that are left by what they feed, then by id, when their types
    agree. ``progress`` is called with the layers done and those of the graph.

    >>> from addison import read_model
    >>> model = read_model("examples/bias.xml")
    >>> bool(diff(model, model))
    False
    """
    removed: list[Lone] = []
    added: list[Lone] = []
    changed: list[Changed] = []
    unseen: list[tuple[str, str]] = []
    same = 0
    pending = deque([("", a.graph, "", b.graph)])
    while pending:
        path_a, graph_a, path_b, graph_b = pending.popleft()
        pair = _Pair(graph_a, graph_b, Inference(graph_a, Report(a.source)), Inference(graph_b, Report(b.source)))
        lone = set(range(len(graph_b.layers)))
        for index, layer in enumerate(graph_a.layers):
            if progress is not None:
                progress(index, len(graph_a.layers))
            other = pair.match.get(index)
            if other is None:
                removed.append(_lone(path_a, layer, pair.facts_a, index))
                continue
            lone.discard(other)
            changes = list(pair.changes(index, other))
            unseen += [(path_a + layer.name, one.b or "") for one in changes if one.what == "unseen"]
            told = tuple(one for one in changes if one.what != "unseen")
            if told:
                twin = path_b + graph_b.layers[other].name
                changed.append(Changed(path_a + layer.name, twin, layer.type, told))
            same += not told
            inner = {body.name: body.graph for body in graph_b.layers[other].bodies}
            pending += [
                (f"{path_a}{layer.name}/{body.name}/", body.graph,
                 f"{path_b}{graph_b.layers[other].name}/{body.name}/", inner[body.name])
                for body in layer.bodies if body.name in inner
            ]  # fmt: skip
        added += [_lone(path_b, graph_b.layers[index], pair.facts_b, index) for index in sorted(lone)]
    return Difference(
        names[0], names[1], tuple(_of_models(a, b)), tuple(removed), tuple(added), tuple(changed), same, tuple(unseen)
    )


def _of_models(a: Model, b: Model) -> Iterator[Change]:
    yield from _one("name", "", a.name, b.name)
    yield from _one("version", "", str(a.version), str(b.version))
    yield from _each("rt_info", a.rt_info, b.rt_info)


def _lone(path: str, layer: Layer, facts: Inference, index: int) -> Lone:
    outputs = tuple(str(facts.output(Producer(index, k))) for k in range(len(layer.outputs)))
    pending, inside = [body.graph for body in layer.bodies], 0
    while pending:
        graph = pending.pop()
        inside += len(graph.layers)
        pending += [body.graph for inner in graph.layers for body in inner.bodies]
    return Lone(path + layer.name, layer.id, layer.type, outputs, inside)


class _Pair:
    """Two graphs side by side."""

    def __init__(self, a: Graph, b: Graph, facts_a: Inference, facts_b: Inference) -> None:
        self.a, self.b, self.facts_a, self.facts_b = a, b, facts_a, facts_b
        self.match = matched(a, b)

    def changes(self, index: int, other: int) -> Iterator[Change]:
        """What two layers that belong together differ in."""
        a, b = self.a.layers[index], self.b.layers[other]
        yield from _one("name", "", a.name, b.name)
        yield from _one("type", "", a.type, b.type)
        yield from _one("version", "", a.version, b.version)
        yield from _attributes(a, b)
        yield from _each("rt_info", _notes(a), _notes(b))
        yield from self._inputs(index, other)
        yield from self._outputs(index, other)
        yield from _each("body", {one.name: "there" for one in a.bodies}, {one.name: "there" for one in b.bodies})
        if isinstance(a.operation, Constant) and isinstance(b.operation, Constant):
            found = compare(a.operation, b.operation)
            if isinstance(found, NotCompared):
                yield Change("unseen", "", None, found.says)
            elif found is not None:
                yield Change("constant", "", None, None, found)

    def _inputs(self, index: int, other: int) -> Iterator[Change]:
        before, after = self.a.producers[index], self.b.producers[other]
        for k in range(max(len(before), len(after))):
            one = before[k] if k < len(before) else None
            two = after[k] if k < len(after) else None
            twin = Producer(self.match[one.layer], one.output) if one is not None and one.layer in self.match else None
            if twin != two or (one is None) != (two is None):
                yield Change("input", str(k), _source(self.a, one), _source(self.b, two))

    def _outputs(self, index: int, other: int) -> Iterator[Change]:
        ports_a, ports_b = self.a.layers[index].outputs, self.b.layers[other].outputs
        for k in range(max(len(ports_a), len(ports_b))):
            one = str(self.facts_a.output(Producer(index, k))) if k < len(ports_a) else None
            two = str(self.facts_b.output(Producer(other, k))) if k < len(ports_b) else None
            yield from _one("output", str(k), one, two)
            if k < len(ports_a) and k < len(ports_b):
                yield from _one("names", str(k), ", ".join(ports_a[k].names), ", ".join(ports_b[k].names))


def matched(a: Graph, b: Graph) -> dict[int, int]:
    """Which layer of b is which of a: the one of that name, if both graphs have just one; then, of the same type, the
    one that feeds the same input of layers that are matched (converters number what they make anew each time); then
    the one of that id; then the next of that name."""
    counts = [Counter(layer.name for layer in graph.layers) for graph in (a, b)]
    named = {layer.name: i for i, layer in enumerate(b.layers)}
    match = {
        i: named[layer.name]
        for i, layer in enumerate(a.layers)
        if layer.name and counts[0][layer.name] == 1 == counts[1][layer.name]
    }
    _match_feeding(a, b, match)
    _match_keys(a, b, match, lambda layer: (layer.type, layer.id))
    _match_keys(a, b, match, lambda layer: (layer.type, layer.name))
    return match


def _match_feeding(a: Graph, b: Graph, match: dict[int, int]) -> None:
    """Adds layers of one type that feed the same input of matched layers, and what feeds those in turn."""
    taken = set(match.values())
    pending = deque(match.items())
    while pending:
        i, j = pending.popleft()
        for one, two in zip(a.producers[i], b.producers[j], strict=False):
            if one is None or two is None or one.layer in match or two.layer in taken or one.output != two.output:
                continue
            if a.layers[one.layer].type == b.layers[two.layer].type:
                match[one.layer] = two.layer
                taken.add(two.layer)
                pending.append((one.layer, two.layer))


def _match_keys(a: Graph, b: Graph, match: dict[int, int], key: Callable[[Layer], object]) -> None:
    """Adds layers of the same key, in file order."""
    taken = set(match.values())
    free: dict[object, deque[int]] = {}
    for j, layer in enumerate(b.layers):
        if j not in taken:
            free.setdefault(key(layer), deque()).append(j)
    for i, layer in enumerate(a.layers):
        same = free.get(key(layer)) if i not in match else None
        if same:
            match[i] = same.popleft()


_READ: Mapping[type, frozenset[str]] = {
    Parameter: frozenset({"element_type", "shape"}),
    Constant: frozenset({"element_type", "shape", "offset", "size"}),
    Convert: frozenset({"destination_type"}),
    Add: frozenset({"auto_broadcast", "auto_broadcast.auto_broadcast_axis"}),
}
"""Attributes that an operation's own values, or the facts of its output, stand for: how they are spelt is no matter."""


def _attributes(a: Layer, b: Layer) -> Iterator[Change]:
    known = _READ.get(type(a.operation), frozenset()) if type(a.operation) is type(b.operation) else frozenset()
    yield from _each(
        "attribute",
        {key: value for key, value in a.data.items() if key not in known},
        {key: value for key, value in b.data.items() if key not in known},
    )
    if isinstance(a.operation, Add) and isinstance(b.operation, Add):
        yield from _one("attribute", "auto_broadcast", a.operation.auto_broadcast, b.operation.auto_broadcast)
        yield from _one("attribute", "axis", str(a.operation.axis), str(b.operation.axis))


def _notes(layer: Layer) -> dict[str, str]:
    """A layer's rt_info: the attributes of each entry under its name."""
    return {
        one.get("name", ""): " ".join(f"{key}={value}" for key, value in one.items() if key != "name")
        for one in layer.rt_info
    }


def _one(what: str, key: str, a: str | None, b: str | None) -> Iterator[Change]:
    if a != b:
        yield Change(what, key, a, b)


def _each(what: str, a: Mapping[str, str], b: Mapping[str, str]) -> Iterator[Change]:
    for key in dict.fromkeys([*a, *b]):
        yield from _one(what, key, a.get(key), b.get(key))


def _source(graph: Graph, one: Producer | None) -> str | None:
    if one is None:
        return None
    layer = graph.layers[one.layer]
    name = layer.name or f"(id {layer.id})"
    return f"{name}:{one.output}" if len(layer.outputs) > 1 else name
