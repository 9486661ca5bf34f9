"""Which row each node stands in: below everything that feeds it."""

from __future__ import annotations

from collections.abc import Sequence

Pairs = Sequence[tuple[int, int]]


def ranks(count: int, edges: Pairs, late: Sequence[bool]) -> tuple[list[int], set[int]]:
    """Each node's row, and which edges run upwards: those that close a cycle, and those from a node to itself.

    A node's row is the longest path to it; a late node stands just above the first it feeds.

    >>> ranks(3, [(0, 2), (1, 2), (2, 0)], [False, False, False])
    ([0, 0, 1], {2})
    """
    turned = _closing(count, edges)
    downward = [(b, a) if k in turned else (a, b) for k, (a, b) in enumerate(edges) if a != b]
    below: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for a, b in downward:
        below[a].append(b)
        waiting[b] += 1
    rank = [0] * count
    order = [node for node in range(count) if not waiting[node]]
    for node in order:
        for other in below[node]:
            rank[other] = max(rank[other], rank[node] + 1)
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    for node in reversed(order):
        if late[node] and below[node]:
            rank[node] = min(rank[other] for other in below[node]) - 1
    return rank, turned


def _closing(count: int, edges: Pairs) -> set[int]:
    """The edges that lead back to a node on the path that is being walked: without them there is no cycle."""
    out: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for k, (a, b) in enumerate(edges):
        out[a].append((k, b))
    new, open_, done = 0, 1, 2
    state = [new] * count
    closing: set[int] = set()
    for root in range(count):
        if state[root] != new:
            continue
        state[root] = open_
        path = [(root, iter(out[root]))]
        while path:
            node, rest = path[-1]
            for k, other in rest:
                if state[other] == open_:
                    closing.add(k)
                elif state[other] == new:
                    state[other] = open_
                    path.append((other, iter(out[other])))
                    break
            else:
                state[node] = done
                path.pop()
    return closing
