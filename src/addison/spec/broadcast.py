"""The three broadcast rules: shapes in, a merged shape out, or a clash that names every axis and both sizes.

``numpy`` lines the shapes up on the right; ``none`` wants them equal; ``pdpd`` lays b over a from ``axis`` on, and the
result always has a's shape. With intervals each rule gives the smallest shape that holds every result the sizes within
them can have.
"""

from __future__ import annotations

import difflib
import operator
from dataclasses import dataclass
from typing import SupportsIndex

from addison.clipping import quoted
from addison.errors import InvalidInput, Unsupported
from addison.spec.shapes import LARGEST_SHAPE_RANK, Dim, Shape, ShapeLike

RULES = ("none", "numpy", "pdpd")
ONE = Dim(1)


@dataclass(frozen=True, slots=True)
class Column:
    """One axis of the result: where it is, which size each side brings (None: that side has no such axis), what
    comes out (None: a clash). Axes are counted from the right, -1 first, except under pdpd: from the left of a."""

    axis: int
    a: Dim | None
    b: Dim | None
    out: Dim | None


@dataclass(frozen=True, slots=True)
class Merge:
    """What two shapes merge to, axis by axis; ``columns`` is empty when a rank is unknown."""

    shape: Shape
    columns: tuple[Column, ...] = ()


@dataclass(frozen=True, slots=True)
class Clash:
    """Why two shapes do not merge. ``columns`` are the clashing ones; none when ranks or the axis are at fault."""

    auto_broadcast: str
    axis: int
    a: Shape
    b: Shape
    says: str
    help: str
    columns: tuple[Column, ...] = ()
    every: tuple[Column, ...] = ()

    def error(self) -> InvalidInput:
        """The clash as an exception, with its numbers as fields."""
        return InvalidInput(
            f"shapes {self.a} and {self.b} clash under {self.auto_broadcast}: {self.says}",
            help=self.help,
            auto_broadcast=self.auto_broadcast,
            axis=self.axis,
            a=self.a,
            b=self.b,
            axes=tuple((column.axis, column.a, column.b) for column in self.columns),
        )


def merge(a: Shape, b: Shape, auto_broadcast: str = "numpy", axis: int = -1) -> Merge | Clash:
    """The rule applied to two shapes.

    >>> merge(Shape(8, 1, 6, 1), Shape(7, 1, 5)).shape
    Shape(8, 7, 6, 5)
    >>> merge(Shape(2, 3, 4), Shape(5, 3, 2)).says
    'axis -1: 4 against 2, and neither is 1; axis -3: 2 against 5, and neither is 1'
    """
    return {"none": _none, "numpy": _numpy, "pdpd": _pdpd}[auto_broadcast](a, b, axis)


def infer_shape(a: ShapeLike, b: ShapeLike, *, auto_broadcast: str = "numpy", axis: SupportsIndex = -1) -> Shape:
    """The shape of a + b, of whatever is known of the shapes of a and b.

    Shapes are tuples of sizes (None or -1 is unknown, a pair is an interval), spellings or ``Shape``. Raises
    InvalidInput when they clash; its fields name every clashing axis and both sizes.

    >>> infer_shape((2, None, 3), "1,1..8,3")
    Shape(2, '?', 3)
    >>> infer_shape("2,3,4,5", "3,4", auto_broadcast="pdpd", axis=1)
    Shape(2, 3, 4, 5)
    """
    start = check_rule(auto_broadcast, axis)
    match merge(Shape.of(a), Shape.of(b), auto_broadcast, start):
        case Merge(shape):
            return shape
        case Clash() as clash:
            raise clash.error()


def check_rule(auto_broadcast: object, axis: SupportsIndex) -> int:
    """The axis as an int, once the rule's name and the axis are ones that belong together.

    >>> check_rule("numpy", -1)
    -1
    """
    if not isinstance(auto_broadcast, str):
        raise Unsupported(
            f"auto_broadcast is {type(auto_broadcast).__name__}, not a string",
            help="use none, numpy or pdpd",
            auto_broadcast=auto_broadcast,
        )
    if auto_broadcast not in RULES:
        near = difflib.get_close_matches(auto_broadcast.lower(), RULES, 1)
        raise InvalidInput(
            f"auto_broadcast {quoted(auto_broadcast)} is not a rule",
            help=f"did you mean {near[0]}?" if near else "use none, numpy or pdpd",
            auto_broadcast=auto_broadcast,
        )
    try:
        start = operator.index(axis)
    except TypeError:
        start = None
    if start is None or isinstance(axis, bool):
        raise Unsupported(f"axis is {type(axis).__name__}, not a whole number", axis=axis)
    if not -LARGEST_SHAPE_RANK <= start <= LARGEST_SHAPE_RANK:
        raise InvalidInput(
            "axis is past every axis a shape can have",
            help=f"shapes have at most {LARGEST_SHAPE_RANK} axes",
            axis=start if abs(start) < 2**63 else None,
            limit=LARGEST_SHAPE_RANK,
        )
    if start != -1 and auto_broadcast != "pdpd":
        raise InvalidInput(
            f"axis={start} has a meaning only under pdpd, and auto_broadcast is {auto_broadcast}",
            help='leave axis out, or pass auto_broadcast="pdpd"',
            axis=start,
            auto_broadcast=auto_broadcast,
        )
    return start


def aligned(
    a: tuple[int, ...],
    b: tuple[int, ...],
    auto_broadcast: str,
    axis: int,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Static shapes that merge, both with the result's rank: the same elements, with sizes of 1 put where a side has
    no axis.

    >>> aligned((2, 3, 4, 5), (3, 1), "pdpd", 1)
    ((2, 3, 4, 5), (1, 3, 1, 1))
    """
    if auto_broadcast != "pdpd":
        rank = max(len(a), len(b))
        return (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    start = len(a) - len(b) if axis == -1 else axis
    kept = b[: len(a) - start]  # what is cut off is 1s
    return a, (1,) * start + kept + (1,) * (len(a) - start - len(kept))


def _none(a: Shape, b: Shape, axis: int) -> Merge | Clash:
    if a.dims is None or b.dims is None:
        return Merge(b if a.dims is None else a)
    if len(a.dims) != len(b.dims):
        return Clash(
            "none",
            axis,
            a,
            b,
            f"rank {len(a.dims)} against rank {len(b.dims)}",
            "the rule none wants equal shapes; use numpy to broadcast",
        )
    columns = [Column(-i, a.dims[-i], b.dims[-i], a.dims[-i].meet(b.dims[-i])) for i in range(1, len(a.dims) + 1)]
    return _settle("none", axis, a, b, columns, "the rule none wants equal shapes; use numpy to broadcast")


def _numpy(a: Shape, b: Shape, axis: int) -> Merge | Clash:
    if a.dims is None or b.dims is None:
        return Merge(Shape.unknown())
    columns = []
    for i in range(1, max(len(a.dims), len(b.dims)) + 1):
        mine = a.dims[-i] if i <= len(a.dims) else None
        other = b.dims[-i] if i <= len(b.dims) else None
        columns.append(Column(-i, mine, other, _both_ways(mine or ONE, other or ONE)))
    return _settle("numpy", axis, a, b, columns, "make the sizes equal, or one of them 1, on each axis named")


def _both_ways(a: Dim, b: Dim) -> Dim | None:
    """The hull of: both equal; b where a is 1; a where b is 1."""
    return _hull(a.meet(b), b if 1 in a else None, a if 1 in b else None)


def _one_way(a: Dim, b: Dim) -> Dim | None:
    """The hull of: both equal; a where b is 1."""
    return _hull(a.meet(b), a if 1 in b else None)


def _hull(*dims: Dim | None) -> Dim | None:
    out: Dim | None = None
    for dim in dims:
        if dim is not None:
            out = dim if out is None else out.hull(dim)
    return out


def _pdpd(a: Shape, b: Shape, axis: int) -> Merge | Clash:
    if axis < -1:
        return Clash("pdpd", axis, a, b, f"axis is {axis}", "axis is -1 or the axis of a where b starts")
    if a.dims is None:
        return Merge(a)
    rank_a = len(a.dims)
    rank_b = 0 if b.dims is None else len(b.dims)  # of unknown rank, b may still be the scalar that fits anywhere
    if rank_b > rank_a:
        return Clash(
            "pdpd",
            axis,
            a,
            b,
            f"b has rank {rank_b}, more than a's {rank_a}",
            "under pdpd b is laid over a: swap the operands, or use numpy",
        )
    if axis > rank_a or (axis == rank_a and rank_b):
        return Clash(
            "pdpd",
            axis,
            a,
            b,
            f"axis is {axis}, and a has {rank_a} axes",
            f"use -1 to {rank_a - 1}" if rank_a else "use -1",
        )
    if b.dims is None:
        return Merge(a)
    start = rank_a - rank_b if axis == -1 else axis  # of the rank before trailing 1s are dropped
    columns = []
    for i in range(rank_a):
        other = b.dims[i - start] if 0 <= i - start < rank_b else None
        columns.append(Column(i, a.dims[i], other, a.dims[i] if other is None else _one_way(a.dims[i], other)))
    for i in range(rank_a, start + rank_b):  # only a trailing 1 of b may stand past a's last axis
        columns.append(Column(i, None, b.dims[i - start], ONE if 1 in b.dims[i - start] else None))
    return _settle("pdpd", axis, a, b, columns, "each size of b must be 1 or a's on the axis it is laid over")


def _settle(rule: str, axis: int, a: Shape, b: Shape, columns: list[Column], advice: str) -> Merge | Clash:
    faults = tuple(column for column in columns if column.out is None)
    ordered = tuple(columns if rule == "pdpd" else columns[::-1])
    if faults:
        says = "; ".join(f"axis {column.axis}: {against(rule, column)}" for column in faults)
        return Clash(rule, axis, a, b, says, advice, faults, ordered)
    outs = [column.out for column in ordered if rule != "pdpd" or column.a is not None]
    return Merge(Shape(*outs), ordered)


def against(rule: str, column: Column) -> str:
    """What is wrong on a clashing axis.

    >>> against("numpy", Column(-1, Dim(3), Dim(4), None))
    '3 against 4, and neither is 1'
    """
    if column.a is None:
        return f"{column.b} of b stands past the last axis of a, and is not 1"
    why = {"none": "and they must be equal", "numpy": "and neither is 1", "pdpd": "which is neither a's size nor 1"}
    return f"{column.a} against {column.b}, {why[rule]}"
