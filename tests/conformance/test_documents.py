"""Documents against their schemas, and words for people."""

import json as standard
from importlib import resources

import jsonschema
import numpy as np
import pytest

from addison import compare, engines
from addison.conformance.vectors import made, to_line
from addison.conformance.verdict import Verdict
from addison.conformance.verify import verify
from addison.report import json, verdicts, verdicts_json
from addison.report.text import Style
from tests.conformance.planted import FAULTS

NAMES = ("compare-1", "verify-1", "vector-1", "vectors-1", "vectors-list-1", "vectors-make-1")


def schema(name):
    return standard.loads((resources.files("addison.report") / "schemas" / f"{name}.json").read_text())


def held(document, name):
    """The document as another program reads it, once it fits its schema."""
    read = standard.loads(json.dumps(document))
    jsonschema.Draft202012Validator(schema(name)).validate(read)
    return read


@pytest.fixture(scope="module")
def wrong():
    add, element_type, _ = FAULTS["saturating u8"]
    return verify(add, [one for one in made() if one.element_type == element_type], name="wrong")


@pytest.mark.parametrize("name", NAMES)
def test_the_schemas_are_schemas(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))


def test_every_line_fits():
    checker = jsonschema.Draft202012Validator(schema("vector-1"))
    for vector in made():
        checker.validate(standard.loads(to_line(vector)))


@pytest.mark.parametrize(
    "spoilt", [{"sum": "0"}, {"kind": "error"}, {"kind": "shape"}, {"extra": 1}, {"error": "clash"}]
)
def test_a_line_that_does_not_fit_is_refused(spoilt):
    line = standard.loads(to_line(made()[0])) | spoilt
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(line, schema("vector-1"))


def test_the_index_fits(root):
    jsonschema.validate(standard.loads((root / "vectors" / "index.json").read_text()), schema("vectors-1"))


def test_compare():
    a, b = np.float32([1, 2, np.nan]), np.float32([1, 3, 4])
    read = held(verdicts_json.compare("a", "b", compare(a, b)), "compare-1")["verdict"]
    assert (read["differing"], read["first"], read["found"], read["wanted"]) == (2, [1], "0x40000000", "0x40400000")
    assert (read["classes"], read["largest"]) == ({"other": 1, "nan": 1}, str(0x400000))
    read = held(verdicts_json.compare("a", "b", compare("engine:oracle", "engine:reference")), "compare-1")["verdict"]
    assert (read["same"], read["parts"], read["compared"] > 500) == (True, [], True)
    held(verdicts_json.compare("a", "b", compare(np.uint64([2**64 - 1]), np.uint64([0]))), "compare-1")
    held(verdicts_json.compare("a", "b", compare(a, a.astype("f8"))), "compare-1")


def test_verify(wrong):
    right = verify(engines.get("reference").add, made()[:40], name="reference")
    read = held(verdicts_json.verify([right, wrong]), "verify-1")
    assert (read["right"], [one["right"] for one in read["reports"]]) == (False, [True, False])
    (outcome,) = read["reports"][1]["wrong"]
    assert (outcome["id"], outcome["result"]) == ("sum/u8/wrap", "differs")
    assert set(outcome["verdict"]["classes"]) == {"saturated"}
    cells = {(one["element_type"], one["auto_broadcast"]): one for one in read["reports"][1]["table"]}
    assert cells["u8", "numpy"]["kinds"] == {"saturated": 1}


def test_lists():
    read = held(verdicts_json.listing(made()[:3]), "vectors-list-1")
    assert [one["id"] for one in read["vectors"]] == [one.id for one in made()[:3]]
    held(verdicts_json.written("x", ["a"]), "vectors-make-1")


def test_words_of_a_verdict():
    text = verdicts.verdict(compare(np.float32([[1, np.inf]]), np.float32([[1, 3]])))
    assert text.splitlines() == [
        "1 of 2 elements of f32 [1,2] differs",
        "  first at [0,1]: inf (0x7f800000), wanted 3.0 (0x40400000)",
        "  1 infinite on one side only, or of the other sign",
    ]
    assert verdicts.verdict(compare(np.float32([1]), np.float32([1]))) == "1 element of f32 the same, bit for bit"
    text = verdicts.verdict(compare(np.float32([1, 5]), np.float32([1 + 2**-23, 9]), ulps=3))
    assert text.startswith("1 of 2 elements of f32 [2] differs by more than 3 ulps; 1 within")
    assert "\x1b[" in verdicts.verdict(compare(np.float32([1]), np.float32([2])), Style(True))


def test_names_of_parts_are_escaped_and_the_list_has_an_end():
    parts = tuple((f"\x1b[31m{i}", Verdict(mismatch="\x1b[2J")) for i in range(30))
    text = verdicts.verdict(Verdict(parts=parts))
    assert "\x1b" not in text
    assert text.splitlines()[-2:] == ["and 10 more", "30 of 30 differ"]


def test_words_of_a_table(wrong):
    text = verdicts.verification(wrong)
    assert "1 of 8: saturated" in text
    assert text.splitlines()[-1].startswith("1 of ")
    assert "sum/u8/wrap: differs: 13 of 13 elements differ: 13 saturated instead of wrapped" in text
    text = verdicts.verification(verify(engines.get("oracle").add, made()[:3], name="oracle", offers=lambda _: "no"))
    assert text.splitlines()[-1] == "all as the specification has it; 3 not offered"
    assert verdicts.vectors([]) == "no vectors"
