"""One element and its bits: tables written out, and decoders made by others."""

import math
import struct
from fractions import Fraction

import gfloat
import gfloat.formats
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import ElementType
from addison.spec.bits import Special, decode, encode, from_python_float, largest_magnitude
from tests.same_bits import DTYPES, NAMES, array_of
from tests.strategies import codes

GFLOAT = {
    "bf16": gfloat.formats.format_info_bfloat16,
    "f16": gfloat.formats.format_info_binary16,
    "f8e4m3": gfloat.formats.format_info_ocp_e4m3,
    "f8e5m2": gfloat.formats.format_info_ocp_e5m2,
    "f8e8m0": gfloat.formats.format_info_ocp_e8m0,
    "f4e2m1": gfloat.formats.format_info_ocp_e2m1,
    "f32": gfloat.formats.format_info_binary32,
    "f64": gfloat.formats.format_info_binary64,
}
STRUCT = {"f16": "<e", "f32": "<f", "f64": "<d"}

NF4 = (
    -1,
    -0.6961928009986877,
    -0.5250730514526367,
    -0.39491748809814453,
    -0.28444138169288635,
    -0.18477343022823334,
    -0.09105003625154495,
    0,
    0.07958029955625534,
    0.16093020141124725,
    0.24611230194568634,
    0.33791524171829224,
    0.44070982933044434,
    0.5626170039176941,
    0.7229568362236023,
    1,
)
F4E2M1 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0)


def as_float(value):
    """A decoded value as a Python float; exact for every type there is."""
    return float(value.value) if isinstance(value, Special) else float(value)


def same_float(x, y):
    return (math.isnan(x) and math.isnan(y)) or (x == y and math.copysign(1, x) == math.copysign(1, y))


def decoded(name, code):
    return as_float(decode(ElementType.parse(name), code))


@pytest.mark.parametrize(("name", "table"), [("nf4", NF4), ("f4e2m1", F4E2M1)])
def test_value_tables(name, table):
    assert all(same_float(decoded(name, code), value) for code, value in enumerate(table))


@pytest.mark.parametrize(
    ("name", "code", "value"),
    [
        ("f8e4m3", 0x7E, 448),
        ("f8e4m3", 0x01, 2**-9),
        ("f8e4m3", 0x7F, math.nan),
        ("f8e4m3", 0xFF, math.nan),
        ("f8e4m3", 0x78, 256),
        ("f8e4m3", 0x08, 2**-6),
        ("f8e4m3", 0x38, 1),
        ("f8e4m3", 0x80, -0.0),
        ("f8e5m2", 0x7B, 57344),
        ("f8e5m2", 0x01, 2**-16),
        ("f8e5m2", 0x7C, math.inf),
        ("f8e5m2", 0xFC, -math.inf),
        ("f8e5m2", 0x7D, math.nan),
        ("f8e5m2", 0x7E, math.nan),
        ("f8e5m2", 0x7F, math.nan),
        ("f8e5m2", 0xFD, math.nan),
        ("f8e8m0", 0x00, 2**-127),
        ("f8e8m0", 0x7F, 1),
        ("f8e8m0", 0xFE, 2**127),
        ("f8e8m0", 0xFF, math.nan),
        ("f16", 0x7BFF, 65504),
        ("f16", 0x0001, 2**-24),
        ("f16", 0x7C00, math.inf),
        ("bf16", 0x3F80, 1),
        ("bf16", 0x7F7F, 255 * 2.0**120),
        ("bf16", 0x0001, 2.0**-133),
        ("f32", 0x00000001, 2.0**-149),
        ("f64", 0x0000000000000001, 5e-324),
        ("f64", 0x7FEFFFFFFFFFFFFF, 1.7976931348623157e308),
    ],
)
def test_ends_of_the_float_types(name, code, value):
    assert same_float(decoded(name, code), value)


@pytest.mark.parametrize("name", [name for name in NAMES if name[0] in "iu"])
@given(data=st.data())
def test_integers_are_twos_complement(name, data):
    code = data.draw(codes(name))
    bits = int(name[1:])
    assert decode(ElementType.parse(name), code) == (
        code - 2**bits if name[0] == "i" and code >= 2 ** (bits - 1) else code
    )


@pytest.mark.parametrize("name", GFLOAT)
def test_gfloat_decodes_alike(name):
    bits = ElementType.parse(name).bits
    step = 1 if bits <= 8 else 7 if bits == 16 else 2**bits // 4999 | 1  # odd, so that every bit moves
    for code in range(0, 2**bits, step):
        assert same_float(decoded(name, code), gfloat.decode_float(GFLOAT[name], code).fval), hex(code)


@pytest.mark.parametrize("name", STRUCT)
@given(data=st.data())
def test_struct_decodes_alike(name, data):
    code = data.draw(codes(name))
    (value,) = struct.unpack(STRUCT[name], code.to_bytes(ElementType.parse(name).bits // 8, "little"))
    assert same_float(decoded(name, code), value)


@pytest.mark.parametrize("name", ["bf16", "f16", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "i4", "u4", "u2", "u1"])
def test_ml_dtypes_and_numpy_decode_every_code_alike(name):
    every = np.arange(2 ** ElementType.parse(name).bits)
    with np.errstate(invalid="ignore"):
        theirs = array_of(name, every).astype(np.float64).tolist()
    assert all(same_float(decoded(name, code), value) for code, value in zip(every.tolist(), theirs, strict=True))


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_a_value_encodes_to_its_own_code(name, data):
    element = ElementType.parse(name)
    code = data.draw(codes(name))
    value = decode(element, code)
    assert encode(element, value) == (element.nan if value is Special.NAN else code)


CANONICAL = {
    "f16": 0x7E00,
    "bf16": 0x7FC0,
    "f32": 0x7FC00000,
    "f64": 0x7FF8000000000000,
    "f8e4m3": 0x7F,
    "f8e5m2": 0x7E,
    "f8e8m0": 0xFF,
}


@pytest.mark.parametrize("name", NAMES)
def test_canonical_nans(name):
    element = ElementType.parse(name)
    assert element.nan == CANONICAL.get(name)
    if name in CANONICAL:
        assert encode(element, Special.NAN) == CANONICAL[name]


@pytest.mark.parametrize("name", ["f4e2m1", "nf4"])
def test_a_type_without_nan_refuses_it(name):
    with pytest.raises(ValueError, match=f"{name} has no NaN"):
        encode(ElementType.parse(name), Special.NAN)


INFINITY, NAN = Special.PLUS_INFINITY, Special.NAN
BOUNDARIES = [  # (type, value, what it becomes)
    ("f8e4m3", 464, 448),
    ("f8e4m3", 464 + Fraction(1, 10**9), NAN),
    ("f8e4m3", INFINITY, NAN),
    ("f8e4m3", Fraction(3, 2) * 2**-9, 2 * 2**-9),
    ("f8e4m3", Fraction(1, 2) * 2**-9, 0),
    ("f8e4m3", Fraction(1, 2) * 2**-9 + Fraction(1, 2**60), 2**-9),
    ("f8e4m3", 17, 16),
    ("f8e4m3", 19, 20),
    ("f8e5m2", 61440, INFINITY),
    ("f8e5m2", 61440 - Fraction(1, 10**9), 57344),
    ("f8e5m2", INFINITY, INFINITY),
    ("f8e5m2", Fraction(1, 2) * 2**-16, 0),
    ("f8e5m2", Fraction(3, 2) * 2**-16, 2 * 2**-16),
    ("f8e5m2", 9, 8),
    ("f4e2m1", 5, 4),
    ("f4e2m1", Fraction(5, 2), 2),
    ("f4e2m1", Fraction(7, 2), 4),
    ("f4e2m1", 7, 6),
    ("f4e2m1", 10**9, 6),
    ("f4e2m1", INFINITY, 6),
    ("f4e2m1", Fraction(1, 4), 0),
    ("f4e2m1", Fraction(3, 4), 1),
    ("f4e2m1", Fraction(5, 4), 1),
    ("f4e2m1", Fraction(7, 4), 2),
    ("f16", 65519, 65504),
    ("f16", 65520, INFINITY),
    ("f16", 2049, 2048),
    ("f16", 2051, 2052),
    ("f16", Fraction(1, 2**25), 0),
    ("f16", Fraction(3, 2**25), Fraction(2, 2**24)),
    ("bf16", 257, 256),
    ("bf16", 259, 260),
    ("bf16", 1 + Fraction(1, 256), 1),
    ("bf16", 1 + Fraction(3, 256), 1 + Fraction(1, 64)),
    ("bf16", 511 * 2**119, INFINITY),
    ("bf16", 511 * 2**119 - 1, 255 * 2**120),
    ("bf16", Fraction(1, 2**134), 0),
    ("f32", 2**24 + 1, 2**24),
    ("f32", 2**24 + 3, 2**24 + 4),
    ("f32", 2**128 - 2**103, INFINITY),
    ("f32", 2**128 - 2**103 - 1, 2**128 - 2**104),
    ("f32", Fraction(1, 2**150), 0),
    ("f64", 2**53 + 1, 2**53),
    ("f64", 2**53 + 3, 2**53 + 4),
    ("f64", 2**1024 - 2**970, INFINITY),
    ("f64", 2**1024 - 2**970 - 1, 2**1024 - 2**971),
    ("f64", Fraction(1, 2**1075), 0),
]


@pytest.mark.parametrize(("name", "value", "becomes"), BOUNDARIES)
@pytest.mark.parametrize("sign", [1, -1], ids=["+", "-"])
def test_rounding_boundaries(name, value, becomes, sign):
    element = ElementType.parse(name)
    opposite = {INFINITY: Special.MINUS_INFINITY, NAN: NAN, 0: Special.MINUS_ZERO}
    if sign < 0:
        value = opposite[value] if isinstance(value, Special) else -value
        becomes = opposite.get(becomes) or -becomes
    code = encode(element, value if isinstance(value, Special) else Fraction(value))
    if becomes is NAN:
        code &= ~(1 << (element.bits - 1))  # a NaN made by overflow may keep the sign
    assert decode(element, code) == becomes


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (Fraction(3, 2), 0x80),
        (3, 0x80),
        (6, 0x82),
        (Fraction(3, 4), 0x7E),  # halfway: the even code, up or down
        (Fraction(149, 100), 0x7F),
        (Fraction(151, 100), 0x80),
        (0, 0),
        (-1, 0),
        (Special.MINUS_ZERO, 0),
        (Special.MINUS_INFINITY, 0),
        (INFINITY, 0xFE),
        (NAN, 0xFF),
        (2**128, 0xFE),
        (3 * 2**127, 0xFE),
        (Fraction(1, 2**127), 0),
        (Fraction(1, 2**140), 0),
        (Fraction(3, 2**128), 0),
        (Fraction(301, 2**134), 1),
    ],
)
def test_f8e8m0_takes_the_nearest_power(value, code):
    assert encode(ElementType.parse("f8e8m0"), value if isinstance(value, Special) else Fraction(value)) == code


def test_nf4_takes_the_nearest_level_and_the_lower_at_a_tie():
    element = ElementType.parse("nf4")
    tiny = Fraction(1, 10**12)
    for code in range(15):
        middle = (Fraction(NF4[code]) + Fraction(NF4[code + 1])) / 2
        assert [encode(element, middle + step) for step in (-tiny, 0, tiny)] == [code, code, code + 1]


@pytest.mark.parametrize(
    ("value", "code"), [(2, 15), (-2, 0), (INFINITY, 15), (Special.MINUS_INFINITY, 0), (Special.MINUS_ZERO, 7), (0, 7)]
)
def test_nf4_saturates_and_has_one_zero(value, code):
    assert encode(ElementType.parse("nf4"), value if isinstance(value, Special) else Fraction(value)) == code


SMALL_FLOATS = ("f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "nf4", "f16", "bf16")


@pytest.mark.parametrize("name", [name for name in SMALL_FLOATS if name in GFLOAT and name != "f8e8m0"])
@given(
    value=st.floats(allow_nan=False)
    | st.floats(-500, 500)
    | st.floats(-(2**-5), 2**-5)
    | st.floats(-70000, 70000)
    | st.integers(-(2**12), 2**12).map(lambda n: n / 64)
)
def test_gfloat_rounds_alike(name, value):
    theirs = gfloat.round_float(GFLOAT[name], value, sat=name == "f4e2m1")
    assert same_float(decoded(name, encode(ElementType.parse(name), from_python_float(value))), theirs)


@given(value=st.floats(2.0**-126, 2.0**127) | st.integers(-126, 126).map(lambda k: 1.5 * 2.0**k))
def test_gfloat_rounds_to_the_same_power(value):
    theirs = gfloat.round_float(GFLOAT["f8e8m0"], value)
    assert decoded("f8e8m0", encode(ElementType.parse("f8e8m0"), Fraction(value))) == theirs


@pytest.mark.parametrize("name", ["f16", "f32"])
@given(value=st.floats(allow_nan=False) | st.floats(-70000, 70000) | st.floats(-(2**-12), 2**-12))
def test_numpy_rounds_alike(name, value):
    with np.errstate(all="ignore"):
        theirs = np.float64(value).astype(DTYPES[name]).view(f"u{DTYPES[name].itemsize}")
    assert encode(ElementType.parse(name), from_python_float(value)) == theirs


@given(value=st.floats(width=32, allow_nan=False))
def test_ml_dtypes_rounds_f32_to_bf16_alike(value):
    theirs = np.float32(value).astype(ml_dtypes.bfloat16).view("u2")
    assert encode(ElementType.parse("bf16"), from_python_float(value)) == theirs


@pytest.mark.parametrize("name", [name for name in SMALL_FLOATS if ElementType.parse(name).bits <= 8])
@given(data=st.data())
def test_no_other_code_is_nearer(name, data):
    element = ElementType.parse(name)
    finite = [value for code in range(2**element.bits) if not isinstance(value := decode(element, code), Special)]
    value = data.draw(st.fractions(min(finite), max(finite)))
    result = decode(element, encode(element, value))
    distance = abs(value) if result is Special.MINUS_ZERO else abs(value - result)
    assert distance == min(abs(value - other) for other in finite)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("f16", 0x7BFF),
        ("bf16", 0x7F7F),
        ("f8e4m3", 0x7E),
        ("f8e5m2", 0x7B),
        ("f4e2m1", 0x7),
        ("f32", 0x7F7FFFFF),
        ("f64", 0x7FEFFFFFFFFFFFFF),
    ],
)
def test_largest_magnitude(name, code):
    assert largest_magnitude(ElementType.parse(name)) == code


@pytest.mark.parametrize(("name", "code"), [("u4", 16), ("u4", -1), ("f16", 65536)])
def test_what_is_no_code_is_refused(name, code):
    with pytest.raises(ValueError, match="is no code"):
        decode(ElementType.parse(name), code)


@given(value=st.floats())
def test_python_floats_lose_nothing(value):
    assert same_float(as_float(from_python_float(value)), value)
