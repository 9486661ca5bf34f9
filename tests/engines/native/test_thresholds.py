"""Sizes around every block, tile, thread and streaming threshold, where they really stand."""

import itertools

import numpy as np
import pytest

from addison.engines import native, reference
from tests.engines.native.conftest import thresholds
from tests.same_bits import DTYPES, array_of, assert_same_bits, code_dtype


def random(name, shape, seed=0):
    bits = np.random.default_rng(seed).integers(0, 256, int(np.prod(shape)) * code_dtype(name).itemsize, np.uint8)
    return array_of(name, bits.view(code_dtype(name)).reshape(shape))


def check(name, shape_a, shape_b):
    a, b = random(name, shape_a, 1), random(name, shape_b, 2)
    with np.errstate(all="ignore"):
        wanted = reference.add(a, b)
    assert_same_bits(native.add(a, b), wanted)
    out = np.empty(wanted.shape, wanted.dtype)
    native.add(a, b, out=out)
    assert_same_bits(out, wanted)


@pytest.mark.parametrize("name", ["i8", "f16", "bf16", "f32", "f64", "f8e4m3"])
@pytest.mark.parametrize("bytes_", [64, 256, 4096, 16 << 10, 96 << 10, 128 << 10, 256 << 10])
def test_runs(name, bytes_):
    n = bytes_ // code_dtype(name).itemsize
    for size in (n - 1, n, n + 1, n + 33):
        check(name, (size,), (size,))
        check(name, (size,), (1,))


@pytest.mark.parametrize("name", ["i8", "bf16", "f32", "f64"])
@pytest.mark.parametrize("row", [1, 2, 3, 5, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 511, 513, 1024])
def test_rows(name, row):
    for lines in (2, 3, 17, 700):
        check(name, (lines, row), (row,))
        check(name, (lines, row), (lines, 1))
        check(name, (lines, 1), (1, row))


@pytest.mark.usefixtures("either_size")
@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("times", [2, 3, 4, 5, 6, 8, 11, 16, 21, 32, 64, 100])
def test_items_repeated_in_a_row(name, times):
    """Items from the first, the second, every other one; sums into a new array, any place of another, in place."""
    lines = 70_000 // times
    whole, items = random(name, lines * times + 40, 1), random(name, (2 * lines + 1, 1), 2)
    for shift in (0, 1, 7):
        a = whole[shift:][: lines * times].reshape(lines, times)
        for b in (items[:lines], items[1:][:lines], items[1::2]):
            with np.errstate(all="ignore"):
                wanted = reference.add(a, b)
            assert_same_bits(native.add(a, b), wanted)
            out = np.zeros_like(whole)[19 - shift :][: lines * times].reshape(lines, times)
            native.add(b, a, out=out)
            assert_same_bits(out, wanted)
            np.copyto(out, a)
            native.add(out, b, out=out)
            assert_same_bits(out, wanted)


@pytest.mark.parametrize("name", ["i8", "f16", "f32", "i64"])
@pytest.mark.parametrize(
    "shape",
    [(16, 16), (17, 16), (16, 31), (40, 3000), (130, 70), (63, 65), (64, 512), (129, 257), (300, 1000), (31, 4096)],
)
def test_transposed(name, shape):
    a, b = random(name, shape, 1), random(name, shape[::-1], 2).T
    with np.errstate(all="ignore"):
        wanted = reference.add(a, b)
    assert_same_bits(native.add(a, b, out=np.empty(shape, a.dtype)), wanted)
    assert_same_bits(native.add(b, a), wanted)


@pytest.mark.usefixtures("either_size")
@pytest.mark.parametrize("name", ["i8", "bf16", "f32", "f64"])
@pytest.mark.parametrize("order", [order for order in itertools.permutations(range(3)) if order != (0, 1, 2)])
@pytest.mark.parametrize("shape", [(19, 33, 40), (2, 300, 3), (64, 2, 65), (17, 16, 15), (5, 7, 130)])
def test_axes_in_another_order(name, order, shape):
    a = random(name, shape, 1)
    b = random(name, tuple(shape[axis] for axis in order), 2).transpose(np.argsort(order))
    with np.errstate(all="ignore"):
        wanted = reference.add(a, b)
    for x, y in ((a, b), (b, a)):
        assert_same_bits(native.add(x, y, out=np.empty(shape, a.dtype)), wanted)
        assert_same_bits(native.add(x, y), wanted)


@pytest.mark.usefixtures("either_size")
@pytest.mark.parametrize("name", ["i8", "f16", "f32", "f64"])
@pytest.mark.parametrize("row", [1, 2, 3, 7, 8, 15, 16, 17, 33, 100])
def test_rows_that_are_parts_of_longer_ones(name, row):
    a, b = random(name, (300, row + 3), 1)[:, 2:-1], random(name, (300, 2 * row), 2)[:, :row]
    whole, column, line = random(name, (300, row), 3), random(name, (300, 1), 4), random(name, (row,), 5)
    out = random(name, (300, row + 5), 6)[:, 1 : row + 1]
    for x, y in ((a, b), (a, whole), (whole, b), (a, column), (line, b), (a, line), (column, b[::-1])):
        with np.errstate(all="ignore"):
            wanted = reference.add(x, y)
        assert_same_bits(native.add(x, y), wanted)
        assert_same_bits(native.add(x, y, out=out), wanted)


@pytest.mark.parametrize("name", ["u8", "f16", "f32", "f64"])
def test_streaming_stores_of_large_results(name):
    """With the threshold lowered to 1 MB; offsets that misalign, and the line before and after stay as they were."""
    with thresholds(stream=1 << 20):
        n = (2 << 20) // code_dtype(name).itemsize + 5
        a, b = random(name, n + 3, 1), random(name, n + 3, 2)
        for shift in (0, 1, 3):
            memory = array_of(name, np.full(n + 40, 0x5A, code_dtype(name)))
            out = memory[20 + shift :][:n]
            native.add(a[shift:][:n], b[:n], out=out)
            with np.errstate(all="ignore"):
                assert_same_bits(out, reference.add(a[shift:][:n], b[:n]))
            around = np.concatenate([memory[: 20 + shift], memory[20 + shift + n :]]).view(code_dtype(name))
            assert (around == 0x5A).all()
