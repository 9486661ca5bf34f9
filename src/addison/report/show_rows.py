"""Pictures as lines: layers from inputs to outputs, bodies and findings under the layers they belong to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from addison.diagnostics import Diagnostic
from addison.inference.operations import Fact
from addison.ir.model import Add, Graph
from addison.report.escape import escape
from addison.report.markup import brief, clipped
from addison.report.picture import Album, Picture, Shown

_LONGEST = 60
_MOST_NAMED = 3
MOST_FINDINGS = 20
"""Findings listed at one layer; the last line says how many more there are."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line: a layer in cells, or (without a type) words. ``kind`` is a layer's kind, a severity, or "body";
    ``last`` says that nothing else follows under the same layer."""

    depth: int
    name: str
    kind: str
    type: str = ""
    inputs: str = ""
    outputs: str = ""
    last: bool = False


def headline(album: Album, picture: Picture) -> str:
    """The model in a line: name, version, how many layers, Adds and findings."""
    counts = Counter(str(one.severity) for one in album.findings)
    adds = sum(one.kind == "add" for one in picture.layers)
    said = [brief(album.model.name, 80) or "(no name)", f"IR v{album.model.version}"]
    said += [f"body {brief(picture.path.rstrip('/'), 120)}"] if picture.path else []
    said.append(number(picture.total, "layer"))
    if not picture.path and not picture.around and len(album.graphs) > 1:
        inside = sum(len(graph.layers) for graph in album.graphs) - picture.total
        said[-1] += f" and {inside:,} in bodies"
        adds = sum(len(graph.of_kind(Add)) for graph in album.graphs)
    said.append(number(adds, "Add") + (" shown" if picture.around else ""))
    found = [
        number(counts[one], one) if one != "info" else f"{counts[one]:,} info"
        for one in ("error", "warning", "info")
        if counts[one]
    ]
    return ", ".join([*said, *(found or ["no findings"])])


def remarks(album: Album, picture: Picture) -> list[str]:
    """What is to be said besides: that only a part is shown, and findings that are not at any layer shown."""
    here = _findings_below(album, picture)
    said = [f"shown: {brief(picture.said, 300)}"] if picture.around else []
    missing = [one for number, one in enumerate(album.findings) if number not in here]
    if picture.around is None and not picture.path:
        said += [_finding(one) for one in missing[:MOST_FINDINGS]]
        missing = missing[MOST_FINDINGS:]
    if missing:
        said.append(f"{number(len(missing), 'finding')} elsewhere: addison check lists all")
    return said


def rows(album: Album, picture: Picture) -> list[Row]:
    """The lines of a picture, and of the bodies of its layers."""
    return list(_rows(album, picture, 0))


def _rows(album: Album, picture: Picture, depth: int) -> Iterator[Row]:
    for place, layer in enumerate(picture.layers):
        yield _layer(layer, depth, album.graphs[picture.number], place == len(picture.layers) - 1)
        bodies = album.bodies(picture.number, layer.index)
        found = layer.findings[:MOST_FINDINGS]
        beneath = len(found) + (len(layer.findings) > len(found)) + len(bodies)
        for k, one in enumerate(found, 1):
            finding = album.findings[one]
            yield Row(depth + 1, _finding(finding), str(finding.severity), last=k == beneath)
        if len(layer.findings) > len(found):
            more = f"and {len(layer.findings) - len(found):,} more findings"
            yield Row(depth + 1, more, "info", last=not bodies)
        for k, body in enumerate(bodies, 1):
            inner = album.picture(body)
            name = brief(layer.layer.bodies[k - 1].name, _LONGEST)
            yield Row(depth + 1, f"{name}: {number(inner.total, 'layer')}", "body", last=k == len(bodies))
            yield from _rows(album, inner, depth + 2)


def _layer(layer: Shown, depth: int, graph: Graph, last: bool) -> Row:
    operation = layer.layer.operation
    kind = brief(layer.layer.type, _LONGEST)
    if isinstance(operation, Add) and operation.auto_broadcast != "numpy":
        kind += f" {operation.auto_broadcast}" + (f" {operation.axis}" if operation.auto_broadcast == "pdpd" else "")
    fed = [
        _name(graph.layers[one.layer].name, graph.layers[one.layer].id)
        + (f":{one.output}" if len(graph.layers[one.layer].outputs) > 1 else "")
        if one is not None
        else "?"
        for one in layer.sources[:_MOST_NAMED]
    ]
    inputs = (" + " if layer.kind == "add" else ", ").join(fed) + _rest(len(layer.sources))
    outputs = ", ".join(_fact(one) for one in layer.outputs[:_MOST_NAMED]) + _rest(len(layer.outputs))
    name = _name(layer.layer.name, layer.layer.id)
    return Row(depth, name, layer.kind, kind or "(no type)", inputs, outputs, last)


def _name(name: str, number: int) -> str:
    return brief(name, _LONGEST) or f"(id {number})"


def _fact(fact: Fact) -> str:
    return clipped(str(fact), _LONGEST)


def _rest(count: int) -> str:
    return f" and {count - _MOST_NAMED:,} more" if count > _MOST_NAMED else ""


def _finding(one: Diagnostic) -> str:
    """A finding in one line."""
    where = f" line {one.at.line}:" if one.at else ""
    label = f": {one.label}" if one.label else ""
    return escape(f"{one.severity}[{one.code}]{where} {one.says}{label}")


def _findings_below(album: Album, picture: Picture) -> set[int]:
    """The findings at a picture's layers and in their bodies."""
    pending = [picture]
    found: set[int] = set()
    while pending:
        one = pending.pop()
        for layer in one.layers:
            found.update(layer.findings)
            pending += [album.picture(body) for body in album.bodies(one.number, layer.index)]
    return found


def number(count: int, of: str) -> str:
    """So many of these: "1 layer", "3,690 layers"."""
    return f"{count:,} {of}{'' if count == 1 else 's'}"
