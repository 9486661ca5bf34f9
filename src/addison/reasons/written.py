"""Operands as people write them, read exactly: decimals, inf, nan, -0, and codes such as 0x7e."""

from __future__ import annotations

import operator
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from addison.clipping import clip, quoted
from addison.errors import InvalidInput, LimitExceeded
from addison.reasons.numerals import limits
from addison.spec.bits import Special, Value, decode, from_python_float
from addison.spec.elements import ElementType, Whole

LONGEST = 1000
"""The most characters a number may have."""
LARGEST_EXPONENT = 2000
"""The largest exponent of ten that is read."""
WIDEST = 3 * LARGEST_EXPONENT
"""The most bits a Python number may have."""

_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE](?P<exponent>[+-]?\d+))?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_CODE = re.compile(r"0[xX][0-9a-fA-F]+|0[bB][01]+(_[01]+)*", re.ASCII)
_WORDS = {
    "nan": Special.NAN,
    "-nan": Special.NAN,
    "inf": Special.PLUS_INFINITY,
    "-inf": Special.MINUS_INFINITY,
    "infinity": Special.PLUS_INFINITY,
    "-infinity": Special.MINUS_INFINITY,
}


class Written(NamedTuple):
    """An operand: the text (clipped when long), the exact number, and the code when it was given as one."""

    text: str
    value: Value
    code: int | None = None


def read(element: ElementType, written: Any) -> Written:
    """The operand that was written, not yet rounded to the type.

    Text is read as a decimal, exactly; a Python float is the binary64 it is. Integer types take whole numbers in their
    range, the others any number, ``inf``, ``-inf``, ``nan`` and ``-0``. ``0x7e`` and ``0b0111_1110`` are codes.

    >>> read(ElementType.parse("bf16"), "0.1")
    Written(text='0.1', value=Fraction(1, 10), code=None)
    >>> read(ElementType.parse("i8"), "0xff")
    Written(text='0xff', value=-1, code=255)
    """
    if isinstance(written, str):
        text = written.strip()
        if len(text) > LONGEST:
            raise LimitExceeded(
                f"a number of {len(text)} characters; at most {LONGEST} are read", limit=LONGEST, found=len(text)
            )
        if _CODE.fullmatch(text):
            return _code(element, text)
        value = _decimal(text)
        whole = bool(_WHOLE.fullmatch(text))
    else:
        value = _number(written)
        text = str(written)
        whole = isinstance(value, int)
    if isinstance(element.format, Whole):
        return Written(clip(text), _whole(element, text, value, whole))
    if value is Special.NAN and element.nan is None:
        raise InvalidInput(f"{element} has no NaN", help="write a number", element_type=element.name, found=text)
    return Written(clip(text), value if isinstance(value, Special) else Fraction(value))


def _code(element: ElementType, text: str) -> Written:
    code = int(text, 0)
    if code >> element.bits:
        raise InvalidInput(
            f"{clip(text)} is no code of {element}, which has {element.bits} bits",
            help=f"its codes are 0x0 to {(1 << element.bits) - 1:#x}; values are written without 0x",
            element_type=element.name,
            found=text,
            bits=element.bits,
        )
    return Written(clip(text), decode(element, code), code)


def _decimal(text: str) -> Value:
    word = _WORDS.get(text.lower().removeprefix("+"))
    if word is not None:
        return word
    found = _DECIMAL.fullmatch(text)
    if found is None:
        raise InvalidInput(
            f"{quoted(text)} is no number", help="write 448, -0.5, 1e-3, inf, nan, or a code such as 0x7e", found=text
        )
    exponent = found["exponent"] or "0"
    if len(exponent) > 12 or abs(int(exponent)) > LARGEST_EXPONENT:
        raise LimitExceeded(
            f"the exponent of {clip(text)} is past {LARGEST_EXPONENT}", limit=LARGEST_EXPONENT, found=text
        )
    value = Fraction(text)
    return Special.MINUS_ZERO if value == 0 and text.startswith("-") else value


def _number(written: Any) -> Value:
    value: Value
    if type(written).__name__ in ("bool", "bool_"):
        raise InvalidInput(f"{written!r} is no number of any element type", help="write 0 or 1", found=written)
    if isinstance(written, Decimal):
        return _decimal(str(written))
    try:
        if isinstance(written, Fraction):
            value = written
        elif hasattr(written, "__index__"):
            value = operator.index(written)
        else:
            value = from_python_float(written.__float__())  # float() would read bytes
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise InvalidInput(
            f"{type(written).__name__} is no number",
            help='write -32, 0.5, "nan", or a code as text: "0x7e"',
            found=written,
        ) from None
    if not isinstance(value, Special):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        if bits > WIDEST:
            raise LimitExceeded(f"a number of {bits} bits; at most {WIDEST} are read", limit=WIDEST, found=bits)
    return value


def _whole(element: ElementType, text: str, value: Value, whole: bool) -> int:
    """The integer, once it is one and in the type's range."""
    if not whole:
        raise InvalidInput(
            f"{element} holds whole numbers, not {clip(text)}",
            help="write a whole number, or a code such as 0x1",
            element_type=element.name,
            found=text,
        )
    number = 0 if isinstance(value, Special) else int(value)  # -0 is 0
    low, high = limits(element)
    if not low <= number <= high:
        raise InvalidInput(
            f"{clip(text)} is not in the range of {element}, {low} to {high}",
            help="the sum wraps, operands do not",
            element_type=element.name,
            found=number,
            low=low,
            high=high,
        )
    return number
