"""Which layers and edges of a model a finding is about, from the bytes it points at."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

from addison.diagnostics import Diagnostic, Span
from addison.ir import places
from addison.ir.model import Model


class Where(NamedTuple):
    """A layer: the number of its graph in ``Model.graphs()``, and its index in that graph."""

    graph: int
    layer: int


class Concern(NamedTuple):
    """The layer a finding is shown at, the other layers it points at, and which input of the first is wrong, if it
    says so (-1: it does not)."""

    home: Where
    others: frozenset[Where]
    input: int


_LONGEST_LAYER = 1 << 16
"""Bytes after a tag in which the rest of its layer is looked for."""


class Concerns:
    """Asked which layer each finding is about; knows every tag of the model that belongs to one."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.graphs = [graph for _, graph in model.graphs()]
        tags: list[tuple[int, tuple[Where, ...], bool]] = []
        for number, graph in enumerate(self.graphs):
            index = {layer.id: i for i, layer in reversed(tuple(enumerate(graph.layers)))}
            for i, layer in enumerate(graph.layers):
                here = (Where(number, i),)
                starts = {layer.at, layer.data_at, *(port.at for port in (*layer.inputs, *layer.outputs))}
                tags += [(at, here, False) for at in starts if at >= 0]
            for edge in graph.edges:
                ends = [index[one] for one in (edge.to_layer, edge.from_layer) if one in index]
                tags.append((edge.at, tuple(Where(number, i) for i in ends), True))
        self._tags = sorted(tags)
        self._starts = [at for at, _, _ in self._tags]

    def of(self, finding: Diagnostic) -> Concern | None:
        """What a finding is about; None when that is the file, not a layer."""
        spans = [span for span in (finding.at, *(one.at for one in finding.related)) if span is not None]
        touched = [where for span in spans for where in self.at(span)]
        named = finding.fields.get("layer")
        home = next((where for where in touched if self._name(where) == named), None)
        home = home or (touched[0] if touched else self._called.get(named) if isinstance(named, str) else None)
        if home is None:
            return None
        number = finding.fields.get("input")
        others = frozenset(where for where in touched if where != home)
        return Concern(home, others, number if isinstance(number, int) else -1)

    def at(self, span: Span) -> tuple[Where, ...]:
        """The layers that the tag at a place belongs to: one, two for an edge, none for what is outside of layers."""
        if span.source is not self.model.source:
            return ()
        found = bisect_right(self._starts, span.start) - 1
        if found < 0:
            return ()
        start, layers, is_edge = self._tags[found]
        if start == span.start:
            return layers
        if is_edge:
            return layers if span.start < places.tag(span.source, start).stop else ()
        if span.start - start > _LONGEST_LAYER:
            return ()
        find = span.source.data.find
        left = any(find(tag, start, span.start) >= 0 for tag in (b"</layer", b"<edges"))
        return () if left else layers

    def _name(self, where: Where) -> str:
        return self.graphs[where.graph].layers[where.layer].name

    @cached_property
    def _called(self) -> dict[str, Where]:
        """The first layer of each name."""
        found: dict[str, Where] = {}
        for number, graph in enumerate(self.graphs):
            for i, layer in enumerate(graph.layers):
                found.setdefault(layer.name, Where(number, i))
        return found
