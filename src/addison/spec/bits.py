"""One element and its bits, exactly: integers and fractions, never a float on the way.

A *code* is the element's bits read as an unsigned integer. A *value* is an ``int`` (integer types), a ``Fraction``
(everything else that is a number) or a ``Special``.
"""

from __future__ import annotations

import enum
from bisect import bisect_left
from fractions import Fraction

from addison.spec.elements import ElementType, Float, Levels, Overflow, Powers, Whole


class Special(enum.Enum):
    """What a float holds that is no rational number of its own."""

    NAN = "nan"
    PLUS_INFINITY = "inf"
    MINUS_INFINITY = "-inf"
    MINUS_ZERO = "-0"


Value = int | Fraction | Special


def decode(element: ElementType, code: int) -> Value:
    """The exact value that ``code`` stands for.

    >>> decode(ElementType.parse("f8e4m3"), 0x7e)
    Fraction(448, 1)
    >>> decode(ElementType.parse("i4"), 0xf)
    -1
    """
    if not 0 <= code < 1 << element.bits:
        raise ValueError(f"{code:#x} is no code of {element}, which has {element.bits} bits")
    match element.format:
        case Whole(signed=True):
            return code - (code >> (element.bits - 1) << element.bits)
        case Whole():
            return code
        case Powers(bias):
            return Special.NAN if code == element.nan else Fraction(2) ** (code - bias)
        case Levels(values):
            return values[code]
        case Float() as form:
            return _decode_float(form, element, code)
        case None:
            raise ValueError(f"{element} has no numeric values")


def _decode_float(form: Float, element: ElementType, code: int) -> Value:
    negative = code >> (element.bits - 1)
    magnitude = code & ((1 << (element.bits - 1)) - 1)
    exponent, mantissa = magnitude >> form.mantissa, magnitude & ((1 << form.mantissa) - 1)
    if form.overflow is Overflow.NAN and magnitude == element.nan:
        return Special.NAN
    if form.overflow is Overflow.INFINITY and exponent == (1 << form.exponent) - 1:
        if mantissa:
            return Special.NAN
        return Special.MINUS_INFINITY if negative else Special.PLUS_INFINITY
    if magnitude == 0 and negative:
        return Special.MINUS_ZERO
    if exponent == 0:  # subnormal: no hidden bit, and the exponent of the first normal number
        value = mantissa * Fraction(2) ** (1 - form.bias - form.mantissa)
    else:
        value = (mantissa + (1 << form.mantissa)) * Fraction(2) ** (exponent - form.bias - form.mantissa)
    return -value if negative else value


def encode(element: ElementType, value: Value) -> int:
    """The code of ``value`` in this type: rounded, wrapped or saturated as the type's own rule has it.

    >>> hex(encode(ElementType.parse("f8e4m3"), Fraction(464)))   # the tie between 448 and 480 goes to the even code
    '0x7e'
    >>> encode(ElementType.parse("u3"), 9)
    1
    """
    match element.format:
        case Whole():
            if not isinstance(value, int):
                raise ValueError(f"{element} holds integers, not {value}")
            return value & ((1 << element.bits) - 1)
        case Powers(bias):
            return _encode_power(bias, element, value)
        case Levels(values):
            return _encode_level(values, element, value)
        case Float() as form:
            return _encode_float(form, element, value)
        case None:
            raise ValueError(f"{element} has no numeric values")


def _encode_power(bias: int, element: ElementType, value: Value) -> int:
    assert element.nan is not None
    largest = element.nan - 1
    if value is Special.NAN:
        return element.nan
    if value is Special.PLUS_INFINITY:
        return largest
    if isinstance(value, Special) or value <= Fraction(2) ** -bias:  # nothing of this type is below its smallest power
        return 0
    exponent = _floor_log2(Fraction(value))
    halfway = Fraction(3, 2) * Fraction(2) ** exponent
    code = exponent + bias
    if value > halfway or (value == halfway and code % 2):
        code += 1
    return min(code, largest)


def _encode_level(values: tuple[Fraction, ...], element: ElementType, value: Value) -> int:
    if value is Special.NAN:
        raise ValueError(f"{element} has no NaN")
    if value is Special.PLUS_INFINITY:
        return len(values) - 1
    if value is Special.MINUS_INFINITY:
        return 0
    exact = Fraction(0) if isinstance(value, Special) else Fraction(value)
    above = bisect_left(values, exact)
    if above == 0:
        return 0
    if above == len(values):
        return above - 1
    below = above - 1
    return below if exact - values[below] <= values[above] - exact else above


def _encode_float(form: Float, element: ElementType, value: Value) -> int:
    sign_bit = 1 << (element.bits - 1)
    match value:
        case Special.NAN:
            if element.nan is None:
                raise ValueError(f"{element} has no NaN")
            return element.nan
        case Special.PLUS_INFINITY:
            return _overflowed(form, element)
        case Special.MINUS_INFINITY:
            return _overflowed(form, element) | sign_bit
        case Special.MINUS_ZERO:
            return sign_bit
    if value == 0:
        return 0
    magnitude = _nearest_magnitude(form, abs(Fraction(value)))
    if magnitude > largest_magnitude(element):
        magnitude = _overflowed(form, element)
    return magnitude | (sign_bit if value < 0 else 0)


def _nearest_magnitude(form: Float, value: Fraction) -> int:
    """The code without its sign, rounded to nearest, ties to even, as if exponents had no upper end."""
    exponent = max(_floor_log2(value), 1 - form.bias)  # below the normal range the step stays the same
    steps = value / Fraction(2) ** (exponent - form.mantissa)
    whole = round(steps)  # Fraction rounds half to even
    return ((exponent + form.bias - 1) << form.mantissa) + whole  # a carry out of the mantissa raises the exponent


def _overflowed(form: Float, element: ElementType) -> int:
    match form.overflow:
        case Overflow.INFINITY:
            return ((1 << form.exponent) - 1) << form.mantissa
        case Overflow.NAN:
            assert element.nan is not None
            return element.nan
        case Overflow.SATURATE:
            return largest_magnitude(element)


def largest_magnitude(element: ElementType) -> int:
    """The code of a float type's largest finite value."""
    form = element.format
    assert isinstance(form, Float)
    everything = (1 << (element.bits - 1)) - 1
    match form.overflow:
        case Overflow.INFINITY:
            return (((1 << form.exponent) - 1) << form.mantissa) - 1
        case Overflow.NAN:
            return everything - 1
        case Overflow.SATURATE:
            return everything


def _floor_log2(value: Fraction) -> int:
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1


def from_python_float(number: float) -> Value:
    """The exact value of a Python float, which is an IEEE 754 binary64."""
    if number != number:
        return Special.NAN
    if number in (float("inf"), float("-inf")):
        return Special.PLUS_INFINITY if number > 0 else Special.MINUS_INFINITY
    if number == 0 and str(number).startswith("-"):
        return Special.MINUS_ZERO
    return Fraction(number)
