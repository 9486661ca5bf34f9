"""The shapes that are tried: for every type, for every rule, of unknown sizes, and those that no rule takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Sizes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Two static shapes under a rule, and the sentence they stand for."""

    name: str
    a: Sizes
    b: Sizes
    says: str
    rule: str = "numpy"
    axis: int = -1


_STRETCH = "Sizes are aligned on the right; a size of 1 is stretched to the other side's."
_EQUAL = "Under none both shapes are the same, and nothing is broadcast."
_LAID = "Under pdpd b is laid over a from axis on; the result has a's shape."
_EMPTY = "A size of 0 is an ordinary size: the result has no elements."
_SCALAR = "A tensor of rank 0 has one element, and is stretched over every axis."

EVERY_TYPE = (
    Layout("rank-0", (), (), "Two tensors of rank 0 have a sum of rank 0."),
    Layout("rank-0-left", (), (3,), _SCALAR),
    Layout("rank-0-right", (5,), (), _SCALAR),
    Layout("rank-0-pdpd", (3,), (), "Under pdpd a b of rank 0 is laid over all of a.", "pdpd"),
    Layout("zero-size", (0, 3), (1, 3), _EMPTY),
    Layout("zero-size-none", (0,), (0,), _EMPTY, "none"),
    Layout("none", (3, 3), (3, 3), _EQUAL, "none"),
    Layout("numpy", (3, 1), (1, 5), _STRETCH),
    Layout("numpy-row", (3, 5), (5,), _STRETCH),
    Layout("pdpd", (2, 3, 3), (3,), _LAID, "pdpd", 1),
    Layout("pdpd-end", (3, 3), (3,), "Under pdpd an axis of -1 is rank(a) - rank(b).", "pdpd"),
)

RULES = (
    Layout("both-ways", (8, 1, 6, 1), (7, 1, 5), _STRETCH),
    Layout("scalar-left", (), (2, 3), _SCALAR),
    Layout("one-left", (1,), (2, 3), _STRETCH),
    Layout("longer-right", (3,), (2, 1, 3), _STRETCH),
    Layout("outer", (4, 1), (3,), _STRETCH),
    Layout("interior", (2, 3, 4), (2, 1, 4), _STRETCH),
    Layout("column", (2, 3), (2, 1), _STRETCH),
    Layout("leading-ones", (1, 1, 3), (2, 3), _STRETCH),
    Layout("rank-8", (1, 2, 1, 2, 1, 2, 1, 2), (2, 1, 2, 1, 2, 1, 2, 1), _STRETCH),
    Layout("zero-against-one", (0,), (1,), _EMPTY),
    Layout("zero-inside", (2, 0, 3), (3,), _EMPTY),
    Layout("zero-right", (2, 1), (0,), _EMPTY),
    Layout("same", (2, 3, 4), (2, 3, 4), _EQUAL, "none"),
    Layout("scalars", (), (), _EQUAL, "none"),
    Layout("empty", (2, 0), (2, 0), _EMPTY, "none"),
)

REFUSED = (
    Layout("numpy/one-axis", (2, 3), (2, 4), "Sizes that differ, neither being 1, do not broadcast."),
    Layout("numpy/two-axes", (2, 3, 4), (5, 3, 2), "Sizes that differ, neither being 1, do not broadcast."),
    Layout("numpy/zero", (0,), (2,), "A size of 0 goes with 0 and 1, and with nothing else."),
    Layout("numpy/from-the-left", (2, 3, 4, 5), (3, 4), "Shapes are aligned on the right, not where they fit."),
    Layout("none/sizes", (1,), (3,), "Under none a size of 1 is not stretched.", "none"),
    Layout("none/ranks", (1, 3), (3,), "Under none ranks are equal.", "none"),
    Layout("none/scalar", (), (1,), "Under none ranks are equal.", "none"),
    Layout("axis/numpy", (2, 3), (3,), "An axis has a meaning only under pdpd.", "numpy", 1),
    Layout("axis/none", (2, 3), (2, 3), "An axis has a meaning only under pdpd.", "none", 0),
    Layout("rule/bidirectional", (3,), (3,), "auto_broadcast is none, numpy or pdpd.", "bidirectional"),
)

# a, then b and axis of each row
_PDPD: tuple[tuple[Sizes, tuple[tuple[Sizes, int], ...]], ...] = (
    (
        (2, 3, 4, 5),
        (
            ((3, 4), 1),
            ((3, 1), 1),
            ((4, 5), -1),
            ((4, 5), 2),
            ((1, 3), 0),
            ((), -1),
            ((), 0),
            ((), 4),
            ((), 5),
            ((5,), -1),
            ((5,), 3),
            ((5,), 4),
            ((2, 3), 0),
            ((2, 3), -1),
            ((2, 3), -2),
            ((3, 4), -2),
            ((4,), -2),
            ((3,), 5),
            ((1,), -1),
            ((1,), 0),
            ((1,), 3),
            ((1,), 4),
            ((1, 1), -1),
            ((1, 1), 2),
            ((1, 1), 3),
            ((3, 4, 1), 1),
            ((3, 4, 1), -1),
            ((3, 1, 1), 1),
            ((3, 1, 5), 1),
            ((1, 4), 1),
            ((1, 4, 1), 1),
            ((4, 1), 2),
            ((4, 1), -1),
            ((5, 1), 3),
            ((4, 1, 1), 2),
        ),
    ),
    ((8, 1, 6, 1), (((7, 1, 5), 1),)),
    ((2, 3, 3, 4), (((3, 1), -1),)),
    ((2, 3, 4, 3), (((3, 1), -1),)),
    (
        (2, 3),
        (
            ((3, 1), 1),
            ((3, 1, 1), 0),
            ((2, 3), -1),
            ((2, 3), 0),
            ((2, 3), 1),
            ((1, 3), -1),
            ((2, 1), -1),
            ((2, 1), 0),
            ((0,), -1),
            ((0, 1), 0),
        ),
    ),
    ((3,), (((3, 1), 0), ((3, 1), -1), ((1, 3), -1), ((2, 3), -1))),
    ((), (((), -1), ((1,), -1), ((), 0))),
    ((1,), (((), -1), ((5,), -1), ((0,), -1))),
    ((1, 3), (((2, 3), -1), ((0, 3), -1))),
    ((2, 1), (((2, 3), -1), ((5,), 1), ((0,), 1), ((2, 0), 0))),
    ((2, 1, 4), (((3,), 1), ((1,), 1))),
    ((5, 1), (((5, 4), 0),)),
    ((0,), (((0,), -1), ((1,), -1))),
    ((2, 0), (((0,), -1), ((1,), -1), ((), -1), ((2,), 0), ((2, 1), 0), ((2, 1), -1))),
    ((0, 3), (((3,), -1), ((1, 3), -1))),
    ((2, 3, 0), (((3,), 1),)),
)


def pdpd() -> Iterator[tuple[Sizes, Sizes, int, str]]:
    """Every row of pdpd's decision table: a, b, axis, and what the row is about.

    >>> next(pdpd())
    ((2, 3, 4, 5), (3, 4), 1, "Under pdpd each size of b is a's on the axis it is laid over, or 1.")
    """
    for a, rows in _PDPD:
        for b, axis in rows:
            yield a, b, axis, _about(a, b, axis)


def _about(a: Sizes, b: Sizes, axis: int) -> str:
    if len(b) > len(a):
        return "Under pdpd b's rank is at most a's."
    if axis < -1 or axis > len(a) or (axis == len(a) and b):
        return "Under pdpd an axis is -1 or an axis of a; a b of rank 0 may stand just past the last."
    if not b:
        return "Under pdpd a b of rank 0 is laid over all of a."
    if b[-1] == 1:
        return "Under pdpd trailing 1s of b are dropped, after an axis of -1 is taken from its whole rank."
    return "Under pdpd each size of b is a's on the axis it is laid over, or 1."


INTERVALS = ("0", "1", "2", "3", "?", "0..1", "1..", "2..", "0..4", "1..4", "2..5", "5..8")
"""Every kind of interval: of one size (0, 1, more), unbounded and bounded, from 0, from 1 and from more."""

_HULL = "the result is the smallest interval that has every size which sizes within the operands' can give"
INTERVAL_RULES = {
    "none": "Under none the result has the sizes that both operands can have; none at all is a clash.",
    "numpy": f"Under numpy {_HULL}.",
    "pdpd": f"Under pdpd {_HULL}; b never makes a grow.",
}

_RANK = "A rank that is not known may turn out to be any."
DYNAMIC = (
    ("numpy", "...", "2,3", -1, _RANK),
    ("numpy", "2,3", "...", -1, _RANK),
    ("numpy", "...", "...", -1, _RANK),
    ("none", "...", "2,3", -1, "Under none a shape of unknown rank is the other's."),
    ("none", "2,3", "...", -1, "Under none a shape of unknown rank is the other's."),
    ("none", "...", "...", -1, _RANK),
    ("none", "?,3", "2,?", -1, "Under none the result has what is known of either side."),
    ("pdpd", "2,3", "...", -1, "Under pdpd the result is a's shape, whatever b turns out to be."),
    ("pdpd", "2,3", "...", 1, "Under pdpd the result is a's shape, whatever b turns out to be."),
    ("pdpd", "2,3", "...", 3, "Under pdpd an axis past a's rank is wrong, whatever b turns out to be."),
    ("pdpd", "...", "2,3", -1, _RANK),
    ("pdpd", "...", "...", -1, _RANK),
    ("pdpd", "...", "2,3", -2, "Under pdpd an axis is -1 or more, whatever a turns out to be."),
    ("pdpd", "2,?,4", "3,?", 1, "Under pdpd an unknown size of a is b's, where b's is not 1."),
    ("pdpd", "2,3", "3,0..4", 1, "Under pdpd a size of b past a's last axis has to be able to be 1."),
    ("pdpd", "2,3", "3,2..4", 1, "Under pdpd a size of b past a's last axis has to be able to be 1."),
    ("pdpd", "2,3,4", "?,1", 1, "Under pdpd trailing 1s of b are dropped."),
    ("numpy", "8,1,6,1", "7,1,5", -1, _STRETCH),
    ("numpy", "2,?,3", "1,1..8,3", -1, _STRETCH),
    ("numpy", "?,4", "?,5", -1, "A clash on one axis is a clash, whatever is unknown on the others."),
    ("numpy", "9223372036854775806", "1", -1, "The largest size is 2^63 - 2."),
    ("numpy", "0..9223372036854775806", "1..", -1, "The largest size is 2^63 - 2."),
)
