"""How files spell types, numbers and names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison.ir import spelling
from addison.spec.elements import ELEMENTS, NOT_NUMERIC

# What OpenVINO writes as precision, measured.
WRITTEN = {
    "bf16": "BF16",
    "f16": "FP16",
    "f32": "FP32",
    "f64": "FP64",
    "u1": "BIN",
    "boolean": "BOOL",
    "dynamic": "UNSPECIFIED",
    "string": "STRING",
    "nf4": "NF4",
    "f4e2m1": "F4E2M1",
    "f8e4m3": "F8E4M3",
    "f8e5m2": "F8E5M2",
    "f8e8m0": "F8E8M0",
    "i4": "I4",
    "i8": "I8",
    "i16": "I16",
    "i32": "I32",
    "i64": "I64",
    "u2": "U2",
    "u3": "U3",
    "u4": "U4",
    "u6": "U6",
    "u8": "U8",
    "u16": "U16",
    "u32": "U32",
    "u64": "U64",
}
ALL = {**ELEMENTS, **NOT_NUMERIC}


@pytest.mark.parametrize("name", ALL)
def test_every_type_is_written_and_read_as_precision(name):
    assert spelling.write_precision(ALL[name]) == WRITTEN[name]
    assert spelling.port_precision(WRITTEN[name]) is ALL[name]
    assert spelling.port_precision(name) is ALL[name]


@pytest.mark.parametrize("name", ALL)
def test_every_type_is_read_as_element_type_in_any_case(name):
    for spelt in (name, name.upper(), name.title()):
        assert spelling.element_type(spelt) is ALL[name]


@pytest.mark.parametrize("text", ["FP32", "BOOL", "BIN", " f32", "f32 ", "", "float", "undefine", "f32\0"])
def test_words_that_are_no_element_type(text):
    assert spelling.element_type(text) is None


@pytest.mark.parametrize("text", ["F32", "fp32", "Bool", "BOOLEAN", "MIXED", "Q78", " FP32", "FP8"])
def test_words_that_are_no_precision(text):
    assert spelling.port_precision(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("7", 7),
        ("007", 7),
        (" 7", 7),
        ("\t\n\r 7", 7),
        ("+7", 7),
        (" +7", 7),
        ("9" * 19, 10**19 - 1),
        ("0" * 5000 + "7", 7),
        ("0" * 5000, 0),
        ("9" * 40, 10**40 - 1),
        ("0" + "9" * 40, 10**40 - 1),
        ("", None),
        (" ", None),
        ("7 ", None),
        ("-7", None),
        ("-0", None),
        ("7.0", None),
        ("0x7", None),
        ("7e1", None),
        ("٧", None),
        ("²", None),
        ("７", None),
        ("1_000", None),
        ("+ 7", None),
        ("++7", None),
        ("9" * 41, None),
        ("0" + "9" * 41, None),
        ("9" * 100_000, None),
        (" " * 100_000, None),
        ("\u00a07", None),
        ("\v7", None),
        ("7\0", None),
        ("None", None),
    ],
)
def test_whole_numbers(text, number):
    assert spelling.unsigned(text) == number


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        ("a", ("a",)),
        ("a,b", ("a", "b")),
        (r"a\,b", ("a,b",)),
        (r"p\,q,z", ("p,q", "z")),
        ("a,", ("a",)),
        (",a", ("a",)),
        (",", ()),
        ("a,,b", ("a", "b")),
        (" a , b ", (" a ", " b ")),
        (r"a\b", (r"a\b",)),
        (r"\,", (",",)),
        (r"\,\,", (",,",)),
        ("a\\", ("a\\",)),
        ("größe,和", ("größe", "和")),
    ],
)
def test_names(text, names):
    assert spelling.names(text) == names


@given(st.lists(st.text("ab ,;=é和😀", min_size=1, max_size=8), max_size=5))
def test_names_whose_commas_are_escaped_come_back(listed):
    assert spelling.names(",".join(one.replace(",", "\\,") for one in listed)) == tuple(listed)
