"""The C function as a function: its arguments, and what it hands to Python."""

import contextlib
import gc
import sys

import ml_dtypes
import numpy as np
import pytest

import addison
from addison import InvalidInput, Tensor, Unsupported
from addison.engines import native, reference

A = np.arange(6, dtype="f4").reshape(2, 3)


def test_add_is_the_c_function():
    assert type(native.add).__name__ == "builtin_function_or_method"
    assert addison.add is native.add
    assert native.add.__doc__.strip() == reference.add.__doc__.strip()


def test_names_and_values_are_compared_by_value():
    """Strings that were built at run time are equal to the interned ones without being them."""
    rule, out, keyword = "".join(["num", "py"]), "".join(["o", "ut"]), "".join(["auto_", "broadcast"])
    result = np.empty_like(A)
    assert native.add(A, A, **{keyword: rule, out: result}) is result
    with pytest.raises(InvalidInput, match="clash under none"):
        native.add(A, A[0], **{keyword: "".join(["no", "ne"])})
    assert (native.add(A, A[:, 0], auto_broadcast="".join(["pd", "pd"]), axis=int("0")) == A + A[:, :1]).all()


@pytest.mark.parametrize(
    ("arguments", "keywords"),
    [
        ((), {}),
        ((A,), {}),
        ((A, A, A), {}),
        ((A, A), {"where": True}),
        ((A,), {"b": A}),
        ((A, A), {"out": A, "dtype": None}),
    ],
)
def test_wrong_arguments_are_the_python_functions_error(arguments, keywords):
    with pytest.raises(TypeError, match="add"):
        native.add(*arguments, **keywords)


@pytest.mark.parametrize(
    ("keywords", "kind"),
    [
        ({"auto_broadcast": "NUMPY"}, InvalidInput),
        ({"auto_broadcast": 3}, Unsupported),
        ({"axis": 0}, InvalidInput),
        ({"axis": True}, Unsupported),
        ({"axis": 2**70, "auto_broadcast": "pdpd"}, InvalidInput),
        ({"out": [0]}, Unsupported),
        ({"out": np.empty(3, "f4")}, InvalidInput),
        ({"out": np.empty((2, 3))}, Unsupported),
    ],
)
def test_errors_are_the_reference_engines(keywords, kind):
    said = []
    for engine in (native, reference):
        with pytest.raises(kind) as refused:
            engine.add(A, A, **keywords)
        said.append((str(refused.value), sorted(refused.value.fields)))
    assert said[0] == said[1]


def test_a_read_only_out_is_refused():
    out = np.empty_like(A)
    out.flags.writeable = False
    with pytest.raises(InvalidInput, match="out is read-only"):
        native.add(A, A, out=out)


def test_an_out_that_overlaps_itself_is_refused():
    out = np.lib.stride_tricks.as_strided(np.zeros(8, "f4"), (2, 3), (4, 4))
    with pytest.raises(InvalidInput, match="out overlaps itself"):
        native.add(A, A, out=out)


def test_rank_0_gives_an_array():
    total = native.add(np.array(1, "f4"), np.array(2, "f4"))
    assert type(total) is np.ndarray
    assert total.shape == ()
    assert total == 3


def test_subclasses_come_out_as_arrays():
    class Named(np.ndarray):
        pass

    total = native.add(A.view(Named), A)
    assert type(total) is np.ndarray
    assert (total == 2 * A).all()
    out = np.empty_like(A).view(Named)
    assert native.add(A, A, out=out) is out
    assert (out == 2 * A).all()


def test_long_long_is_i64():
    a, b = np.arange(4, dtype=np.longlong), np.arange(4, dtype=np.int64)
    for left, right in ((a, a), (a, b), (b, a)):
        assert native.add(left, right).dtype == np.dtype(np.int64)


def test_metadata_of_a_dtype_is_dropped():
    total = native.add(np.zeros(3, np.dtype("f4", metadata={"unit": "m"})), np.zeros(3, "f4"))
    assert total.dtype.metadata is None


def test_nothing_leaks():
    """References to operands, results and dtypes, over calls that end in every way."""
    b, out = A.astype(ml_dtypes.bfloat16), np.empty_like(A)
    calls = [(A, A), (A, A.T.copy().T), (b, b[0]), (A, 1), (A, b), (A, A[:, :2])]
    watched = [A, b, out, A.dtype, b.dtype, native.add]

    def turn():
        for sides in calls:
            for keywords in ({}, {"out": out}):
                with contextlib.suppress(InvalidInput, Unsupported):
                    native.add(*sides, **keywords)

    turn()
    gc.collect()
    before = [sys.getrefcount(one) for one in watched]
    for _ in range(300):
        turn()
    gc.collect()
    assert all(abs(sys.getrefcount(one) - was) < 100 for one, was in zip(watched, before, strict=True))


@pytest.mark.parametrize("name", ["u1", "u2", "u3", "u4", "u6", "i4", "nf4", "f4e2m1", "f8e8m0", "i16", "u32"])
def test_packed_tensors(name):
    """Of one shape, beside one element, into out= and in place, at every number of elements up to some groups."""
    bits = addison.ElementType.parse(name).bits
    random = np.random.default_rng(3)
    for n in range(1, 70):
        a, b = (Tensor.from_codes(name, random.integers(0, 2**bits, n)) for _ in range(2))
        one = Tensor.from_codes(name, [int(random.integers(0, 2**bits))])
        for right in (b, one, a):
            wanted = reference.add(a, right)
            assert native.add(a, right) == wanted
            assert bytes(native.add(a, right).data) == bytes(wanted.data)
            out = Tensor(name, (n,), bytearray(b"\xff" * wanted.nbytes))
            assert native.add(a, right, out=out) is out
            assert bytes(out.data) == bytes(wanted.data)
        place = Tensor(name, (n,), bytearray(a.data))
        native.add(place, b, out=place)
        assert place == reference.add(a, b)


def test_packed_out_that_overlaps_elsewhere():
    memory = bytearray(range(64))
    a = Tensor("u4", (64,), memoryview(memory)[:32])
    b = Tensor("u4", (64,), bytes(range(100, 132)))
    out = Tensor("u4", (64,), memoryview(memory)[5:37])
    wanted = reference.add(Tensor("u4", (64,), bytes(a.data)), b)
    assert native.add(a, b, out=out) == wanted
