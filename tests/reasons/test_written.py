"""Operands as they are written: what is read, exactly, and what is refused with which numbers."""

import math
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import AddisonError, ElementType, InvalidInput, LimitExceeded
from addison.reasons.written import read
from addison.spec.bits import Special

F16, I8, U4 = (ElementType.parse(name) for name in ("f16", "i8", "u4"))
TENTH = Fraction(3602879701896397, 2**55)
"""What a Python float of 0.1 is."""


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("448", 448),
        ("-32", -32),
        ("+7", 7),
        ("0.1", Fraction(1, 10)),
        (".5", Fraction(1, 2)),
        ("-.5", Fraction(-1, 2)),
        ("5.", 5),
        ("1e-3", Fraction(1, 1000)),
        ("1E+3", 1000),
        ("-0", Special.MINUS_ZERO),
        ("-0.000e5", Special.MINUS_ZERO),
        ("0", 0),
        ("nan", Special.NAN),
        ("-NaN", Special.NAN),
        ("inf", Special.PLUS_INFINITY),
        ("+Infinity", Special.PLUS_INFINITY),
        ("-inf", Special.MINUS_INFINITY),
        (" 2 ", 2),
        ("1e2000", Fraction(10) ** 2000),
        (0.1, TENTH),
        (-0.0, Special.MINUS_ZERO),
        (math.inf, Special.PLUS_INFINITY),
        (math.nan, Special.NAN),
        (3, 3),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Decimal("-Infinity"), Special.MINUS_INFINITY),
        (np.float32(0.5), Fraction(1, 2)),
        (np.float64(0.1), TENTH),
        (np.int8(-3), -3),
        (ml_dtypes.int4(-3), -3),
        (ml_dtypes.bfloat16(1.5), Fraction(3, 2)),
    ],
)
def test_numbers(written, value):
    found = read(F16, written)
    assert (found.value, found.code) == (value, None)


@pytest.mark.parametrize(
    ("element", "written", "value", "code"),
    [
        (F16, "0x7bff", 65504, 0x7BFF),
        (F16, "0X3C00", 1, 0x3C00),
        (F16, "0b0_01111_0000000000", 1, 0x3C00),
        (I8, "0xff", -1, 255),
        (U4, "0b1111", 15, 15),
    ],
)
def test_codes(element, written, value, code):
    found = read(element, written)
    assert (found.value, found.code) == (value, code)


@pytest.mark.parametrize("written", [-128, "-128", "127", "+5", "-0", np.uint8(3)])
def test_integers_in_range(written):
    assert read(I8, written).value == int(written)


REFUSED = [
    (I8, "128", {"low": -128, "high": 127, "found": 128, "element_type": "i8"}),
    (I8, -129, {"low": -128, "high": 127, "found": -129, "element_type": "i8"}),
    (U4, "-1", {"low": 0, "high": 15, "found": -1, "element_type": "u4"}),
    (I8, "1.0", {"found": "1.0", "element_type": "i8"}),
    (I8, "1e2", {"found": "1e2", "element_type": "i8"}),
    (I8, 1.0, {"found": "1.0", "element_type": "i8"}),
    (I8, "nan", {"found": "nan", "element_type": "i8"}),
    (I8, -0.0, {"found": "-0.0", "element_type": "i8"}),
    (I8, Fraction(2), {"found": "2", "element_type": "i8"}),
    (U4, "0x10", {"found": "0x10", "bits": 4, "element_type": "u4"}),
    (F16, "0b1_0000_0000_0000_0000", {"found": "0b1_0000_0000_0000_0000", "bits": 16, "element_type": "f16"}),
    (F16, "1e", {"found": "1e"}),
    (F16, "", {"found": ""}),
    (F16, "--1", {"found": "--1"}),
    (F16, "-0x1", {"found": "-0x1"}),
    (F16, "0x", {"found": "0x"}),
    (F16, "1_000", {"found": "1_000"}),
    (F16, "١", {"found": "١"}),
    (F16, "infinit", {"found": "infinit"}),
    (F16, True, {"found": True}),
    (F16, np.True_, {"found": np.True_}),
    (F16, None, {"found": None}),
    (F16, b"1", {"found": b"1"}),
    (F16, [1], {"found": [1]}),
    (F16, 1j, {"found": 1j}),
    (F16, Decimal("sNaN"), {"found": "sNaN"}),
    (ElementType.parse("nf4"), "nan", {"found": "nan", "element_type": "nf4"}),
    (ElementType.parse("f4e2m1"), math.nan, {"found": "nan", "element_type": "f4e2m1"}),
]


@pytest.mark.parametrize(("element", "written", "fields"), REFUSED)
def test_refused(element, written, fields):
    with pytest.raises(InvalidInput) as caught:
        read(element, written)
    assert caught.value.fields == fields
    assert caught.value.help


def test_arrays_are_no_numbers():
    with pytest.raises(InvalidInput) as caught:
        read(F16, np.array([1, 2]))
    assert list(caught.value.fields["found"]) == [1, 2]


@pytest.mark.parametrize(
    ("written", "limit", "found"),
    [
        ("9" * 1001, 1000, 1001),
        ("1e2001", 2000, "1e2001"),
        ("1e-99999999999999999", 2000, "1e-99999999999999999"),
        pytest.param(10**5000, 6000, 16610, id="wide"),
        pytest.param(Fraction(1, 10**5000), 6000, 16610, id="deep"),
    ],
)
def test_limits(written, limit, found):
    with pytest.raises(LimitExceeded) as caught:
        read(F16, written)
    assert caught.value.fields == {"limit": limit, "found": found}
    assert len(str(caught.value)) < 200


@given(st.text(max_size=12) | st.from_regex(r"[-+]?[0-9a-fxbein._]{0,12}"))
def test_any_text_is_read_or_refused(text):
    for element in (F16, I8):
        with suppress(AddisonError):
            read(element, text)


@given(st.floats())
def test_any_float_is_itself(number):
    value = read(F16, number).value
    back = float(value.value) if isinstance(value, Special) else float(value)
    assert (
        math.isnan(back) if math.isnan(number) else (back, math.copysign(1, back)) == (number, math.copysign(1, number))
    )
