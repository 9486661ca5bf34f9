"""The three rules: examples, what a clash says, unknown ranks, the arguments themselves."""

import numpy as np
import pytest

from addison import Dim, InvalidInput, Shape, Unsupported, infer_shape
from addison.spec.broadcast import Clash, Column, Merge, aligned, check_rule, merge


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        ("8,1,6,1", "7,1,5", "8,7,6,5"),
        ("256,56", "256,56", "256,56"),
        ("", "", ""),
        ("", "2,3", "2,3"),
        ("2,3", "", "2,3"),
        ("1", "3", "3"),
        ("3", "1", "3"),
        ("0", "1", "0"),
        ("1", "0", "0"),
        ("0", "0", "0"),
        ("5,1", "0", "5,0"),
        ("2,3,4,5", "5", "2,3,4,5"),
        ("4,5", "2,3,4,5", "2,3,4,5"),
        ("?", "1", "?"),
        ("?", "3", "3"),
        ("?", "?", "?"),
        ("0..4", "5..8", "5..8"),
        ("2..4", "3..9", "3..4"),
        ("2..", "1..3", "2.."),
        ("?,1..8,3", "2,1,1,1", "2,?,1..8,3"),
        ("2..5", "1..3", "2..5"),
        ("0..1", "0..1", "0..1"),
    ],
)
def test_numpy_examples(a, b, result):
    assert infer_shape(a, b).spell() == infer_shape(b, a).spell() == result


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        ("256,56", "256,56", "256,56"),
        ("", "", ""),
        ("0,3", "0,3", "0,3"),
        ("?,3", "2,?", "2,3"),
        ("1..4", "3..8", "3..4"),
        ("?", "?", "?"),
        ("2..", "..5", "2..5"),
        ("...", "2,3", "2,3"),
        ("...", "...", "..."),
        ("...", "", ""),
    ],
)
def test_none_examples(a, b, result):
    assert infer_shape(a, b, auto_broadcast="none").spell() == result
    assert infer_shape(b, a, auto_broadcast="none").spell() == result


@pytest.mark.parametrize(
    ("a", "b", "axis", "result"),
    [
        ("2,3,4,5", "3,4", 1, "2,3,4,5"),
        ("2,?,4", "3", 1, "2,3,4"),
        ("2,?,4", "1", 1, "2,?,4"),
        ("2,?,4", "?", 1, "2,?,4"),
        ("2,2..5,4", "0..3", 1, "2,2..5,4"),
        ("2,2..5,4", "2..3", 1, "2,2..3,4"),
        ("4..6", "3..5", 0, "4..5"),
        ("2,3", "3,?", 1, "2,3"),
        ("2,3", "3,1..9", 1, "2,3"),
        ("2,?", "", 2, "2,?"),
        ("2,3", "...", -1, "2,3"),
        ("2,3", "...", 1, "2,3"),
        ("2,3", "...", 2, "2,3"),
        ("...", "3", -1, "..."),
        ("...", "3,4", 7, "..."),
        ("...", "...", -1, "..."),
    ],
)
def test_pdpd_examples(a, b, axis, result):
    assert infer_shape(a, b, auto_broadcast="pdpd", axis=axis).spell() == result


@pytest.mark.parametrize("other", ["2,3", "", "...", "?"])
def test_under_numpy_an_unknown_rank_stays_unknown(other):
    assert infer_shape("...", other) == infer_shape(other, "...") == Shape.unknown()


def test_shapes_come_in_every_spelling():
    for a in ((2, None, 3), [2, -1, (3, 3)], "2,?,3", "[2, -1, 3]", Shape(2, "?", 3), np.array([2, -1, 3])):
        assert infer_shape(a, (3,)) == Shape(2, None, 3)


def test_a_merge_lists_its_columns():
    merged = merge(Shape(8, 1, 6), Shape(7, 1))
    assert merged == Merge(
        Shape(8, 7, 6),
        (Column(-3, Dim(8), None, Dim(8)), Column(-2, Dim(1), Dim(7), Dim(7)), Column(-1, Dim(6), Dim(1), Dim(6))),
    )
    assert merge(Shape(2, 3, 4), Shape(3, 1), "pdpd", 1).columns == (
        Column(0, Dim(2), None, Dim(2)),
        Column(1, Dim(3), Dim(3), Dim(3)),
        Column(2, Dim(4), Dim(1), Dim(4)),
    )
    assert merge(Shape(3), Shape(3, 1), "pdpd", 0).columns == ()
    assert merge(Shape.unknown(), Shape(3)).columns == ()


def clash_of(a, b, rule, axis=-1):
    """The fields of the error, dims as they print."""
    with pytest.raises(InvalidInput) as refused:
        infer_shape(a, b, auto_broadcast=rule, axis=axis)
    fields = dict(refused.value.fields)
    assert (fields.pop("a"), fields.pop("b")) == (Shape.of(a), Shape.of(b))
    assert (fields.pop("auto_broadcast"), fields.pop("axis")) == (rule, axis)
    axes = fields.pop("axes")
    assert not fields
    assert isinstance(merge(Shape.of(a), Shape.of(b), rule, axis), Clash)
    return [(at, x and str(x), y and str(y)) for at, x, y in axes], str(refused.value)


@pytest.mark.parametrize(
    ("a", "b", "rule", "axis", "axes"),
    [
        ("2,3", "2", "numpy", -1, [(-1, "3", "2")]),
        ("2,3,4", "5,3,2", "numpy", -1, [(-1, "4", "2"), (-3, "2", "5")]),
        ("1,3,20,20,2", "1,1,21,12,2", "numpy", -1, [(-2, "20", "12"), (-3, "20", "21")]),
        ("0", "2", "numpy", -1, [(-1, "0", "2")]),
        ("?,4", "?,5", "numpy", -1, [(-1, "4", "5")]),
        ("2..4", "5..8", "numpy", -1, [(-1, "2..4", "5..8")]),
        ("7,2", "3,1,9", "numpy", -1, [(-1, "2", "9")]),
        ("2,3", "2,1", "none", -1, [(-1, "3", "1")]),
        ("1,3,5", "2,3,6", "none", -1, [(-1, "5", "6"), (-3, "1", "2")]),
        ("..3", "4..", "none", -1, [(-1, "0..3", "4..")]),
        ("2,3,4,5", "4,3", "pdpd", 1, [(1, "3", "4"), (2, "4", "3")]),
        ("2,1,4", "3", "pdpd", 1, [(1, "1", "3")]),
        ("2,3", "0", "pdpd", -1, [(1, "3", "0")]),
        ("2,3", "3,5", "pdpd", 1, [(2, None, "5")]),
        ("2,3", "4,2..5", "pdpd", 1, [(1, "3", "4"), (2, None, "2..5")]),
        ("2,2..4", "5..8", "pdpd", -1, [(1, "2..4", "5..8")]),
    ],
)
def test_a_clash_names_every_axis_and_both_sizes(a, b, rule, axis, axes):
    found, sentence = clash_of(a, b, rule, axis)
    assert found == axes
    for at, *sizes in axes:
        assert f"axis {at}: " in sentence
        assert all(size is None or size in sentence for size in sizes)


@pytest.mark.parametrize(
    ("a", "b", "rule", "axis", "says"),
    [
        ("2,3", "3", "none", -1, "rank 2 against rank 1"),
        ("", "1", "none", -1, "rank 0 against rank 1"),
        ("3", "2,3", "pdpd", -1, "b has rank 2, more than a's 1"),
        ("", "1", "pdpd", -1, "b has rank 1"),
        ("2,3", "3", "pdpd", -2, "axis is -2"),
        ("...", "3", "pdpd", -2, "axis is -2"),
        ("2,3", "...", "pdpd", -2, "axis is -2"),
        ("2,3", "3", "pdpd", 2, "axis is 2, and a has 2 axes"),
        ("2,3", "1", "pdpd", 2, "axis is 2"),
        ("2,3", "", "pdpd", 3, "axis is 3, and a has 2 axes"),
        ("2,3", "...", "pdpd", 3, "axis is 3, and a has 2 axes"),
        ("", "", "pdpd", 1, "axis is 1, and a has 0 axes"),
    ],
)
def test_a_clash_of_ranks_or_of_the_axis_names_no_columns(a, b, rule, axis, says):
    axes, sentence = clash_of(a, b, rule, axis)
    assert axes == []
    assert says in sentence


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("nunpy", "did you mean numpy?"),
        ("NUMPY", "did you mean numpy?"),
        ("None", "did you mean none?"),
        ("pdd", "did you mean pdpd?"),
        ("explicit", "use none, numpy or pdpd"),
        ("", "use none, numpy or pdpd"),
        ("numpy ", "did you mean numpy?"),
        ("bidirectional", "use none, numpy or pdpd"),
    ],
)
def test_other_words_for_the_rule_are_refused(word, near):
    with pytest.raises(InvalidInput) as refused:
        check_rule(word, -1)
    assert refused.value.fields == {"auto_broadcast": word}
    assert refused.value.help == near


@pytest.mark.parametrize("word", [None, 1, b"numpy", ["numpy"]])
def test_a_rule_that_is_no_string_is_refused(word):
    with pytest.raises(Unsupported) as refused:
        check_rule(word, -1)
    assert refused.value.fields == {"auto_broadcast": word}


@pytest.mark.parametrize("rule", ["numpy", "none"])
@pytest.mark.parametrize("axis", [0, 1, -2])
def test_an_axis_without_pdpd_is_refused(rule, axis):
    with pytest.raises(InvalidInput) as refused:
        check_rule(rule, axis)
    assert refused.value.fields == {"axis": axis, "auto_broadcast": rule}


@pytest.mark.parametrize("axis", [True, False, 1.0, "1", None, (1,)])
def test_an_axis_that_is_no_whole_number_is_refused(axis):
    with pytest.raises(Unsupported) as refused:
        check_rule("pdpd", axis)
    assert refused.value.fields == {"axis": axis}


@pytest.mark.parametrize("axis", [1, np.int64(1), np.uint8(1)])
def test_an_axis_is_any_whole_number(axis):
    assert type(check_rule("pdpd", axis)) is int
    assert infer_shape((2, 3), (3,), auto_broadcast="pdpd", axis=axis) == Shape(2, 3)


@pytest.mark.parametrize(
    ("a", "b", "rule", "axis", "wanted"),
    [
        ((2, 3), (3,), "numpy", -1, ((2, 3), (1, 3))),
        ((3,), (2, 3), "numpy", -1, ((1, 3), (2, 3))),
        ((2, 3), (2, 3), "none", -1, ((2, 3), (2, 3))),
        ((2, 3, 4, 5), (3, 4), "pdpd", 1, ((2, 3, 4, 5), (1, 3, 4, 1))),
        ((2, 3, 4, 5), (3, 4, 1), "pdpd", -1, ((2, 3, 4, 5), (1, 3, 4, 1))),
        ((2, 3), (3, 1, 1), "pdpd", 1, ((2, 3), (1, 3))),
        ((2, 3), (), "pdpd", 2, ((2, 3), (1, 1))),
        ((2, 3), (), "pdpd", -1, ((2, 3), (1, 1))),
        ((), (), "numpy", -1, ((), ())),
    ],
)
def test_aligned_shapes_have_the_results_rank(a, b, rule, axis, wanted):
    assert aligned(a, b, rule, axis) == wanted


@pytest.mark.parametrize("axis", [10**5000, -(10**5000), 1025], ids=["huge", "hugely negative", "too large"])
def test_an_axis_that_no_shape_has(axis):
    with pytest.raises(InvalidInput) as caught:
        infer_shape((2,), (2,), auto_broadcast="pdpd", axis=axis)
    assert caught.value.fields["limit"] == 1024
    assert len(caught.value.says) < 200
