"""out=: what may take the result, over what it may lie, what is refused."""

import ml_dtypes
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from addison import InvalidInput, Shape, Tensor, Unsupported
from tests.same_bits import array_of, assert_same_bits


def test_out_comes_back(engine):
    a, b, out = np.int16([[1], [2]]), np.int16([10, 20]), np.empty((2, 2), np.int16)
    assert engine.add(a, b, out=out) is out
    assert out.tolist() == [[11, 21], [12, 22]]


def test_a_number_beside_an_array_and_out(engine):
    out = np.empty(2, np.float32)
    assert engine.add(np.float32([1, 2]), 0.5, out=out) is out
    assert out.tolist() == [1.5, 2.5]


def ramp():
    return np.arange(16, dtype=np.int32).reshape(4, 4)


OVERLAPS = {  # operands and out over one array
    "a itself": lambda m: (m, m[::-1], m),
    "b itself": lambda m: (m[:, ::-1], m, m),
    "both": lambda m: (m, m, m),
    "a's transpose": lambda m: (m.T, m, m),
    "both transposed": lambda m: (m.T, m.T, m),
    "out transposed": lambda m: (m, m, m.T),
    "a reversed": lambda m: (m[::-1, ::-1], m, m),
    "shifted down": lambda m: (m[:-1], m[:-1], m[1:]),
    "shifted up": lambda m: (m[1:], m[:-1], m[:-1]),
    "shifted flat": lambda m: (m.reshape(-1)[:-1], m.reshape(-1)[1:], m.reshape(-1)[1:]),
    "first column": lambda m: (m, m[:, :1], m),
    "first row": lambda m: (m[:1], m, m),
    "last element": lambda m: (m[-1, -1], m, m),
    "a column of itself": lambda m: (m[:, 1:2], m[:, 1:2], m[:, 1:2]),
    "interleaved": lambda m: (m[::2], m[::2], m[1::2]),
    "windows": lambda m: (as_strided(m, (4, 4), (m.itemsize,) * 2), m, m),
    "out reversed": lambda m: (m, m[:, :1], m[::-1, ::-1]),
}


@pytest.mark.parametrize("pick", OVERLAPS.values(), ids=OVERLAPS)
@pytest.mark.parametrize("dtype", ["i4", ">i4", "f4", ml_dtypes.bfloat16], ids=str)
def test_out_over_an_operand_is_as_if_computed_apart(pick, dtype, engine):
    a, b, _ = pick(ramp())
    wanted = (a + b).astype(dtype)
    a, b, out = pick(ramp().astype(dtype))
    assert engine.add(a, b, out=out) is out
    assert (out == wanted).all()


@pytest.mark.parametrize("how", ["a's transpose", "out transposed", "first column", "first row", "out reversed"])
@pytest.mark.parametrize("name", ["i32", "u4"])
def test_a_large_out_over_an_operand(how, name, engine):
    """More elements than an engine would handle in one go, so that early results could reach late operands."""
    codes = np.arange(300 * 300).reshape(300, 300) % 8
    a, b, _ = OVERLAPS[how](codes)
    wanted = array_of(name, a + b)
    a, b, out = OVERLAPS[how](array_of(name, codes))
    assert engine.add(a, b, out=out) is out
    assert_same_bits(out, wanted)


OUTS = {
    "strided": np.zeros((2, 6), np.float32)[:, ::2],
    "reversed": np.zeros((2, 3), np.float32)[::-1, ::-1],
    "column-major": np.zeros((2, 3), np.float32, order="F"),
    "transposed": np.zeros((3, 2), np.float32).T,
    "byte-swapped": np.zeros((2, 3), np.dtype("f4").newbyteorder()),
    "unaligned": np.zeros(25, np.uint8)[1:].view(np.float32).reshape(2, 3),
}


@pytest.mark.parametrize("out", OUTS.values(), ids=OUTS)
def test_out_may_lie_anyhow(out, engine):
    assert engine.add(np.float32([[1], [2]]), np.float32([0.5, 0, -2]), out=out) is out
    assert out.tolist() == [[1.5, 1, -1], [2.5, 2, 0]]


def test_gaps_in_out_are_left_alone(engine):
    memory = np.full(6, 7, np.int8)
    engine.add(np.int8([1, 2, 3]), np.int8([1, 1, 1]), out=memory[::2])
    assert memory.tolist() == [2, 7, 3, 7, 4, 7]


def test_out_of_a_subclass_comes_back_itself(tmp_path, engine):
    mapped = np.memmap(tmp_path / "out.bin", np.int32, "w+", shape=(2,))
    assert engine.add(np.int32([1, 2]), np.int32([3, 4]), out=mapped) is mapped
    mapped.flush()
    assert np.fromfile(tmp_path / "out.bin", np.int32).tolist() == [4, 6]


def test_out_of_rank_0_and_of_no_elements(engine):
    for shape in ((), (0,), (2, 0)):
        out = np.ones(shape, np.float16)
        assert engine.add(np.ones(shape, np.float16), np.ones((), np.float16), out=out) is out
        assert (out == 2).all()


@pytest.mark.parametrize(
    ("out", "fields"),
    [
        (np.zeros(2, np.float64), {"found": "f64", "wanted": "f32"}),
        (np.zeros(2, np.int32), {"found": "i32", "wanted": "f32"}),
        (np.zeros(2, bool), {"dtype": "bool"}),
        (np.zeros(2, np.complex64), {"dtype": "complex64"}),
        ([0.0, 0.0], {}),
        (Tensor("f32", (2,), bytearray(8)), {}),
        (np.ma.zeros(2, np.float32), {}),
        (5, {}),
        (np.float32(0), {}),
        (memoryview(bytearray(8)), {}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_out_of_the_wrong_kind_is_refused(out, fields, engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(np.float32([1, 2]), np.float32([1, 2]), out=out)
    assert refused.value.fields == {"argument": "out", **fields}


@pytest.mark.parametrize("shape", [(2,), (1, 2), (2, 1), (2, 2, 1), (1, 2, 2), (2, 3), (), (4,)])
def test_an_out_of_another_shape_is_refused(shape, engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(np.zeros((2, 2), np.int8), np.zeros((2, 2), np.int8), out=np.zeros(shape, np.int8))
    assert refused.value.fields == {"argument": "out", "found": shape, "wanted": (2, 2)}


def test_an_operand_is_not_stretched_to_out(engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(np.zeros(1, np.int8), np.zeros(1, np.int8), out=np.zeros(3, np.int8))
    assert refused.value.fields == {"argument": "out", "found": (3,), "wanted": (1,)}


def test_a_read_only_out_is_refused(engine):
    out = np.zeros(2, np.int8)
    out.flags.writeable = False
    with pytest.raises(InvalidInput) as refused:
        engine.add(np.int8([1, 2]), np.int8([1, 2]), out=out)
    assert refused.value.fields == {"argument": "out"}
    assert "read-only" in str(refused.value)


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((3,), (0,)), ((2, 3), (0, 4)), ((3,), (2,)), ((2, 3), (4, 4)), ((3, 2), (-4, 4)), ((2, 2, 2), (12, 8, 4))],
)
def test_an_out_that_overlaps_itself_is_refused(shape, strides, engine):
    out = as_strided(np.zeros(40, np.int32)[8:], shape, strides)
    with pytest.raises(InvalidInput) as refused:
        engine.add(np.zeros(shape, np.int32), np.int32(1), out=out)
    assert refused.value.fields == {"argument": "out", "strides": strides}


def test_nothing_is_written_when_something_is_refused(engine):
    out = np.full(3, 7, np.int8)
    for a, b in ((np.int8([1, 2]), np.int8([1, 2, 3])), (np.int8([1, 2]), np.int8([1, 2])), (np.int8([1, 2, 3]), 500)):
        with pytest.raises(InvalidInput):
            engine.add(a, b, out=out)
    assert out.tolist() == [7, 7, 7]


def test_a_tensor_takes_packed_results(engine):
    memory = bytearray(b"\xff\xff\xff")
    out = Tensor("u4", (3,), memory)
    a = Tensor.from_codes("u4", [15, 1, 9])
    assert engine.add(a, Tensor.from_codes("u4", [2]), out=out) is out
    assert out.tolist() == [1, 3, 11]
    assert memory == b"\x31\x0b\xff"  # the padding is 0; the third byte is not the tensor's


def test_a_tensor_over_its_operand_is_as_if_computed_apart(engine):
    memory = bytearray([1, 2, 3, 4, 5])
    a, out = Tensor("u8", (4,), memoryview(memory)[:4]), Tensor("u8", (4,), memoryview(memory)[1:])
    engine.add(a, a, out=out)
    assert memory == bytes([1, 2, 4, 6, 8])
    same = Tensor("i4", (2, 2), bytearray(b"\x21\x43"))
    engine.add(same, same, out=same)
    assert same.tolist() == [[2, 4], [6, -8]]


@pytest.mark.parametrize(
    ("out", "kind", "fields"),
    [
        (np.zeros(2, np.uint8), Unsupported, {}),
        (Tensor("u6", (2,), bytearray(3)), Unsupported, {"found": "u6", "wanted": "u3"}),
        (Tensor("u3", (3,), bytearray(3)), InvalidInput, {"found": (3,), "wanted": (2,)}),
        (Tensor("u3", (2,), bytes(3)), InvalidInput, {}),
    ],
)
def test_a_wrong_tensor_is_refused(out, kind, fields, engine):
    a = Tensor.from_codes("u3", [1, 2])
    with pytest.raises(kind) as refused:
        engine.add(a, a, out=out)
    assert refused.value.fields == {"argument": "out", **fields}


def test_a_clash_comes_before_out(engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(np.zeros(2, "f4"), np.zeros(3, "f4"), out=np.zeros(3, "f4"))
    assert refused.value.fields["a"] == Shape(2)


def test_bf16_in_the_other_byte_order_takes_the_result(engine):
    out = np.zeros(2, np.dtype(ml_dtypes.bfloat16).newbyteorder())
    one = np.array([1, 2], ml_dtypes.bfloat16)
    assert engine.add(one, one, out=out) is out
    assert_same_bits(out.astype(ml_dtypes.bfloat16), np.array([2, 4], ml_dtypes.bfloat16))
