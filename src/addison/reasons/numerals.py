"""Numbers spelled for people: exactly where that is short, and said to be rounded where it is not."""

from __future__ import annotations

from decimal import Context, Decimal

from addison.spec.bits import Special, Value
from addison.spec.elements import ElementType, Whole

DIGITS = 24
"""The most digits that are spelled out; longer numbers are given to 17 digits."""
SHORT = 16
"""The most characters, but for its sign, of a number that needs no shorter spelling."""


def limits(element: ElementType) -> tuple[int, int]:
    """The lowest and the highest value of an integer type.

    >>> limits(ElementType.parse("i4"))
    (-8, 7)
    """
    signed = isinstance(element.format, Whole) and element.format.signed
    return (-(1 << (element.bits - 1)) if signed else 0), (1 << (element.bits - signed)) - 1


def spell(value: Value) -> str:
    """Exactly, when that is short: digits, or a multiple of a power of two; else "about", to 17 digits.

    >>> from fractions import Fraction
    >>> spell(Fraction(1, 8)), spell(Fraction(3, 2**149)), spell(Special.MINUS_ZERO), spell(Fraction(1, 3))
    ('0.125', '3*2^-149', '-0', 'about 0.33333333333333333')
    """
    exact = exact_decimal(value)
    if exact is not None and len(exact.removeprefix("-")) <= SHORT:
        return exact
    power = power_of_two(value)
    if power is not None and (exact is None or len(power) < len(exact)):
        odd, star, _ = power.partition("*")
        if not star or len(odd) <= (len("-1023") if exact is None else len("-15")):
            return power
    return exact if exact is not None else f"about {about(value)}"


def spell_out(value: Value) -> str:
    """Everything there is to say: a whole number, or a fraction and its decimal.

    >>> from fractions import Fraction
    >>> spell_out(Fraction(361, 256)), spell_out(Fraction(1, 2**149)), spell_out(1412)
    ('361/256 = 1.41015625', '2^-149 = about 1.4012984643248171e-45', '1412')
    """
    exact = exact_decimal(value)
    if isinstance(value, Special) or (value.denominator == 1 and exact is not None):
        return spell(value)
    decimal = exact if exact is not None else f"about {about(value)}"
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= 64:
        return f"{value} = {decimal}"
    power = power_of_two(value)
    return f"{power} = {decimal}" if power is not None else decimal


def exact_decimal(value: Value) -> str | None:
    """All digits, when they are at most ``DIGITS``; None otherwise.

    >>> from fractions import Fraction
    >>> exact_decimal(Fraction(-5, 4)), exact_decimal(Fraction(1, 3))
    ('-1.25', None)
    """
    if isinstance(value, Special):
        return value.value
    places = _decimal_places(value.denominator)
    if places is None or value.numerator.bit_length() > 512:
        return None
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    if len(digits) > DIGITS:
        return None
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def _decimal_places(denominator: int) -> int | None:
    """How many digits behind the point a fraction has; None when they are many, or do not end."""
    for places in range(DIGITS):
        if 10**places % denominator == 0:
            return places
    return None


def about(value: Value) -> str:
    """Seventeen significant digits.

    >>> from fractions import Fraction
    >>> about(Fraction(1, 3))
    '0.33333333333333333'
    """
    if isinstance(value, Special):
        return value.value
    context = Context(prec=17, Emin=-999_999, Emax=999_999, capitals=0, traps=[])
    rounded = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return context.to_sci_string(rounded.normalize(context))


def power_of_two(value: Value) -> str | None:
    """An odd whole number times a power of two; None when it is no such thing.

    >>> from fractions import Fraction
    >>> power_of_two(Fraction(3, 2**16)), power_of_two(Fraction(2**127))
    ('3*2^-16', '2^127')
    """
    if isinstance(value, Special) or value == 0 or value.denominator.bit_count() != 1:
        return None
    zeros = (value.numerator & -value.numerator).bit_length() - 1
    odd, exponent = value.numerator >> zeros, zeros - (value.denominator.bit_length() - 1)
    if odd.bit_length() > 256:
        return None
    return f"2^{exponent}" if odd == 1 else f"-2^{exponent}" if odd == -1 else f"{odd}*2^{exponent}"
