"""Constants bit by bit: counted here element by element, there in columns of whole slices."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison.ir.model import Constant
from addison.ir.weights import Weights
from addison.report import diff_constants
from addison.report.diff_constants import BitsDiffer, NotCompared, compare
from addison.spec.elements import ELEMENTS, NOT_NUMERIC, ElementType
from addison.spec.packing import bytes_needed, unpack
from addison.spec.shapes import Shape

TYPES = [*ELEMENTS.values(), NOT_NUMERIC["boolean"]]


def constant(element, sizes, data, offset=0, swapped=False):
    return Constant(element, Shape(*sizes), offset, len(data), Weights.of(data), swapped)


@st.composite
def pairs(draw):
    """Two constants of one type and shape whose bytes differ in a few places, if at all."""
    element = draw(st.sampled_from(TYPES))
    sizes = draw(st.lists(st.integers(1, 7), max_size=3))
    elements = 1
    for size in sizes:
        elements *= size
    size = bytes_needed(element, elements)
    a = draw(st.binary(min_size=size, max_size=size))
    b = bytearray(a)
    for at in draw(st.lists(st.integers(0, size - 1), max_size=4)):
        b[at] ^= draw(st.integers(1, 255))
    return element, sizes, elements, a, bytes(b)


@given(pairs(), st.sampled_from([1, 6, 24, 1 << 20]))
def test_as_many_as_one_counts_by_hand(pair, piece):
    element, sizes, elements, a, b = pair
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diff_constants, "SLICE", piece)
        found = compare(constant(element, sizes, a), constant(element, sizes, b"\xff" + b, 1))
    codes = [unpack(element, data, elements) for data in (a, b)]
    wrong = [k for k in range(elements) if codes[0][k] != codes[1][k]]
    if not wrong:
        assert found is None
        return
    flat = 0
    for size, at in zip(sizes, found.first, strict=True):
        flat = flat * size + at
    assert (found.elements, found.differing, flat) == (elements, len(wrong), wrong[0])
    assert (found.a, found.b) == (codes[0][wrong[0]], codes[1][wrong[0]])


def test_in_a_sentence():
    a = constant(ELEMENTS["f32"], (2, 3), struct.pack("<6f", 1, 2, 3, 4, 5, 6))
    b = constant(ELEMENTS["f32"], (2, 3), struct.pack("<6f", 1, 2, 3.5, 4, 5, -0.0))
    assert compare(a, b).says == "2 of 6 elements differ, the first at [0,2]: 3 -> 3.5"
    one = compare(constant(ELEMENTS["u4"], (), b"\x01"), constant(ELEMENTS["u4"], (), b"\x02"))
    assert one.says == "1 of 1 elements differs, the first at []: 1 -> 2"


def test_nans_and_zeros_with_other_bits_differ_and_are_told_apart():
    a = constant(ELEMENTS["f16"], (2,), bytes.fromhex("007e0000"))
    b = constant(ELEMENTS["f16"], (2,), bytes.fromhex("017e0080"))
    found = compare(a, b)
    assert found.differing == 2
    assert found.says.endswith("nan (0x7e00) -> nan (0x7e01)")
    truth = [constant(NOT_NUMERIC["boolean"], (1,), bytes([one])) for one in (0, 1)]
    assert compare(*truth).says.endswith("0x00 -> 0x01")


def test_nibbles_read_the_other_way_round():
    found = compare(constant(ELEMENTS["u4"], (2,), b"\x12", swapped=True), constant(ELEMENTS["u4"], (2,), b"\x21"))
    assert found is None


def test_what_is_not_compared():
    here = constant(ELEMENTS["f32"], (1,), bytes(4))
    gone = Constant(ELEMENTS["f32"], Shape(1), 0, 4, None)
    assert compare(here, constant(ELEMENTS["f32"], (1, 1), b"abcd")) is None
    assert compare(here, constant(ELEMENTS["i32"], (1,), b"abcd")) is None
    assert compare(constant(ELEMENTS["f32"], (0,), b""), constant(ELEMENTS["f32"], (0,), b"")) is None
    assert compare(gone, here) == NotCompared("the first model's weights are not there")
    assert compare(here, gone) == NotCompared("the second model's weights are not there")
    strings = constant(NOT_NUMERIC["string"], (1,), b"abc")
    assert isinstance(compare(strings, strings), NotCompared)


def test_large_constants_are_read_in_slices():
    size = 5 << 20
    a, b = bytearray(size), bytearray(size)
    b[size - 1] = 1
    found = compare(constant(ELEMENTS["u8"], (size,), bytes(a)), constant(ELEMENTS["u8"], (size,), bytes(b)))
    assert isinstance(found, BitsDiffer)
    assert (found.differing, found.first) == (1, (size - 1,))
    assert isinstance(found.element_type, ElementType)
