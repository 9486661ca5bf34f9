"""An element type: what its bits mean, its values, what its sums do, how its elements lie in bytes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from addison.reasons.numerals import limits, spell
from addison.reasons.parts import widths
from addison.reasons.shown import shown
from addison.spec.bits import Value, decode, largest_magnitude
from addison.spec.elements import ElementType, Float, Levels, Overflow, Powers, Whole
from addison.spec.packing import group

LISTED = 8
"""The widest types whose values are all listed; of the wider ones only those with a name."""


@dataclass(frozen=True, slots=True)
class Row:
    """One value: its code, and its name when it has one."""

    code: int
    value: Value
    name: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """The smallest run of whole bytes that holds whole elements. ``bytes[n]`` are the bits of byte n, 7 down to 0, each
    the number of its element and of the bit within it; bit 0 is the least significant."""

    elements: int
    bytes: tuple[tuple[tuple[int, int], ...], ...]

    @classmethod
    def of(cls, element: ElementType) -> Layout:
        """Drawn from the packing.

        >>> Layout.of(ElementType.parse("u2")).bytes[0][-3:]
        ((1, 0), (0, 1), (0, 0))
        """
        one = group(element)
        owner = {place: (i, bit) for i, places in enumerate(one.places) for bit, place in enumerate(places)}
        drawn = tuple(tuple(owner[byte, bit] for bit in range(7, -1, -1)) for byte in range(one.bytes))
        return cls(one.elements, drawn)


@dataclass(frozen=True, slots=True)
class TypeReason:
    """An element type in sentences, its parts, its values (all of them when ``complete``), and its layout.

    >>> reason = TypeReason.of(ElementType.parse("f8e4m3"))
    >>> [row.value for row in reason.rows if row.name == "largest"]
    [Fraction(448, 1)]
    """

    kind: ClassVar[str] = "type"
    element_type: ElementType
    says: tuple[str, ...]
    parts: tuple[tuple[str, int], ...]
    rows: tuple[Row, ...]
    complete: bool
    layout: Layout

    @classmethod
    def of(cls, element: ElementType) -> TypeReason:
        """Of any of the 23 types."""
        complete = element.bits <= LISTED
        names = landmarks(element)
        codes = range(1 << element.bits) if complete else sorted(names)
        rows = tuple(Row(code, decode(element, code), names.get(code, "")) for code in codes)
        return cls(element, (*_format(element), *_sums(element)), widths(element), rows, complete, Layout.of(element))

    def __str__(self) -> str:
        return shown(self, "text")

    def _repr_html_(self) -> str:
        return shown(self, "html")


def landmarks(element: ElementType) -> dict[int, str]:
    """The codes that have a name.

    >>> landmarks(ElementType.parse("i8"))
    {0: 'zero', 1: 'one', 127: 'largest', 128: 'lowest', 255: 'minus one'}
    """
    match element.format:
        case Float() as form:
            return _float_landmarks(form, element)
        case Whole(signed=True):
            top = 1 << (element.bits - 1)
            return {0: "zero", 1: "one", top - 1: "largest", top: "lowest", 2 * top - 1: "minus one"}
        case Powers(bias):
            return {0: "lowest", bias: "one", 2 * bias: "largest", 2 * bias + 1: "NaN"}
        case Levels(values):
            return {0: "lowest", values.index(0): "zero", len(values) - 1: "largest"}
        case _:
            return {0: "zero", 1: "one", (1 << element.bits) - 1: "largest"} if element.bits > 1 else {}


def _float_landmarks(form: Float, element: ElementType) -> dict[int, str]:
    sign, normal, last = 1 << (element.bits - 1), 1 << form.mantissa, largest_magnitude(element)
    named = [
        (0, "zero"),
        (1, "smallest subnormal"),
        (normal - 1, "largest subnormal"),
        (normal, "smallest normal"),
        (form.bias << form.mantissa, "one"),
        (last, "largest"),
        (sign, "minus zero"),
        (last | sign, "lowest"),
    ]
    if form.overflow is Overflow.INFINITY:
        named += [(last + 1, "infinity"), (last + 1 | sign, "minus infinity")]
    if element.nan is not None:
        named.append((element.nan, "NaN"))
    names: dict[int, str] = {}
    for code, name in sorted(named, key=lambda one: one[0]):
        names[code] = f"{names[code]}, {name}" if code in names else name
    return names


def _format(element: ElementType) -> tuple[str, ...]:
    match element.format:
        case Float() as form:
            low = 1 - form.bias
            return (
                f"{element.bits} bits: 1 of sign, {form.exponent} of exponent with a bias of {form.bias}, "
                f"{form.mantissa} of mantissa.",
                f"A value is 1.mantissa * 2^(exponent - {form.bias}). Where the exponent bits are all 0 it is "
                f"0.mantissa * 2^{low}: zero and the subnormals.",
                _without_numbers(form, element),
            )
        case Powers(bias):
            return (
                f"{element.bits} bits of exponent, and nothing else: the value is 2^(code - {bias}).",
                f"There is no zero and no sign. The code {element.nan:#x} is NaN.",
            )
        case Levels(values):
            return (f"{element.bits} bits: the number of one of {len(values)} levels. No NaN, no infinity, no -0.",)
        case _:
            low, high = limits(element)
            kind = "two's complement" if low else "no sign"
            return (f"{element.bits} {'bits' if element.bits > 1 else 'bit'}, {kind}: {low} to {high}.",)


def _without_numbers(form: Float, element: ElementType) -> str:
    """Which codes are infinities and NaNs."""
    sign = 1 << (element.bits - 1)
    match form.overflow:
        case Overflow.INFINITY:
            top = largest_magnitude(element) + 1
            nans = f"{top + 1:#x} to {sign - 1:#x}, {top + 1 | sign:#x} to {2 * sign - 1:#x}"
            return f"Infinities: {top:#x}, {top | sign:#x}. NaN: {nans}; canonical {element.nan:#x}."
        case Overflow.NAN:
            assert element.nan is not None
            return f"No infinity. NaN: {element.nan:#x} and {element.nan | sign:#x}; canonical {element.nan:#x}."
        case Overflow.SATURATE:
            return "No infinity and no NaN."


def _sums(element: ElementType) -> tuple[str, ...]:
    match element.format:
        case Float() as form:
            return (
                "A sum is exact, then rounded once: to nearest, a tie to the even code. Subnormals are kept.",
                _overflow(form, element),
            )
        case Powers():
            top = spell(decode(element, (1 << element.bits) - 2))
            return (f"A sum is exact, then rounded once: to nearest, a tie to the even code. Past {top} it saturates.",)
        case Levels():
            return ("A sum is exact, then the nearest level, of two equally near ones the lower. Both ends saturate.",)
        case _:
            return (f"A sum wraps modulo 2^{element.bits}; it never saturates.",)


def _overflow(form: Float, element: ElementType) -> str:
    last = largest_magnitude(element)
    largest, before = decode(element, last), decode(element, last - 1)
    assert isinstance(largest, Fraction)
    assert isinstance(before, Fraction)
    halfway = spell(largest + (largest - before) / 2)
    match form.overflow:
        case Overflow.INFINITY:
            return f"From {halfway} on, half a step past the largest value, {spell(largest)}, it is infinity."
        case Overflow.NAN:
            return f"Past {halfway}, half a step past the largest value, {spell(largest)}, it is NaN."
        case Overflow.SATURATE:
            return f"Past the largest value, {spell(largest)}, it saturates."
