"""Where NaN and infinity are in packed floats, found without decoding: both have an exponent of all ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from addison.spec.elements import ELEMENTS, ElementType, Float, Overflow, Powers

_SLICE = 1 << 20
"""Elements looked at together."""


def has_infinite_codes(element: ElementType) -> bool:
    """Whether a code of this type can be NaN or an infinity."""
    return bool(_flags(element.name))


def first_not_finite(element: ElementType, data: memoryview) -> int | None:
    """The index of the first NaN or infinity among packed elements; None when all of them are finite.

    >>> from addison.spec.elements import ELEMENTS
    >>> first_not_finite(ELEMENTS["f16"], memoryview(bytes.fromhex("003c ff7b 007c")))
    2
    """
    width, flags = element.bits // 8, _flags(element.name)
    for start in range(0, len(data), _SLICE * width):
        piece = bytes(data[start : start + _SLICE * width])
        hit = _all_flags(flags, piece, width).find(1)
        if hit >= 0:
            return start // width + hit
    return None


def _all_flags(tables: tuple[bytes, ...], piece: bytes, width: int) -> bytes:
    """A byte for each element: 1 where its top bytes have all the bits that a code which is not finite has."""
    first = piece[width - 1 :: width].translate(tables[0])
    if len(tables) == 1 or 1 not in first:
        return first
    second = piece[width - 2 :: width].translate(tables[1])
    both = int.from_bytes(first, "little") & int.from_bytes(second, "little")
    return both.to_bytes(len(first), "little")


@cache
def _flags(name: str) -> tuple[bytes, ...]:
    """For the top byte, and the next where the exponent runs into it: which values have all of the exponent's bits."""
    masks = _masks(ELEMENTS[name]) if name in ELEMENTS else ()
    return tuple(bytes(byte & mask == mask for byte in range(256)) for mask in masks)


def _masks(element: ElementType) -> Iterator[int]:
    match element.format:
        case Powers():  # its one NaN is all ones
            yield 0xFF
        case Float(exponent=exponent, mantissa=mantissa, overflow=Overflow.NAN):  # likewise, beside the sign
            yield (1 << exponent + mantissa) - 1
        case Float(exponent=exponent, overflow=Overflow.INFINITY):
            yield ((1 << min(exponent, 7)) - 1) << 7 - min(exponent, 7)
            if exponent > 7:
                yield ((1 << exponent - 7) - 1) << 15 - exponent
