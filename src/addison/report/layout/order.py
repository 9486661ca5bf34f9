"""In which order the nodes of each row stand: sweeps down and up by barycentres, the best order kept."""

from __future__ import annotations

from collections.abc import Sequence

from addison.report.layout.lanes import Link, Weave

MOST_SWEEPS = 12
MOST_WORK = 400_000
"""Links that all sweeps together look at, about: large drawings get fewer sweeps."""

Rows = list[list[int]]
_REACH = 1000.0
"""A place in a row weighs more than any distance within a box."""


def arrange(weave: Weave) -> Rows:
    """The rows of a weave, in the order that had the fewest crossings of all that were tried."""
    rows = weave.rows
    if not weave.links:
        return rows
    above, below = weave.beside()
    sweeps = max(2, min(MOST_SWEEPS, MOST_WORK // len(weave.links)))
    position = [0] * len(weave.rank)
    _note(rows, position)
    best, fewest = rows, crossings(weave, position)
    for sweep in range(sweeps):
        if not fewest:
            break
        down = sweep % 2 == 0
        rows = [list(row) for row in rows]
        for row in rows if down else reversed(rows):
            _sort(row, above if down else below, position, down)
        found = crossings(weave, position)
        if found < fewest:
            best, fewest = rows, found
    return best


def _note(rows: Rows, position: list[int]) -> None:
    for row in rows:
        for place, node in enumerate(row):
            position[node] = place


def _sort(row: list[int], links: Sequence[Sequence[Link]], position: list[int], down: bool) -> None:
    """Sorts the nodes that have neighbours in the row before by where those stand; the others keep their places."""
    keyed = []
    for node in row:
        if links[node]:
            total = 0.0
            for link in links[node]:
                near, offset = (link.upper, link.leaves) if down else (link.lower, link.enters)
                total += position[near] + offset / _REACH
            keyed.append((total / len(links[node]), position[node], node))
    keyed.sort()
    placed = iter(keyed)
    row[:] = [next(placed)[2] if links[node] else node for node in row]
    for place, node in enumerate(row):
        position[node] = place


def crossings(weave: Weave, position: Sequence[int]) -> int:
    """How many pairs of links cross, by inversions counted in a tree of sums."""
    by_row: list[list[tuple[float, float]]] = [[] for _ in range(max(weave.rank, default=-1) + 1)]
    for link in weave.links:
        ends = (position[link.upper] + link.leaves / _REACH, position[link.lower] + link.enters / _REACH)
        by_row[weave.rank[link.upper]].append(ends)
    return sum(_inversions(row) for row in by_row if len(row) > 1)


def _inversions(ends: list[tuple[float, float]]) -> int:
    ends.sort()
    index = {end: k for k, end in enumerate(sorted({lower for _, lower in ends}))}
    sums = [0] * (len(index) + 1)
    total = 0
    for seen, (_, lower) in enumerate(ends):
        at = index[lower] + 1
        before = 0
        while at:
            before += sums[at]
            at &= at - 1
        total += seen - before
        at = index[lower] + 1
        while at < len(sums):
            sums[at] += 1
            at += at & -at
    return total
