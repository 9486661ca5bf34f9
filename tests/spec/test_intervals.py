"""Interval dims against what they mean: the sets of sizes they stand for, and OpenVINO's inference of the same."""

import itertools
from functools import cache

import openvino as ov
import openvino.opset1 as op
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addison import Dim, Shape
from addison.spec.broadcast import Clash, merge
from tests.strategies import dims, shapes

BOUND = 6
ENOUGH = BOUND + 2  # sizes beyond every bound behave alike: two of them stand for all
INTERVALS = [Dim(low, high) for low in range(BOUND + 1) for high in (*range(low, BOUND + 1), None)]


def sizes_of(dim):
    return range(dim.low, (ENOUGH if dim.high is None else dim.high) + 1)


def add_none(a, b):
    return a if a == b else None


def add_numpy(a, b):
    return a if b in (a, 1) else b if a == 1 else None


def add_pdpd(a, b):
    return a if b in (a, 1) else None


@cache
def reachable(rule, a, b):
    """The smallest interval with every size that some a and some b of these intervals give; None when there is none."""
    size = {"none": add_none, "numpy": add_numpy, "pdpd": add_pdpd}[rule]
    results = [out for x, y in itertools.product(sizes_of(a), sizes_of(b)) if (out := size(x, y)) is not None]
    return Dim(min(results), None if max(results) == ENOUGH else max(results)) if results else None


@pytest.mark.parametrize("rule", ["none", "numpy", "pdpd"])
def test_every_pair_of_intervals_gives_the_smallest_that_holds_all(rule):
    clashes = 0
    for a, b in itertools.product(INTERVALS, INTERVALS):
        wanted, found = reachable(rule, a, b), merge(Shape(a), Shape(b), rule)
        if wanted is None:
            clashes += 1
            assert isinstance(found, Clash), (a, b)
            axis = 0 if rule == "pdpd" else -1
            assert [(column.axis, column.a, column.b) for column in found.columns] == [(axis, a, b)]
        else:
            assert found.shape == Shape(wanted), (a, b, found.shape, wanted)
    assert len(INTERVALS) ** 2 == 1225
    assert clashes


@pytest.mark.parametrize("rule", ["none", "numpy"])
def test_whole_shapes_merge_axis_by_axis(rule):
    @settings(max_examples=300)
    @given(a=st.lists(dims(BOUND), max_size=4), b=st.lists(dims(BOUND), max_size=4))
    def law(a, b):
        found = merge(Shape(*a), Shape(*b), rule)
        if rule == "none" and len(a) != len(b):
            assert isinstance(found, Clash)
            return
        rank = max(len(a), len(b))
        wide_a, wide_b = ([Dim(1)] * (rank - len(side)) + side for side in (a, b))
        wanted = [reachable(rule, x, y) for x, y in zip(wide_a, wide_b, strict=True)]
        if None in wanted:
            assert {column.axis for column in found.columns} == {i - rank for i in range(rank) if wanted[i] is None}
        else:
            assert found.shape == Shape(*wanted)

    law()


@given(a=st.lists(dims(BOUND), max_size=4), b=st.lists(dims(BOUND), max_size=4), axis=st.integers(-1, 4))
@settings(max_examples=300)
def test_pdpd_merges_axis_by_axis_and_wants_1_past_the_last(a, b, axis):
    found = merge(Shape(*a), Shape(*b), "pdpd", axis)
    start = len(a) - len(b) if axis == -1 else axis
    if len(b) > len(a) or start > len(a) or (start == len(a) and b):
        assert isinstance(found, Clash)
        return
    laid = [Dim(1)] * start + b + [Dim(1)] * max(len(a) - start - len(b), 0)
    wanted = [reachable("pdpd", x, y) for x, y in zip(a, laid, strict=False)]
    if None in wanted or any(1 not in dim for dim in laid[len(a) :]):
        assert isinstance(found, Clash)
    else:
        assert found.shape == Shape(*wanted)


def openvino_infers(rule, a, b):
    """The shape OpenVINO infers for an Add of parameters of these shapes; None when it refuses them."""
    parameters = [op.parameter(ov.PartialShape(str(side)), ov.Type.f32) for side in (a, b)]
    try:
        return Shape.parse(str(op.add(*parameters, auto_broadcast=rule).output(0).get_partial_shape()))
    except RuntimeError:
        return None


def agree(rule, a, b):
    found = merge(a, b, rule)
    assert (None if isinstance(found, Clash) else found.shape) == openvino_infers(rule, a, b), (str(a), str(b))


@pytest.mark.parametrize("rule", ["none", "numpy"])
def test_openvino_infers_every_pair_of_intervals_alike(rule):
    for a, b in itertools.product(INTERVALS, INTERVALS):
        agree(rule, Shape(a), Shape(b))


@pytest.mark.parametrize("rule", ["none", "numpy"])
@given(data=st.data())
def test_openvino_infers_any_shapes_alike(rule, data):
    a = data.draw(shapes())
    b = data.draw(st.just(a) | shapes())
    agree(rule, a, b)
