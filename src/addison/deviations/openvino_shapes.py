"""The shapes that OpenVINO infers for an Add, in the words of ``spec.broadcast``; measured on 2026.4.1.

``none`` and ``numpy`` are the specification's. ``pdpd`` is not: its axis is 0 when the file gives none, trailing 1s of
b count when b is laid over a, a size of 0 in a does not take a 1 of b, and sizes that are not fixed merge both ways.
"""

from __future__ import annotations

from addison.spec import broadcast
from addison.spec.broadcast import Clash, Column, Merge
from addison.spec.shapes import Dim, Shape

DEFAULT_AXIS = 0
"""The axis of pdpd when the attribute is missing; the specification says -1."""


def merge(a: Shape, b: Shape, auto_broadcast: str = "numpy", axis: int | None = None) -> Merge | Clash:
    """What OpenVINO infers; ``axis`` None is an attribute that is not there.

    >>> merge(Shape(2, 3), Shape(3), "pdpd").says
    'axis 0: 2 against 3, and that of b is larger'
    >>> merge(Shape(1, 3), Shape(0, 3), "pdpd", -1).shape
    Shape(0, 3)
    """
    if auto_broadcast != "pdpd":
        return broadcast.merge(a, b, auto_broadcast, -1)
    return _pdpd(a, b, DEFAULT_AXIS if axis is None else axis)


def _pdpd(a: Shape, b: Shape, axis: int) -> Merge | Clash:
    if a.dims is None or b.dims is None:
        return Merge(Shape.unknown())
    if axis < -1:
        return Clash("pdpd", axis, a, b, f"axis is {axis}", "axis is -1 or the axis of a where b starts")
    start = len(a.dims) - len(b.dims) if axis == -1 else axis
    if start < 0 or start + len(b.dims) > len(a.dims):
        return Clash(
            "pdpd",
            axis,
            a,
            b,
            f"b has {len(b.dims)} axes from axis {max(start, 0)} on, and a has {len(a.dims)}",
            "OpenVINO counts trailing 1s of b too: leave them out",
        )
    columns = []
    for i, mine in enumerate(a.dims):
        other = b.dims[i - start] if 0 <= i - start < len(b.dims) else None
        columns.append(Column(i, mine, other, mine if other is None else _both_ways(mine, other)))
    faults = [column for column in columns if column.out is None]
    if faults:
        says = "; ".join(_fault(one.axis, one.a, one.b) for one in faults if one.a and one.b)
        return Clash(
            "pdpd", axis, a, b, says, "each size of b must be 1 or a's on the axis it is laid over", tuple(faults)
        )
    return Merge(Shape(*(column.out for column in columns)), tuple(columns))


def _both_ways(a: Dim, b: Dim) -> Dim | None:
    """As under numpy, but that a fixed size of b may not be above a fixed size of a."""
    if _larger(a, b):
        return None
    merged = broadcast.merge(Shape(a), Shape(b), "numpy", -1)
    return merged.shape[0] if isinstance(merged, Merge) else None


def _larger(a: Dim, b: Dim) -> bool:
    return a.static and b.static and b.low > a.low


def _fault(axis: int, a: Dim, b: Dim) -> str:
    return f"axis {axis}: {a} against {b}, {'and that of b is larger' if _larger(a, b) else 'and neither is 1'}"
