"""Tensor: packed bytes with a type and a shape."""

import math
import mmap
import pickle

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import AddisonError, InvalidInput, Shape, Tensor, Unsupported
from tests.same_bits import DTYPES, NAMES, WITHOUT_DTYPE, assert_same_bits, code_dtype, nothing_in_the_padding
from tests.strategies import NAMED, arrays, codes


@pytest.mark.parametrize(
    ("name", "shape", "data", "values"),
    [
        ("u1", (3,), "a0", [1, 0, 1]),
        ("u2", (2, 2), "e4", [[0, 1], [2, 3]]),
        ("u4", (3,), "2103", [1, 2, 3]),
        ("i4", (2,), "f8", [-8, -1]),
        ("u3", (8,), "1b1b0f", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("u6", (1,), "2000 40", [18]),
        ("nf4", (2,), "f0", [-1.0, 1.0]),
        ("f4e2m1", (2, 1), "92", [[1.0], [-0.5]]),
        ("i8", (), "80", -128),
        ("i16", (2,), "0100 ffff", [1, -1]),
        ("u64", (1,), "ff" * 8, [2**64 - 1]),
        ("f16", (2,), "003c 00fc", [1.0, -math.inf]),
        ("bf16", (1,), "803f", [1.0]),
        ("f32", (1, 1), "0000 c03f", [[1.5]]),
        ("f64", (1,), "0000 0000 0000 f03f", [1.0]),
        ("f8e4m3", (1,), "7e", [448.0]),
        ("f8e5m2", (1,), "7b", [57344.0]),
        ("f8e8m0", (2,), "007f", [2.0**-127, 1.0]),
        ("u8", (0,), "", []),
        ("u8", (2, 0), "", [[], []]),
        ("u8", (0, 2), "", []),
    ],
)
def test_values_of_bytes_by_hand(name, shape, data, values):
    tensor = Tensor(name, shape, bytes.fromhex(data))
    assert tensor.tolist() == values
    assert tensor.shape == shape
    assert tensor.ndim == len(shape)
    assert tensor.size == math.prod(shape)
    assert tensor.nbytes == len(bytes.fromhex(data))
    assert tensor.element_type.name == name


def test_nan_and_minus_zero_come_out():
    values = Tensor("f16", (2,), bytes.fromhex("007e 0080")).tolist()
    assert math.isnan(values[0])
    assert math.copysign(1, values[1]) == -1


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_codes_come_back(name, data):
    listed = data.draw(st.lists(st.lists(codes(name), min_size=3, max_size=3), max_size=5))
    tensor = Tensor.from_codes(name, listed)
    assert tensor.codes().tolist() == listed
    assert tensor.codes().dtype == code_dtype(name)
    assert tensor.shape == np.shape(listed)
    assert nothing_in_the_padding(tensor)


@pytest.mark.parametrize(
    "build",
    [
        list,
        tuple,
        np.array,
        lambda codes: np.array(codes, np.int16),
        lambda codes: np.array(codes, ">u4"),
        lambda codes: list(np.uint8(codes)),
    ],
)
def test_codes_come_in_any_integers(build):
    assert Tensor.from_codes("u3", build([0, 7, 3])).codes().tolist() == [0, 7, 3]


def test_codes_of_64_bits_lose_nothing():
    listed = [2**63, 2**64 - 1, 0, 1, 2**53 + 1]
    assert Tensor.from_codes("u64", listed).tolist() == listed
    assert Tensor.from_codes("i64", listed).tolist() == [-(2**63), -1, 0, 1, 2**53 + 1]


@pytest.mark.parametrize(
    ("name", "listed", "ends"),
    [
        ("u3", [0, 8], (0, 8)),
        ("i4", [-1, 3], (-1, 3)),
        ("u64", [2**64], (2**64, 2**64)),
        ("u64", [2**63, -1], (-1, 2**63)),
        ("f16", [70_000], (70_000, 70_000)),
    ],
)
def test_what_is_no_code_is_refused_with_both_ends(name, listed, ends):
    with pytest.raises(InvalidInput) as refused:
        Tensor.from_codes(name, listed)
    assert refused.value.fields == {"found": ends}


@pytest.mark.parametrize(
    "listed", [[1.0], ["1"], [True], [None], np.array([1.5], np.float32), np.array([True]), [2**63, 1.5]]
)
def test_codes_that_are_no_integers_are_refused(listed):
    with pytest.raises(Unsupported) as refused:
        Tensor.from_codes("u8", listed)
    assert refused.value.fields["dtype"]


@given(data=st.data(), name=NAMED, shape=st.lists(st.integers(0, 4), max_size=3))
def test_an_array_comes_back(data, name, shape):
    array = data.draw(arrays(name, tuple(shape)))
    tensor = Tensor.from_numpy(array)
    assert_same_bits(tensor.to_numpy(), np.array(array, DTYPES[name]))
    assert tensor == Tensor.from_numpy(array, name)
    assert nothing_in_the_padding(tensor)


@pytest.mark.parametrize("name", WITHOUT_DTYPE)
def test_types_without_a_dtype_come_and_go_as_codes(name):
    array = np.array([[1, 5], [7, 2]], np.uint8)
    tensor = Tensor.from_numpy(array, name)
    assert tensor.to_numpy().dtype == np.uint8
    assert tensor.to_numpy().tolist() == array.tolist()


def test_decoding_gives_values():
    assert Tensor.from_codes("u6", [63, 5]).to_numpy(decode=True).tolist() == [63, 5]
    decoded = Tensor.from_codes("nf4", [0, 7, 8]).to_numpy(decode=True)
    assert decoded.dtype == np.float32
    assert decoded.tolist() == [-1, 0, 0.07958029955625534]
    assert_same_bits(Tensor.from_codes("bf16", [0x3F80]).to_numpy(decode=True), np.array([1], ml_dtypes.bfloat16))


@pytest.mark.parametrize(
    ("array", "name", "fields"),
    [
        (np.float32([1]), "f16", {"dtype": "float32"}),
        (np.int8([1]), "u3", {"dtype": "int8"}),
        (np.float32([1]), "nf4", {"dtype": "float32"}),
        (np.array([True]), None, {"dtype": "bool"}),
        (np.array([True]), "u8", {"dtype": "bool"}),
        (np.array([1 + 1j]), "f64", {"dtype": "complex128"}),
    ],
)
def test_arrays_of_another_type_are_refused(array, name, fields):
    with pytest.raises(Unsupported) as refused:
        Tensor.from_numpy(array, name)
    assert refused.value.fields == fields


@pytest.mark.parametrize("value", [[1, 2], 5, None, np.ma.MaskedArray(np.int8([1, 2]), [True, False])])
def test_what_is_no_plain_array_is_refused(value):
    with pytest.raises(Unsupported) as refused:
        Tensor.from_numpy(value)
    assert type(value).__name__ in str(refused.value)


def test_a_numpy_scalar_is_an_array_of_rank_0():
    assert Tensor.from_numpy(np.int8(5)) == Tensor("i8", (), b"\x05")


def test_what_comes_out_is_a_copy():
    memory = bytearray(b"\x01\x02")
    tensor = Tensor("u8", (2,), memory)
    tensor.to_numpy()[0] = 9
    tensor.codes()[0] = 9
    assert memory == b"\x01\x02"


def test_bytes_are_borrowed_and_as_writable_as_their_buffer():
    memory = bytearray(b"\x01\x02\x03")
    tensor = Tensor("u8", (2,), memory)
    assert not tensor.data.readonly
    assert tensor.data.nbytes == 2  # the third byte is not the tensor's
    memory[0] = 7
    assert tensor.tolist() == [7, 2]
    assert Tensor("u8", (2,), b"\x01\x02").data.readonly


@pytest.mark.parametrize("buffer", [bytes, bytearray, memoryview, lambda data: np.frombuffer(data, np.uint8)])
def test_any_contiguous_buffer_holds_the_data(buffer):
    assert Tensor("u16", (2,), buffer(b"\x01\x00\x02\x00")).tolist() == [1, 2]


def test_an_mmap_holds_the_data():
    with mmap.mmap(-1, 16) as memory:
        memory[:2] = b"\x21\x03"
        tensor = Tensor("u4", (3,), memory)
        assert tensor.tolist() == [1, 2, 3]
        tensor.data.release()
        del tensor


@pytest.mark.parametrize(
    ("name", "shape", "length", "needed"),
    [
        ("u3", (1,), 1, 3),
        ("u3", (9,), 5, 6),
        ("u6", (5,), 4, 6),
        ("f32", (2, 2), 15, 16),
        ("u1", (9,), 1, 2),
        ("u8", (2**62, 2), 8, 2**63),
    ],
)
def test_too_few_bytes_are_refused_with_the_numbers(name, shape, length, needed):
    with pytest.raises(InvalidInput) as refused:
        Tensor(name, shape, bytes(length))
    assert refused.value.fields == {"element_type": name, "shape": Shape(*shape), "wanted": needed, "found": length}


@pytest.mark.parametrize("shape", [(2, None), "?", "...", (-1,), (1.5,), 2, ((1, 2),)])
def test_a_shape_that_is_not_known_is_refused(shape):
    with pytest.raises(InvalidInput):
        Tensor("u8", shape, bytes(8))


def test_a_rank_past_numpys_is_refused():
    assert Tensor("u8", (1,) * 64, b"\x05").to_numpy().shape == (1,) * 64
    with pytest.raises(InvalidInput) as refused:
        Tensor("u8", (1,) * 65, b"\x05")
    assert refused.value.fields == {"limit": 64, "found": 65}


@pytest.mark.parametrize("name", ["boolean", "string", "dynamic"])
def test_types_that_are_not_numeric_are_refused(name):
    with pytest.raises(Unsupported) as refused:
        Tensor(name, (1,), bytes(8))
    assert refused.value.fields == {"element_type": name}


@pytest.mark.parametrize("data", ["text", [1, 2], None, 5, np.zeros((4, 4), np.uint8)[:, 0]])
def test_what_is_no_buffer_is_refused(data):
    with pytest.raises(Unsupported):
        Tensor("u8", (2,), data)


@given(garbage=st.integers(0, 15))
def test_equal_tensors_may_differ_in_their_padding(garbage):
    assert Tensor("u4", (1,), bytes([5])) == Tensor("u4", (1,), bytes([5 | garbage << 4]))


@pytest.mark.parametrize(
    "other",
    [
        Tensor("u4", (2,), b"\x22"),
        Tensor("i4", (2,), b"\x21"),
        Tensor("u4", (2, 1), b"\x21"),
        Tensor("u4", (1,), b"\x21"),
        b"\x21",
        None,
    ],
)
def test_unequal_tensors(other):
    assert Tensor("u4", (2,), b"\x21") != other


def test_a_tensor_has_no_hash():
    with pytest.raises(TypeError):
        hash(Tensor("u4", (2,), b"\x21"))


@pytest.mark.parametrize("name", NAMES)
def test_pickles_come_back_equal(name):
    tensor = Tensor.from_codes(name, [[1], [0]])
    assert pickle.loads(pickle.dumps(tensor)) == tensor


def test_errors_are_of_one_family():
    with pytest.raises(AddisonError):
        Tensor("f33", (1,), b"")
    assert repr(Tensor("u3", (2, 1), bytes(3))) == "Tensor('u3', (2, 1), 3 bytes)"
