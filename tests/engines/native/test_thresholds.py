"""Sizes around every block, tile, thread and streaming threshold, where they really stand."""

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
@pytest.mark.parametrize("shape", [(16, 16), (63, 65), (64, 512), (129, 257), (300, 1000), (31, 4096)])
def test_transposed(name, shape):
    a, b = random(name, shape, 1), random(name, shape[::-1], 2).T
    with np.errstate(all="ignore"):
        wanted = reference.add(a, b)
    assert_same_bits(native.add(a, b, out=np.empty(shape, a.dtype)), wanted)
    assert_same_bits(native.add(b, a), wanted)


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
