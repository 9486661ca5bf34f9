"""What holds of shape inference, for any shapes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from addison import Dim, Shape
from addison.spec.broadcast import Clash, aligned, merge
from tests.strategies import broadcastable, shapes

RULES = st.sampled_from(["none", "numpy", "pdpd"])


@given(sizes=broadcastable(largest_size=6))
def test_static_shapes_merge_as_numpy_broadcasts(sizes):
    a, b = sizes
    assert merge(Shape(*a), Shape(*b)).shape.sizes == np.broadcast_shapes(a, b)


@given(a=st.lists(st.integers(0, 3), max_size=4), b=st.lists(st.integers(0, 3), max_size=4))
def test_what_numpy_refuses_clashes(a, b):
    try:
        np.broadcast_shapes(a, b)
    except ValueError:
        assert isinstance(merge(Shape(*a), Shape(*b)), Clash)
    else:
        assert not isinstance(merge(Shape(*a), Shape(*b)), Clash)


@given(rule=st.sampled_from(["none", "numpy"]), a=shapes(), b=shapes())
def test_none_and_numpy_do_not_mind_the_order(rule, a, b):
    one, other = merge(a, b, rule), merge(b, a, rule)
    assert isinstance(one, Clash) == isinstance(other, Clash)
    assert isinstance(one, Clash) or one.shape == other.shape


@given(rule=RULES, a=shapes())
def test_a_shape_merges_with_itself_to_itself(rule, a):
    assert merge(a, a, rule).shape == a


@given(data=st.data(), rule=RULES, axis=st.integers(-1, 4), a=shapes(), b=shapes())
def test_the_merge_of_narrower_shapes_is_within_the_merge_of_wider_ones(data, rule, axis, a, b):
    axis = axis if rule == "pdpd" else -1
    wide = merge(a, b, rule, axis)
    narrow = merge(data.draw(narrowed(a)), data.draw(narrowed(b)), rule, axis)
    if isinstance(wide, Clash):
        assert isinstance(narrow, Clash)
    elif not isinstance(narrow, Clash):
        assert narrow.shape.within(wide.shape)


@st.composite
def narrowed(draw, shape):
    """A shape within this one."""
    if shape.rank is None:
        return draw(shapes())
    low = [draw(st.integers(dim.low, 7 if dim.high is None else dim.high)) for dim in shape]
    return Shape(
        *(
            Dim(first, draw(st.integers(first, 7 if dim.high is None else dim.high)))
            for first, dim in zip(low, shape, strict=True)
        )
    )


@given(
    rule=RULES,
    axis=st.integers(-1, 4),
    a=st.lists(st.integers(0, 3), max_size=4),
    b=st.lists(st.integers(0, 3), max_size=4),
)
def test_aligned_shapes_keep_their_elements_and_broadcast_to_the_result(rule, axis, a, b):
    merged = merge(Shape(*a), Shape(*b), rule, axis if rule == "pdpd" else -1)
    if isinstance(merged, Clash):
        return
    sides = aligned(tuple(a), tuple(b), rule, axis if rule == "pdpd" else -1)
    assert [np.prod(side, dtype=int) for side in sides] == [np.prod(side, dtype=int) for side in (a, b)]
    assert np.broadcast_shapes(*sides) == merged.shape.sizes
