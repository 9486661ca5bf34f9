"""Which layers of a graph to show, and in which order."""

from __future__ import annotations

from typing import NamedTuple

from addison.ir.model import Constant, Graph

MOST_LAYERS = 500
"""Layers in one drawing."""
COMFORTABLE = 60
"""Layers that a neighbourhood grows to when nobody says how far it should reach."""


class Neighbourhood(NamedTuple):
    """The layers within ``depth`` edges of a centre; ``cut``: so many that not all of the last ring are among them."""

    layers: frozenset[int]
    centre: int
    depth: int
    cut: bool


def reading_order(graph: Graph) -> list[int]:
    """Every layer once, after what feeds it and otherwise as the file has them; constants just before they are used.

    Layers in a cycle come in file order.
    """
    order: list[int] = []
    state = bytearray(len(graph.layers))  # 1: waits for what feeds it, 2: placed
    last_constants = [i for i, layer in enumerate(graph.layers) if isinstance(layer.operation, Constant)]
    held = set(last_constants)
    roots = [i for i in range(len(graph.layers)) if i not in held] + last_constants
    for root in roots:
        pending = [root]
        while pending:
            node = pending[-1]
            if state[node] == 2:
                pending.pop()
                continue
            before = [one.layer for one in graph.producers[node] if one is not None and not state[one.layer]]
            if state[node] == 0 and before:
                state[node] = 1
                pending.extend(reversed(before))
                continue
            state[node] = 2
            order.append(node)
            pending.pop()
    return order


def neighbourhood(graph: Graph, centre: int, depth: int | None, most: int = MOST_LAYERS) -> Neighbourhood:
    """The layers within ``depth`` edges of the centre, in either direction, at most ``most``; without a depth, as many
    rings as look well on a page. Paths do not run through constants, which may feed layers far apart."""
    consumers: list[list[int]] = [[] for _ in graph.layers]
    for index, inputs in enumerate(graph.producers):
        for one in inputs:
            if one is not None:
                consumers[one.layer].append(index)
    chosen, ring, reached = {centre}, [centre], 0
    limit = min(COMFORTABLE, most) if depth is None else most
    while ring and (depth is None or reached < depth):
        following: dict[int, None] = {}
        for node in ring:
            if node == centre or not isinstance(graph.layers[node].operation, Constant):
                near = [one.layer for one in graph.producers[node] if one is not None] + consumers[node]
                following.update((other, None) for other in near if other not in chosen)
        ring = list(following)
        if len(chosen) + len(ring) > limit and (depth is not None or reached):
            return _cut(chosen, ring, centre, reached, most if depth is not None else 0)
        if len(chosen) + len(ring) > most:
            return _cut(chosen, ring, centre, reached, most)
        chosen.update(ring)
        reached += 1
    return Neighbourhood(frozenset(chosen), centre, reached if depth is None else depth, False)


def _cut(chosen: set[int], ring: list[int], centre: int, reached: int, most: int) -> Neighbourhood:
    """Without the last ring, or (when ``most`` says so) with as much of it as there is room for."""
    if not most:
        return Neighbourhood(frozenset(chosen), centre, reached, False)
    return Neighbourhood(frozenset([*chosen, *sorted(ring)[: most - len(chosen)]]), centre, reached + 1, True)
