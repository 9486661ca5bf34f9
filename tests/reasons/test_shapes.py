"""Explained shapes: the rule's own answer, a reason for every axis, and suggestions that work."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import Dim, InvalidInput, Shape, Unsupported, explain
from addison.reasons.shapes import Why
from addison.reasons.suggestions import MOST
from addison.spec.broadcast import Clash, Merge, merge
from tests.strategies import shapes

RULES = st.sampled_from([("none", -1), ("numpy", -1), *(("pdpd", axis) for axis in range(-2, 5))])


@given(shapes(), shapes(), RULES)
def test_the_answer_is_the_rules(a, b, rule):
    reason = explain(a, b, auto_broadcast=rule[0], axis=rule[1])
    match merge(a, b, *rule):
        case Merge(shape, columns):
            assert (reason.shape, reason.clash, reason.suggestions) == (shape, None, ())
        case Clash(says=says, every=columns):
            assert (reason.shape, reason.clash) == (None, says)
            assert reason.suggestions or a.rank is None
    assert [(one.axis, one.a, one.b) for one in reason.columns] == [(one.axis, one.a, one.b) for one in columns]
    for one, column in zip(reason.columns, columns, strict=True):
        assert (one.why is Why.CLASH) == (column.out is None)
        assert one.says
    if reason.shape is not None and reason.columns:
        assert tuple(one.out for one in reason.columns if one.out is not None) == reason.shape.dims


@given(shapes(), shapes(), RULES)
def test_suggestions_work(a, b, rule):
    reason = explain(a, b, auto_broadcast=rule[0], axis=rule[1])
    assert len(reason.suggestions) <= MOST
    for one in reason.suggestions:
        assert merge(one.a, one.b, one.auto_broadcast, one.axis).shape == one.shape
        assert (one.a, one.b, one.auto_broadcast, one.axis) != (a, b, *rule)
        if one.keeps_elements:
            assert sorted(map(elements, (one.a, one.b)), key=str) == sorted(map(elements, (a, b)), key=str)


def elements(shape):
    """The sizes without 1s, or how many elements there are."""
    if shape.static:
        return math.prod(dim.low for dim in shape)
    return sorted(str(dim) for dim in shape if dim != Dim(1)) if shape.dims is not None else None


@given(st.lists(st.integers(0, 3), max_size=4), st.lists(st.integers(0, 3), max_size=4))
def test_static_shapes_as_numpy_merges_them(a, b):
    reason = explain(a, b)
    try:
        assert reason.shape == Shape(*np.broadcast_shapes(tuple(a), tuple(b)))
    except ValueError:
        assert reason.shape is None


def whys(a, b, **rule):
    return [(one.why.value, one.says) for one in explain(a, b, **rule).columns]


def test_reasons_under_numpy():
    assert whys("8,1,6,1", "7,1,5") == [
        ("b-missing", "b has no such axis, which counts as 1: a's 8"),
        ("a-stretched", "a's 1 is stretched to b's 7"),
        ("b-stretched", "b's 1 is stretched to a's 6"),
        ("a-stretched", "a's 1 is stretched to b's 5"),
    ]
    assert whys("3", "2,3") == [
        ("a-missing", "a has no such axis, which counts as 1: b's 2"),
        ("equal", "equal"),
    ]
    assert whys("2,3", "2,4") == [("equal", "equal"), ("clash", "3 against 4, and neither is 1")]
    assert whys("0", "1") == [("b-stretched", "b's 1 is stretched to a's 0")]


def test_reasons_of_unknown_sizes():
    assert whys("?", "3") == [("interval", "a is 1 and stretched, or equal to b: either way b's 3")]
    assert whys("5..9", "?") == [("interval", "b is 1 and stretched, or equal to a: either way a's 5..9")]
    assert whys("0..4", "1..8") == [("interval", "equal, or either one is 1 and stretched: 0..8 holds every case")]
    assert whys("2..4", "3..9") == [("interval", "neither can be 1, so they must turn out equal, and both allow 3..4")]
    assert whys("?", "1") == [("b-stretched", "b's 1 is stretched to a's ?")]
    assert whys("2..4", "5..9") == [("clash", "2..4 against 5..9, and neither is 1")]
    assert whys("?", "3", auto_broadcast="none") == [("interval", "they must turn out equal, and both allow 3")]
    assert whys("?", "3", auto_broadcast="pdpd") == [
        ("interval", "b cannot be 1, so they must turn out equal, and both allow 3")
    ]
    assert whys("4", "1..8", auto_broadcast="pdpd") == [
        ("interval", "b is 1 and stretched, or equal to a: either way a's 4")
    ]


def test_reasons_under_none():
    assert whys("2,1", "2,3", auto_broadcast="none") == [
        ("equal", "equal"),
        ("clash", "1 against 3, and they must be equal"),
    ]
    reason = explain("2", "1,2", auto_broadcast="none")
    assert reason.columns == ()
    assert reason.clash == "rank 1 against rank 2"
    assert reason.remarks == ()


def test_reasons_under_pdpd():
    reason = explain("2,3,3,4", "3,1", auto_broadcast="pdpd")
    assert [(one.why.value, one.says) for one in reason.columns] == [
        ("b-missing", "b does not reach here and is repeated: a's 2"),
        ("b-missing", "b does not reach here and is repeated: a's 3"),
        ("equal", "equal"),
        ("dropped", "a trailing 1 of b is dropped: a's 4"),
    ]
    assert reason.remarks == (
        "axis -1 stands for rank(a) - rank(b) = 4 - 2 = 2, with the trailing 1s of b counted",
        "b ends in a 1, which is dropped",
    )
    reason = explain("2,3", "3,1,1", auto_broadcast="pdpd", axis=1)
    assert reason.shape is None
    reason = explain("2,3,4,5", "4,1,1", auto_broadcast="pdpd", axis=2)
    assert [(str(one.out), one.why.value, one.says) for one in reason.columns[3:]] == [
        ("5", "dropped", "a trailing 1 of b is dropped: a's 5"),
        ("None", "dropped", "a trailing 1 of b past the last axis of a is dropped"),
    ]
    assert reason.remarks == ("b starts at axis 2 of a", "b ends in 2 1s, which are dropped")
    assert str(reason.shape) == "[2,3,4,5]"
    assert whys("2,3", "3,?", auto_broadcast="pdpd", axis=1)[2] == (
        "dropped",
        "past the last axis of a, so b's ? must turn out to be 1",
    )
    assert whys("2,3", "3,4", auto_broadcast="pdpd", axis=1)[2] == (
        "clash",
        "4 of b stands past the last axis of a, and is not 1",
    )
    assert whys("2,3", "1,3", auto_broadcast="pdpd")[0] == ("b-stretched", "b's 1 is stretched to a's 2")
    assert whys("1,3", "2,3", auto_broadcast="pdpd")[0] == ("clash", "1 against 2, which is neither a's size nor 1")


@pytest.mark.parametrize(
    ("a", "b", "rule", "axis", "remark"),
    [
        ("...", "2", "numpy", -1, "the rank of a is not known, so neither is the result's"),
        ("2", "...", "numpy", -1, "the rank of b is not known, so neither is the result's"),
        ("...", "...", "none", -1, "the ranks of a and b are not known, so neither is the result's"),
        ("2", "...", "none", -1,
         "the rank of b is not known, but the shapes must be equal, so the result is the one that is known"),
        ("2", "...", "pdpd", -1, "the rank of b is not known, but the result has the shape of a in any case"),
        ("...", "2", "pdpd", -1, "the rank of a is not known, so neither is the result's"),
        ("2,3", "3", "numpy", -1, "a has rank 2, b has rank 1: they are lined up at their last axes"),
        ("2,3", "3", "pdpd", -1, "axis -1 stands for rank(a) - rank(b) = 2 - 1 = 1"),
        ("2,3", "2", "pdpd", 0, "b starts at axis 0 of a"),
    ],
)  # fmt: skip
def test_remarks(a, b, rule, axis, remark):
    assert explain(a, b, auto_broadcast=rule, axis=axis).remarks == (remark,)


SUGGESTED = [
    ("2,3,4,5", "3,4", "numpy", -1, "use pdpd with axis 1", "2,3,4,5", True),
    ("2,3,4,5", "3,4", "numpy", -1, "reshape b to [3,4,1]", "2,3,4,5", True),
    ("2", "2,3", "numpy", -1, "swap a and b, and use pdpd with axis 0", "2,3", True),
    ("2", "2,3", "numpy", -1, "reshape a to [2,1]", "2,3", True),
    ("2,3", "3,2", "numpy", -1, "transpose b with order 1,0: [2,3]", "2,3", True),
    ("2,3", "6", "numpy", -1, "reshape b to [2,3]", "2,3", True),
    ("2,3,4", "5,3,2", "numpy", -1, "give b size 1 on axes -3, -1: [1,3,1]", "2,3,4", False),
    ("2,3,4", "5,3,2", "numpy", -1, "give b a's size on axes -3, -1: [2,3,4]", "2,3,4", False),
    ("2,3", "3", "none", -1, "use numpy", "2,3", True),
    ("2,3", "4", "none", -1, "give b the shape of a, [2,3]", "2,3", False),
    ("3", "2,3", "pdpd", -1, "swap a and b", "2,3", True),
    ("3", "2,3", "pdpd", -1, "use numpy", "2,3", True),
    ("2,3,4", "3", "pdpd", 0, "use axis 1", "2,3,4", True),
    ("2,3,4", "3", "pdpd", -5, "use axis 1", "2,3,4", True),
    ("2,3", "5", "pdpd", -1, "give b size 1 on axis 1: [1]", "2,3", False),
    ("2..3", "5..6", "numpy", -1, "give b a's size on axis -1: [2..3]", "2..3", False),
]


@pytest.mark.parametrize(("a", "b", "rule", "axis", "says", "shape", "keeps"), SUGGESTED)
def test_suggestions_by_hand(a, b, rule, axis, says, shape, keeps):
    made = {one.says: one for one in explain(a, b, auto_broadcast=rule, axis=axis).suggestions}
    assert (made[says].shape.spell(), made[says].keeps_elements) == (shape, keeps)


def test_every_clash_of_small_static_shapes_has_a_suggestion():
    few = [sizes for rank in range(3) for sizes in product(range(4), repeat=rank)]
    for a, b in product(few, repeat=2):
        reason = explain(a, b, auto_broadcast="pdpd")
        assert reason.shape is not None or reason.suggestions


def test_large_ranks_cost_little_and_still_get_suggestions():
    reason = explain((2,) * 1000, (3,) * 1000)
    assert [one.says[:10] for one in reason.suggestions] == ["give b siz", "give b a's"]
    assert len(reason.columns) == 1000


def test_wrong_rules_are_refused():
    with pytest.raises(InvalidInput) as caught:
        explain("2", "2", auto_broadcast="nump")
    assert (caught.value.fields, caught.value.help) == ({"auto_broadcast": "nump"}, "did you mean numpy?")
    with pytest.raises(InvalidInput) as caught:
        explain("2", "2", axis=1)
    assert caught.value.fields == {"axis": 1, "auto_broadcast": "numpy"}
    with pytest.raises(Unsupported) as caught:
        explain("2", "2", auto_broadcast="pdpd", axis="x")
    assert caught.value.fields == {"axis": "x"}
