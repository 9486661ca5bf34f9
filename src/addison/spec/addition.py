"""The sum of two elements: the exact sum, then the type's own rounding, wrapping or saturation."""

from __future__ import annotations

from addison.spec.bits import Special, Value, decode, encode
from addison.spec.elements import ElementType, Float, Powers

_INFINITIES = (Special.PLUS_INFINITY, Special.MINUS_INFINITY)


def exact_sum(a: Value, b: Value) -> Value:
    """a + b with nothing lost. Opposite infinities give NaN; -0 + -0 is -0, every other zero sum is +0.

    >>> from fractions import Fraction
    >>> exact_sum(Fraction(1, 2), Special.MINUS_ZERO)
    Fraction(1, 2)
    """
    if Special.NAN in (a, b):
        return Special.NAN
    if a in _INFINITIES or b in _INFINITIES:
        if a in _INFINITIES and b in _INFINITIES and a is not b:
            return Special.NAN
        return a if a in _INFINITIES else b
    if isinstance(a, Special) and isinstance(b, Special):
        return Special.MINUS_ZERO
    if isinstance(a, Special):
        return b
    if isinstance(b, Special):
        return a
    return a + b


def add_codes(element: ElementType, a: int, b: int) -> int:
    """The code of a + b, both given as codes; a NaN comes out as the type's canonical one.

    >>> i8 = ElementType.parse("i8")
    >>> add_codes(i8, 127, 1)          # wraps to -128, whose code is 0x80
    128
    >>> hex(add_codes(ElementType.parse("bf16"), 0x4334, 0x4334))    # 180 + 180 = 360
    '0x43b4'
    """
    return encode(element, exact_sum(decode(element, a), decode(element, b)))


def canonical(element: ElementType, code: int) -> int:
    """The same code, but every NaN of the type as its one canonical NaN: what comparisons are made on.

    >>> hex(canonical(ElementType.parse("f16"), 0xfdff))
    '0x7e00'
    """
    if element.nan is not None and is_nan(element, code):
        return element.nan
    return code


def is_nan(element: ElementType, code: int) -> bool:
    """Whether the code is one of the type's NaNs."""
    match element.format:
        case Float() | Powers():
            return decode(element, code) is Special.NAN
        case _:
            return False
