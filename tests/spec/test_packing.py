"""Which bits of which byte: bytes written by hand, sizes, OpenVINO's own reading of the same bytes."""

import numpy as np
import openvino as ov
import openvino.opset1 as op
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openvino.passes import ConstantFolding, Manager

from addison import ElementType, InvalidInput
from addison.spec.packing import bytes_needed, group, pack, unpack
from tests.same_bits import NAMES
from tests.strategies import codes

BY_HAND = [  # (type, codes, bytes in binary, one a field)
    ("u1", [1], "10000000"),
    ("u1", [0, 1, 0, 0, 0, 0, 0, 1], "01000001"),
    ("u1", [1, 0, 1, 1, 0, 0, 0, 0, 1], "10110000 10000000"),
    ("u2", [1], "00000001"),
    ("u2", [0, 1, 2, 3], "11100100"),
    ("u2", [3, 0, 0, 2, 1], "10000011 00000001"),
    ("u4", [0x1, 0x2, 0x3], "00100001 00000011"),
    ("i4", [0xF, 0x8], "10001111"),
    ("nf4", [0x7, 0xF], "11110111"),
    ("f4e2m1", [0x1, 0x9], "10010001"),
    ("u3", [1], "01000000 00000000 00000000"),
    ("u3", [4], "00000000 00000000 10000000"),
    ("u3", [0, 1, 2, 3, 4, 5, 6, 7], "00011011 00011011 00001111"),
    ("u3", [7, 0, 0, 0, 0, 0, 0, 4, 6], "11000000 00000000 10000001 10000000 00000000 10000000"),
    ("u6", [0b01_0010], "00100000 00000000 01000000"),
    ("u6", [0b11_0000, 0b00_1111, 0b10_0001, 0b01_1010], "00001111 00011010 11001001"),
    ("u6", [1, 0, 0, 0, 0b11_1111], "00010000 00000000 00000000 11110000 00000000 11000000"),
    ("u8", [0x12, 0xFF], "00010010 11111111"),
    ("i16", [0x1234], "00110100 00010010"),
    ("bf16", [0x3F80], "10000000 00111111"),
    ("f32", [0x3F800001], "00000001 00000000 10000000 00111111"),
]


@pytest.mark.parametrize(("name", "listed", "bits"), BY_HAND)
def test_layouts_by_hand(name, listed, bits):
    element = ElementType.parse(name)
    data = bytes(int(byte, 2) for byte in bits.split())
    assert pack(element, listed) == data
    assert unpack(element, data, len(listed)) == listed


SIZES = {  # bytes for 0, 1, 2 ... 17 elements
    "u1": [0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3],
    "u2": [0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5],
    "u3": [0, 3, 3, 3, 3, 3, 3, 3, 3, 6, 6, 6, 6, 6, 6, 6, 6, 9],
    "u6": [0, 3, 3, 3, 3, 6, 6, 6, 6, 9, 9, 9, 9, 12, 12, 12, 12, 15],
}
SIZES |= {name: [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9] for name in ("i4", "u4", "nf4", "f4e2m1")}


@pytest.mark.parametrize("name", SIZES)
def test_bytes_needed_for_up_to_17_elements(name):
    assert [bytes_needed(ElementType.parse(name), elements) for elements in range(18)] == SIZES[name]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SIZES])
def test_whole_byte_types_need_their_width(name):
    element = ElementType.parse(name)
    assert [bytes_needed(element, elements) for elements in range(18)] == [n * element.bits // 8 for n in range(18)]


@pytest.mark.parametrize("name", NAMES)
def test_every_bit_of_a_full_group_is_owned_once(name):
    places = [place for one in group(ElementType.parse(name)).places for place in one]
    assert sorted(places) == [(byte, bit) for byte in range(len(places) // 8) for bit in range(8)]


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_packing_and_unpacking_gives_the_codes_back(name, data):
    element = ElementType.parse(name)
    listed = data.draw(st.lists(codes(name), max_size=20))
    packed = pack(element, listed)
    assert len(packed) == bytes_needed(element, len(listed))
    assert unpack(element, packed, len(listed)) == listed
    assert sum(byte.bit_count() for byte in packed) == sum(code.bit_count() for code in listed)  # the padding is 0


@pytest.mark.parametrize("name", SIZES)
@given(data=st.data())
def test_padding_is_not_read(name, data):
    element = ElementType.parse(name)
    listed = data.draw(st.lists(codes(name), max_size=20))
    garbage = data.draw(st.lists(codes(name), min_size=8, max_size=8))
    dirty = pack(element, listed + garbage)[: bytes_needed(element, len(listed))]  # others lie where the padding was
    assert unpack(element, dirty, len(listed)) == listed


def test_too_few_bytes_are_refused_with_both_numbers():
    with pytest.raises(InvalidInput) as refused:
        unpack(ElementType.parse("u3"), bytes(5), 9)
    assert refused.value.fields == {"wanted": 6, "found": 5}


def openvino_reads(name, data, elements):
    """The values OpenVINO finds in packed bytes: a constant of them, converted to i32."""
    borrowed = np.frombuffer(data, np.uint8).copy()  # the tensor does not keep it alive
    tensor = ov.Tensor(borrowed, ov.Shape([elements]), getattr(ov.Type, name))
    model = ov.Model([op.result(op.convert(ov.op.Constant(tensor), "i32"))], [])
    passes = Manager()
    passes.register_pass(ConstantFolding())
    passes.run_passes(model)
    return model.get_results()[0].input_value(0).get_node().data.reshape(-1).tolist()


@pytest.mark.parametrize("name", ["u1", "u2", "u3", "u4", "i4", "u6"])
@pytest.mark.parametrize("elements", [1, 2, 3, 4, 5, 7, 8, 9, 16, 17])
def test_openvino_reads_the_same_elements(name, elements):
    element = ElementType.parse(name)
    mixed = np.random.default_rng(elements)
    for _ in range(3):
        listed = mixed.integers(0, 2**element.bits, elements).tolist()
        values = [code - 16 if name == "i4" and code > 7 else code for code in listed]
        assert openvino_reads(name, pack(element, listed), elements) == values


@pytest.mark.parametrize("name", ["u1", "u2", "u3", "u4", "i4", "u6"])
def test_openvino_reads_each_bit_at_the_same_place(name):
    element = ElementType.parse(name)
    for position in range(9):
        for bit in range(element.bits):
            listed = [1 << bit if i == position else 0 for i in range(9)]
            value = -8 if name == "i4" and bit == 3 else 1 << bit
            assert openvino_reads(name, pack(element, listed), 9)[position] == value


@pytest.mark.parametrize("name", [*SIZES, "f8e8m0", "bf16", "i64"])
def test_openvino_needs_as_many_bytes(name):
    found = [ov.Tensor(getattr(ov.Type, name), ov.Shape([elements])).byte_size for elements in range(18)]
    assert found == [bytes_needed(ElementType.parse(name), elements) for elements in range(18)]
