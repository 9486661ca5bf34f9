"""Rows of nodes to coordinates. Across: each row by least squares towards its neighbours, order and gaps kept. Down:
rows under each other, boxes on the row's bottom line."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from addison.report.layout.lanes import Link, Weave
from addison.report.layout.order import Rows
from addison.report.layout.values import Box, Drawing, Pass, Spot, Wire

GAP = 26.0
"""Between two boxes of a row."""
POINT_GAP = 14.0
"""Between two wires that pass a row, and between a wire and a box."""
ROW_GAP = 52.0
MARGIN = 24.0
SWEEPS = 24

_SLACK = 0.00001
"""The weight of staying where it is, for a node with no neighbour in the row that is looked at."""


def place(boxes: Sequence[Box], wires: Sequence[Wire], weave: Weave, rows: Rows) -> Drawing:
    """The drawing of boxes whose rows and order are known."""
    x = _across(boxes, weave, rows)
    if x:
        shift = MARGIN - min(x[i] - _left(boxes, i) for i in range(len(x)))
        x = [value + shift for value in x]
    width = max((x[i] + _right(boxes, i) for i in range(len(x))), default=0) + MARGIN
    tops, bottoms = _down(boxes, rows)
    spots = tuple(Spot(round(x[i], 1), round(bottoms[weave.rank[i]] - box.height, 1)) for i, box in enumerate(boxes))
    ways = tuple(_way(k, wire, boxes, spots, weave, x, tops, bottoms) for k, wire in enumerate(wires))
    return Drawing(spots, ways, round(width, 1), round(max(bottoms, default=0) + MARGIN, 1))


def _left(boxes: Sequence[Box], node: int) -> float:
    return boxes[node].width / 2 if node < len(boxes) else 0


def _right(boxes: Sequence[Box], node: int) -> float:
    return max(boxes[node].width / 2, boxes[node].right) if node < len(boxes) else 0


def _across(boxes: Sequence[Box], weave: Weave, rows: Rows) -> list[float]:
    above: list[list[Link]] = [[] for _ in weave.rank]
    below: list[list[Link]] = [[] for _ in weave.rank]
    for link in weave.links:
        above[link.lower].append(link)
        below[link.upper].append(link)
    offsets = [_offsets(boxes, row) for row in rows]
    x = [0.0] * len(weave.rank)
    for row, offset in zip(rows, offsets, strict=True):
        for node, at in zip(row, offset, strict=True):
            x[node] = at - offset[-1] / 2
    for sweep in range(SWEEPS):
        both = sweep >= SWEEPS - 2
        numbers = range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 1, -1, -1)
        for number in numbers:
            _settle(rows[number], offsets[number], x, above if both or sweep % 2 == 0 else None,
                    below if both or sweep % 2 else None)  # fmt: skip
    return x


def _offsets(boxes: Sequence[Box], row: Sequence[int]) -> list[float]:
    """How far from the first node of the row each must stand at least."""
    offsets = [0.0]
    for a, b in itertools.pairwise(row):
        gap = GAP if a < len(boxes) and b < len(boxes) else POINT_GAP
        offsets.append(offsets[-1] + _right(boxes, a) + gap + _left(boxes, b))
    return offsets


def _settle(
    row: Sequence[int],
    offsets: Sequence[float],
    x: list[float],
    above: Sequence[Sequence[Link]] | None,
    below: Sequence[Sequence[Link]] | None,
) -> None:
    """Moves a row's nodes as near to where their neighbours want them as order and gaps allow (pooled neighbours)."""
    blocks: list[list[float]] = []  # weight, weighted sum, how many nodes
    for node, offset in zip(row, offsets, strict=True):
        weight, total = _SLACK, _SLACK * x[node]
        for link in above[node] if above else ():
            weight += link.down
            total += link.down * (x[link.upper] + link.leaves - link.enters)
        for link in below[node] if below else ():
            weight += link.up
            total += link.up * (x[link.lower] + link.enters - link.leaves)
        blocks.append([weight, total - weight * offset, 1])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][0] >= blocks[-1][1] * blocks[-2][0]:
            last = blocks.pop()
            for k in range(3):
                blocks[-1][k] += last[k]
    at = 0
    for weight, total, count in blocks:
        for node, offset in zip(row[at : at + int(count)], offsets[at : at + int(count)], strict=True):
            x[node] = total / weight + offset
        at += int(count)


def _down(boxes: Sequence[Box], rows: Rows) -> tuple[list[float], list[float]]:
    """The top and the bottom line of each row."""
    tops, bottoms = [], []
    y = MARGIN
    for row in rows:
        height = max((boxes[node].height for node in row if node < len(boxes)), default=0)
        tops.append(y)
        bottoms.append(y + height)
        y += height + ROW_GAP
    return tops, bottoms


def _way(
    number: int,
    wire: Wire,
    boxes: Sequence[Box],
    spots: Sequence[Spot],
    weave: Weave,
    x: Sequence[float],
    tops: Sequence[float],
    bottoms: Sequence[float],
) -> tuple[Pass, ...]:
    """From the bottom of the source through the wire's points to the top of the target."""
    start, stop = spots[wire.source], spots[wire.target]
    foot = round(start.y + boxes[wire.source].height, 1)
    points = weave.chains[number] or ()
    if number in weave.turned:
        points = points[::-1]
    passes = [Pass(round(start.x + wire.leaves, 1), foot, foot)]
    for point in points:
        line = round(tops[weave.rank[point]], 1), round(bottoms[weave.rank[point]], 1)
        top, bottom = line[::-1] if number in weave.turned else line
        passes.append(Pass(round(x[point], 1), top, bottom))
    return (*passes, Pass(round(stop.x + wire.enters, 1), stop.y, stop.y))
