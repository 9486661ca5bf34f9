"""From an exact sum to a value of the type: the values on both sides of it, and which one it becomes.

Found by searching the type's own values, not by the arithmetic of ``spec.bits``; the tests hold the two together.
"""

from __future__ import annotations

import enum
from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from addison.errors import InvalidInput
from addison.reasons.numerals import limits
from addison.spec.bits import Special, Value, decode, largest_magnitude
from addison.spec.elements import ElementType, Float, Levels, Overflow, Powers, Whole


class Decision(enum.Enum):
    """What happened to the exact value."""

    EXACT = "exact"
    NEAREST = "nearest"
    TIE = "tie"
    OVERFLOW = "overflow"
    SATURATE = "saturate"
    WRAP = "wrap"
    INFINITY = "infinity"
    NAN = "nan"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A value next to the exact one. Not ``there``: the step past the largest; its code is infinity's or NaN's."""

    code: int
    value: Value
    there: bool = True

    @property
    def number(self) -> Fraction:
        """The value as a number, with -0 as 0."""
        return Fraction(0) if isinstance(self.value, Special) else Fraction(self.value)


@dataclass(frozen=True, slots=True)
class Rounding:
    """What an exact value becomes. ``below`` and ``above`` are the values around it, twice the same when it is one of
    the type's; None where nothing is on that side, for integers, and for what is no number."""

    exact: Value
    code: int
    decision: Decision
    below: Neighbour | None = None
    above: Neighbour | None = None


def settle(element: ElementType, exact: Value) -> Rounding:
    """What ``exact`` becomes in this type.

    >>> found = settle(ElementType.parse("bf16"), Fraction(1412))
    >>> found.decision, int(found.below.number), int(found.above.number), hex(found.code)
    (<Decision.TIE: 'tie'>, 1408, 1416, '0x44b0')
    """
    match element.format, exact:
        case Whole(), int():
            low, high = limits(element)
            decision = Decision.EXACT if low <= exact <= high else Decision.WRAP
            return Rounding(exact, exact % (1 << element.bits), decision)
        case _, Special():
            return _special(element, exact)
        case Float() as form, _:
            return _float(form, element, Fraction(exact))
        case _:
            return _listed(element, exact, Fraction(exact))


def _special(element: ElementType, exact: Special) -> Rounding:
    if exact is Special.NAN:
        if element.nan is None:
            raise InvalidInput(f"{element} has no NaN", help="write a number", element_type=element.name)
        return Rounding(exact, element.nan, Decision.NAN)
    negative = exact in (Special.MINUS_INFINITY, Special.MINUS_ZERO)
    if not isinstance(element.format, Float):
        if exact is Special.MINUS_ZERO:
            return _listed(element, exact, Fraction(0))
        return Rounding(exact, 0 if negative else _last(element), Decision.SATURATE)
    sign = 1 << (element.bits - 1) if negative else 0
    if exact is Special.MINUS_ZERO:
        zero = Neighbour(sign, exact)
        return Rounding(exact, sign, Decision.EXACT, zero, zero)
    last = largest_magnitude(element)
    match element.format.overflow:
        case Overflow.INFINITY:
            return Rounding(exact, last + 1 | sign, Decision.INFINITY)
        case Overflow.NAN:
            return Rounding(exact, last + 1 | sign, Decision.OVERFLOW)
        case Overflow.SATURATE:
            return Rounding(exact, last | sign, Decision.SATURATE)


def _float(form: Float, element: ElementType, exact: Fraction) -> Rounding:
    """Found among the values without their sign, then given the sign back."""
    sign = 1 << (element.bits - 1) if exact < 0 else 0
    last = largest_magnitude(element)
    low = _search(element, last, abs(exact))
    near = Neighbour(low | sign, decode(element, low | sign))
    if near.number == exact:
        return Rounding(exact, near.code, Decision.EXACT, near, near)
    if low < last:
        far = Neighbour(low + 1 | sign, decode(element, low + 1 | sign))
    elif form.overflow is Overflow.SATURATE:
        below, above = (None, near) if sign else (near, None)
        return Rounding(exact, near.code, Decision.SATURATE, below, above)
    else:
        step = near.number - Neighbour(last, decode(element, last - 1 | sign)).number
        far = Neighbour(last + 1 | sign, near.number + step, there=False)
    below, above = (far, near) if sign else (near, far)
    return _choose(element, exact, below, above)


def _listed(element: ElementType, exact: Value, number: Fraction) -> Rounding:
    """Powers of two, and levels: their codes ascend with their values, and both ends saturate."""
    last = _last(element)
    low = _search(element, last, number)
    below = Neighbour(low, decode(element, low)) if low >= 0 else None
    above = Neighbour(low + 1, decode(element, low + 1)) if low < last else None
    if below is not None and below.number == number:
        return Rounding(exact, low, Decision.EXACT, below, below)
    if below is None or above is None:
        return Rounding(exact, last if above is None else 0, Decision.SATURATE, below, above)
    return _choose(element, number, below, above)


def _last(element: ElementType) -> int:
    """The code of the largest value of powers or levels."""
    return (1 << element.bits) - 1 - isinstance(element.format, Powers)


def _search(element: ElementType, last: int, number: Fraction) -> int:
    """The highest code up to ``last`` whose value is not above the number; -1 when all are."""
    if element.bits <= 8:
        return bisect_right(_values(element, last), number) - 1
    return bisect_right(range(last + 1), number, key=lambda code: Neighbour(code, decode(element, code)).number) - 1


@cache
def _values(element: ElementType, last: int) -> list[Fraction]:
    return [Neighbour(code, decode(element, code)).number for code in range(last + 1)]


def _choose(element: ElementType, exact: Fraction, below: Neighbour, above: Neighbour) -> Rounding:
    """The nearer one; of two equally near ones the even code, of levels the lower one."""
    down, up = exact - below.number, above.number - exact  # negative when exact is past a neighbour that is not there
    if down == up:
        chosen = below if isinstance(element.format, Levels) or below.code % 2 == 0 else above
        decision = Decision.TIE
    else:
        chosen = below if down < up else above
        decision = Decision.NEAREST
    return Rounding(exact, chosen.code, decision if chosen.there else Decision.OVERFLOW, below, above)
