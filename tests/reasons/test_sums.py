"""Explained sums: the result is the specification's, the parts are the bits, the sentences are as written here."""

import struct
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import ElementType, explain
from addison.reasons.rounding import Decision
from addison.spec.addition import add_codes
from tests.reasons.values import value_by_others
from tests.same_bits import NAMES, SMALL, WIDE
from tests.strategies import codes, pairs

TINY = tuple(name for name in SMALL if ElementType.parse(name).bits <= 4)


@pytest.mark.parametrize("name", TINY)
def test_every_pair_of_tiny_types(name):
    element = ElementType.parse(name)
    for a in range(2**element.bits):
        for b in range(2**element.bits):
            assert explain(name, hex(a), hex(b)).result.code == add_codes(element, a, b)


@pytest.mark.parametrize("name", WIDE)
@given(data=st.data())
def test_pairs_of_wide_types(name, data):
    element = ElementType.parse(name)
    a, b = data.draw(pairs(name))
    reason = explain(element, hex(a), hex(b))
    assert (reason.a.element.code, reason.b.element.code) == (a, b)
    assert reason.result.code == add_codes(element, a, b)
    assert reason.rounding.code == reason.result.code
    assert reason.says


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_parts_are_the_bits(name, data):
    code = data.draw(codes(name))
    bits = ElementType.parse(name).bits
    parts = explain(name, hex(code)).operand.element.parts
    assert "".join(part.bits for part in parts) == f"{code:0{bits}b}"
    assert [part.high - part.low + 1 for part in parts] == [len(part.bits) for part in parts]
    assert (parts[0].high, parts[-1].low) == (bits - 1, 0)


def by_hand(parts):
    """The value of a float, put together again from what its parts say."""
    sign, exponent, mantissa = (part.says for part in parts)
    power = Fraction(2) ** int(exponent.split()[0].removeprefix("2^"))
    whole, _, rest = mantissa.partition(" + ")
    top, _, bottom = rest.partition("/")
    steps = Fraction(int(top), 2 ** int(bottom[2:]) if "^" in bottom else int(bottom)) if rest else 0
    return (-1 if sign == "-" else 1) * power * (int(whole) + steps)


@pytest.mark.parametrize("name", ["f8e4m3", "f8e5m2", "f4e2m1", "bf16", "f16", "f32", "f64"])
@given(data=st.data())
def test_what_the_parts_say_is_the_value(name, data):
    code = data.draw(codes(name))
    element = explain(name, hex(code)).operand.element
    other = value_by_others(name, code)
    if other != other or other in (float("inf"), -float("inf")):
        assert element.parts[2].says in ("0: infinity", "not 0: NaN", "all ones: NaN")
    else:
        assert by_hand(element.parts) == Fraction(other)


def test_what_the_parts_of_other_types_say():
    said = {
        (name, code): [part.says for part in explain(name, code).operand.element.parts]
        for name, code in (("i8", "0xff"), ("i8", "0x7f"), ("u3", "0x5"), ("nf4", "0xf"), ("f8e8m0", "0x80"),
                           ("f8e8m0", "0xff"))
    }  # fmt: skip
    assert list(said.values()) == [
        ["-128", "127"],
        ["0", "127"],
        ["5"],
        ["number 15"],
        ["2^(128 - 127)"],
        ["all ones: NaN"],
    ]


@pytest.mark.parametrize("number", [0.1, -1e300, 5e-324, 1e-310, 2.5])
def test_python_floats_are_the_f64_they_are(number):
    operand = explain("f64", number).operand
    assert operand.element.code == struct.unpack("<Q", struct.pack("<d", number))[0]
    assert operand.exact


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_numbers_are_rounded_to_the_type_as_ml_dtypes_rounds_them(number):
    code = np.array([number], ml_dtypes.bfloat16).view(np.uint16)[0]
    with np.errstate(over="ignore"):
        assert explain("bf16", number).operand.element.code == code
        assert explain("f16", number).operand.element.code == np.array([number], np.float16).view(np.uint16)[0]


SAID = [
    ("f8e4m3", "448", "-32", Decision.EXACT, 0x7D, "416 is a value of f8e4m3: nothing is rounded"),
    ("bf16", "692", "720", Decision.TIE, 0x44B0, "halfway between 1408 and 1416: the even code, 0x44b0, wins"),
    ("f16", "2048", "0.5", Decision.NEAREST, 0x6800, "nearer to 2048 (0.5 away) than to 2050 (1.5 away)"),
    ("f16", "2048", "3", Decision.TIE, 0x6802, "halfway between 2050 and 2052: the even code, 0x6802, wins"),
    ("u4", "15", "1", Decision.WRAP, 0, "16 is past 15, so it wraps modulo 2^4: 16 - 16 = 0"),
    ("i8", "-128", "-1", Decision.WRAP, 0x7F, "-129 is below -128, so it wraps modulo 2^8: -129 + 256 = 127"),
    ("i8", "100", "27", Decision.EXACT, 0x7F, "127 is within -128 to 127: nothing wraps"),
    ("f16", "nan", "1", Decision.NAN, 0x7E00,
     "a is NaN, and NaN plus anything is NaN; the canonical NaN of f16 is 0x7e00, and any of its NaNs is right"),
    ("f16", "1", "0xfdff", Decision.NAN, 0x7E00,
     "b is NaN, and NaN plus anything is NaN; the canonical NaN of f16 is 0x7e00, and any of its NaNs is right"),
    ("f8e4m3", "nan", "nan", Decision.NAN, 0x7F,
     "a and b are NaN, and NaN plus anything is NaN; the canonical NaN of f8e4m3 is 0x7f, and any of its NaNs is "
     "right"),
    ("f8e5m2", "inf", "-inf", Decision.NAN, 0x7E,
     "inf and -inf have no sum: NaN; the canonical NaN of f8e5m2 is 0x7e, and any of its NaNs is right"),
    ("f32", "-inf", "1", Decision.INFINITY, 0xFF800000, "an infinity plus a finite number is that infinity"),
    ("f32", "inf", "inf", Decision.INFINITY, 0x7F800000, "an infinity plus itself is that infinity"),
    ("f32", "-0", "-0", Decision.EXACT, 0x80000000, "-0 + -0 is -0, and no other sum is"),
    ("f32", "-0", "0", Decision.EXACT, 0, "-0 + 0 is 0"),
    ("f32", "0", "0", Decision.EXACT, 0, "0 is a value of f32: nothing is rounded"),
    ("f32", "5", "-0", Decision.EXACT, 0x40A00000, "adding -0 changes nothing"),
    ("f32", "5", "-5", Decision.EXACT, 0, "two numbers that cancel give 0, never -0"),
    ("f8e4m3", "448", "16", Decision.TIE, 0x7E,
     "halfway between 448 and 480 (which f8e4m3 does not have): the even code, 0x7e, wins"),
    ("f8e4m3", "448", "18", Decision.OVERFLOW, 0x7F,
     "466 is past 464, halfway from the last finite value, 448, to the next step, 480: NaN, as f8e4m3 has no infinity"),
    ("f16", "-65504", "-16", Decision.OVERFLOW, 0xFC00,
     "halfway between -65536 (which f16 does not have) and -65504: the even code, 0xfc00, wins, and that is minus "
     "infinity"),
    ("f16", "65504", "32", Decision.OVERFLOW, 0x7C00,
     "65536 is past 65520, halfway from the last finite value, 65504, to the next step, 65536: infinity"),
    ("f4e2m1", "-6", "-.5", Decision.SATURATE, 0xF, "-6.5 is below the lowest value, -6: it saturates"),
    ("f8e8m0", "0.5", "4", Decision.NEAREST, 0x81, "nearer to 4 (0.5 away) than to 8 (3.5 away)"),
    ("f8e8m0", "0xfe", "0xfe", Decision.SATURATE, 0xFE, "2^128 is past the largest value, 2^127: it saturates"),
    ("f8e8m0", "2", "1", Decision.TIE, 0x80, "halfway between 2 and 4: the even code, 0x80, wins"),
    ("nf4", "0xf", "0xf", Decision.SATURATE, 0xF, "2 is past the largest value, 1: it saturates"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "a", "b", "decision", "code", "says"), SAID)
def test_sums_in_words(name, a, b, decision, code, says):
    reason = explain(name, a, b)
    assert (reason.rounding.decision, reason.result.code) == (decision, code)
    assert reason.says == says


@pytest.mark.parametrize(
    ("name", "written", "code", "exact", "says"),
    [
        ("bf16", "0.1", 0x3DCD, False,
         "nearer to 0.10009765625 (0.00009765625 away) than to 0.099609375 (0.000390625 away)"),
        ("f16", "1e9", 0x7C00, False,
         "1000000000 is past 65520, halfway from the last finite value, 65504, to the next step, 65536: infinity"),
        ("f8e4m3", "-inf", 0xFF, False, "f8e4m3 has no infinity: NaN, with the sign kept"),
        ("f4e2m1", "inf", 0x7, False, "f4e2m1 has no infinity: it saturates at 6"),
        ("f8e8m0", "0", 0x00, False, "f8e8m0 has neither zero nor signs: 0 saturates at its lowest value, 2^-127"),
        ("f8e8m0", "-0", 0x00, False, "f8e8m0 has no zero: it saturates at 2^-127"),
        ("f8e8m0", "nan", 0xFF, True, "the canonical NaN of f8e8m0 is 0xff"),
        ("nf4", "-0", 0x7, True, "nf4 has one zero, without a sign"),
        ("nf4", "-inf", 0x0, False, "nf4 has no infinity: it saturates at -1"),
        ("f16", "inf", 0x7C00, True, "f16 has infinities"),
        ("f16", "-1e-30", 0x8000, False,
         "nearer to -0 (about 1e-30 away) than to -2^-24 (about 5.9604644775390625e-8 away)"),
        ("i8", "-5", 0xFB, True, "-5 is within -128 to 127: nothing wraps"),
        ("f16", "-0", 0x8000, True, "-0 is a value of f16: nothing is rounded"),
    ],
)  # fmt: skip
def test_operands_in_words(name, written, code, exact, says):
    operand = explain(name, written).operand
    assert (operand.written, operand.element.code, operand.exact, operand.says) == (written, code, exact, says)


def test_a_code_loses_nothing():
    operand = explain("f16", "0xfdff").operand
    assert (operand.element.code, operand.rounding, operand.exact) == (0xFDFF, None, True)
