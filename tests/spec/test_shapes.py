"""Dims and shapes: their spellings, what is refused, and OpenVINO's PartialShape beside them."""

import pickle

import numpy as np
import openvino as ov
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import AddisonError, Dim, InvalidInput, LimitExceeded, Shape
from addison.spec.shapes import LARGEST_SHAPE_RANK, LARGEST_SIZE
from tests.strategies import dims, shapes

UNKNOWN = (0, None)
ACCEPTED = {  # spelling: bounds of each dim; None is an unknown rank
    "": [],
    " ": [],
    "[]": [],
    "[ ]": [],
    " [ ] ": [],
    "...": None,
    "[...]": None,
    " [ ... ] ": None,
    "3": [(3, 3)],
    "[3]": [(3, 3)],
    "0": [(0, 0)],
    "007": [(7, 7)],
    "2..2": [(2, 2)],
    "..0": [(0, 0)],
    "?": [UNKNOWN],
    "-1": [UNKNOWN],
    "..": [UNKNOWN],
    "0..": [UNKNOWN],
    "[-1]": [UNKNOWN],
    "1..8": [(1, 8)],
    "1..": [(1, None)],
    "..8": [(0, 8)],
    "0..8": [(0, 8)],
    "01..08": [(1, 8)],
    "?,1..8,3": [UNKNOWN, (1, 8), (3, 3)],
    "[ 2 , -1,\t3.. ]": [(2, 2), UNKNOWN, (3, None)],
    "2,\n3": [(2, 2), (3, 3)],
    "\v2\f,\r3": [(2, 2), (3, 3)],
    "1,1,1": [(1, 1)] * 3,
    "9223372036854775806": [(2**63 - 2, 2**63 - 2)],
    "5..9223372036854775806": [(5, 2**63 - 2)],
}
REFUSED = (
    "2,,3",
    "2,",
    ",2",
    ",",
    "+3",
    "0x10",
    "1.5",
    "1..?",
    "?..4",
    "(2)",
    "[2",
    "2]",
    "[[2]]",
    "[2],[3]",
    "2;3",
    "a",
    "1_0",
    "1e3",
    "1 .. 8",
    "- 1",
    "1...3",
    "1..2..3",
    "...,2",
    "2,...",
    "....",
    ".",
    "??",
    "٣",
    "２",
    "2\u00a0",
    "\u20032",
    "2\x1c",
    "[",
    "]",
    "{2}",
    "None",
    "3 4",
)
REFUSED_THOUGH_OPENVINO_READS = {  # spelling: what OpenVINO makes of it
    "-2": "[0]",
    "-01": "[0]",
    "8..1": "[?]",
    "3..-1": "[?]",
    "1..-1": "[?]",
    "-1..4": "[..4]",
    "9223372036854775807": "[?]",
    "0..9223372036854775807": "[?]",
    "9223372036854775808": "[0]",
    "?,8..1": "[?,?]",
}


def bounds(shape):
    return None if shape.rank is None else [(dim.low, dim.high) for dim in shape]


def openvino_bounds(spelling):
    """The bounds OpenVINO reads, or the string "refused"."""
    try:
        shape = ov.PartialShape(spelling)
    except RuntimeError:
        return "refused"
    if shape.rank.is_dynamic:
        return None
    return [(dim.min_length, None if dim.max_length == -1 else dim.max_length) for dim in shape]


@pytest.mark.parametrize("spelling", ACCEPTED)
def test_accepted_spellings(spelling):
    assert bounds(Shape.parse(spelling)) == ACCEPTED[spelling]
    assert bounds(Shape.of(spelling)) == ACCEPTED[spelling]


@pytest.mark.parametrize("spelling", ACCEPTED)
def test_openvino_reads_the_accepted_ones_alike(spelling):
    assert openvino_bounds(spelling) == ACCEPTED[spelling]


@pytest.mark.parametrize("spelling", REFUSED)
def test_refused_spellings(spelling):
    with pytest.raises(InvalidInput) as refused:
        Shape.parse(spelling)
    assert refused.value.fields["found"] == spelling
    assert openvino_bounds(spelling) == "refused"


@pytest.mark.parametrize("spelling", REFUSED_THOUGH_OPENVINO_READS)
def test_spellings_that_only_openvino_reads(spelling):
    with pytest.raises((InvalidInput, LimitExceeded)):
        Shape.parse(spelling)
    assert str(ov.PartialShape(spelling)) == REFUSED_THOUGH_OPENVINO_READS[spelling]


FIELD = st.sampled_from(["", "?", "-1", "..", "3", "0", "1..8", "..8", "1..", "8..1", "-", "+1", " 2 ", "...", "x"])


@given(
    text=st.lists(FIELD, max_size=4).map(",".join).flatmap(lambda inner: st.sampled_from([inner, f"[{inner}]"]))
    | st.text("0123456789?.,-[] x", max_size=10)
)
def test_what_both_read_both_read_alike(text):
    try:
        ours = bounds(Shape.parse(text))
    except AddisonError:
        return
    assert openvino_bounds(text) == ours


@given(shape=shapes())
def test_a_printed_shape_reads_back(shape):
    assert Shape.parse(shape.spell()) == shape
    assert Shape.parse(str(shape)) == shape
    assert Shape.of(shape) is shape
    assert eval(repr(shape), {"Shape": Shape}) == shape


@given(dim=dims())
def test_a_printed_dim_reads_back(dim):
    assert Dim.parse(str(dim)) == dim == Dim.of(str(dim)) == Dim.of((dim.low, dim.high))
    assert eval(repr(dim), {"Dim": Dim}) == dim


@given(shape=shapes(), dim=dims())
def test_pickles_come_back_equal_with_equal_hash(shape, dim):
    for value in (shape, dim):
        again = pickle.loads(pickle.dumps(value))
        assert again == value
        assert hash(again) == hash(value)


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ((2, None, 3), "2,?,3"),
        ((2, -1), "2,?"),
        ([1, 2], "1,2"),
        ((), ""),
        (((1, 8), (2, None)), "1..8,2.."),
        ((Dim(3), "1..4"), "3,1..4"),
        (np.array([2, 3]), "2,3"),
        ((np.int64(-1), np.uint8(5)), "?,5"),
        (range(3), "0,1,2"),
        (iter((4, 5)), "4,5"),
    ],
)
def test_shapes_of_python_values(value, spelled):
    assert Shape.of(value).spell() == spelled


@pytest.mark.parametrize(
    "value",
    [
        (2.0,),
        (True,),
        (-2,),
        ("x",),
        ((1, 2, 3),),
        ((5, 2),),
        ([1, 2],),
        3,
        None,
        ((-1, 4),),
        ((1, False),),
        (b"3",),
        b"2,3",
        bytearray(2),
        {2, 3},
        {2: 3},
    ],
)
def test_python_values_that_are_no_shape(value):
    with pytest.raises(InvalidInput) as refused:
        Shape.of(value)
    assert refused.value.fields


def test_sizes_and_ranks_have_written_limits():
    assert Dim(LARGEST_SIZE).high == 2**63 - 2
    for build in (lambda: Dim(2**63 - 1), lambda: Dim.parse(str(2**63 - 1)), lambda: Dim(0, 2**63)):
        with pytest.raises(LimitExceeded) as refused:
            build()
        assert refused.value.fields["limit"] == LARGEST_SIZE
    assert Shape(*[1] * LARGEST_SHAPE_RANK).rank == 1024
    for build in (lambda: Shape(*[1] * 1025), lambda: Shape.parse("1," * 1024 + "1")):
        with pytest.raises(LimitExceeded) as refused:
            build()
        assert refused.value.fields == {"limit": 1024, "found": 1025}


def test_a_size_of_many_digits_costs_nothing_and_a_long_text_is_not_repeated_whole():
    with pytest.raises(LimitExceeded) as refused:
        Shape.parse("9" * 100_000)
    assert refused.value.fields["found"] == 100_000
    assert len(str(refused.value)) < 200
    with pytest.raises(LimitExceeded) as refused:
        Dim(10**10_000)
    assert len(str(refused.value)) < 200
    assert Dim.parse("0" * 100_000 + "7") == Dim(7)
    with pytest.raises(InvalidInput) as refused:
        Shape.parse("x" * 100_000)
    assert len(str(refused.value)) < 300


def test_static_shapes_know_their_sizes():
    assert Shape(2, 3).static
    assert Shape(2, 3).sizes == (2, 3)
    assert Shape(2, 3).elements == 6
    assert Shape().elements == 1
    assert Shape(2, 0).elements == 0
    assert Shape(2, 3).rank == len(Shape(2, 3)) == 2
    assert Shape(2, 3)[1] == Dim(3)


@pytest.mark.parametrize("spelling", ["2,?", "...", "1..2"])
def test_others_do_not(spelling):
    shape = Shape.parse(spelling)
    assert not shape.static
    with pytest.raises(InvalidInput) as refused:
        _ = shape.sizes
    assert refused.value.fields["shape"] == str(shape)


@pytest.mark.parametrize("ask", [len, list, lambda shape: shape[0]])
def test_an_unknown_rank_has_no_dims_to_list(ask):
    with pytest.raises(InvalidInput):
        ask(Shape.unknown())
    assert Shape.unknown().rank is None


def test_dims_and_shapes_do_not_change():
    with pytest.raises(AttributeError):
        Dim(3).low = 4
    with pytest.raises(AttributeError):
        Shape(3).dims = ()


SIZES = range(10)  # past every bound that dims() draws, so that it stands for all larger sizes too


def members(dim):
    return {size for size in SIZES if size in dim}


@given(a=dims(), b=dims())
def test_dims_are_sets_of_sizes(a, b):
    assert members(a) == {size for size in SIZES if a.low <= size and (a.high is None or size <= a.high)}
    met = a.meet(b)
    assert (members(met) if met else set()) == members(a) & members(b)
    both = members(a) | members(b)
    assert members(a.hull(b)) == set(range(min(both), max(both) + 1))
    assert a.within(b) == (members(a) <= members(b))
    assert a.static == (len(members(a)) == 1)


@given(a=shapes(), b=shapes())
def test_a_shape_is_within_another_when_each_dim_is(a, b):
    wanted = b.rank is None or (a.rank == b.rank and all(x.within(y) for x, y in zip(a, b, strict=True)))
    assert a.within(b) == wanted
