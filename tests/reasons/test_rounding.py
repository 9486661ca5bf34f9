"""The search for neighbours against the specification's arithmetic, and against values decoded by others."""

import math
from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import cache

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import ElementType, InvalidInput
from addison.reasons.rounding import Decision, settle
from addison.reasons.words import rounding_says
from addison.spec.addition import add_codes, exact_sum
from addison.spec.bits import Special, decode, encode
from tests.reasons.values import NF4, values_by_others
from tests.same_bits import SMALL, WIDE
from tests.strategies import pairs

FLOATS = ("bf16", "f16", "f32", "f64", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "nf4")


@pytest.mark.parametrize("name", SMALL)
def test_every_sum_of_a_small_type_becomes_what_the_specification_says(name):
    element = ElementType.parse(name)
    values = [decode(element, code) for code in range(2**element.bits)]
    became = cache(lambda exact: settle(element, exact).code)
    wrong = [
        (a, b)
        for a in range(len(values))
        for b in range(a, len(values))
        if became(exact_sum(values[a], values[b])) != add_codes(element, a, b)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", WIDE)
@given(data=st.data())
def test_sums_of_wide_types(name, data):
    element = ElementType.parse(name)
    a, b = data.draw(pairs(name))
    assert settle(element, exact_sum(decode(element, a), decode(element, b))).code == add_codes(element, a, b)


@pytest.mark.parametrize("name", FLOATS)
@given(odd=st.integers(-(2**70), 2**70), exponent=st.integers(-1200, 1100))
def test_any_number_becomes_what_the_specification_says(name, odd, exponent):
    element = ElementType.parse(name)
    number = Fraction(odd) * Fraction(2) ** exponent
    assert settle(element, number).code == encode(element, number)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("special", Special)
def test_what_is_no_number(name, special):
    element = ElementType.parse(name)
    if special is Special.NAN and element.nan is None:
        with pytest.raises(InvalidInput) as caught:
            settle(element, special)
        assert caught.value.fields == {"element_type": name}
    else:
        assert settle(element, special).code == encode(element, special)


@pytest.mark.parametrize("name", ["f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "nf4"])
@given(odd=st.integers(-(2**12), 2**12), exponent=st.integers(-20, 8))
def test_neighbours_are_the_nearest_values_on_both_sides(name, odd, exponent):
    number = Fraction(odd) * Fraction(2) ** exponent
    there = sorted({Fraction(value) for value in values_by_others(name) if math.isfinite(value)})
    below, above = bisect_right(there, number) - 1, bisect_left(there, number)
    found = settle(ElementType.parse(name), number)
    for side, index in ((found.below, below), (found.above, above)):
        if 0 <= index < len(there):
            assert side.number == there[index]
            assert side.there
        else:
            assert side is None or not side.there


@pytest.mark.parametrize(("name", "dtype"), [("bf16", ml_dtypes.bfloat16), ("f16", "f2"), ("f32", "f4"), ("f64", "f8")])
@given(data=st.data())
def test_neighbours_of_wide_floats_are_one_step_apart(name, dtype, data):
    element = ElementType.parse(name)
    a, b = data.draw(pairs(name))
    found = settle(element, exact_sum(decode(element, a), decode(element, b)))
    if found.below is None or found.below == found.above or not (found.below.there and found.above.there):
        return
    low = np.dtype(dtype).type(float(found.below.number))
    assert float(np.nextafter(low, np.dtype(dtype).type(np.inf))) == float(found.above.number)


@pytest.mark.parametrize(
    ("name", "number", "decision", "code"),
    [
        ("f8e4m3", 416, Decision.EXACT, 0x7D),
        ("f8e4m3", 464, Decision.TIE, 0x7E),
        ("f8e4m3", 465, Decision.OVERFLOW, 0x7F),
        ("f8e4m3", -465, Decision.OVERFLOW, 0xFF),
        ("f8e4m3", 450, Decision.NEAREST, 0x7E),
        ("f8e4m3", 10**9, Decision.OVERFLOW, 0x7F),
        ("f16", 65520, Decision.OVERFLOW, 0x7C00),
        ("f16", 65519, Decision.NEAREST, 0x7BFF),
        ("f16", -65536, Decision.OVERFLOW, 0xFC00),
        ("bf16", 1412, Decision.TIE, 0x44B0),
        ("f4e2m1", 7, Decision.SATURATE, 0x7),
        ("f4e2m1", -99, Decision.SATURATE, 0xF),
        ("f4e2m1", 5, Decision.TIE, 0x6),
        ("f8e8m0", 3, Decision.TIE, 0x80),
        ("f8e8m0", 6, Decision.TIE, 0x82),
        ("f8e8m0", 2**128, Decision.SATURATE, 0xFE),
        ("f8e8m0", 0, Decision.SATURATE, 0x00),
        ("nf4", 2, Decision.SATURATE, 0xF),
        ("i8", 128, Decision.WRAP, 0x80),
        ("i8", -129, Decision.WRAP, 0x7F),
        ("u1", 2, Decision.WRAP, 0),
        ("u64", 2**64 - 1, Decision.EXACT, 2**64 - 1),
    ],
)
def test_decisions(name, number, decision, code):
    element = ElementType.parse(name)
    found = settle(element, number if name[0] in "iu" else Fraction(number))
    assert (found.decision, found.code) == (decision, code)


def test_a_tie_of_levels_goes_to_the_lower_code_be_it_odd():
    nf4 = ElementType.parse("nf4")
    found = settle(nf4, Fraction(NF4[8]) / 2)
    assert (found.decision, found.code) == (Decision.TIE, 7)
    assert encode(nf4, Fraction(NF4[8]) / 2) == 7
    assert rounding_says(nf4, found) == "halfway between 0 and about 0.079580299556255341: the lower code, 0x7, wins"
