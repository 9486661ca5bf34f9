"""Wires that cross several rows, as chains of points, one a row. What leaves a box at one place shares one chain."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from addison.report.layout.values import Box, Wire

MOST_POINTS = 20_000
"""Points that all chains together may have. Wires that would need more go straight, whatever stands in their way."""


class Link(NamedTuple):
    """Between two nodes in neighbouring rows: boxes, or points of chains. ``leaves`` and ``enters`` are distances from
    the nodes' middles; ``up`` and ``down`` are how much the upper and the lower node want it to be straight."""

    upper: int
    lower: int
    leaves: float
    enters: float
    up: float
    down: float


@dataclass(frozen=True, slots=True)
class Weave:
    """Nodes 0 to n-1 are the boxes, those after them points. ``rank`` has a row for each; ``chains`` has each wire's
    points from top to bottom, None for one that goes straight; ``turned`` are the wires that run upwards."""

    rank: list[int]
    links: list[Link]
    chains: list[tuple[int, ...] | None]
    turned: set[int]

    @property
    def rows(self) -> list[list[int]]:
        """The nodes of each row, boxes first."""
        rows: list[list[int]] = [[] for _ in range(max(self.rank, default=-1) + 1)]
        for node, row in enumerate(self.rank):
            rows[row].append(node)
        return rows

    def beside(self) -> tuple[list[list[Link]], list[list[Link]]]:
        """The links above each node, and those below it."""
        above: list[list[Link]] = [[] for _ in self.rank]
        below: list[list[Link]] = [[] for _ in self.rank]
        for link in self.links:
            above[link.lower].append(link)
            below[link.upper].append(link)
        return above, below


def weave(boxes: Sequence[Box], wires: Sequence[Wire], rank: Sequence[int], turned: set[int]) -> Weave:
    """The links and points that these wires need."""
    made = Weave(list(rank), [], [None] * len(wires), turned)
    bundles: dict[tuple[int, float, int], list[int]] = {}
    for k, wire in enumerate(wires):
        if wire.source != wire.target:
            upper, leaves = (wire.target, wire.enters) if k in turned else (wire.source, wire.leaves)
            bundles.setdefault((upper, leaves, k if k in turned else -1), []).append(k)
    left = MOST_POINTS
    for (upper, leaves, _), bundle in sorted(bundles.items(), key=lambda one: _span(one[1], wires, rank)):
        short = [k for k in bundle if _span([k], wires, rank) - 1 <= left]
        if short:
            needed = _span(short, wires, rank) - 1
            left -= needed
            _chain(made, boxes, wires, short, upper, leaves, needed)
    return made


def _span(bundle: Sequence[int], wires: Sequence[Wire], rank: Sequence[int]) -> int:
    return max(abs(rank[wires[k].source] - rank[wires[k].target]) for k in bundle)


def _chain(
    made: Weave, boxes: Sequence[Box], wires: Sequence[Wire], bundle: list[int], upper: int, leaves: float, needed: int
) -> None:
    first = len(made.rank)
    made.rank.extend(range(made.rank[upper] + 1, made.rank[upper] + 1 + needed))
    points = tuple(range(first, first + needed))
    for above, below in itertools.pairwise(points):
        made.links.append(Link(above, below, 0, 0, 8, 8))
    if points:
        made.links.append(Link(upper, points[0], leaves, 0, 2, 2))
    for k in bundle:
        wire = wires[k]
        lower, enters = (wire.source, wire.leaves) if k in made.turned else (wire.target, wire.enters)
        mine = points[: made.rank[lower] - made.rank[upper] - 1]
        made.chains[k] = mine
        up = down = 2.0 if mine else 1.0
        if boxes[upper].late:
            up, down = 0.01, 0.0001
        made.links.append(Link(mine[-1] if mine else upper, lower, 0 if mine else leaves, enters, up, down))
