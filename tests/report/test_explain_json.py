"""Explanations as JSON, held against their schema and against numbers written here."""

import json as standard
import re
from fractions import Fraction

import jsonschema
import pytest
from hypothesis import given

from addison import explain
from addison.reasons.pages import codes
from addison.report import json
from addison.report.explain_json import document
from tests.report.test_json import held, schema
from tests.same_bits import NAMES
from tests.strategies import shapes


def read(*what, **rule):
    return held(document(explain(*what, **rule)), "explain-1")


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema("explain-1"))


def test_a_document_of_no_kind_is_refused():
    with pytest.raises(jsonschema.ValidationError):
        held({"schema": "addison/explain/1", "kind": "joke"}, "explain-1")


def test_a_sum():
    found = read("bf16", "692", "0x4434")
    assert (found["kind"], found["element_type"]) == ("sum", "bf16")
    assert found["exact_sum"] == {"fraction": "1412", "decimal": "1412", "exact": True}
    assert found["rounding"]["decision"] == "tie"
    assert (found["rounding"]["below"]["code"], found["rounding"]["above"]["code"]) == ("0x44b0", "0x44b1")
    assert found["a"]["rounding"]["decision"] == "exact"
    assert (found["b"]["written"], found["b"]["rounding"]) == ("0x4434", None)
    assert found["result"]["bits"] == "0100010010110000"
    assert found["result"]["parts"][1] == {"name": "exponent", "high": 14, "low": 7, "bits": "10001001", "says": "2^10"}


def test_a_step_that_is_not_there_has_no_code():
    found = read("f8e4m3", 448, 32)["rounding"]
    assert found["above"] == {"code": None, "value": {"fraction": "480", "decimal": "480", "exact": True}}


def test_what_is_no_number_has_no_fraction():
    found = read("f16", "inf", "-inf")
    assert found["a"]["value"] == {"fraction": None, "decimal": "inf", "exact": True}
    assert found["exact_sum"] == {"fraction": None, "decimal": "nan", "exact": True}
    assert found["rounding"]["below"] is None


def test_fractions_are_exact_where_decimals_are_rounded():
    value = read("f64", "0x1")["value"]["value"]
    assert (Fraction(value["fraction"]), value["decimal"], value["exact"]) == (
        Fraction(1, 2**1074),
        "4.9406564584124654e-324",
        False,
    )


def test_the_largest_numbers_there_are():
    found = read("f64", "9" * 900 + "e2000", "0x1")
    assert found["a"]["rounding"]["decision"] == "overflow"
    assert Fraction(found["a"]["rounding"]["of"]["fraction"]) == Fraction("9" * 900 + "e2000")


@pytest.mark.parametrize("name", NAMES)
def test_types(name):
    found = read(name)
    assert found["name"] == name
    assert len(found["values"]) == 2 ** found["bits"] or not found["complete"]
    assert all(re.fullmatch(r"0x[0-9a-f]+", one["code"]) for one in found["values"])
    assert len(found["layout"]["bytes"]) * 8 == found["layout"]["elements"] * found["bits"]


def test_a_rule():
    found = read("pdpd")
    assert (found["name"], found["example"]["shape"], found["example"]["axis"]) == ("pdpd", "2,3,4,5", 1)


def test_a_clash():
    found = read((2, None, 4), (5, 3, 2))
    assert (found["shape"], found["a"]) == (None, "2,?,4")
    assert found["clash"] == "axis -1: 4 against 2, and neither is 1; axis -3: 2 against 5, and neither is 1"
    assert [one["why"] for one in found["columns"]] == ["clash", "interval", "clash"]
    assert found["suggestions"][0]["b"] == "1,3,1"


@given(shapes(), shapes())
def test_any_shapes(a, b):
    for rule in ("none", "numpy", "pdpd"):
        assert read(a, b, auto_broadcast=rule)["auto_broadcast"] == rule


def test_every_page():
    for code in codes():
        assert read(code)["code"] == code


def test_nothing_but_ascii_leaves():
    printed = json.dumps(document(explain("2,3", "2,4")))
    assert printed.isascii()
    assert standard.loads(printed)["kind"] == "shapes"
