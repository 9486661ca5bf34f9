"""How two elements of one type differ: how far apart they are, and what kind of mistake would make one of the other.

Everything here is NumPy on one block of codes at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from addison.spec.elements import ElementType, Float, Overflow, Packing, Whole
from addison.tensor import lanes
from addison.tensor.dtypes import Array, code_dtype, from_codes

CLASSES = {
    "other-axis": "as if b were laid over another axis",
    "nan": "NaN on one side only",
    "infinity": "infinite on one side only, or of the other sign",
    "sign-of-zero": "the other zero",
    "saturated": "saturated instead of wrapped",
    "wrapped-at-32-bits": "wrapped at 32 bits",
    "carried": "changed by the carry of a neighbour in its byte",
    "flushed-subnormal": "a subnormal number flushed to zero",
    "rounded-otherwise": "rounded otherwise",
    "computed-in-f32": "as if computed in f32",
    "other": "of no known class",
}
"""The classes of differences, each element in the first that fits; the ones that need the operands are marked so in
``WITH_OPERANDS``."""

WITH_OPERANDS = ("other-axis", "saturated", "wrapped-at-32-bits", "carried", "computed-in-f32")


class Operands(NamedTuple):
    """The codes that went into results, element by element; ``bytewise`` what comes out when whole bytes are added."""

    a: Array
    b: Array
    bytewise: Array | None = None

    def at(self, places: Array) -> Operands:
        """Those of some of the results."""
        return Operands(self.a[places], self.b[places], None if self.bytewise is None else self.bytewise[places])


def is_nan(element: ElementType, codes: Array) -> Array:
    """Which codes are NaNs.

    >>> is_nan(ElementType.parse("f8e4m3"), np.array([0x7e, 0x7f, 0xff], np.uint8)).tolist()
    [False, True, True]
    """
    if element.nan is None:
        return np.zeros(codes.shape, bool)
    if not isinstance(element.format, Float):
        return np.asarray(codes == element.nan)
    magnitudes = _magnitudes(element, codes)
    if element.format.overflow is Overflow.NAN:
        return np.asarray(magnitudes == element.nan)
    return np.asarray(magnitudes > _infinity(element.format))


def distances(element: ElementType, found: Array, wanted: Array) -> Array:
    """How many codes lie between, as uint64: for integers the difference, for floats units in the last place, where
    the two zeros are one number. Of NaNs it says nothing.

    >>> distances(ElementType.parse("bf16"), np.array([0x8001], np.uint16), np.array([0x0002], np.uint16)).tolist()
    [3]
    """
    left, right = _line_up(element, found), _line_up(element, wanted)
    return np.asarray(np.maximum(left, right) - np.minimum(left, right))


def _line_up(element: ElementType, codes: Array) -> Array:
    """Codes as numbers in the order of their values, one apart where no value lies between."""
    wide = codes.astype(np.uint64)
    top = np.uint64(1 << (element.bits - 1))
    match element.format:
        case Float():
            magnitudes = wide & (top - np.uint64(1))
            return np.where(wide & top, top - magnitudes, top + magnitudes)
        case Whole(signed=True):
            return wide ^ top
        case _:
            return wide


def infinite(element: ElementType, codes: Array) -> Array:
    """Which codes are infinities.

    >>> infinite(ElementType.parse("f16"), np.array([0x7c00, 0xfc00, 0x7c01], np.uint16)).tolist()
    [True, True, False]
    """
    if not isinstance(element.format, Float) or element.format.overflow is not Overflow.INFINITY:
        return np.zeros(codes.shape, bool)
    return np.asarray(_magnitudes(element, codes) == _infinity(element.format))


def added_bytewise(element: ElementType, a: Array, b: Array) -> Array | None:
    """What comes out when whole bytes are added, carries and all; None for types whose elements have their own bytes.
    The codes must start where a byte does.

    >>> added_bytewise(ElementType.parse("u4"), np.uint8([15, 2]), np.uint8([1, 3])).tolist()
    [0, 6]
    """
    if element.packing not in (Packing.LOW_FIRST, Packing.HIGH_FIRST):
        return None
    left, right = (np.frombuffer(lanes.pack(element, side), np.uint8) for side in (a, b))
    return lanes.unpack(element, left + right, a.size)


def classify(element: ElementType, found: Array, wanted: Array, operands: Operands | None) -> Array:
    """For each pair of differing codes the number of its class in ``CLASSES``.

    >>> u8 = ElementType.parse("u8")
    >>> kinds = classify(u8, np.uint8([255]), np.uint8([44]), Operands(np.uint8([200]), np.uint8([100])))
    >>> list(CLASSES)[kinds[0]]
    'saturated'
    """
    kinds = np.full(found.shape, _number("other"), np.uint8)
    for name, belongs in reversed(_tests(element, found, wanted, operands)):  # the first that fits comes last
        kinds[belongs] = _number(name)
    return kinds


def _tests(element: ElementType, found: Array, wanted: Array, operands: Operands | None) -> list[tuple[str, Array]]:
    form = element.format
    nan, far = is_nan(element, found) != is_nan(element, wanted), distances(element, found, wanted)
    if isinstance(form, Whole):
        return [] if operands is None else _whole_tests(element, found, operands)
    tests = [("nan", nan)]
    if isinstance(form, Float):
        tests.append(("infinity", (infinite(element, found) | infinite(element, wanted))))
        tests.append(("sign-of-zero", (far == 0) & ~is_nan(element, found)))
        tests.append(("flushed-subnormal", _flushed(element, found, wanted, operands)))
    tests.append(("rounded-otherwise", far == 1))
    if operands is not None and element.name == "f64":
        tests.append(("computed-in-f32", _in_f32(element, found, operands)))
    return tests


def _whole_tests(element: ElementType, found: Array, operands: Operands) -> list[tuple[str, Array]]:
    tests = [("saturated", found == _saturated(element, operands))]
    if element.bits == 64:
        tests.append(("wrapped-at-32-bits", _in_32_bits(found, operands)))
    if operands.bytewise is not None:
        tests.append(("carried", found == operands.bytewise))
    return tests


def _saturated(element: ElementType, operands: Operands) -> Array:
    """The sum, or the end of the range that it is past."""
    bits = element.bits
    mask, top = np.uint64((1 << bits) - 1), np.uint64(1 << (bits - 1))
    a, b = operands.a.astype(np.uint64), operands.b.astype(np.uint64)
    total = (a + b) & mask
    assert isinstance(element.format, Whole)
    if not element.format.signed:
        return np.where(total < a, mask, total)
    over = ((a ^ total) & (b ^ total) & top) != 0
    return np.where(over, np.where(a & top, top, top - np.uint64(1)), total)


def _in_32_bits(found: Array, operands: Operands) -> Array:
    """Whether it is the sum of the low halves, the high half filled with zeros or with the sign."""
    low = (operands.a.astype(np.uint64) + operands.b.astype(np.uint64)).astype(np.uint32)
    signed = low.view(np.int32).astype(np.int64).view(np.uint64)
    return np.asarray((found == low.astype(np.uint64)) | (found == signed))


def _flushed(element: ElementType, found: Array, wanted: Array, operands: Operands | None) -> Array:
    """Zero for a subnormal sum; or, when the operands are known, the sum with subnormal operands taken as zero."""
    zero = _magnitudes(element, found) == 0
    flushed = zero & _subnormal(element, wanted)
    if operands is None:
        return np.asarray(flushed)
    a, b, _ = operands
    small_a, small_b = _subnormal(element, a), _subnormal(element, b)
    other = np.where(small_a, b, a)
    one = (small_a != small_b) & (found == other)
    return np.asarray(flushed | one | (small_a & small_b & zero))


def _in_f32(element: ElementType, found: Array, operands: Operands) -> Array:
    """Whether it is what f32 makes of the operands, with or without clipping to its range."""
    most = np.float64(np.finfo(np.float32).max)
    a, b = from_codes(operands.a, element), from_codes(operands.b, element)
    with np.errstate(all="ignore"):
        plain = (a.astype(np.float32) + b.astype(np.float32)).astype(np.float64)
        clipped = np.clip(a, -most, most).astype(np.float32) + np.clip(b, -most, most).astype(np.float32)
        results = (plain, np.clip(clipped.astype(np.float64), -most, most))
    return np.asarray(np.logical_or.reduce([found == result.view(np.uint64) for result in results]))


def _magnitudes(element: ElementType, codes: Array) -> Array:
    return np.asarray(codes & code_dtype(element).type((1 << (element.bits - 1)) - 1))


def _subnormal(element: ElementType, codes: Array) -> Array:
    assert isinstance(element.format, Float)
    magnitudes = _magnitudes(element, codes)
    return np.asarray((magnitudes > 0) & (magnitudes < 1 << element.format.mantissa))


def _infinity(form: Float) -> int:
    return ((1 << form.exponent) - 1) << form.mantissa


def _number(name: str) -> int:
    return list(CLASSES).index(name)
