"""Values that public bug reports were about, each right answer from its report; the name says which."""

import ml_dtypes
import numpy as np
import pytest

from addison import Unsupported
from tests.same_bits import DTYPES, array_of, assert_same_bits


def bf16(*values):
    return np.array(values, ml_dtypes.bfloat16)


def f8e4m3(*values):
    return np.array(values, ml_dtypes.float8_e4m3fn)


def test_p01_openvino_36179_u8_wraps(engine):
    total = engine.add(np.uint8([200, 100, 255]), np.uint8([100, 200, 10]))
    assert_same_bits(total, np.uint8([44, 44, 9]))


def test_p03_openvino_35798_i8_wraps_along_a_broadcast_row(engine):
    rows = np.int8([[100, -100, 127], [-128, 50, -1]])
    total = engine.add(rows, np.int8([100, -100, 1]))
    assert_same_bits(total, np.int8([[-56, 56, -128], [-28, -50, 0]]))
    assert_same_bits(total, engine.add(rows, np.int8([[100, -100, 1]] * 2), auto_broadcast="none"))


def test_p05_openvino_36216_64_bit_integers_wrap_at_their_ends(engine):
    assert_same_bits(engine.add(np.uint64([2**64 - 1]), np.uint64([2])), np.uint64([1]))
    assert_same_bits(engine.add(np.int64([2**63 - 1]), np.int64([1])), np.int64([-(2**63)]))


def test_p05_no_float_on_the_way(engine):
    assert_same_bits(engine.add(np.uint64([2**63]), np.uint64([5])), np.uint64([2**63 + 5]))
    assert_same_bits(engine.add(np.int64([2**53]), np.int64([1])), np.int64([2**53 + 1]))


@pytest.mark.parametrize("name", ["i8", "u8", "i16", "u16", "u32", "u64"])
def test_p07_onnxruntime_19231_types_that_a_runtime_left_out(name, engine):
    total = engine.add(np.array([1], DTYPES[name]), np.array([2], DTYPES[name]))
    assert_same_bits(total, np.array([3], DTYPES[name]))


def test_p09_pytorch_179845_i32_beside_bf16_is_refused(engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(np.int32([257]), bf16(0))
    assert refused.value.fields == {"a_type": "i32", "b_type": "bf16"}


def test_p11_tt_metal_16352_one_f32_over_a_tile(engine):
    total = engine.add(np.float32([[1_000_000]]), np.ones((32, 32), np.float32))
    assert_same_bits(total, np.full((32, 32), 1_000_001, np.float32))


@pytest.mark.parametrize("name", ["bf16", "f8e5m2", "f8e4m3"])
def test_p13_triton_11605_nan_stays_nan(name, engine):
    total = engine.add(np.array([np.nan], DTYPES[name]), np.array([2], DTYPES[name]))
    assert total.dtype == DTYPES[name]
    assert np.isnan(total).all()


def test_p15_pytorch_137035_bf16_ties_go_to_even(engine):
    assert_same_bits(engine.add(bf16(692), bf16(720)), bf16(1408))
    assert_same_bits(engine.add(bf16(694), bf16(720)), bf16(1416))  # 694 itself is 696 in bf16


def test_p17_numpy_12721_f16_underflows_gradually(engine):
    smallest, normal = np.float16([2**-24]), np.float16([2**-14])
    assert_same_bits(engine.add(smallest, smallest), np.float16([2**-23]))
    assert_same_bits(engine.add(smallest, -smallest), np.float16([0]))
    assert_same_bits(engine.add(normal, -smallest), array_of("f16", [1023]))  # 1023 * 2**-24


def test_p19_ml_dtypes_400_f8e4m3_overflows_to_nan(engine):
    assert_same_bits(engine.add(f8e4m3(448), f8e4m3(16)), f8e4m3(448))
    assert_same_bits(engine.add(f8e4m3(448), f8e4m3(32)), f8e4m3(np.nan))


def test_p37_numpy_16734_operands_and_out_of_rank_0(engine):
    out = np.zeros((), np.float32)
    assert engine.add(np.array(1, np.float32), np.array(2, np.float32), out=out) is out
    assert out == 3


def test_p43_pytorch_48401_out_over_its_own_transpose(engine):
    a = np.int32([[0, 1], [2, 3]])
    assert engine.add(a, a.T, out=a) is a
    assert a.tolist() == [[0, 3], [3, 6]]


def test_p45_pytorch_135487_out_over_a_broadcast_column(engine):
    a = np.int32([[1, 2, 3], [4, 5, 6]])
    assert engine.add(a, a[:, :1], out=a) is a
    assert a.tolist() == [[2, 3, 4], [8, 9, 10]]


def test_p47_pyaxengine_47_values_follow_the_index_not_the_memory(engine):
    b = np.int32([[10, 20, 30], [40, 50, 60]])
    assert engine.add(np.asfortranarray(np.int32([[1, 2, 3], [4, 5, 6]])), b).tolist() == [[11, 22, 33], [44, 55, 66]]
    assert engine.add(np.int32([[1, 4], [2, 5], [3, 6]]).T, b).tolist() == [[11, 22, 33], [44, 55, 66]]
    square = np.int32([[1, 2], [3, 4]])
    assert engine.add(square, square.T).tolist() == [[2, 5], [5, 8]]
    assert engine.add(np.asfortranarray(square), square).tolist() == [[2, 4], [6, 8]]


@pytest.mark.parametrize(("dtype", "values"), [(">f4", [1.5, -2.25]), (">i4", [1, -70_000])])
def test_p49_bottleneck_104_the_other_byte_order(dtype, values, engine):
    native = np.dtype(dtype).newbyteorder("=")
    doubled = np.array([2 * value for value in values], native)
    assert_same_bits(engine.add(np.array(values, dtype), np.array(values, dtype)), doubled)
    assert_same_bits(engine.add(np.array(values, dtype), np.array(values, native)), doubled)
