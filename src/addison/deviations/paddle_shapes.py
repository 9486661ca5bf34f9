"""The shapes that PaddlePaddle's elementwise_add takes, in the words of ``spec.broadcast``; measured on 3.3.1.

Both sides are stretched; b may have more axes than a, and then a is laid over b; tensors of one rank take an axis of 0
or -1 alone, unless their shapes are the same. Trailing 1s past the last axis are dropped. (Other sizes past it are
written behind an array's end there, which may end the process: of those nothing is known.)
"""

from __future__ import annotations

from addison.spec.broadcast import Clash, Merge
from addison.spec.shapes import Dim, Shape


def merge(a: Shape, b: Shape, auto_broadcast: str = "pdpd", axis: int = -1) -> Merge | Clash:
    """What Paddle makes of two static shapes; it has one rule, whatever ``auto_broadcast`` says.

    >>> merge(Shape(8, 1, 6, 1), Shape(7, 1, 5), "pdpd", 1).shape
    Shape(8, 7, 6, 5)
    >>> merge(Shape(2, 3), Shape(3, 1), "pdpd", 1).says
    'axis is 1, and both have 2 axes'
    """
    if a == b:
        return Merge(a)
    long, short = (a.sizes, b.sizes) if len(a.sizes) >= len(b.sizes) else (b.sizes, a.sizes)
    start = len(long) - len(short) if axis == -1 else axis
    if len(long) == len(short) and axis not in (-1, 0):
        return _clash(a, b, axis, f"axis is {axis}, and both have {len(long)} axes")
    if not 0 <= start < len(long) and not (axis == -1 and not short):
        return _clash(a, b, axis, f"b would start at axis {start} of {len(long)}")
    kept = (1,) * start + short[: len(long) - start]
    laid = kept + (1,) * (len(long) - len(kept))
    sizes = []
    for place, (one, other) in enumerate(zip(long, laid, strict=True)):
        if one != other and 1 not in (one, other):
            return _clash(a, b, axis, f"axis {place}: {one} against {other}, and neither is 1")
        sizes.append(other if one == 1 else one)
    return Merge(Shape(*(Dim(size) for size in sizes)))


def _clash(a: Shape, b: Shape, axis: int, says: str) -> Clash:
    return Clash("pdpd", axis, a, b, says, "each size must be 1 or the other side's on the axis it is laid over")
