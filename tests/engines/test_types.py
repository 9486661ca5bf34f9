"""Types that are refused, by name."""

import numpy as np
import pytest

from addison import Tensor, Unsupported
from tests.same_bits import DTYPES, array_of
from tests.tensor.test_dtypes import REFUSED


@pytest.mark.parametrize(("dtype", "word", "near"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("side", ["a", "b"])
def test_other_dtypes_are_refused_on_either_side(dtype, word, near, side, engine):
    array = np.zeros(2, dtype)
    good = np.zeros(2, np.float32)
    with pytest.raises(Unsupported) as refused:
        engine.add(*((array, good) if side == "a" else (good, array)))
    assert refused.value.fields == {"argument": side, "dtype": str(array.dtype)}
    assert str(refused.value).startswith(f"{side}: {word}")
    assert near in refused.value.help


def test_two_booleans_are_refused(engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(np.array([True]), np.array([False]))
    assert refused.value.fields == {"argument": "a", "dtype": "bool"}
    assert "boolean" in str(refused.value)


@pytest.mark.parametrize("a", ["f32", "i32", "u8", "bf16", "u4"])
@pytest.mark.parametrize("b", ["f64", "u32", "i8", "f16", "i4", "f8e4m3"])
def test_two_types_are_never_promoted(a, b, engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(array_of(a, [0]), array_of(b, [0]))
    assert refused.value.fields == {"a_type": a, "b_type": b}
    assert f"a is {a} and b is {b}" in str(refused.value)


def test_two_types_are_never_promoted_between_tensors_and_arrays_either(engine):
    for a, b, types in [
        (Tensor.from_codes("u3", [1]), np.uint8([1]), ("u3", "u8")),
        (np.uint8([1]), Tensor.from_codes("nf4", [1]), ("u8", "nf4")),
        (Tensor.from_codes("u6", [1]), Tensor.from_codes("u3", [1]), ("u6", "u3")),
    ]:
        with pytest.raises(Unsupported) as refused:
            engine.add(a, b)
        assert refused.value.fields == {"a_type": types[0], "b_type": types[1]}


@pytest.mark.parametrize("name", DTYPES)
def test_the_result_has_the_operands_type_in_native_order(name, engine):
    array = array_of(name, [1, 0])
    assert engine.add(array, array).dtype == DTYPES[name]
    swapped = array.astype(array.dtype.newbyteorder())
    assert engine.add(swapped, swapped).dtype == DTYPES[name]
    assert engine.add(swapped, array).dtype == DTYPES[name]


def test_c_long_long_is_i64(engine):
    total = engine.add(np.array([2], np.longlong), np.array([3], np.int64))
    assert total.dtype == np.int64
    assert total.tolist() == [5]
    assert engine.add(np.array([2], np.ulonglong), np.array([3], np.uint64)).tolist() == [5]
