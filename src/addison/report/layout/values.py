"""What goes into a layout and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Box(NamedTuple):
    """Something to place. ``right`` is the room its labels need right of its middle; a ``late`` box (a constant) stands
    just above what it feeds, and does not pull it aside."""

    width: float
    height: float
    right: float = 0
    late: bool = False


class Wire(NamedTuple):
    """From one box to another; ``leaves`` and ``enters`` are how far from the middles of the boxes. Wires that leave
    one box at one place share their way as far as they can."""

    source: int
    leaves: float
    target: int
    enters: float


class Spot(NamedTuple):
    """A box's middle and its top."""

    x: float
    y: float


class Pass(NamedTuple):
    """A way that runs straight down at ``x``, from ``top`` to ``bottom``."""

    x: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """Every box's place, every wire's way (from its source to its target, both ends included), and the whole size."""

    boxes: tuple[Spot, ...]
    ways: tuple[tuple[Pass, ...], ...]
    width: float
    height: float
