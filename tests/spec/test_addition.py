"""The sum of two elements: every pair against libraries that know the type, and sums written out."""

from fractions import Fraction

import gfloat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import ElementType
from addison.spec.addition import add_codes, canonical, exact_sum, is_nan
from addison.spec.bits import Special
from tests.every_pair import every_code, sums_of_every_pair
from tests.same_bits import DTYPES, SMALL, WIDE, array_of, assert_same_codes, code_dtype
from tests.spec.test_bits import GFLOAT, NF4
from tests.strategies import many_pairs

NAN, INFINITY, MINUS_INFINITY, MINUS_ZERO = (
    Special.NAN,
    Special.PLUS_INFINITY,
    Special.MINUS_INFINITY,
    Special.MINUS_ZERO,
)
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("a", "b", "total"),
    [
        (NAN, HALF, NAN),
        (NAN, NAN, NAN),
        (NAN, INFINITY, NAN),
        (INFINITY, MINUS_INFINITY, NAN),
        (INFINITY, INFINITY, INFINITY),
        (MINUS_INFINITY, MINUS_INFINITY, MINUS_INFINITY),
        (INFINITY, HALF, INFINITY),
        (MINUS_INFINITY, MINUS_ZERO, MINUS_INFINITY),
        (MINUS_ZERO, MINUS_ZERO, MINUS_ZERO),
        (MINUS_ZERO, Fraction(0), Fraction(0)),
        (MINUS_ZERO, HALF, HALF),
        (HALF, -HALF, Fraction(0)),
        (HALF, Fraction(1, 3), Fraction(5, 6)),
        (2**70, 1, 2**70 + 1),
    ],
)
def test_exact_sums(a, b, total):
    assert exact_sum(a, b) == exact_sum(b, a) == total


def theirs(name):
    """Every sum of two codes as NumPy or ml_dtypes has it."""
    every = array_of(name, every_code(name))
    with np.errstate(all="ignore"):
        return (every[:, None] + every).view(np.uint8) & np.uint8(2 ** ElementType.parse(name).bits - 1)


@pytest.mark.parametrize("name", [name for name in SMALL if name in DTYPES and name != "f8e8m0"])
def test_every_pair_has_the_sum_of_ml_dtypes(name):
    assert_same_codes(name, sums_of_every_pair(name), theirs(name))


def test_ml_dtypes_departs_from_f8e8m0_in_255_known_pairs():
    """Neighbours add up to a tie: it goes up always, where the even code is asked for. Past the end it gives NaN, where
    the type saturates."""
    apart = {(int(a), int(b)) for a, b in np.argwhere(sums_of_every_pair("f8e8m0") != theirs("f8e8m0"))}
    even = range(2, 0xFF, 2)
    assert apart == {(code, code - 1) for code in even} | {(code - 1, code) for code in even} | {(0xFE, 0xFE)}
    assert len(apart) == 255


@pytest.mark.parametrize("name", ["i4", "i8", "u1", "u2", "u3", "u4", "u6", "u8"])
def test_every_pair_of_integers_wraps(name):
    every = every_code(name).astype(int)
    assert_same_codes(name, sums_of_every_pair(name), (every[:, None] + every) % 2 ** int(name[1:]))


def test_every_pair_of_nf4_goes_to_the_nearest_level():
    levels = [Fraction(level) for level in NF4]
    for a, row in enumerate(sums_of_every_pair("nf4").tolist()):
        for b, code in enumerate(row):
            assert code == min(range(16), key=lambda one: (abs(levels[a] + levels[b] - levels[one]), one))


@pytest.mark.parametrize("name", ["f8e4m3", "f8e5m2", "f4e2m1"])
def test_every_pair_has_the_sum_of_gfloat(name):
    form = GFLOAT[name]
    values = [gfloat.decode_float(form, code).fval for code in range(2**form.k)]
    for a, row in enumerate(sums_of_every_pair(name).tolist()):
        for b, code in enumerate(row):
            wanted = gfloat.encode_float(form, gfloat.round_float(form, values[a] + values[b], sat=name == "f4e2m1"))
            element = ElementType.parse(name)
            assert canonical(element, code) == canonical(element, wanted), (a, b)


@pytest.mark.parametrize("name", WIDE)
@given(data=st.data())
def test_numpy_and_ml_dtypes_have_the_same_sums(name, data):
    a, b = data.draw(many_pairs(name))
    ours = np.array([add_codes(ElementType.parse(name), x, y) for x, y in zip(a, b, strict=True)], code_dtype(name))
    with np.errstate(all="ignore"):
        assert_same_codes(name, ours, (array_of(name, a) + array_of(name, b)).view(code_dtype(name)))


@pytest.mark.parametrize(
    ("name", "a", "b", "total"),
    [
        ("i8", 0x7F, 0x01, 0x80),
        ("u1", 1, 1, 0),
        ("u3", 7, 7, 6),
        ("i4", 0x8, 0xF, 0x7),
        ("u64", 2**64 - 1, 2, 1),
        ("f16", 0x7BFF, 0x7BFF, 0x7C00),
        ("bf16", 0x7F7F, 0x7F7F, 0x7F80),
        ("f8e4m3", 0x7E, 0x58, 0x7E),
        ("f8e4m3", 0x7E, 0x60, 0x7F),
        ("f8e5m2", 0x7B, 0x7B, 0x7C),
        ("f4e2m1", 7, 7, 7),
        ("f4e2m1", 0xF, 0xF, 0xF),
        ("f8e8m0", 0x7F, 0x7F, 0x80),
        ("f8e8m0", 0x7F, 0x7E, 0x80),
        ("f8e8m0", 0x80, 0x7F, 0x80),
        ("nf4", 15, 15, 15),
        ("f8e8m0", 0xFE, 0xFE, 0xFE),
        ("f8e8m0", 0xFF, 0x00, 0xFF),
        ("f32", 0x80000000, 0x80000000, 0x80000000),
        ("f32", 0x80000000, 0x00000000, 0x00000000),
        ("f32", 0x00000001, 0x80000001, 0x00000000),
        ("f32", 0x7F800000, 0xFF800000, 0x7FC00000),
        ("f16", 0x0001, 0x0001, 0x0002),
        ("f4e2m1", 0x8, 0x8, 0x8),
    ],
)
def test_sums_written_out(name, a, b, total):
    assert add_codes(ElementType.parse(name), a, b) == add_codes(ElementType.parse(name), b, a) == total


@pytest.mark.parametrize("name", SMALL)
def test_canonical_maps_nans_to_one_code_and_leaves_the_rest(name):
    element = ElementType.parse(name)
    nans = {"f8e4m3": {0x7F, 0xFF}, "f8e5m2": {0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF}, "f8e8m0": {0xFF}}.get(name, set())
    assert {code for code in range(2**element.bits) if is_nan(element, code)} == nans
    assert all(canonical(element, code) == (element.nan if code in nans else code) for code in range(2**element.bits))
