"""Two constants of one type and shape, bit by bit, in slices: how many elements differ, and the first that does."""

from __future__ import annotations

from dataclasses import dataclass

from addison.ir.model import Constant
from addison.reasons.numerals import spell
from addison.spec.bits import decode
from addison.spec.elements import ElementType
from addison.spec.packing import Group, group, unpack

SLICE = 1 << 20
"""Bytes, about, of each constant that are looked at at once."""


@dataclass(frozen=True, slots=True)
class BitsDiffer:
    """How many of a constant's elements have other bits, and where the first one stands, with both its codes."""

    element_type: ElementType
    elements: int
    differing: int
    first: tuple[int, ...]
    a: int
    b: int

    @property
    def says(self) -> str:
        """In a sentence: "2 of 6 elements differ, the first at [0,1]: 1.5 -> 2"."""
        at = ",".join(map(str, self.first))
        values = f"{_value(self.element_type, self.a)} -> {_value(self.element_type, self.b)}"
        verb = "differs" if self.differing == 1 else "differ"
        return f"{self.differing:,} of {self.elements:,} elements {verb}, the first at [{at}]: {values}"


@dataclass(frozen=True, slots=True)
class NotCompared:
    """Why two constants were not held against each other."""

    says: str


def compare(a: Constant, b: Constant) -> BitsDiffer | NotCompared | None:
    """What the constants differ in; None when every element has the same bits, or their types or shapes differ, which
    is another difference. Bits that no element owns are not looked at."""
    if a.element_type != b.element_type or a.shape != b.shape or not a.shape.elements:
        return None
    if a.element_type.name == "string":
        return NotCompared("constants of strings are not compared")
    for one, which in ((a, "first"), (b, "second")):
        if one.weights is None:
            return NotCompared(f"the {which} model's weights are not there")
    left, right = a.data, b.data
    packing, elements = group(a.element_type), a.shape.elements
    step = max(SLICE // packing.bytes, 1) * packing.bytes
    differing, first = 0, -1
    for start in range(0, len(left), step):
        x, y = bytes(left[start : start + step]), bytes(right[start : start + step])
        if x == y:
            continue
        before = start // packing.bytes * packing.elements
        count, at = _differences(packing, x, y, elements - before)
        differing += count
        if first < 0 <= at:
            first = before + at
    if not differing:
        return None
    codes = [_code(a.element_type, packing, data, first) for data in (left, right)]
    return BitsDiffer(a.element_type, elements, differing, _index(first, a.shape.sizes), codes[0], codes[1])


def _differences(packing: Group, x: bytes, y: bytes, elements: int) -> tuple[int, int]:
    """How many of the first ``elements`` elements of two slices differ, and which is the first (-1: none does).

    For each place in a group, the bytes it has bits in are laid over each other for all groups at once.
    """
    changed = (int.from_bytes(x, "little") ^ int.from_bytes(y, "little")).to_bytes(len(x), "little")
    count, first = 0, -1
    for slot, places in enumerate(packing.places):
        groups = -(-(min(elements, len(x) // packing.bytes * packing.elements) - slot) // packing.elements)
        masks: dict[int, int] = {}
        for byte, bit in places:
            masks[byte] = masks.get(byte, 0) | 1 << bit
        laid = 0
        for byte, mask in masks.items():
            column = int.from_bytes(changed[byte :: packing.bytes][:groups], "little")
            laid |= column if mask == 0xFF else column & int.from_bytes(bytes([mask]) * groups, "little")
        if laid:
            column_bytes = laid.to_bytes(groups, "little")
            count += groups - column_bytes.count(0)
            at = (groups - len(column_bytes.lstrip(b"\0"))) * packing.elements + slot
            first = at if first < 0 else min(first, at)
    return count, first


def _code(element: ElementType, packing: Group, data: memoryview, index: int) -> int:
    number, slot = divmod(index, packing.elements)
    whole = data[number * packing.bytes : (number + 1) * packing.bytes]
    return unpack(element, whole, packing.elements)[slot]


def _index(flat: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The place of an element along each axis."""
    index = []
    for size in reversed(sizes):
        flat, at = divmod(flat, size)
        index.append(at)
    return tuple(reversed(index))


def _value(element: ElementType, code: int) -> str:
    """The value a code stands for; the code itself for what is no number, and NaNs with theirs, which differ."""
    if not element.numeric:
        return f"{code:#04x}"
    value = spell(decode(element, code))
    return f"nan ({code:#x})" if value == "nan" else value
