"""What holds of the sum of two elements, in every type."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addison import ElementType
from addison.spec.addition import add_codes, canonical, is_nan
from addison.spec.bits import Special, decode
from addison.spec.elements import Float, Levels
from tests.same_bits import NAMES
from tests.strategies import codes, pairs

FLOATS = [name for name in NAMES if isinstance(ElementType.parse(name).format, Float)]


def sign_of(name):
    return 1 << (ElementType.parse(name).bits - 1)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=50)
@given(data=st.data())
def test_the_order_does_not_matter(name, data):
    a, b = data.draw(pairs(name))
    assert add_codes(ElementType.parse(name), a, b) == add_codes(ElementType.parse(name), b, a)


@pytest.mark.parametrize("name", FLOATS)
@given(data=st.data())
def test_adding_minus_zero_changes_nothing(name, data):
    a = data.draw(codes(name))
    assert add_codes(ElementType.parse(name), a, sign_of(name)) == canonical(ElementType.parse(name), a)


@pytest.mark.parametrize("name", FLOATS)
@given(data=st.data())
def test_a_number_and_its_negative_make_plus_zero(name, data):
    a = data.draw(codes(name))
    value = decode(ElementType.parse(name), a)
    if value not in (Special.NAN, Special.PLUS_INFINITY, Special.MINUS_INFINITY):
        assert add_codes(ElementType.parse(name), a, a ^ sign_of(name)) == 0


@pytest.mark.parametrize("name", FLOATS)
@given(data=st.data())
def test_turning_both_signs_turns_the_sums_sign(name, data):
    element = ElementType.parse(name)
    a, b = data.draw(pairs(name))
    total = add_codes(element, a, b)
    turned = add_codes(element, a ^ sign_of(name), b ^ sign_of(name))
    if is_nan(element, total):
        assert is_nan(element, turned)
    elif not total == turned == 0:  # what cancels is +0 either way
        assert turned == total ^ sign_of(name)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in NAMES
        if ElementType.parse(name).nan is not None
        or name == "f4e2m1"
        or isinstance(ElementType.parse(name).format, Levels)
    ],
)
@given(data=st.data())
def test_a_larger_addend_never_makes_a_smaller_sum(name, data):
    element = ElementType.parse(name)
    (a, low), high = data.draw(pairs(name)), data.draw(codes(name))
    values = [decode(element, add_codes(element, a, addend)) for addend in (low, high)]
    if any(is_nan(element, code) for code in (a, low, high)) or Special.NAN in values:
        return
    if order(decode(element, low)) > order(decode(element, high)):
        values.reverse()
    assert order(values[0]) <= order(values[1])


def order(value):
    """Numbers in their order, infinities outside, -0 as 0."""
    places = {Special.MINUS_INFINITY: (-1, 0), Special.PLUS_INFINITY: (1, 0), Special.MINUS_ZERO: (0, 0)}
    return places[value] if isinstance(value, Special) else (0, value)


@pytest.mark.parametrize("name", [name for name in NAMES if name[0] in "iu"])
@given(data=st.data())
def test_integers_add_modulo_2_to_their_width(name, data):
    a, b = data.draw(pairs(name))
    assert add_codes(ElementType.parse(name), a, b) == (a + b) % 2 ** int(name[1:])
