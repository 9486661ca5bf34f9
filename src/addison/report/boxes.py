"""How large what is drawn of a layer is, and where its wires meet it: from a picture to boxes and wires."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from addison.diagnostics import Diagnostic, Severity
from addison.ir.model import Add
from addison.report.layout import Box, Wire
from addison.report.markup import brief, clipped
from addison.report.picture import Picture, Shown

MOST_WIRES = 4_000
"""Edges of one drawing; it says how many more there are."""

_LETTER, _BOLD = 6.65, 7.3  # widths of a character: monospaced at 11 px, bold at 12 px
_FACT = 6.35
_LINE, _PADDING = 15.0, 7.0
_LONGEST_NAME, _LONGEST_SAYING, _LONGEST_FACT = 30, 52, 34
_MOST_SAYINGS = 2


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text in a box, and what it is: type, name, error, warning, info."""

    text: str
    role: str


@dataclass(frozen=True, slots=True)
class Label:
    """What comes out of a layer at one place: the words beside the wire."""

    text: str
    leaves: float


@dataclass(frozen=True, slots=True)
class Scene:
    """Boxes and wires of a picture with what is written on them. ``wires[k]`` is of ``picture.edges[drawn[k]]``."""

    boxes: tuple[Box, ...]
    lines: tuple[tuple[Line, ...], ...]
    labels: tuple[dict[int, Label], ...]
    wires: tuple[Wire, ...]
    drawn: tuple[int, ...]


def scene(picture: Picture, findings: Sequence[Diagnostic]) -> Scene:
    """Everything a drawing needs but the coordinates."""
    number = {layer.index: at for at, layer in enumerate(picture.layers)}
    lines = tuple(_lines(layer, findings) for layer in picture.layers)
    widths = [max(_width(line) for line in some) + 2 * _PADDING + 8 for some in lines]
    leaves = _leaves(picture, widths, number)
    labels = tuple(_labels(layer, leaves[at]) for at, layer in enumerate(picture.layers))
    boxes = []
    for at, layer in enumerate(picture.layers):
        right = max((one.leaves + 6 + columns(one.text) * _FACT for one in labels[at].values()), default=0)
        height = len(lines[at]) * _LINE + 2 * _PADDING - (4 if layer.kind == "constant" else 0)
        boxes.append(Box(round(widths[at], 1), height, right, layer.fixed))
    drawn = tuple(range(min(len(picture.edges), MOST_WIRES)))
    enters = _enters(picture, widths, number)
    wires = tuple(
        Wire(number[edge.source], leaves[number[edge.source]][edge.output], number[edge.target], enters[k])
        for k, edge in enumerate(picture.edges[: len(drawn)])
    )
    return Scene(tuple(boxes), lines, labels, wires, drawn)


def columns(text: str) -> int:
    """How many columns the text takes where every character has the same width: wide ones two, marks none."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in text)


def worst(numbers: Sequence[int], findings: Sequence[Diagnostic]) -> str:
    """The highest severity of these findings; nothing when there are none."""
    return str(Severity(max(findings[one].severity for one in numbers))) if numbers else ""


def _lines(layer: Shown, findings: Sequence[Diagnostic]) -> tuple[Line, ...]:
    name = brief(layer.layer.name, _LONGEST_NAME) or "(no name)"
    lines = [] if layer.kind == "constant" else [Line(_kind(layer), "type")]
    lines.append(Line(name, "name"))
    if layer.bodies:
        inside = ", ".join(body.name for body in layer.layer.bodies)
        lines.append(Line(clipped(f"holds {inside}", _LONGEST_SAYING), "name"))
    for number in layer.findings[:_MOST_SAYINGS]:
        one = findings[number]
        lines.append(Line(brief(f"{one.code} {one.label or one.says}", _LONGEST_SAYING), str(one.severity)))
    if len(layer.findings) > _MOST_SAYINGS:
        lines.append(Line(f"and {len(layer.findings) - _MOST_SAYINGS:,} more", worst(layer.findings, findings)))
    return tuple(lines)


def _kind(layer: Shown) -> str:
    operation = layer.layer.operation
    kind = brief(layer.layer.type, _LONGEST_NAME)
    if not isinstance(operation, Add) or operation.auto_broadcast == "numpy":
        return kind
    return f"{kind} {operation.auto_broadcast}" + (
        f" axis {operation.axis}" if operation.auto_broadcast == "pdpd" else ""
    )


def _width(line: Line) -> float:
    if line.role == "type":
        return columns(line.text) * _BOLD + 24  # room for the mark of an Add
    return columns(line.text) * _LETTER


def _labels(layer: Shown, leaves: dict[int, float]) -> dict[int, Label]:
    return {
        output: Label(clipped(str(layer.outputs[output]), _LONGEST_FACT), at)
        for output, at in leaves.items()
        if output < len(layer.outputs)
    }


def _leaves(picture: Picture, widths: Sequence[float], number: dict[int, int]) -> list[dict[int, float]]:
    """How far from its middle each output of each layer leaves: those that are used, evenly."""
    used: list[set[int]] = [set() for _ in picture.layers]
    for edge in picture.edges:
        used[number[edge.source]].add(edge.output)
    for at, layer in enumerate(picture.layers):
        if layer.unseen[1] and len(layer.outputs) == 1:
            used[at].add(0)
    return [
        {output: _spread(k, len(some), width) for k, output in enumerate(sorted(some))}
        for some, width in zip(used, widths, strict=True)
    ]


def _enters(picture: Picture, widths: Sequence[float], number: dict[int, int]) -> list[float]:
    """How far from its target's middle each edge enters. Beside one input that varies, constants come in at the sides,
    so that what runs through a model runs straight."""
    fixed = {layer.index for layer in picture.layers if layer.fixed}
    by_target: dict[int, list[int]] = {}
    for k, edge in enumerate(picture.edges):
        by_target.setdefault(edge.target, []).append(k)
    enters = [0.0] * len(picture.edges)
    for target, some in by_target.items():
        width = widths[number[target]]
        varying = [k for k, one in enumerate(some) if picture.edges[one].source not in fixed]
        if len(varying) != 1:
            for k, one in enumerate(some):
                enters[one] = _spread(k, len(some), width)
            continue
        (main,) = varying
        sides = {-1: main, 1: len(some) - 1 - main}
        for k, one in enumerate(some):
            side = (k > main) - (k < main)
            enters[one] = round(side * width * 0.42 * abs(k - main) / max(sides.get(side, 1), 1), 1)
    return enters


def _spread(place: int, count: int, width: float) -> float:
    return round(((place + 0.5) / count - 0.5) * width * 0.8, 1)
