"""Boxes and wires to coordinates, in layers from top to bottom. Knows nothing of models; no recursion, bounded work.

Ranks by longest path, order within a rank by barycentres, places across by least squares.
"""

from __future__ import annotations

from collections.abc import Sequence

from addison.report.layout.lanes import weave
from addison.report.layout.order import arrange
from addison.report.layout.places import place
from addison.report.layout.ranks import ranks
from addison.report.layout.values import Box, Drawing, Pass, Spot, Wire

__all__ = ["Box", "Drawing", "Pass", "Spot", "Wire", "draw"]


def draw(boxes: Sequence[Box], wires: Sequence[Wire]) -> Drawing:
    """Where each box stands, and which way each wire takes; the same for the same arguments, always.

    >>> two = draw([Box(80, 30), Box(80, 30)], [Wire(0, 0, 1, 0)])
    >>> [at.y < under.y for at, under in [two.boxes]]
    [True]
    """
    rank, turned = ranks(len(boxes), [(wire.source, wire.target) for wire in wires], [box.late for box in boxes])
    woven = weave(boxes, wires, rank, turned)
    rows = arrange(woven)
    return place(boxes, wires, woven, rows)
