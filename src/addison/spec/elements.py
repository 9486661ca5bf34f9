"""The 23 numeric element types, one row each.

Sources: the Add-1 page ("any numeric type") and OpenVINO's ``element::Type``; widths, layouts and NaN codes as measured
there.
"""

from __future__ import annotations

import difflib
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from addison.errors import InvalidInput, Unsupported


class Overflow(enum.Enum):
    """What a float format gives when the rounded sum is past its largest finite value."""

    INFINITY = "infinity"
    NAN = "nan"
    SATURATE = "saturate"


class Packing(enum.Enum):
    """How elements lie in bytes; ``packing`` says where each bit goes."""

    BYTES = "whole bytes, little-endian"
    LOW_FIRST = "several in a byte, the first in the lowest bits"
    HIGH_FIRST = "several in a byte, the first in the highest bits"
    PLANES = "groups in three bytes: two bytes of low bits, one byte of high bits, the first element highest"


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer: two's complement when signed. Sums wrap modulo 2**bits."""

    signed: bool


@dataclass(frozen=True, slots=True)
class Float:
    """Sign, ``exponent`` bits, ``mantissa`` bits, subnormals; sums are rounded once, to nearest, ties to even."""

    exponent: int
    mantissa: int
    overflow: Overflow = Overflow.INFINITY

    @property
    def bias(self) -> int:
        return (1 << (self.exponent - 1)) - 1


@dataclass(frozen=True, slots=True)
class Powers:
    """A power of two, 2**(code - bias), with no sign and no zero; saturates; a tie goes to the even code."""

    bias: int


@dataclass(frozen=True, slots=True)
class Levels:
    """A list of values, ascending; the nearest level, a tie to the lower code, saturating."""

    values: tuple[Fraction, ...]


Format = Whole | Float | Powers | Levels


@dataclass(frozen=True, slots=True, repr=False)
class ElementType:
    """One element type: its name, its width, what its bits mean and how they lie in bytes.

    >>> ElementType.parse("bf16").bits
    16
    """

    name: str
    bits: int
    format: Format | None
    nan: int | None = None
    packing: Packing = Packing.BYTES

    @property
    def numeric(self) -> bool:
        """Whether Add takes it: all types but boolean, string and dynamic."""
        return self.format is not None

    def __repr__(self) -> str:
        return f"ElementType.parse({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return _known, (self.name,)

    @classmethod
    def parse(cls, name: str | ElementType) -> ElementType:
        """The numeric type of that name; InvalidInput with the nearest name otherwise, Unsupported for boolean."""
        if isinstance(name, ElementType):
            return name
        found = ELEMENTS.get(name) if isinstance(name, str) else None
        if found is not None:
            return found
        if isinstance(name, str) and name in NOT_NUMERIC:
            raise Unsupported(
                f"{name} is not a numeric element type", help="Add takes the 23 numeric types", element_type=name
            )
        near = difflib.get_close_matches(str(name), ELEMENTS, 1)
        hint = f"did you mean {near[0]}?" if near else "one of " + " ".join(ELEMENTS)
        raise InvalidInput(f"there is no element type {name!r}", help=hint, element_type=name)


_NF4 = tuple(
    Fraction(x)
    for x in (
        -1.0,
        -0.6961928009986877,
        -0.5250730514526367,
        -0.39491748809814453,
        -0.28444138169288635,
        -0.18477343022823334,
        -0.09105003625154495,
        0.0,
        0.07958029955625534,
        0.16093020141124725,
        0.24611230194568634,
        0.33791524171829224,
        0.44070982933044434,
        0.5626170039176941,
        0.7229568362236023,
        1.0,
    )
)  # each is a float32 value exactly; QLoRA's normal-float levels as OpenVINO stores them

_ROWS = (
    ElementType("bf16", 16, Float(8, 7), nan=0x7FC0),
    ElementType("f16", 16, Float(5, 10), nan=0x7E00),
    ElementType("f32", 32, Float(8, 23), nan=0x7FC0_0000),
    ElementType("f64", 64, Float(11, 52), nan=0x7FF8_0000_0000_0000),
    ElementType("f8e4m3", 8, Float(4, 3, Overflow.NAN), nan=0x7F),
    ElementType("f8e5m2", 8, Float(5, 2), nan=0x7E),
    ElementType("f8e8m0", 8, Powers(127), nan=0xFF),
    ElementType("f4e2m1", 4, Float(2, 1, Overflow.SATURATE), packing=Packing.LOW_FIRST),
    ElementType("nf4", 4, Levels(_NF4), packing=Packing.LOW_FIRST),
    ElementType("i4", 4, Whole(signed=True), packing=Packing.LOW_FIRST),
    ElementType("i8", 8, Whole(signed=True)),
    ElementType("i16", 16, Whole(signed=True)),
    ElementType("i32", 32, Whole(signed=True)),
    ElementType("i64", 64, Whole(signed=True)),
    ElementType("u1", 1, Whole(signed=False), packing=Packing.HIGH_FIRST),
    ElementType("u2", 2, Whole(signed=False), packing=Packing.LOW_FIRST),
    ElementType("u3", 3, Whole(signed=False), packing=Packing.PLANES),
    ElementType("u4", 4, Whole(signed=False), packing=Packing.LOW_FIRST),
    ElementType("u6", 6, Whole(signed=False), packing=Packing.PLANES),
    ElementType("u8", 8, Whole(signed=False)),
    ElementType("u16", 16, Whole(signed=False)),
    ElementType("u32", 32, Whole(signed=False)),
    ElementType("u64", 64, Whole(signed=False)),
)

ELEMENTS: Mapping[str, ElementType] = MappingProxyType({row.name: row for row in _ROWS})
"""The 23 numeric types by name."""

NOT_NUMERIC: Mapping[str, ElementType] = MappingProxyType(
    {
        "boolean": ElementType("boolean", 8, None),
        "string": ElementType("string", 256, None),
        "dynamic": ElementType("dynamic", 0, None),
    }
)
"""The types an IR file may name besides; ``dynamic`` is a type not known yet."""

DYNAMIC = NOT_NUMERIC["dynamic"]


def _known(name: str) -> ElementType:
    return ELEMENTS.get(name) or NOT_NUMERIC[name]
