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
    if source == target:
        return source.numeric
    match source.format, target.format:
        case Whole() as s, Whole() as t:
            grows = target.bits > source.bits
            return grows and (t.signed or not s.signed)
        case Whole(signed), Float() as t:
            digits = source.bits - signed
            return digits <= t.mantissa + 1 and digits <= t.bias and _step(t) <= 0
        case Float() as s, Float() as t:
            return _float_holds_float(s, t) and (source.nan is None or target.nan is not None)
        case (None, _) | (_, None):
            return False
        case _:  # powers and levels: few values, so each is tried
            return all(_survives(source, target, code) for code in range(1 << source.bits)) \
                if source.bits <= 8 else False


def _step(form: Float) -> int:
    """log2 of the smallest subnormal."""
    return 1 - form.bias - form.mantissa


def _float_holds_float(s: Float, t: Float) -> bool:
    if s.overflow is Overflow.INFINITY and t.overflow is not Overflow.INFINITY:
        return False
    return (s.mantissa <= t.mantissa and s.exponent < t.exponent and _step(s) >= _step(t)) or (
        s.exponent == t.exponent and s.mantissa <= t.mantissa and s.overflow is t.overflow)


def _survives(source: ElementType, target: ElementType, code: int) -> bool:
    value = decode(source, code)
    if isinstance(target.format, Whole) and not isinstance(value, int):
        if isinstance(value, Special) or value.denominator != 1:
            return False
        value = int(value)
    if value is Special.NAN and target.nan is None:
        return False
    return decode(target, encode(target, value)) == value
