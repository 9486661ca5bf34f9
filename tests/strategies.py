"""Hypothesis strategies: bits of elements biased to where sums go wrong, pairs of shapes, arrays in any layout."""

import math

import numpy as np
from hypothesis import strategies as st

from addison import Dim, ElementType, Shape
from addison.spec.elements import Float
from tests.same_bits import DTYPES, array_of, code_dtype

NAMED = st.sampled_from(tuple(DTYPES))


def special_codes(name):
    """Zeros, ends of the subnormal and the normal range, 1, infinities, NaNs; of integers both ends and the middle."""
    element = ElementType.parse(name)
    top = 1 << (element.bits - 1)
    if not isinstance(element.format, Float):
        return sorted({code % (2 * top) for code in (0, 1, 2, top - 1, top, top + 1, -2, -1)})
    normal = 1 << element.format.mantissa
    one = (top // normal // 2 - 1) * normal
    last = top - normal  # infinity, where there is one
    magnitudes = {
        0,
        1,
        2,
        3,
        normal - 1,
        normal,
        normal + 1,
        one - 1,
        one,
        one + 1,
        last - 2,
        last - 1,
        last,
        last + 1,
        last + normal // 2,
        top - 1,
    }
    return sorted({sign + magnitude for magnitude in magnitudes if 0 <= magnitude < top for sign in (0, top)})


def codes(name):
    """The bits of one element."""
    bits = ElementType.parse(name).bits
    return st.integers(0, (1 << bits) - 1) | st.sampled_from(special_codes(name))


@st.composite
def pairs(draw, name):
    """The bits of two elements; for floats often two that cancel, or one about half a step of the other: a tie."""
    element = ElementType.parse(name)
    mask = (1 << element.bits) - 1
    a = draw(codes(name))
    how = draw(st.sampled_from(["any", "cancel", "tie"] if isinstance(element.format, Float) else ["any"]))
    if how == "any":
        return a, draw(codes(name))
    near = draw(st.integers(-2, 2))
    sign = 1 << (element.bits - 1)
    if how == "cancel":
        return a, (a ^ sign) + near & mask
    mantissa = element.format.mantissa
    exponent = ((a & ~sign) >> mantissa) - mantissa - 1
    half = max(exponent, 0) << mantissa
    return a, max(half + near, 0) | draw(st.sampled_from([0, sign]))


def many_pairs(name):
    """Two lists of codes of one length."""
    return st.lists(pairs(name), min_size=1, max_size=64).map(lambda listed: tuple(zip(*listed, strict=True)))


@st.composite
def broadcastable(draw, largest_rank=4, largest_size=4):
    """Two shapes that NumPy broadcasts."""
    full = draw(st.lists(st.integers(0, largest_size), max_size=largest_rank))
    sides = []
    for _ in range(2):
        kept = full[draw(st.integers(0, len(full))) :]
        sides.append(tuple(1 if draw(st.booleans()) and draw(st.booleans()) else size for size in kept))
    return sides[0], sides[1]


@st.composite
def arrays(draw, name, shape):
    """An array of this shape, its elements any bits, in any layout."""
    count = math.prod(shape)
    few = draw(st.lists(codes(name), min_size=1, max_size=24))
    listed = np.resize(np.array(few, code_dtype(name)), count).reshape(shape)
    return draw(layouts(array_of(name, listed)))


@st.composite
def layouts(draw, array):
    """An equal array: axes in any order of memory, steps between elements, backwards, unaligned, other byte order."""
    order = draw(st.permutations(range(array.ndim)))
    steps = [draw(st.sampled_from([1, 1, 1, -1, 2, -2, 3])) for _ in range(array.ndim)]
    dtype = array.dtype.newbyteorder() if draw(st.booleans()) else array.dtype
    shift = draw(st.integers(0, dtype.itemsize))
    wide = [size * abs(step) for size, step in zip(array.shape, steps, strict=True)]
    memory = np.full(math.prod(wide) * dtype.itemsize + shift, 0xA5, np.uint8)
    whole = memory[shift:].view(dtype).reshape([wide[axis] for axis in order]).transpose(np.argsort(order).astype(int))
    view = whole[(*(slice(None, None, step) for step in steps), ...)]
    view[...] = array
    return view


@st.composite
def dims(draw, largest=6):
    """Known sizes, intervals and unknowns."""
    low = draw(st.integers(0, largest))
    return Dim(low, draw(st.none() | st.integers(low, largest)))


def shapes(largest_rank=4, unknown=True):
    """Shapes of known and unknown rank."""
    known = st.lists(dims(), max_size=largest_rank).map(lambda listed: Shape(*listed))
    return known | st.just(Shape.unknown()) if unknown else known
