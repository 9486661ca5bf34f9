"""A rounding decision in one sentence, and what NaN, infinities and zeros do to a sum."""

from __future__ import annotations

from addison.reasons.numerals import limits, spell
from addison.reasons.rounding import Decision, Neighbour, Rounding
from addison.spec.bits import Special, Value, decode
from addison.spec.elements import ElementType, Float, Levels, Overflow, Powers, Whole

_INFINITIES = (Special.PLUS_INFINITY, Special.MINUS_INFINITY)
_OVERFLOWS: dict[Value, str] = {
    Special.NAN: "NaN",
    Special.PLUS_INFINITY: "infinity",
    Special.MINUS_INFINITY: "minus infinity",
}


def rounding_says(element: ElementType, found: Rounding) -> str:
    """Why the exact value became what it became.

    >>> from addison.reasons.rounding import settle
    >>> bf16 = ElementType.parse("bf16")
    >>> rounding_says(bf16, settle(bf16, 1412))
    'halfway between 1408 and 1416: the even code, 0x44b0, wins'
    """
    match found.decision:
        case Decision.EXACT:
            return _exact(element, found)
        case Decision.INFINITY:
            return f"{element} has infinities"
        case Decision.NAN:
            return f"the canonical NaN of {element} is {found.code:#x}"
        case Decision.WRAP:
            return _wrapped(element, found)
        case Decision.SATURATE:
            return _saturated(element, found)
        case Decision.OVERFLOW:
            return _overflowed(element, found)
        case Decision.NEAREST:
            return _nearest(element, found)
        case Decision.TIE:
            which = "lower code" if isinstance(element.format, Levels) else "even code"
            return f"{_between(element, found)}: the {which}, {found.code:#x}, wins"


def sum_says(element: ElementType, a: Value, b: Value, found: Rounding) -> str:
    """Why a + b became what it became.

    >>> from addison.reasons.rounding import settle
    >>> f16 = ElementType.parse("f16")
    >>> sum_says(f16, Special.MINUS_ZERO, Special.MINUS_ZERO, settle(f16, Special.MINUS_ZERO))
    '-0 + -0 is -0, and no other sum is'
    """
    exact = found.exact
    if exact is Special.NAN:
        return _nan(element, a, b)
    if exact in _INFINITIES:
        return f"an infinity plus {'itself' if a is b else 'a finite number'} is that infinity"
    if exact is Special.MINUS_ZERO:
        return "-0 + -0 is -0, and no other sum is"
    if Special.MINUS_ZERO in (a, b):
        return "-0 + 0 is 0" if exact == 0 else "adding -0 changes nothing"
    if exact == 0 and a != 0 and isinstance(element.format, Float):
        return "two numbers that cancel give 0, never -0"
    return rounding_says(element, found)


def _nan(element: ElementType, a: Value, b: Value) -> str:
    code = f"the canonical NaN of {element} is {element.nan:#x}, and any of its NaNs is right"
    if Special.NAN not in (a, b):
        return f"inf and -inf have no sum: NaN; {code}"
    which = "a and b are" if a is b else "a is" if a is Special.NAN else "b is"
    return f"{which} NaN, and NaN plus anything is NaN; {code}"


def _exact(element: ElementType, found: Rounding) -> str:
    if isinstance(element.format, Whole):
        low, high = limits(element)
        return f"{found.exact} is within {low} to {high}: nothing wraps"
    if found.exact is Special.MINUS_ZERO and not isinstance(element.format, Float):
        return f"{element} has one zero, without a sign"
    return f"{spell(found.exact)} is a value of {element}: nothing is rounded"


def _wrapped(element: ElementType, found: Rounding) -> str:
    assert isinstance(found.exact, int)
    low, high = limits(element)
    value = decode(element, found.code)
    assert isinstance(value, int)
    past = f"past {high}" if found.exact > high else f"below {low}"
    moved = f"{found.exact} {'-' if found.exact > value else '+'} {abs(found.exact - value)}"
    return f"{found.exact} is {past}, so it wraps modulo 2^{element.bits}: {moved} = {value}"


def _saturated(element: ElementType, found: Rounding) -> str:
    end = spell(decode(element, found.code))
    if isinstance(found.exact, Special):
        has = "zero" if found.exact is Special.MINUS_ZERO else "infinity"
        return f"{element} has no {has}: it saturates at {end}"
    if isinstance(element.format, Powers) and found.exact <= 0:
        return f"{element} has neither zero nor signs: {spell(found.exact)} saturates at its lowest value, {end}"
    side = "past the largest" if found.above is None else "below the lowest"
    return f"{spell(found.exact)} is {side} value, {end}: it saturates"


def _overflowed(element: ElementType, found: Rounding) -> str:
    if isinstance(found.exact, Special):
        return f"{element} has no infinity: NaN, with the sign kept"
    becomes = _OVERFLOWS[decode(element, found.code)]
    if isinstance(element.format, Float) and element.format.overflow is Overflow.NAN:
        becomes += f", as {element} has no infinity"
    below, above = _sides(found)
    last, beyond = (below, above) if below.there else (above, below)
    halfway = (last.number + beyond.number) / 2
    if found.exact == halfway:
        return f"{_between(element, found)}: the even code, {found.code:#x}, wins, and that is {becomes}"
    side = "past" if found.exact > 0 else "below"
    return (
        f"{spell(found.exact)} is {side} {spell(halfway)}, halfway from the last finite value, {spell(last.value)}, "
        f"to the next step, {spell(beyond.value)}: {becomes}"
    )


def _nearest(element: ElementType, found: Rounding) -> str:
    assert not isinstance(found.exact, Special)
    near, far = _sides(found) if found.code == _sides(found)[0].code else _sides(found)[::-1]
    away = [spell(abs(found.exact - one.number)) for one in (near, far)]
    return f"nearer to {_name(element, near)} ({away[0]} away) than to {_name(element, far)} ({away[1]} away)"


def _between(element: ElementType, found: Rounding) -> str:
    below, above = _sides(found)
    return f"halfway between {_name(element, below)} and {_name(element, above)}"


def _sides(found: Rounding) -> tuple[Neighbour, Neighbour]:
    assert found.below is not None
    assert found.above is not None
    return found.below, found.above


def _name(element: ElementType, one: Neighbour) -> str:
    return spell(one.value) if one.there else f"{spell(one.value)} (which {element} does not have)"
