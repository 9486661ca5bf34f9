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
SWEEPS = 10

_SLACK = 0.00001
"""The weight of staying where it is, for a node with no neighbour in the row that is looked at."""
_HELD = 1e6
"""The weight of staying where it is, for a node that is not to move."""


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
    """The middles of all nodes. The last sweep but one runs down, so that what runs straight is straight; the last
    moves nothing but constants, to what they feed."""
    above, below = weave.beside()
    offsets = [_offsets(boxes, row) for row in rows]
    x = [0.0] * len(weave.rank)
    for row, offset in zip(rows, offsets, strict=True):
        for node, at in zip(row, offset, strict=True):
            x[node] = at - offset[-1] / 2
    down, up = range(len(rows)), range(len(rows) - 1, -1, -1)
    for _ in range(SWEEPS):
        for number in up:
            _settle(rows[number], offsets[number], x, [_to_lower(below[node], x) for node in rows[number]])
        for number in down:
            _settle(rows[number], offsets[number], x, [_to_upper(above[node], x) for node in rows[number]])
    for number in up:
        wishes = [
            _to_lower(below[node], x) if node < len(boxes) and boxes[node].late else (_HELD, _HELD * x[node])
            for node in rows[number]
        ]
        _settle(rows[number], offsets[number], x, wishes)
    return x


def _offsets(boxes: Sequence[Box], row: Sequence[int]) -> list[float]:
    """How far from the first node of the row each must stand at least."""
    offsets = [0.0]
    for a, b in itertools.pairwise(row):
        gap = GAP if a < len(boxes) and b < len(boxes) else POINT_GAP
        offsets.append(offsets[-1] + _right(boxes, a) + gap + _left(boxes, b))
    return offsets


def _to_upper(links: Sequence[Link], x: Sequence[float]) -> tuple[float, float]:
    """How strongly a node wants to stand somewhere, and that times the place: under what feeds it."""
    weight = sum(link.down for link in links)
    return weight, sum(link.down * (x[link.upper] + link.leaves - link.enters) for link in links)


def _to_lower(links: Sequence[Link], x: Sequence[float]) -> tuple[float, float]:
    """The same towards what it feeds."""
    weight = sum(link.up for link in links)
    return weight, sum(link.up * (x[link.lower] + link.enters - link.leaves) for link in links)


def _settle(
    row: Sequence[int], offsets: Sequence[float], x: list[float], wishes: Sequence[tuple[float, float]]
) -> None:
    """Moves a row's nodes as near to where they want to stand as order and gaps allow: neighbours that would overlap
    are pooled and stand where they want together, which is the least-squares answer."""
    blocks: list[tuple[float, float, int]] = []  # weight, weight times place, how many nodes
    for node, offset, (wish, aim) in zip(row, offsets, wishes, strict=True):
        weight = wish + _SLACK
        total, count = aim + _SLACK * x[node] - weight * offset, 1
        while blocks and blocks[-1][1] * weight >= total * blocks[-1][0]:
            before = blocks.pop()
            weight, total, count = weight + before[0], total + before[1], count + before[2]
        blocks.append((weight, total, count))
    at = 0
    for weight, total, count in blocks:
        for node, offset in zip(row[at : at + count], offsets[at : at + count], strict=True):
            x[node] = total / weight + offset
        at += count


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
