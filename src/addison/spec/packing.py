"""How many bytes n elements take, and which bits of which byte hold element i.

Measured on OpenVINO's constants: u1 puts element 0 in the highest bit, the other small types in the lowest; u3 and u6
stand in groups of three bytes, low bits in the first two, high bits in the third. Bits that no element owns are written
as 0 and ignored when read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from addison.errors import InvalidInput
from addison.spec.elements import ElementType, Packing

Place = tuple[int, int]  # byte within the group, bit within the byte (0 is the least significant)


@dataclass(frozen=True, slots=True)
class Group:
    """The smallest run of whole bytes that holds whole elements: ``places[i][k]`` is where bit k of element i lies."""

    bytes: int
    places: tuple[tuple[Place, ...], ...]

    @property
    def elements(self) -> int:
        return len(self.places)


@cache
def group(element: ElementType) -> Group:
    """The type's group.

    >>> group(ElementType.parse("u4")).places[1]     # the second element: bits 4 to 7 of byte 0
    ((0, 4), (0, 5), (0, 6), (0, 7))
    """
    bits = element.bits
    match element.packing:
        case Packing.BYTES:
            return Group(bits // 8, (tuple(divmod(bit, 8) for bit in range(bits)),))
        case Packing.LOW_FIRST:
            return Group(1, tuple(tuple((0, i * bits + k) for k in range(bits)) for i in range(8 // bits)))
        case Packing.HIGH_FIRST:
            return Group(1, tuple(tuple((0, 8 - bits * (i + 1) + k) for k in range(bits)) for i in range(8 // bits)))
        case Packing.PLANES:
            return _planes(bits)


def _planes(bits: int) -> Group:
    """Two bytes of low parts, then one byte of high parts; in each byte the first element stands highest."""
    low = 1 << (bits.bit_length() - 1)  # 2 of u3's bits, 4 of u6's
    high = bits - low
    elements, a_byte = 8 // high, 8 // low
    places = []
    for i in range(elements):
        byte, slot = divmod(i, a_byte)
        lows = [(byte, 8 - low * (slot + 1) + k) for k in range(low)]
        highs = [(2, 8 - high * (i + 1) + k) for k in range(high)]
        places.append((*lows, *highs))
    return Group(3, tuple(places))


def bytes_needed(element: ElementType, elements: int) -> int:
    """How many bytes ``elements`` elements take; the last group is whole even when it is not full.

    >>> bytes_needed(ElementType.parse("i4"), 3), bytes_needed(ElementType.parse("u3"), 9)
    (2, 6)
    """
    one = group(element)
    return -(-elements // one.elements) * one.bytes


def unpack(element: ElementType, data: bytes | memoryview, elements: int) -> list[int]:
    """The codes of the first ``elements`` elements of packed bytes."""
    if len(data) < bytes_needed(element, elements):
        raise InvalidInput(
            f"{elements} elements of {element} take {bytes_needed(element, elements)} bytes, here are {len(data)}",
            wanted=bytes_needed(element, elements),
            found=len(data),
        )
    one = group(element)
    codes = []
    for i in range(elements):
        number, slot = divmod(i, one.elements)
        base = number * one.bytes
        codes.append(sum((data[base + byte] >> bit & 1) << k for k, (byte, bit) in enumerate(one.places[slot])))
    return codes


def pack(element: ElementType, codes: Iterable[int]) -> bytes:
    """Packed bytes of these codes, unused bits 0.

    >>> pack(ElementType.parse("u4"), [1, 2, 3]).hex()
    '2103'
    """
    listed = list(codes)
    one = group(element)
    data = bytearray(bytes_needed(element, len(listed)))
    for i, code in enumerate(listed):
        number, slot = divmod(i, one.elements)
        for k, (byte, bit) in enumerate(one.places[slot]):
            data[number * one.bytes + byte] |= (code >> k & 1) << bit
    return bytes(data)
