"""Which conversions keep every value: each type's values, one by one, tried in each other type."""

from functools import cache

import pytest

from addison import ElementType
from addison.spec.bits import Special, decode, encode
from addison.spec.conversion import preserves
from addison.spec.elements import ELEMENTS, NOT_NUMERIC, Whole
from tests.same_bits import NAMES
from tests.strategies import special_codes


@cache
def values(name):
    """Every value of a small type; of a wide one those that other types lack: ends, subnormals, full mantissas."""
    element = ElementType.parse(name)
    codes = range(2**element.bits) if element.bits <= 8 else special_codes(name)
    return [decode(element, code) for code in codes]


def survives(value, target):
    """Whether the value is one of the target's."""
    if value is Special.NAN and target.nan is None:
        return False
    if isinstance(target.format, Whole):
        if isinstance(value, Special) or value.denominator != 1:
            return False
        value = int(value)
    return decode(target, encode(target, value)) == value


@pytest.mark.parametrize("source", NAMES)
def test_a_conversion_preserves_when_every_value_survives(source):
    for target in NAMES:
        kept = all(survives(value, ElementType.parse(target)) for value in values(source))
        assert preserves(ElementType.parse(source), ElementType.parse(target)) == kept, target


def test_what_save_model_writes_preserves():
    assert all(preserves(ELEMENTS["f16"], ELEMENTS[wide]) for wide in ("f32", "f64"))
    assert not preserves(ELEMENTS["f32"], ELEMENTS["f16"])


@pytest.mark.parametrize("name", NOT_NUMERIC)
def test_types_without_values_preserve_nothing(name):
    assert not preserves(NOT_NUMERIC[name], ELEMENTS["f32"])
    assert not preserves(ELEMENTS["f32"], NOT_NUMERIC[name])
    assert not preserves(NOT_NUMERIC[name], NOT_NUMERIC[name])
