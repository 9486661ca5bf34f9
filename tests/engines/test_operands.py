"""What may stand as an operand, what is refused, and arrays in unusual memory."""

import array
import fractions

import ml_dtypes
import numpy as np
import openvino
import pytest
from numpy.lib.stride_tricks import as_strided

from addison import AddisonError, InvalidInput, LimitExceeded, Tensor, Unsupported
from tests.same_bits import DTYPES, array_of, assert_same_bits


@pytest.mark.parametrize(
    "value",
    [
        [1, 2],
        (1, 2),
        None,
        "1",
        b"1",
        1j,
        {"a": 1},
        {1},
        object(),
        print,
        bytearray(2),
        memoryview(b"12"),
        fractions.Fraction(1, 2),
        array.array("f", [1]),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("side", ["a", "b"])
def test_what_is_no_array_is_refused(value, side, engine):
    good = np.float32([1, 2])
    with pytest.raises(Unsupported) as refused:
        engine.add(*((value, good) if side == "a" else (good, value)))
    assert refused.value.fields == {"argument": side}
    assert ("None" if value is None else type(value).__name__) in str(refused.value)


class WithArray:
    """Another library's array that knows ``__array__``."""

    def __init__(self, inner):
        self.inner = inner

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.inner, dtype, copy=copy)


class WithDlpack:
    """Another library's array that knows only ``__dlpack__``."""

    def __init__(self, inner):
        self.inner = inner

    def __dlpack__(self, **options):
        return self.inner.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.inner.__dlpack_device__()


def test_another_librarys_tensor_is_named_in_full(engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(openvino.Tensor(np.float32([1])), np.float32([1]))
    assert "a is an openvino." in str(refused.value)


@pytest.mark.parametrize("wrap", [WithArray, WithDlpack])
def test_other_libraries_arrays_are_taken(wrap, engine):
    total = engine.add(wrap(np.float32([[1], [2]])), np.float32([10, 20]))
    assert type(total) is np.ndarray
    assert_same_bits(total, np.float32([[11, 21], [12, 22]]))
    assert_same_bits(engine.add(np.int8([127]), wrap(np.int8([1]))), np.int8([-128]))


class Broken:
    def __array__(self, dtype=None, copy=None):
        raise ValueError("on another device")


class BrokenDlpack:
    def __dlpack__(self, **options):
        raise BufferError("on another device")

    def __dlpack_device__(self):
        return 1, 0


@pytest.mark.parametrize("value", [Broken(), BrokenDlpack()], ids=lambda value: type(value).__name__)
def test_an_array_that_does_not_come_out_is_refused_with_its_own_reason(value, engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(np.float32([1]), value)
    assert refused.value.fields == {"argument": "b"}
    assert "on another device" in str(refused.value)


def test_an_array_of_objects_that_comes_out_is_refused(engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(WithArray([object()]), np.float32([1]))
    assert refused.value.fields == {"argument": "a", "dtype": "object"}


class Named(np.ndarray):
    """A subclass with its own idea of addition."""

    def __array_ufunc__(self, *args, **options):
        raise AssertionError("not asked")


def test_subclasses_come_out_as_plain_arrays(tmp_path, engine):
    mapped = np.memmap(tmp_path / "a.bin", np.int16, "w+", shape=(2, 2))
    mapped[:] = [[1, 2], [3, 4]]
    for one in (mapped, np.asarray(mapped).view(np.matrix), np.asarray(mapped).view(Named)):
        for operands in ((one, np.int16([10, 20])), (np.int16([10, 20]), one)):
            total = engine.add(*operands)
            assert type(total) is np.ndarray
            assert_same_bits(total, np.int16([[11, 22], [13, 24]]))


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_masked_array_is_refused(side, engine):
    masked, plain = np.ma.MaskedArray(np.float32([1, 2]), [True, False]), np.float32([1, 2])
    with pytest.raises(Unsupported) as refused:
        engine.add(*((masked, plain) if side == "a" else (plain, masked)))
    assert refused.value.fields == {"argument": side}
    assert "MaskedArray" in str(refused.value)


def unaligned(values):
    memory = np.zeros(values.nbytes + 1, np.uint8)
    view = memory[1:].view(values.dtype).reshape(values.shape)
    view[...] = values
    return view


def spread(values):
    wide = np.zeros([size * 2 for size in values.shape], values.dtype)
    view = wide[::2, 1::2]
    view[...] = values
    return view


LAYOUTS = {
    "byte-swapped": lambda values: values.astype(values.dtype.newbyteorder()),
    "column-major": np.asfortranarray,
    "transposed": lambda values: values.T.copy().T,
    "backwards": lambda values: values[::-1, ::-1].copy()[::-1, ::-1],
    "strided": spread,
    "unaligned": unaligned,
    "unaligned and byte-swapped": lambda values: unaligned(values.astype(values.dtype.newbyteorder())),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("name", DTYPES)
def test_values_follow_the_index_not_the_memory(name, layout, engine):
    a, b = (array_of(name, np.arange(12).reshape(3, 4) * step % 2 ** min(8, int_bits(name))) for step in (1, 5))
    plain = engine.add(a, b)
    assert_same_bits(engine.add(layout(a), layout(b)), plain)
    assert_same_bits(engine.add(layout(a), b), plain)
    assert_same_bits(engine.add(a, layout(b)), plain)


def int_bits(name):
    return 4 if name == "f4e2m1" else int(name[1:]) if name[0] in "iu" else 8


def test_big_endian_bytes_are_read_as_such(engine):
    assert engine.add(np.frombuffer(b"\x01\x00", ">i2"), np.int16([1])).tolist() == [257]
    assert engine.add(np.frombuffer(b"\x3f\x80\x00\x00", ">f4"), np.float32([1])).tolist() == [2.0]
    one = np.frombuffer(b"\x3f\x80", np.dtype(ml_dtypes.bfloat16).newbyteorder(">"))
    assert_same_bits(engine.add(one, one), np.array([2], ml_dtypes.bfloat16))
    assert_same_bits(engine.add(np.array([1], ml_dtypes.bfloat16), one), np.array([2], ml_dtypes.bfloat16))


def test_broadcast_views_are_operands(engine):
    view = np.broadcast_to(np.int8([[1], [2]]), (2, 3))
    assert engine.add(view, view).tolist() == [[2, 2, 2], [4, 4, 4]]
    assert engine.add(as_strided(np.int8([5]), (3,), (0,)), np.int8([1, 2, 3])).tolist() == [6, 7, 8]
    windows = as_strided(np.arange(5, dtype=np.int16), (3, 3), (2, 2))
    assert engine.add(windows, np.int16(0)).tolist() == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]


@pytest.mark.parametrize(
    ("a", "b", "shape"),
    [
        ((0,), (0,), (0,)),
        ((0,), (1,), (0,)),
        ((0,), (), (0,)),
        ((2, 0, 3), (3,), (2, 0, 3)),
        ((0, 1), (1, 5), (0, 5)),
        ((2, 1, 0), (1, 3, 1), (2, 3, 0)),
    ],
)
@pytest.mark.parametrize("name", ["f32", "u4", "bf16", "i64"])
def test_no_elements(a, b, shape, name, engine):
    total = engine.add(array_of(name, np.zeros(a, int)), array_of(name, np.zeros(b, int)))
    assert_same_bits(total, array_of(name, np.zeros(shape, int)))


@pytest.mark.parametrize("name", DTYPES)
def test_rank_0_gives_an_array_of_rank_0(name, engine):
    one = array_of(name, [1, 0])
    total = engine.add(one[0:1].reshape(()), one[1:].reshape(()))
    assert type(total) is np.ndarray
    assert total.shape == ()
    assert_same_bits(total.reshape(1), engine.add(one[:1], one[1:]))
    assert type(engine.add(np.float32(1), np.float32(2))) is np.ndarray


def test_up_to_64_axes(engine):
    a = np.arange(6, dtype=np.int32).reshape((2,) + (1,) * 62 + (3,))
    b = np.int32([10, 20, 30])
    total = engine.add(a, b)
    assert total.shape == a.shape
    assert total.ravel().tolist() == [10, 21, 32, 13, 24, 35]
    assert engine.add(b, a).shape == a.shape
    assert engine.add(a, np.int32([1, 2]), auto_broadcast="pdpd", axis=0).ravel().tolist() == [1, 2, 3, 5, 6, 7]


def test_operands_stay_as_they_were(engine):
    a, b = np.array([[1, 2]], ">i4"), np.int32([[3], [4]])
    kept = a.copy(), b.copy()
    a.flags.writeable = b.flags.writeable = False
    total = engine.add(a, b)
    total[...] = 0
    assert (a == kept[0]).all()
    assert (b == kept[1]).all()


@pytest.mark.parametrize("sizes", [((2**40, 1), (1, 2**40)), ((0, 2**40, 1), (1, 1, 2**40))])
def test_a_result_past_what_an_array_can_hold_is_refused(sizes, engine):
    a, b = (np.broadcast_to(np.zeros([min(one, 1) for one in size], "f4"), size) for size in sizes)
    with pytest.raises(LimitExceeded) as refused:
        engine.add(a, b)
    assert refused.value.fields == {"limit": 2**63 - 1, "found": 2**82}


@pytest.mark.parametrize(
    "options",
    [
        {"auto_broadcast": "nunpy"},
        {"auto_broadcast": "NumPy"},
        {"axis": 1},
        {"axis": -2, "auto_broadcast": "pdpd"},
        {"axis": 3, "auto_broadcast": "pdpd"},
        {"auto_broadcast": "none", "axis": 0},
    ],
)
def test_the_rules_words_and_axes_are_checked(options, engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(np.zeros((2, 3), "f4"), np.zeros(3, "f4"), **options)
    assert {name: refused.value.fields[name] for name in options} == options


@pytest.mark.parametrize(
    "options",
    [{"auto_broadcast": None}, {"axis": True, "auto_broadcast": "pdpd"}, {"axis": 1.0, "auto_broadcast": "pdpd"}],
)
def test_rules_and_axes_of_the_wrong_kind_are_refused(options, engine):
    with pytest.raises(Unsupported) as refused:
        engine.add(np.zeros((2, 3), "f4"), np.zeros(3, "f4"), **options)
    assert set(refused.value.fields) <= set(options)


def test_a_clash_names_the_axes(engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(np.zeros((2, 3, 4), "f4"), Tensor("f32", (5, 3, 2), bytes(120)))
    assert [(axis, a.low, b.low) for axis, a, b in refused.value.fields["axes"]] == [(-1, 4, 2), (-3, 2, 5)]


def test_the_rule_is_compared_by_value(engine):
    assert engine.add(np.int8([1]), np.int8([2]), auto_broadcast="".join(["no", "ne"])).tolist() == [3]


def test_operands_are_positional_and_options_are_not(engine):
    with pytest.raises(TypeError):
        engine.add(a=np.int8([1]), b=np.int8([1]))
    with pytest.raises(TypeError):
        engine.add(np.int8([1]), np.int8([1]), "numpy")


def test_nothing_but_our_own_errors_for_odd_arrays(engine):
    for odd in (np.zeros(2, "V2"), np.zeros((), object), np.array(["x"]), np.array([np.datetime64("NaT")])):
        with pytest.raises(AddisonError):
            engine.add(odd, odd)


class TestForeignArraysThatMisbehave:
    def test_one_whose_conversion_fails_oddly(self, engine):
        class Broken:
            def __array__(self, dtype=None, copy=None):
                raise AttributeError("no device")

        with pytest.raises(Unsupported) as caught:
            engine.add(Broken(), np.ones(2, np.float32))
        assert caught.value.fields["argument"] == "a"

    def test_one_that_turns_out_to_be_masked(self, engine):
        class Masked:
            def __array__(self, dtype=None, copy=None):
                return np.ma.masked_array([1, 2], [0, 1], np.int8)

        with pytest.raises(Unsupported) as caught:
            engine.add(np.ones(2, np.int8), Masked())
        assert caught.value.fields["argument"] == "b"
