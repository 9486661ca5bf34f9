"""Python numbers beside a tensor."""

import enum
import math

import ml_dtypes
import numpy as np
import pytest

from addison import InvalidInput, Tensor, Unsupported
from tests.same_bits import DTYPES, array_of, assert_same_bits

INTEGERS = [name for name in DTYPES if name[0] in "iu"]


def ends(name):
    bits = int(name[1:])
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if name[0] == "i" else (0, 2**bits - 1)


@pytest.mark.parametrize("name", INTEGERS)
def test_an_int_is_taken_up_to_both_ends(name, engine):
    for number in ends(name):
        code = number % 2 ** int(name[1:])
        assert_same_bits(engine.add(array_of(name, [0]), number), array_of(name, [code]))
        assert_same_bits(engine.add(number, array_of(name, [0])), array_of(name, [code]))


@pytest.mark.parametrize("name", [*INTEGERS, "u3", "u6"])
def test_an_int_past_either_end_is_refused(name, engine):
    low, high = ends(name)
    zero = Tensor.from_codes(name, [0]) if name in ("u3", "u6") else array_of(name, [0])
    for number in (low - 1, high + 1, 10**30, -(10**30)):
        with pytest.raises(InvalidInput) as refused:
            engine.add(zero, number)
        assert refused.value.fields == {"low": low, "high": high, "found": number}


def test_the_sum_still_wraps(engine):
    assert engine.add(np.uint8([200]), 100).tolist() == [44]
    assert engine.add(np.int8([-128]), -1).tolist() == [127]


@pytest.mark.parametrize(
    ("name", "number", "value"),
    [
        ("f16", 2049, 2048),
        ("f16", 65504, 65504),
        ("f32", 2**24 + 1, 2**24),
        ("f64", 2**53 + 1, 2**53),
        ("bf16", 257, 256),
        ("f8e4m3", 17, 16),
        ("f8e5m2", 57344, 57344),
        ("f4e2m1", -5, -4),
        ("f4e2m1", 6, 6),
        ("f16", -65504, -65504),
    ],
)
def test_an_int_beside_a_float_is_rounded_to_the_type(name, number, value, engine):
    total = engine.add(array_of(name, [0]), number)
    assert total.dtype == DTYPES[name]
    assert float(total[0]) == value


@pytest.mark.parametrize(
    ("name", "number", "high"),
    [
        ("f16", 65505, 65504),
        ("f16", -65505, 65504),
        ("bf16", 2**128, 255 * 2.0**120),
        ("f8e4m3", 449, 448),
        ("f8e5m2", 57345, 57344),
        ("f4e2m1", 7, 6),
        ("f32", 2**128, (2**24 - 1) * 2.0**104),
        ("f64", 10**400, 1.7976931348623157e308),
        ("f8e8m0", 2**127 + 1, 2.0**127),
        ("f8e8m0", 0, 2.0**127),
        ("f8e8m0", -1, 2.0**127),
    ],
)
def test_an_int_past_the_largest_number_is_refused(name, number, high, engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(array_of(name, [1]), number)
    low = 2.0**-127 if name == "f8e8m0" else -high
    assert refused.value.fields == {"low": low, "high": high, "found": number}
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("number", [2, -2])
def test_an_int_past_nf4s_levels_is_refused(number, engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(Tensor.from_codes("nf4", [7]), number)
    assert refused.value.fields == {"low": -1.0, "high": 1.0, "found": number}


@pytest.mark.parametrize(
    ("name", "number", "code"),
    [
        ("f16", 0.1, 0x2E66),
        ("f16", 1 + 2**-11, 0x3C00),
        ("f16", 1 + 2**-11 + 2**-40, 0x3C01),
        ("f16", 65519.0, 0x7BFF),
        ("f16", 1e10, 0x7C00),
        ("f16", -1e10, 0xFC00),
        ("f16", 2.0**-25, 0),
        ("f32", 0.1, 0x3DCCCCCD),
        ("bf16", 0.1, 0x3DCD),
        ("f32", 1e-45, 1),
        ("f8e4m3", 464.0, 0x7E),
        ("f8e4m3", 464.00001, 0x7F),
        ("f8e4m3", math.inf, 0x7F),
        ("f8e5m2", 61440.0, 0x7C),
        ("f8e5m2", math.inf, 0x7C),
        ("f8e5m2", -math.inf, 0xFC),
        ("f4e2m1", 100.0, 7),
        ("f4e2m1", -math.inf, 0xF),
        ("f64", 0.1, 0x3FB999999999999A),
        ("f32", math.nan, 0x7FC00000),
        ("f16", math.inf, 0x7C00),
    ],
)
def test_a_float_is_rounded_once_to_the_type(name, number, code, engine):
    assert_same_bits(engine.add(array_of(name, [0]), number), array_of(name, [code]))


def test_a_float_beside_nf4_and_f8e8m0_takes_their_rule(engine):
    assert engine.add(Tensor.from_codes("nf4", [7]), 0.5).codes().tolist() == [12]  # 0.4407 is nearer than 0.5626
    assert engine.add(Tensor.from_codes("nf4", [7]), -5.0).codes().tolist() == [0]
    one = array_of("f8e8m0", [0x7F])
    assert_same_bits(engine.add(one, 1.0), array_of("f8e8m0", [0x80]))
    assert_same_bits(engine.add(one, math.nan), array_of("f8e8m0", [0xFF]))
    assert_same_bits(engine.add(one, -1.0), array_of("f8e8m0", [0x7F]))  # below the smallest power it is the smallest


@pytest.mark.parametrize("number", [1.0, 0.5, math.nan, math.inf, -0.0])
@pytest.mark.parametrize("name", ["i32", "u8", "u4"])
def test_a_float_beside_an_integer_tensor_is_refused(name, number, engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(array_of(name, [1]), number)
    assert refused.value.fields == {"element_type": name}


@pytest.mark.parametrize("name", ["f4e2m1", "nf4"])
def test_nan_beside_a_type_without_nan_is_refused(name, engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(Tensor.from_codes(name, [1]), math.nan)
    assert refused.value.fields == {"element_type": name}


@pytest.mark.parametrize("name", ["f16", "f32", "f64", "bf16", "f8e4m3", "f8e5m2", "f4e2m1"])
def test_minus_zero_keeps_its_sign(name, engine):
    top = 1 << (DTYPES[name].itemsize * 8 - 1 if name != "f4e2m1" else 3)
    minus = array_of(name, [top])
    assert_same_bits(engine.add(minus, -0.0), minus)
    assert_same_bits(engine.add(minus, 0.0), array_of(name, [0]))
    assert_same_bits(engine.add(minus, 0), array_of(name, [0]))


@pytest.mark.parametrize("number", [True, False])
def test_a_bool_is_refused(number, engine):
    for operands, side in (((np.uint8([1]), number), "b"), ((number, np.float32([1])), "a")):
        with pytest.raises(Unsupported) as refused:
            engine.add(*operands)
        assert refused.value.fields == {"argument": side}
        assert "boolean" in str(refused.value)


@pytest.mark.parametrize(("a", "b"), [(1, 2), (1.5, 2), (1.0, 1.0)])
def test_two_bare_numbers_are_refused(a, b, engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(a, b)
    assert refused.value.fields == {"a": a, "b": b}


@pytest.mark.parametrize(
    ("scalar", "name"),
    [
        (np.float64(1), "f64"),
        (np.float32(1), "f32"),
        (np.int64(1), "i64"),
        (np.uint8(1), "u8"),
        (np.float16(1), "f16"),
        (ml_dtypes.bfloat16(1), "bf16"),
        (ml_dtypes.int4(1), "i4"),
        (np.array(1.0), "f64"),
    ],
)
def test_a_numpy_scalar_is_typed(scalar, name, engine):
    total = engine.add(DTYPES[name].type(1) + np.zeros(2, DTYPES[name]), scalar)
    assert_same_bits(total, np.array([2, 2]).astype(DTYPES[name]))
    other = np.zeros(2, np.uint16)
    with pytest.raises(Unsupported) as refused:
        engine.add(other, scalar)
    assert refused.value.fields == {"a_type": "u16", "b_type": name}


def test_a_numpy_bool_is_refused(engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(np.uint8([1]), np.True_)
    assert refused.value.fields == {"argument": "b", "dtype": "bool"}


def test_subclasses_of_int_and_float_are_numbers(engine):
    class Word(enum.IntEnum):
        TWO = 2

    class Real(float):
        pass

    assert engine.add(np.int8([1]), Word.TWO).tolist() == [3]
    assert engine.add(np.float32([1]), Real(0.5)).tolist() == [1.5]


def test_a_number_has_rank_0(engine):
    assert engine.add(np.array(2, np.int8), 3).shape == ()
    assert engine.add(np.zeros((2, 3), np.int8), 3).shape == (2, 3)
    assert engine.add(np.zeros((2, 3), np.int8), 3, auto_broadcast="pdpd").shape == (2, 3)
    for rule in ("none", "pdpd"):
        with pytest.raises(InvalidInput) as refused:
            engine.add(3, np.zeros((2, 3), np.int8), auto_broadcast=rule)
        assert refused.value.fields["auto_broadcast"] == rule


def test_a_number_beside_a_tensor_gives_a_tensor(engine):
    total = engine.add(5, Tensor.from_codes("u3", [1, 7]))
    assert_same_bits(total, Tensor.from_codes("u3", [6, 4]))
