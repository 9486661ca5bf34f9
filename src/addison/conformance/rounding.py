"""How the exact sum of two elements lies to the numbers that their type has: what sorts pairs into classes."""

from __future__ import annotations

from fractions import Fraction

from addison.spec.addition import exact_sum
from addison.spec.bits import Special, Value, decode, encode, largest_magnitude
from addison.spec.elements import ElementType, Float, Overflow


def total(element: ElementType, a: int, b: int) -> int:
    """The code of a + b.

    >>> hex(total(ElementType.parse("f16"), 0x3C00, 0x3C00))
    '0x4000'
    """
    return encode(element, exact_sum(decode(element, a), decode(element, b)))


def finite(element: ElementType, a: int, b: int) -> bool:
    """Whether both are numbers (and not -0), and their sum is one.

    >>> finite(ElementType.parse("f16"), 0x7BFF, 0x7BFF)
    False
    """
    return (
        isinstance(decode(element, a), Fraction)
        and isinstance(decode(element, b), Fraction)
        and not overflows(element, a, b)
    )


def overflows(element: ElementType, a: int, b: int) -> bool:
    """Whether two finite numbers give something else, or the end of a type that saturates although they are past it.

    >>> overflows(ElementType.parse("f4e2m1"), 7, 1)
    True
    """
    values = decode(element, a), decode(element, b)
    if not all(isinstance(value, Fraction) or value is Special.MINUS_ZERO for value in values):
        return False
    exact = exact_sum(*values)
    if not isinstance(exact, Fraction):
        return False
    got = decode(element, encode(element, exact))
    largest = decode(element, largest_magnitude(element))
    assert isinstance(largest, Fraction)
    form = element.format
    saturates = isinstance(form, Float) and form.overflow is Overflow.SATURATE
    return abs(exact) > largest if saturates else not isinstance(got, Fraction)


def has_subnormal(element: ElementType, a: int, b: int) -> bool:
    """Whether a, b or their sum is subnormal.

    >>> has_subnormal(ElementType.parse("f16"), 0x0400, 0x8400)
    False
    """
    form = element.format
    assert isinstance(form, Float)
    below = (1 << (element.bits - 1)) - 1
    codes = [code & below for code in (a, b, total(element, a, b))]
    return any(0 < code < 1 << form.mantissa for code in codes)


def rounding(element: ElementType, a: int, b: int) -> str:
    """How the exact sum lies to its two neighbours: "exact", "tie", "up" (away from zero), "down"; "" for no number.

    >>> rounding(ElementType.parse("f16"), 0x3C00, 0x1000)
    'tie'
    """
    exact = exact_sum(decode(element, a), decode(element, b))
    if not isinstance(exact, Fraction):
        return ""
    code = encode(element, exact)
    got = _fraction(decode(element, code))
    if got is None:
        return ""
    if got == exact:
        return "exact"
    beside = (_fraction(decode(element, other)) for other in (code - 1, code + 1) if 0 <= other < 1 << element.bits)
    apart = [abs(value - exact) for value in beside if value is not None and (value < exact) != (got < exact)]
    if apart and min(apart) == abs(got - exact):
        return "tie"
    return "up" if abs(got) > abs(exact) else "down"


def _fraction(value: Value) -> Fraction | None:
    if value is Special.MINUS_ZERO:
        return Fraction(0)
    return None if isinstance(value, Special) else Fraction(value)
