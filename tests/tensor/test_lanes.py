"""Packing of whole arrays, against the packing of the specification."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import ElementType
from addison.spec import packing
from addison.tensor import lanes
from tests.same_bits import NAMES, code_dtype
from tests.strategies import codes


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_arrays_are_packed_as_the_specification_packs(name, data):
    element = ElementType.parse(name)
    listed = data.draw(st.lists(codes(name), max_size=40))
    assert lanes.pack(element, np.array(listed, code_dtype(name))) == packing.pack(element, listed)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_any_bytes_are_unpacked_as_the_specification_unpacks(name, data):
    element = ElementType.parse(name)
    elements = data.draw(st.integers(0, 40))
    needed = packing.bytes_needed(element, elements)
    raw = data.draw(st.binary(min_size=needed, max_size=needed + 3))
    found = lanes.unpack(element, raw, elements)
    assert found.dtype == code_dtype(name)
    assert found.tolist() == packing.unpack(element, raw, elements)


@pytest.mark.parametrize("name", NAMES)
def test_a_large_array_comes_back(name):
    element = ElementType.parse(name)
    every = np.random.default_rng(1).integers(0, 2**element.bits, 10_007, code_dtype(name))
    assert (lanes.unpack(element, lanes.pack(element, every), len(every)) == every).all()


@pytest.mark.parametrize("buffer", [bytes, bytearray, memoryview, lambda data: np.frombuffer(data, np.uint8)])
def test_any_buffer_is_read(buffer):
    assert lanes.unpack(ElementType.parse("u4"), buffer(b"\x21\x03"), 3).tolist() == [1, 2, 3]
    assert lanes.unpack(ElementType.parse("u4"), buffer(b""), 0).tolist() == []


@pytest.mark.parametrize("name", NAMES)
def test_bits_above_an_element_are_not_packed(name):
    element = ElementType.parse(name)
    if element.bits < 8:
        assert lanes.pack(element, np.array([0xFF, 0x100 - 2**element.bits], np.uint8)) == packing.pack(
            element, [2**element.bits - 1, 0]
        )
