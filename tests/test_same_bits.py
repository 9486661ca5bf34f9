"""The comparison itself: what is wrong must be seen."""

import numpy as np
import pytest

from addison import Tensor
from tests.same_bits import NAMES, array_of, assert_same_bits, assert_same_codes, nothing_in_the_padding, operand_of

WRONG = {
    "one bit": (np.float32([1, 2, 3]), np.array([1, 2, np.nextafter(np.float32(3), np.float32(4))], np.float32)),
    "a zero's sign": (np.float32([0]), np.float32([-0.0])),
    "NaN for a number": (np.float32([np.nan]), np.float32([1])),
    "infinity for NaN": (np.float32([np.inf]), np.float32([np.nan])),
    "shape": (np.float32([1, 2]), np.float32([[1, 2]])),
    "type of one width": (np.int32([0]), np.float32([0])),
    "signedness": (np.int8([1]), np.uint8([1])),
    "byte order": (np.array([1], ">i4"), np.array([1], "<i4")),
    "kind": (Tensor.from_codes("u8", [1]), np.uint8([1])),
    "a Tensor's element": (Tensor.from_codes("u3", [1, 2]), Tensor.from_codes("u3", [1, 3])),
    "a Tensor's type": (Tensor.from_codes("u4", [1, 2]), Tensor.from_codes("i4", [1, 2])),
    "the last of many": (np.zeros(70_000, np.int16), np.array([0] * 69_999 + [1], np.int16)),
}


@pytest.mark.parametrize(("found", "wanted"), WRONG.values(), ids=WRONG)
def test_a_wrong_answer_is_seen(found, wanted):
    with pytest.raises(AssertionError):
        assert_same_bits(found, wanted)


def test_the_message_says_where_and_what():
    with pytest.raises(AssertionError, match=r"1 of 3 elements of i8 differ: at \(2,\) 0x3, wanted 0xff"):
        assert_same_bits(np.int8([1, 2, 3]), np.int8([1, 2, -1]))


@pytest.mark.parametrize("name", NAMES)
def test_equal_answers_pass(name):
    assert_same_bits(operand_of(name, [[0, 1]]), operand_of(name, [[0, 1]]))


@pytest.mark.parametrize("name", NAMES)
def test_one_wrong_bit_is_seen_in_every_type(name):
    with pytest.raises(AssertionError):
        assert_same_codes(name, [0, 1], [0, 0])


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("f16", 0x7E00, 0xFDFF),
        ("bf16", 0x7FC0, 0xFF81),
        ("f32", 0x7FC00000, 0x7F800001),
        ("f8e4m3", 0x7F, 0xFF),
        ("f64", 0x7FF8000000000000, 0xFFF0000000000001),
        ("f8e5m2", 0x7E, 0xFD),
    ],
)
def test_nans_are_equal_as_a_class(name, one, other):
    assert_same_bits(array_of(name, [one]), array_of(name, [other]))


def test_garbage_above_a_small_element_is_not_compared():
    assert_same_bits(array_of("u4", [0xA3]), array_of("u4", [0x03]))


@pytest.mark.parametrize(("packed", "clean"), [("0f", True), ("1f", False)])
def test_padding_is_seen(packed, clean):
    assert nothing_in_the_padding(Tensor("u4", (1,), bytes.fromhex(packed))) is clean
