"""Numbers spelled for people can be read back, or say that they are rounded."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import ElementType
from addison.reasons.numerals import about, exact_decimal, limits, power_of_two, spell, spell_out
from addison.spec.bits import Special


def read_back(text):
    """A decimal, or an odd number times a power of two."""
    if "2^" not in text:
        return Fraction(text)
    odd, _, exponent = text.partition("2^")
    return Fraction({"": 1, "-": -1}.get(odd, 0) or int(odd.rstrip("*"))) * Fraction(2) ** int(exponent)


dyadic = st.builds(lambda odd, exponent: odd * Fraction(2) ** exponent, st.integers(), st.integers(-1100, 1000))


@given(dyadic | st.fractions())
def test_what_is_not_about_is_exact(number):
    text = spell(number)
    if text.startswith("about "):
        assert abs(Fraction(text.removeprefix("about ")) - number) <= abs(number) / 10**16
    else:
        assert read_back(text) == number


@given(dyadic)
def test_powers_of_two(number):
    power = power_of_two(number)
    assert power is None or read_back(power) == number


@given(st.fractions())
def test_decimals(number):
    exact = exact_decimal(number)
    assert exact is None or Fraction(exact) == number
    assert abs(Decimal(about(number)).as_tuple().digits[0]) > 0 or number == 0


@pytest.mark.parametrize(
    ("number", "spelled"),
    [
        (0, "0"),
        (-5, "-5"),
        (Fraction(0), "0"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(1, 2**20), "2^-20"),
        (Fraction(-1, 2**20), "-2^-20"),
        (Fraction(2**127), "2^127"),
        (Fraction(7, 2**16), "7*2^-16"),
        (Fraction(205, 2048), "0.10009765625"),
        (Fraction(-1049, 2**20), "-0.00100040435791015625"),
        (Fraction(1023, 2**24), "1023*2^-24"),
        (Fraction(2**24 - 1, 2**149), "about 2.3509885615147286e-38"),
        (2**63, "2^63"),
        (2**63 - 1, "9223372036854775807"),
        (-(2**64) + 1, "-18446744073709551615"),
        (Fraction(1, 3), "about 0.33333333333333333"),
        (Fraction(10) ** 30 + 1, "about 1e+30"),
        (Special.NAN, "nan"),
        (Special.MINUS_INFINITY, "-inf"),
        (Special.MINUS_ZERO, "-0"),
    ],
)
def test_spelled(number, spelled):
    assert spell(number) == spelled


@pytest.mark.parametrize(
    ("number", "spelled"),
    [
        (1412, "1412"),
        (Fraction(1412), "1412"),
        (Fraction(1, 10), "1/10 = 0.1"),
        (Fraction(-3, 8), "-3/8 = -0.375"),
        (Fraction(1, 2**149), "2^-149 = about 1.4012984643248171e-45"),
        (Fraction(1, 3), "1/3 = about 0.33333333333333333"),
        (Fraction(2**128), "2^128 = about 3.4028236692093846e+38"),
        (Fraction(2) ** 1023 + Fraction(1, 2**1074), "about 8.9884656743115795e+307"),
        (Special.NAN, "nan"),
    ],
)
def test_spelled_out(number, spelled):
    assert spell_out(number) == spelled


@pytest.mark.parametrize(
    ("name", "low", "high"), [("u1", 0, 1), ("i4", -8, 7), ("u6", 0, 63), ("i64", -(2**63), 2**63 - 1)]
)
def test_limits(name, low, high):
    assert limits(ElementType.parse(name)) == (low, high)
