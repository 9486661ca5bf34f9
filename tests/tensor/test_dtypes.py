"""Element types and NumPy dtypes."""

import ml_dtypes
import numpy as np
import pytest

from addison import ElementType, Unsupported
from addison.tensor.dtypes import array_dtype, code_dtype, codes_of, dtype_of, element_of, from_codes
from tests.same_bits import DTYPES, NAMES, WITHOUT_DTYPE


@pytest.mark.parametrize("name", DTYPES)
def test_each_type_has_its_dtype_in_either_byte_order(name):
    element, dtype = ElementType.parse(name), DTYPES[name]
    assert dtype_of(element) == array_dtype(element) == dtype
    assert element_of(dtype) is element
    assert element_of(dtype.newbyteorder()) is element


@pytest.mark.parametrize("name", WITHOUT_DTYPE)
def test_three_types_have_no_dtype_and_uint8_codes(name):
    assert dtype_of(ElementType.parse(name)) is None
    assert array_dtype(ElementType.parse(name)) == np.uint8


def test_c_names_of_64_bits_are_i64_and_u64():
    assert [element_of(np.dtype(kind)).name for kind in (np.longlong, np.ulonglong, np.intp)] == ["i64", "u64", "i64"]


REFUSED = {
    "bool": (np.bool_, "boolean", ""),
    "complex64": (np.complex64, "complex", ""),
    "complex128": (np.complex128, "complex", ""),
    "object": (object, "object", ""),
    "str": ("U3", "string", ""),
    "bytes": ("S3", "bytes", ""),
    "StringDType": (np.dtypes.StringDType(), "string", ""),
    "datetime": ("M8[s]", "datetime", ""),
    "timedelta": ("m8[s]", "timedelta", ""),
    "structured": ([("x", "f4")], "structured", ""),
    "void": ("V2", "void", ""),
    "longdouble": (np.longdouble, "longdouble", "float64"),
    "clongdouble": (np.clongdouble, "complex", ""),
    "float8_e4m3": (ml_dtypes.float8_e4m3, "float8_e4m3", "float8_e4m3fn"),
    "float8_e4m3fnuz": (ml_dtypes.float8_e4m3fnuz, "float8_e4m3fnuz", "float8_e4m3fn"),
    "float8_e4m3b11fnuz": (ml_dtypes.float8_e4m3b11fnuz, "float8_e4m3b11fnuz", "float8_e4m3fn"),
    "float8_e5m2fnuz": (ml_dtypes.float8_e5m2fnuz, "float8_e5m2fnuz", "float8_e5m2"),
    "float8_e3m4": (ml_dtypes.float8_e3m4, "float8_e3m4", ""),
    "int2": (ml_dtypes.int2, "int2", "uint2"),
    "int1": (ml_dtypes.int1, "int1", "uint1"),
    "float6": (ml_dtypes.float6_e2m3fn, "float6_e2m3fn", ""),
}


@pytest.mark.parametrize(("dtype", "word", "near"), REFUSED.values(), ids=REFUSED)
def test_other_dtypes_are_refused_by_name(dtype, word, near):
    with pytest.raises(Unsupported) as refused:
        element_of(np.dtype(dtype))
    assert refused.value.fields == {"dtype": str(np.dtype(dtype))}
    assert str(refused.value).startswith(word)
    if near:
        assert refused.value.help == f"the nearest type that Add-1 has is {near}"
    else:
        assert set(NAMES) < set(refused.value.help.split())


@pytest.mark.parametrize("name", NAMES)
def test_codes_of_an_array_and_back(name):
    element = ElementType.parse(name)
    codes = np.arange(6, dtype=code_dtype(element)).reshape(2, 3) & (2**element.bits - 1)
    array = from_codes(codes, element)
    assert array.dtype == array_dtype(element)
    for layout in (array, array.astype(array.dtype.newbyteorder()), np.asfortranarray(array), array[::-1].copy()[::-1]):
        found = codes_of(layout, element)
        assert found.dtype == code_dtype(element)
        assert found.tolist() == codes.tolist()
        assert found.flags.c_contiguous


@pytest.mark.parametrize("name", NAMES)
def test_rank_0_and_no_elements_keep_their_shape(name):
    element = ElementType.parse(name)
    for shape in ((), (0,), (2, 0, 3)):
        codes = np.zeros(shape, code_dtype(element))
        assert from_codes(codes, element).shape == shape
        assert codes_of(from_codes(codes, element), element).shape == shape


def test_bits_above_a_small_element_are_dropped():
    assert codes_of(np.array([0xF5, 0x05], np.uint8).view(ml_dtypes.uint4), ElementType.parse("u4")).tolist() == [5, 5]
    assert codes_of(np.array([0xFF], np.uint8), ElementType.parse("u3")).tolist() == [7]
