"""A bare number beside an array is C's for the common cases, and what Python makes of it to the last bit."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import AddisonError, ElementType, engines
from addison.engines import native
from addison.spec.bits import decode
from addison.spec.elements import Float
from tests.engines.native.conftest import LOWERED, thresholds
from tests.same_bits import DTYPES, array_of, assert_same_bits, code_dtype
from tests.strategies import NAMED, codes, layouts, special_codes

oracle = engines.get("oracle")


@st.composite
def between(draw, name):
    """A double at, halfway between or just beside two neighbours of a float type, as near as a double comes."""
    element = ElementType.parse(name)
    lower = draw(codes(name)) & ((1 << (element.bits - 1)) - 2)
    sides = [decode(element, code) for code in (lower, lower + 1)]
    low, high = (side if isinstance(side, Fraction) else Fraction(0) for side in sides)
    number = float(draw(st.sampled_from([low, (low + high) / 2, high])))
    toward = draw(st.sampled_from([number, math.inf, -math.inf]))
    return draw(st.sampled_from([1, -1])) * math.nextafter(number, toward)


@st.composite
def numbers(draw, name):
    element = ElementType.parse(name)
    end = 1 << draw(st.sampled_from([element.bits - 1, element.bits, 53, 63, 64]))
    sign = draw(st.sampled_from([1, -1]))
    ints = st.integers(-300, 300) | st.integers() | st.integers(-2, 2).map(lambda step: sign * end + step)
    of_type = between(name) if isinstance(element.format, Float) else st.nothing()
    return draw(ints | st.floats() | st.sampled_from([448, 449, 464, 65504, 65505, 57344, 57345, 6, 7]) | of_type)


def outcome(function, *operands, **keywords):
    """What comes back, or what was refused."""
    try:
        return function(*operands, **keywords)
    except AddisonError as fault:
        return type(fault), str(fault)


def steps(array):
    """The strides that lead somewhere."""
    return [stride for stride, size in zip(array.strides, array.shape, strict=True) if size > 1 and array.size]


def check(name, array, number, out):
    wanted = outcome(oracle.add, array, number)
    for operands in ((array, number), (number, array)):
        found, by_python = outcome(native.add, *operands), outcome(native._add_any, *operands)
        if isinstance(wanted, tuple):
            assert found == by_python
            assert found[0] is wanted[0]
            assert outcome(native.add, *operands, out=out) == by_python
            continue
        assert_same_bits(found, wanted)
        raw = [np.array(one).view(code_dtype(name)) for one in (found, by_python)]
        assert (raw[0] == raw[1]).all()
        assert steps(found) == steps(by_python)
        assert native.add(*operands, out=out) is out
        assert_same_bits(np.array(out, out.dtype.newbyteorder("=")), wanted)


@given(data=st.data(), name=NAMED)
def test_a_number_is_what_the_python_function_makes_of_it(data, name):
    array = array_of(name, special_codes(name))
    check(name, array, data.draw(numbers(name)), np.zeros_like(array))


@pytest.mark.parametrize("name", [name for name in DTYPES if name[0] in "bf" and name not in ("f64", "f8e8m0")])
def test_a_float_is_rounded_once_at_every_step_of_the_type(name):
    """Each code's value, the middle to the next, and the double on both sides of it; of wide types, samples."""
    element = ElementType.parse(name)
    last = (1 << (element.bits - 1)) - 1
    step = max(1, last >> 9)
    zero = array_of(name, [1 << (element.bits - 1)])  # -0, so that the sum is the number
    for code in {*range(0, last, step), *(code for code in special_codes(name) if code < last)}:
        low, high = decode(element, code), decode(element, code + 1)
        if not (isinstance(low, Fraction) and isinstance(high, Fraction)):
            continue
        middle = float((low + high) / 2)
        for number in (float(low), middle, math.nextafter(middle, 0), math.nextafter(middle, math.inf)):
            for signed in (number, -number):
                assert_same_bits(native.add(zero, signed), oracle.add(zero, signed))


@given(data=st.data(), name=NAMED, shape=st.lists(st.integers(0, 4), max_size=4).map(tuple), low=st.booleans())
def test_arrays_of_any_layout(data, name, shape, low):
    of = data.draw(st.lists(codes(name), min_size=math.prod(shape), max_size=math.prod(shape)))
    array = data.draw(layouts(array_of(name, np.array(of, code_dtype(name)).reshape(shape))))
    out = data.draw(layouts(np.zeros(shape, DTYPES[name])))
    with thresholds(**(LOWERED if low else {})):
        check(name, array, data.draw(numbers(name)), out)


@pytest.mark.parametrize("name", ["i8", "u64", "f16", "bf16", "f32", "f64", "f8e4m3"])
@pytest.mark.parametrize("size", [1, 5, 64, 3000, 400_000])
def test_every_size(name, size):
    of = np.random.default_rng(size).integers(0, 256, size * code_dtype(name).itemsize, np.uint8)
    array = array_of(name, of.view(code_dtype(name)))
    with np.errstate(all="ignore"):
        wanted = engines.get("reference").add(array, 3)
    assert_same_bits(native.add(array, 3), wanted)
    assert_same_bits(native.add(3, array, out=array), wanted)  # in place


def test_a_rule_or_an_out_that_does_not_fit_is_the_python_functions():
    array = np.zeros((2, 3), "f4")
    for keywords in (
        {"auto_broadcast": "none"},
        {"auto_broadcast": "pdpd"},
        {"auto_broadcast": "pdpd", "axis": 0},
        {"axis": 0},
        {"out": np.zeros(3, "f4")},
        {"out": np.zeros((2, 3), "f8")},
        {"out": np.broadcast_to(np.float32(0), (2, 3))},
    ):
        for operands in ((array, 1.5), (1.5, array)):
            found, wanted = (outcome(f, *operands, **keywords) for f in (native.add, native._add_any))
            assert type(found) is type(wanted)
            assert found == wanted if isinstance(wanted, tuple) else (found == wanted).all()


def test_out_that_overlaps_the_array():
    memory = np.arange(10, dtype="f4")
    native.add(memory[:9], 1, out=memory[1:])
    assert memory.tolist() == [0, *range(1, 10)]
