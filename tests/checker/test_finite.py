"""NaN and infinity among packed elements: the search against decoding every code, and at the ends of slices."""

import pytest

from addison.checker import finite
from addison.checker.finite import first_not_finite, has_infinite_codes
from addison.spec.bits import Special, decode
from addison.spec.elements import ELEMENTS

NOT_FINITE = (Special.NAN, Special.PLUS_INFINITY, Special.MINUS_INFINITY)
INFINITE = {
    "bf16": (0x7F80, 0xFF80, 0x7F81, 0xFFFF),
    "f16": (0x7C00, 0xFC00, 0x7C01, 0xFFFF),
    "f32": (0x7F800000, 0xFF800000, 0x7F800001, 0xFFFFFFFF),
    "f64": (0x7FF << 52, 0xFFF << 52, (0x7FF << 52) + 1, 2**64 - 1),
    "f8e4m3": (0x7F, 0xFF),
    "f8e5m2": (0x7C, 0xFC, 0x7D, 0xFF),
    "f8e8m0": (0xFF,),
}
LARGEST = {
    "bf16": (0x7F7F, 0xFF7F),
    "f16": (0x7BFF, 0xFBFF),
    "f32": (0x7F7FFFFF, 0xFF7FFFFF),
    "f64": ((0x7FF << 52) - 1, (0xFFF << 52) - 1),
    "f8e4m3": (0x7E, 0xFE),
    "f8e5m2": (0x7B, 0xFB),
    "f8e8m0": (0xFE, 0x7F),
}


def packed(name, codes):
    return memoryview(b"".join(code.to_bytes(ELEMENTS[name].bits // 8, "little") for code in codes))


def test_the_types_that_have_such_codes_are_these():
    assert {name for name in ELEMENTS if has_infinite_codes(ELEMENTS[name])} == set(INFINITE) == set(LARGEST)


@pytest.mark.parametrize("name", ["bf16", "f16", "f8e4m3", "f8e5m2", "f8e8m0"])
def test_every_code_alone(name):
    element = ELEMENTS[name]
    for code in range(1 << element.bits):
        found = first_not_finite(element, packed(name, [code]))
        assert found == (0 if decode(element, code) in NOT_FINITE else None)


@pytest.mark.parametrize("name", INFINITE)
@pytest.mark.parametrize("slice_of", [1, 2, 3, 1 << 20])
def test_the_first_is_found_wherever_a_slice_ends(name, slice_of, monkeypatch):
    monkeypatch.setattr(finite, "_SLICE", slice_of)
    for code in INFINITE[name]:
        for at in range(7):
            codes = [*LARGEST[name] * 4][:7]
            codes[at:] = [code] * (7 - at)
            assert first_not_finite(ELEMENTS[name], packed(name, codes)) == at
    assert first_not_finite(ELEMENTS[name], packed(name, LARGEST[name] * 10)) is None


@pytest.mark.parametrize("name", INFINITE)
def test_nothing_holds_nothing(name):
    assert first_not_finite(ELEMENTS[name], memoryview(b"")) is None


@pytest.mark.parametrize("name", ["bf16", "f32", "f64"])
def test_an_exponent_that_lacks_one_bit_is_finite(name):
    element = ELEMENTS[name]
    exponent, mantissa = element.format.exponent, element.format.mantissa
    ones = (1 << exponent) - 1
    codes = [(ones ^ 1 << bit) << mantissa | (1 << mantissa) - 1 for bit in range(exponent)]
    assert first_not_finite(element, packed(name, codes)) is None
    assert first_not_finite(element, packed(name, [*codes, ones << mantissa])) == exponent
