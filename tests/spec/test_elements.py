"""The table of element types."""

import pickle

import pytest

from addison import ElementType, InvalidInput, Unsupported
from addison.spec.elements import DYNAMIC, ELEMENTS, NOT_NUMERIC

WIDTHS = {
    "bf16": 16,
    "f16": 16,
    "f32": 32,
    "f64": 64,
    "f8e4m3": 8,
    "f8e5m2": 8,
    "f8e8m0": 8,
    "f4e2m1": 4,
    "nf4": 4,
    "i4": 4,
    "i8": 8,
    "i16": 16,
    "i32": 32,
    "i64": 64,
    "u1": 1,
    "u2": 2,
    "u3": 3,
    "u4": 4,
    "u6": 6,
    "u8": 8,
    "u16": 16,
    "u32": 32,
    "u64": 64,
}


def test_there_are_the_23_numeric_types_of_their_widths():
    assert {name: element.bits for name, element in ELEMENTS.items()} == WIDTHS
    assert all(element.numeric for element in ELEMENTS.values())


def test_three_names_are_not_numeric():
    assert set(NOT_NUMERIC) == {"boolean", "string", "dynamic"}
    assert not any(element.numeric for element in NOT_NUMERIC.values())


@pytest.mark.parametrize("name", WIDTHS)
def test_a_type_is_found_by_name_prints_it_and_pickles(name):
    element = ElementType.parse(name)
    assert str(element) == name
    assert ElementType.parse(element) is element
    assert eval(repr(element), {"ElementType": ElementType}) is element
    assert pickle.loads(pickle.dumps(element)) is element


def test_dynamic_pickles_too():
    assert pickle.loads(pickle.dumps(DYNAMIC)) is DYNAMIC


@pytest.mark.parametrize("name", ["boolean", "string", "dynamic"])
def test_what_is_not_numeric_is_refused_by_name(name):
    with pytest.raises(Unsupported) as refused:
        ElementType.parse(name)
    assert refused.value.fields["element_type"] == name
    assert name in str(refused.value)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("bf6", "bf16"),
        ("F32", "did you mean"),
        ("f8e4m", "f8e4m3"),
        ("uint8", "one of bf16 f16"),
        ("zzz", "one of bf16 f16"),
        ("", "one of"),
    ],
)
def test_an_unknown_name_gets_the_nearest_one(name, near):
    with pytest.raises(InvalidInput) as refused:
        ElementType.parse(name)
    assert refused.value.fields["element_type"] == name
    assert near in refused.value.help
