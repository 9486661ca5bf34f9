"""Two shapes under a rule, axis by axis, each with the reason; of a clash, what would work."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import ClassVar, SupportsIndex

from addison.reasons.shown import shown
from addison.reasons.suggestions import Suggestion, suggestions
from addison.spec.broadcast import Clash, Column, Merge, against, check_rule, merge
from addison.spec.shapes import Dim, Shape, ShapeLike

ONE = Dim(1)


class Why(enum.Enum):
    """What decides the size on one axis."""

    EQUAL = "equal"
    A_STRETCHED = "a-stretched"
    B_STRETCHED = "b-stretched"
    A_MISSING = "a-missing"
    B_MISSING = "b-missing"
    INTERVAL = "interval"
    DROPPED = "dropped"
    CLASH = "clash"


@dataclass(frozen=True, slots=True)
class AxisReason:
    """One axis: the size each side brings (None: it has no such axis), what comes out (None: a clash, or an axis that
    is dropped), and why. Axes are counted as ``spec.broadcast`` counts them."""

    axis: int
    a: Dim | None
    b: Dim | None
    out: Dim | None
    why: Why
    says: str


@dataclass(frozen=True, slots=True)
class ShapesReason:
    """Two shapes, a rule, and what comes out: ``shape``, or None and the ``clash`` in words with ``suggestions``.

    >>> reason = ShapesReason.of((2, 3), (2, 1))
    >>> str(reason.shape), reason.columns[1].says
    ('[2,3]', "b's 1 is stretched to a's 3")
    """

    kind: ClassVar[str] = "shapes"
    a: Shape
    b: Shape
    auto_broadcast: str
    axis: int
    shape: Shape | None
    columns: tuple[AxisReason, ...]
    remarks: tuple[str, ...]
    clash: str | None = None
    suggestions: tuple[Suggestion, ...] = ()

    @classmethod
    def of(cls, a: ShapeLike, b: ShapeLike, auto_broadcast: str = "numpy", axis: SupportsIndex = -1) -> ShapesReason:
        """Shapes as ``infer_shape`` takes them."""
        start = check_rule(auto_broadcast, axis)
        left, right = Shape.of(a), Shape.of(b)
        remarks = _remarks(left, right, auto_broadcast, start)
        match merge(left, right, auto_broadcast, start):
            case Merge(shape, columns):
                reasons = _reasons(columns, right, auto_broadcast)
                return cls(left, right, auto_broadcast, start, shape, reasons, remarks)
            case Clash() as clash:
                return cls(
                    left,
                    right,
                    auto_broadcast,
                    start,
                    None,
                    _reasons(clash.every, right, auto_broadcast),
                    remarks,
                    clash.says,
                    suggestions(clash),
                )

    def __str__(self) -> str:
        return shown(self, "text")

    def _repr_html_(self) -> str:
        return shown(self, "html")


def _reasons(columns: tuple[Column, ...], b: Shape, rule: str) -> tuple[AxisReason, ...]:
    if not columns:
        return ()
    dropped = _trailing_ones(b) if rule == "pdpd" else 0
    held = [column.axis for column in columns if column.b is not None]
    gone = set(held[len(held) - dropped :])
    return tuple(_reason(column, rule, column.axis in gone) for column in columns)


def _reason(column: Column, rule: str, dropped: bool) -> AxisReason:
    out = column.out
    if out is None:
        why, says = Why.CLASH, against(rule, column)
    elif column.a is None and rule == "pdpd":
        why, says, out = Why.DROPPED, _past_the_end(column), None
    elif dropped:
        why, says = Why.DROPPED, f"a trailing 1 of b is dropped: a's {column.a}"
    elif column.b is None:
        why, says = Why.B_MISSING, _missing("b", "a", column.a, rule)
    elif column.a is None:
        why, says = Why.A_MISSING, _missing("a", "b", column.b, rule)
    else:
        why, says = _both(column.a, column.b, out, rule)
    return AxisReason(column.axis, column.a, column.b, out, why, says)


def _past_the_end(column: Column) -> str:
    if column.b == ONE:
        return "a trailing 1 of b past the last axis of a is dropped"
    return f"past the last axis of a, so b's {column.b} must turn out to be 1"


def _missing(side: str, other: str, size: Dim | None, rule: str) -> str:
    if rule == "pdpd":
        return f"{side} does not reach here and is repeated: {other}'s {size}"
    return f"{side} has no such axis, which counts as 1: {other}'s {size}"


def _both(a: Dim, b: Dim, out: Dim, rule: str) -> tuple[Why, str]:
    """Why both sides' sizes give this one."""
    if a == b and a.static:
        return Why.EQUAL, "equal"
    if b == ONE and rule != "none":
        return Why.B_STRETCHED, f"b's 1 is stretched to a's {a}"
    if a == ONE and rule == "numpy":
        return Why.A_STRETCHED, f"a's 1 is stretched to b's {b}"
    return Why.INTERVAL, _interval(a, b, out, rule)


def _interval(a: Dim, b: Dim, out: Dim, rule: str) -> str:
    """Of sizes that are not all known: what may still happen, and the smallest interval that holds it all."""
    if rule == "none":
        return f"they must turn out equal, and both allow {out}"
    a_may, b_may = rule == "numpy" and 1 in a, 1 in b
    if a_may and b_may:
        return f"equal, or either one is 1 and stretched: {out} holds every case"
    if b_may:
        return f"b is 1 and stretched, or equal to a: either way a's {a}"
    if a_may:
        return f"a is 1 and stretched, or equal to b: either way b's {b}"
    which = "neither can be 1" if rule == "numpy" else "b cannot be 1"
    return f"{which}, so they must turn out equal, and both allow {out}"


def _trailing_ones(shape: Shape) -> int:
    """How many known 1s a shape of known rank ends in."""
    dims = shape.dims or ()
    kept = len(dims)
    while kept and dims[kept - 1] == ONE:
        kept -= 1
    return len(dims) - kept


def _remarks(a: Shape, b: Shape, rule: str, axis: int) -> tuple[str, ...]:
    """What there is to say about the shapes as wholes."""
    if a.rank is None or b.rank is None:
        return (_unknown(a, b, rule),)
    if rule == "pdpd":
        return _pdpd(a.rank, b.rank, axis, _trailing_ones(b))
    if a.rank != b.rank and rule == "numpy":
        return (f"a has rank {a.rank}, b has rank {b.rank}: they are lined up at their last axes",)
    return ()


def _unknown(a: Shape, b: Shape, rule: str) -> str:
    sides = "the ranks of a and b are" if a.rank is b.rank else f"the rank of {'a' if a.rank is None else 'b'} is"
    if rule == "none" and a.rank is not b.rank:
        return f"{sides} not known, but the shapes must be equal, so the result is the one that is known"
    if rule == "pdpd" and a.rank is not None:
        return f"{sides} not known, but the result has the shape of a in any case"
    return f"{sides} not known, so neither is the result's"


def _pdpd(rank_a: int, rank_b: int, axis: int, dropped: int) -> tuple[str, ...]:
    said = []
    if axis == -1 and rank_b <= rank_a:
        said.append(f"axis -1 stands for rank(a) - rank(b) = {rank_a} - {rank_b} = {rank_a - rank_b}")
        if dropped and rank_b:
            said[-1] += ", with the trailing 1s of b counted"
    elif 0 <= axis < rank_a:
        said.append(f"b starts at axis {axis} of a")
    if dropped and rank_b <= rank_a:
        said.append(f"b ends in {'a 1, which is' if dropped == 1 else f'{dropped} 1s, which are'} dropped")
    return tuple(said)
