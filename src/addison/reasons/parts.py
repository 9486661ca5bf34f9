"""The bits of one code, part by part, and what each part says."""

from __future__ import annotations

from dataclasses import dataclass

from addison.spec.elements import ElementType, Float, Levels, Overflow, Powers, Whole


@dataclass(frozen=True, slots=True)
class Part:
    """Bits ``high`` down to ``low`` of an element: their name, the bits themselves, and what they contribute."""

    name: str
    high: int
    low: int
    bits: str
    says: str


def parts(element: ElementType, code: int) -> tuple[Part, ...]:
    """The parts of a code, highest bits first.

    >>> [(part.name, part.bits, part.says) for part in parts(ElementType.parse("f8e4m3"), 0x7e)]
    [('sign', '0', '+'), ('exponent', '1111', '2^8'), ('mantissa', '110', '1 + 6/8')]
    """
    written = f"{code:0{element.bits}b}"
    cut: list[Part] = []
    high = element.bits - 1
    for (name, width), says in zip(widths(element), _says(element, code), strict=True):
        start = element.bits - 1 - high
        cut.append(Part(name, high, high - width + 1, written[start : start + width], says))
        high -= width
    return tuple(cut)


def widths(element: ElementType) -> tuple[tuple[str, int], ...]:
    """The names and widths of a type's parts, highest bits first.

    >>> widths(ElementType.parse("bf16"))
    (('sign', 1), ('exponent', 8), ('mantissa', 7))
    """
    match element.format:
        case Float() as form:
            return ("sign", 1), ("exponent", form.exponent), ("mantissa", form.mantissa)
        case Whole(signed=True):
            return ("sign bit", 1), ("other bits", element.bits - 1)
        case Powers():
            return (("exponent", element.bits),)
        case Levels():
            return (("level", element.bits),)
        case _:
            return (("bits", element.bits),)


def _says(element: ElementType, code: int) -> tuple[str, ...]:
    top = 1 << (element.bits - 1)
    match element.format:
        case Float() as form:
            return _float(form, element, code)
        case Whole(signed=True):
            return (str(-top) if code & top else "0"), str(code & (top - 1))
        case Powers(bias):
            return ("all ones: NaN" if code == element.nan else f"2^({code} - {bias})",)
        case Levels():
            return (f"number {code}",)
        case _:
            return (str(code),)


def _float(form: Float, element: ElementType, code: int) -> tuple[str, ...]:
    sign = "-" if code >> (element.bits - 1) else "+"
    magnitude = code & ((1 << (element.bits - 1)) - 1)
    exponent, mantissa = magnitude >> form.mantissa, magnitude & ((1 << form.mantissa) - 1)
    steps = f"{mantissa}/{1 << form.mantissa if form.mantissa <= 10 else f'2^{form.mantissa}'}"
    if form.overflow is Overflow.INFINITY and exponent == (1 << form.exponent) - 1:
        return sign, "all ones", "not 0: NaN" if mantissa else "0: infinity"
    if form.overflow is Overflow.NAN and magnitude == element.nan:
        return sign, "all ones", "all ones: NaN"
    if exponent == 0:
        return sign, f"2^{1 - form.bias} (all zeros: no hidden 1)", f"0 + {steps}" if mantissa else "0"
    return sign, f"2^{exponent - form.bias}", f"1 + {steps}" if mantissa else "1"
