"""Which conversions between element types lose nothing."""

from __future__ import annotations

from functools import cache

from addison.spec.bits import Special, decode, encode
from addison.spec.elements import ElementType, Float, Overflow, Whole


@cache
def preserves(source: ElementType, target: ElementType) -> bool:
    """Whether every value of ``source``, NaN, infinities and signed zeros included, is a value of ``target``.

    >>> f16, bf16, f32 = (ElementType.parse(name) for name in ("f16", "bf16", "f32"))
    >>> preserves(f16, f32), preserves(f16, bf16)
    (True, False)
    """
    match source.format, target.format:
        case (None, _) | (_, None):
            return False
        case _ if source.bits <= 8:  # few values, so each is tried
            return all(_survives(source, target, code) for code in range(1 << source.bits))
        case Whole() as s, Whole() as t:
            return source == target or (target.bits > source.bits and (t.signed or not s.signed))
        case Whole(signed), Float() as t:
            return source.bits - signed <= min(t.mantissa + 1, t.bias)
        case Float() as s, Float() as t:  # a source this wide has infinities and NaN
            return t.overflow is Overflow.INFINITY and s.mantissa <= t.mantissa and s.exponent <= t.exponent
        case _:
            return False


def _survives(source: ElementType, target: ElementType, code: int) -> bool:
    value = decode(source, code)
    if isinstance(target.format, Whole) and not isinstance(value, int):
        if isinstance(value, Special) or value.denominator != 1:
            return False
        value = int(value)
    if value is Special.NAN and target.nan is None:
        return False
    return decode(target, encode(target, value)) == value
