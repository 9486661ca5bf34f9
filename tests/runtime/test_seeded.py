"""Inputs made from a seed."""

import numpy as np
import pytest

from addison import ElementType, InvalidInput, LimitExceeded, Shape, Unsupported
from addison.inference.operations import Fact
from addison.runtime.seeded import seeded
from addison.spec.elements import NOT_NUMERIC
from tests.same_bits import NAMES, assert_same_bits, codes_in


def fact(name, *sizes):
    return Fact(ElementType.parse(name), Shape(*sizes))


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_and_another_does_not(name):
    one, same, other, elsewhere = (
        seeded(key, fact(name, 40, 5), seed, 1 << 20) for key, seed in (("a", 1), ("a", 1), ("a", 2), ("b", 1))
    )
    assert_same_bits(one, same)
    assert codes_in(one)[0] == name
    assert (codes_in(one)[1] != codes_in(other)[1]).any()
    assert (codes_in(one)[1] != codes_in(elsewhere)[1]).any()


def test_floats_are_small_and_finite():
    values = seeded("a", fact("f32", 1000), 0, 1 << 20)
    assert np.isfinite(values).all()
    assert -2 <= values.min() < -1.9
    assert 1.9 < values.max() < 2


def test_the_stream_is_one_for_all_time():
    steps = [round(value * 2**22) for value in seeded("a", fact("f32", 3), 0, 1 << 20).tolist()]
    assert steps == [316153, -7140919, 1909241]


def test_rank_0_and_no_elements():
    assert seeded("a", fact("f32"), 0, 1 << 20).shape == ()
    assert seeded("a", fact("i4", 0, 3), 0, 1 << 20).shape == (0, 3)


def test_what_cannot_be_made():
    with pytest.raises(InvalidInput) as caught:
        seeded("a", fact("f32", "?", "2..4", 3), 0, 1 << 20)
    assert "--set a=1,2,3" in caught.value.help
    with pytest.raises(LimitExceeded) as caught:
        seeded("a", fact("f32", 1 << 40), 0, 1 << 20)
    assert caught.value.fields["limit"] == 1 << 20
    with pytest.raises(Unsupported):
        seeded("a", Fact(NOT_NUMERIC["boolean"], Shape(3)), 0, 1 << 20)
