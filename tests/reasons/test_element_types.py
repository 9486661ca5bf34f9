"""Explained types: tables against ml_dtypes and NumPy, layouts and landmarks written by hand."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from addison import ElementType, explain
from addison.reasons.element_types import landmarks
from addison.spec.bits import Special
from tests.reasons.values import value_by_others
from tests.same_bits import DTYPES, NAMES, SMALL, WIDE


def same(value, other):
    """An explained value, and a Python number."""
    number = float(value.value) if isinstance(value, Special) else value
    if other != other:
        return number != number
    return number == other and math.copysign(1, number) == math.copysign(1, other)


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_that_others_decode(name):
    reason = explain(name)
    assert reason.complete == (name in SMALL)
    if reason.complete:
        assert [row.code for row in reason.rows] == list(range(2**reason.element_type.bits))
    assert len({row.code for row in reason.rows}) == len(reason.rows) >= 2
    for row in reason.rows:
        other = value_by_others(name, row.code)
        assert same(row.value, other if isinstance(row.value, Special | int) else Fraction(other))


def test_the_comparison_sees_a_wrong_value():
    assert not same(Fraction(1, 2), 0.25)
    assert not same(Special.MINUS_ZERO, 0.0)
    assert not same(Fraction(0), math.nan)


@pytest.mark.parametrize("name", ["bf16", "f16", "f32", "f64", "f8e4m3", "f8e5m2", "f4e2m1"])
def test_landmarks_of_floats(name):
    named = {said: row.value for row in explain(name).rows for said in row.name.split(", ")}
    known = ml_dtypes.finfo(DTYPES[name])
    assert named["largest"] == Fraction(float(known.max))
    assert named["lowest"] == Fraction(float(known.min))
    assert named["smallest normal"] == Fraction(float(known.smallest_normal))
    assert named["smallest subnormal"] == Fraction(float(known.smallest_subnormal))
    assert (named["zero"], named["one"], named["minus zero"]) == (0, 1, Special.MINUS_ZERO)
    assert named.get("NaN") is (None if name == "f4e2m1" else Special.NAN)
    assert named.get("infinity") is (None if name in ("f4e2m1", "f8e4m3") else Special.PLUS_INFINITY)


def test_largest_subnormals():
    named = {row.name: row.code for row in explain("f32").rows}
    assert named["largest subnormal"] == int(np.array(np.nextafter(np.finfo("f4").tiny, 0, dtype="f4")).view("u4"))


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("u1", {}),
        ("u2", {0: "zero", 1: "one", 3: "largest"}),
        ("i4", {0: "zero", 1: "one", 7: "largest", 8: "lowest", 15: "minus one"}),
        ("u64", {0: "zero", 1: "one", 2**64 - 1: "largest"}),
        ("f8e8m0", {0: "lowest", 127: "one", 254: "largest", 255: "NaN"}),
        ("nf4", {0: "lowest", 7: "zero", 15: "largest"}),
        (
            "f4e2m1",
            {
                0: "zero",
                1: "smallest subnormal, largest subnormal",
                2: "smallest normal, one",
                7: "largest",
                8: "minus zero",
                15: "lowest",
            },
        ),
    ],
)
def test_landmarks_of_others(name, codes):
    assert landmarks(ElementType.parse(name)) == codes


DRAWN = {  # the bits of each byte, 7 to 0: element.bit
    "u1": "0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0",
    "u2": "3.1 3.0 2.1 2.0 1.1 1.0 0.1 0.0",
    "u3": "0.1 0.0 1.1 1.0 2.1 2.0 3.1 3.0 / 4.1 4.0 5.1 5.0 6.1 6.0 7.1 7.0 / 0.2 1.2 2.2 3.2 4.2 5.2 6.2 7.2",
    "u6": "0.3 0.2 0.1 0.0 1.3 1.2 1.1 1.0 / 2.3 2.2 2.1 2.0 3.3 3.2 3.1 3.0 / 0.5 0.4 1.5 1.4 2.5 2.4 3.5 3.4",
    "u4": "1.3 1.2 1.1 1.0 0.3 0.2 0.1 0.0",
    "i8": "0.7 0.6 0.5 0.4 0.3 0.2 0.1 0.0",
    "bf16": "0.7 0.6 0.5 0.4 0.3 0.2 0.1 0.0 / 0.15 0.14 0.13 0.12 0.11 0.10 0.9 0.8",
}
DRAWN |= {"i4": DRAWN["u4"], "nf4": DRAWN["u4"], "f4e2m1": DRAWN["u4"], "u8": DRAWN["i8"], "f8e4m3": DRAWN["i8"]}


@pytest.mark.parametrize("name", DRAWN)
def test_layouts_by_hand(name):
    layout = explain(name).layout
    drawn = " / ".join(" ".join(f"{i}.{bit}" for i, bit in byte) for byte in layout.bytes)
    assert drawn == DRAWN[name]


@pytest.mark.parametrize("name", NAMES)
def test_every_bit_of_every_element_is_drawn_once(name):
    reason = explain(name)
    drawn = sorted(cell for byte in reason.layout.bytes for cell in byte)
    bits = reason.element_type.bits
    assert drawn == [(i, bit) for i in range(reason.layout.elements) for bit in range(bits)]
    assert sum(width for _, width in reason.parts) == bits


@pytest.mark.parametrize("name", WIDE)
def test_wide_types_are_little_endian(name):
    layout = explain(name).layout
    assert [byte[-1] for byte in layout.bytes] == [(0, 8 * n) for n in range(len(layout.bytes))]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("f8e4m3", "Past 464, half a step past the largest value, 448, it is NaN."),
        ("f16", "From 65520 on, half a step past the largest value, 65504, it is infinity."),
        ("f8e5m2", "From 61440 on, half a step past the largest value, 57344, it is infinity."),
        ("f4e2m1", "Past the largest value, 6, it saturates."),
        ("i8", "A sum wraps modulo 2^8; it never saturates."),
        ("i8", "8 bits, two's complement: -128 to 127."),
        ("u1", "1 bit, no sign: 0 to 1."),
        ("f8e8m0", "There is no zero and no sign. The code 0xff is NaN."),
        ("f8e5m2", "Infinities: 0x7c, 0xfc. NaN: 0x7d to 0x7f, 0xfd to 0xff; canonical 0x7e."),
        ("f8e4m3", "No infinity. NaN: 0x7f and 0xff; canonical 0x7f."),
        ("bf16", "16 bits: 1 of sign, 8 of exponent with a bias of 127, 7 of mantissa."),
    ],
)
def test_sentences(name, sentence):
    assert sentence in explain(name).says
