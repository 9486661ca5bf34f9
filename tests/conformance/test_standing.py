"""Runtimes against what is recorded of them: strict both ways, and a helper that is handed wrong answers."""

import json as standard
from importlib import resources

import jsonschema
import numpy as np
import pytest

from addison import add, infer_shape
from addison.conformance import processor, runtimes
from addison.conformance.expected import Expectation, expectation
from addison.conformance.standing import held, rows, stand
from addison.conformance.vectors import made
from addison.conformance.verify import put, verify
from addison.deviations import Departure, departures, measured, paddle_shapes
from addison.report import json, standing
from addison.spec import broadcast
from addison.spec.broadcast import Clash
from addison.spec.elements import ELEMENTS
from addison.spec.shapes import Shape

WRAPS = [one for one in made() if one.id in ("sum/i8/wrap", "sum/u8/wrap", "sum/i16/wrap", "sum/i8/exact")]
PDPD = [one for one in made() if one.id.startswith("rule/pdpd/")]
NUMPY = runtimes.offer("numpy")
SATURATES = Departure("numpy", "1.0", "any", ("i8", "u8"), "any", "always", "", "saturates", "saturates", "why", (),
                      classes=("saturated",))  # fmt: skip


def saturating(a, b, *, auto_broadcast, axis):
    """The i8 and u8 sums of a runtime that saturates; every other right."""
    right = add(a, b, auto_broadcast=auto_broadcast, axis=axis)
    if a.dtype not in (np.int8, np.uint8):
        return right
    ends = np.iinfo(a.dtype)
    return np.clip(a.astype(int) + b.astype(int), ends.min, ends.max).astype(a.dtype)


def standing_of(adds, *known, strict=True, vectors=WRAPS, refused=(), whole=True, merge=broadcast.merge):
    expected = Expectation(known, (), merge, strict)
    outcomes = {name: put(next(one for one in WRAPS if one.element_type == name), adds) for name in refused}
    return held(NUMPY, NUMPY.settings, verify(adds, vectors, name="numpy", infer_shape=infer_shape), expected, outcomes,
                whole=whole)  # fmt: skip


class TestStrictness:
    def test_right_answers_of_a_runtime_of_which_nothing_is_recorded(self):
        found = standing_of(add)
        assert (found.right, found.unknown, found.gone) == (True, (), ())

    def test_a_difference_that_is_recorded_is_no_fault(self):
        found = standing_of(saturating, SATURATES)
        assert (found.right, found.unknown, found.gone) == (True, (), ())
        assert {key for key, why in found.known.items() if why} == {"sum/i8/wrap", "sum/u8/wrap"}

    def test_an_unknown_difference_is_a_fault(self):
        found = standing_of(saturating)
        assert not found.right
        assert [one.vector.id for one in found.unknown] == ["sum/i8/wrap", "sum/u8/wrap"]

    def test_a_difference_of_another_kind_than_the_recorded_is_a_fault(self):
        found = standing_of(saturating, Departure(**{**_fields(SATURATES), "classes": ("rounded-otherwise",)}))
        assert not found.right
        assert len(found.unknown) == 2

    def test_a_difference_of_another_type_than_the_recorded_is_a_fault(self):
        found = standing_of(saturating, Departure(**{**_fields(SATURATES), "types": ("u8",)}))
        assert [one.vector.id for one in found.unknown] == ["sum/i8/wrap"]

    def test_a_recorded_difference_that_is_gone_is_a_fault(self):
        found = standing_of(add, SATURATES)
        assert not found.right
        assert found.gone == ("numpy no longer saturates (i8)", "numpy no longer saturates (u8)")

    def test_a_run_of_some_vectors_cannot_tell_that_something_is_gone(self):
        found = standing_of(add, SATURATES, whole=False)
        assert (found.right, found.gone) == (True, ())

    def test_a_refused_type_that_is_taken_now_is_a_fault(self):
        found = standing_of(add, refused=("i16",))
        assert found.gone == ("an Add of i16 is no longer refused",)
        assert not found.right

    @pytest.mark.parametrize(("adds", "known"), [(saturating, ()), (add, (SATURATES,))])
    def test_on_other_versions_both_are_said_and_no_fault(self, adds, known):
        found = standing_of(adds, *known, strict=False)
        assert found.right
        assert found.unknown or found.gone

    def test_a_runtimes_own_shapes_are_expected_of_it(self):
        assert not standing_of(add, vectors=PDPD, merge=paddle_shapes.merge).right
        assert standing_of(add, vectors=PDPD, merge=paddle_shapes.merge).gone
        assert standing_of(add, vectors=PDPD).right


class TestExpectation:
    def test_a_departure_of_some_processors_is_expected_of_those(self):
        def flushes(features):
            return [
                one for one in expectation("openvino-cpu", "2026.4.1", features).departures if one.kind == "flushes"
            ]

        assert len(flushes(frozenset(["avx512_bf16"]))) == 1
        assert flushes(frozenset()) == []
        unknown = expectation("openvino-cpu", "2026.4.1", None)
        assert [one.kind for one in unknown.perhaps] == ["flushes"]

    def test_only_measured_versions_are_strict(self):
        assert expectation("openvino-cpu", "2026.4.1", None).strict
        assert not expectation("openvino-cpu", "2027.0.0", None).strict
        assert not expectation("openvino-npu", "1", None).strict
        assert measured("openvino-npu") == ()

    def test_every_runtime_that_was_measured_has_a_version(self):
        assert all(measured(name) for name in runtimes.names())

    def test_the_departures_that_vectors_show_say_how(self):
        seen = [one for one in departures("openvino-cpu") if one.when in ("always", "values")]
        assert all(one.classes for one in seen)

    def test_a_processors_features_are_read(self):
        assert processor.listed("flags\t\t: fpu avx2 avx512_bf16 ht\n") == {"avx2", "avx512_bf16"}
        assert processor.listed("Features : fp asimd sve\n") == {"asimd", "sve"}
        assert processor.listed("model name : x") is None


def test_paddles_shapes_are_those_of_the_decision_table(root):
    for line in (root / "tests/spec/pdpd_table.jsonl").read_text().splitlines():
        row = standard.loads(line)
        told = paddle_shapes.merge(Shape(*row["A"]), Shape(*row["B"]), "pdpd", row["axis"])
        found = None if isinstance(told, Clash) else list(told.shape.sizes)
        assert found == row["paddle"], row


@pytest.fixture(scope="module")
def found():
    """One vector of each class of the types that the plugin gets wrong or refuses, and of some it gets right."""
    kept = ("wrap", "exact", "wide", "infinity", "overflow", "subnormal")
    wanted = {f"sum/{name}/{kind}" for name in ("i8", "u8", "i64", "u64", "f64", "f16", "u3", "bf16") for kind in kept}
    return stand("openvino-cpu", [one for one in made() if one.id in wanted or one in PDPD[30:]])


class TestRealRuntimes:
    def test_what_the_plugin_gets_wrong_is_what_is_recorded(self, found):
        assert found.strict
        assert (found.right, found.unknown) == (True, ())
        assert expectation("openvino-cpu", found.offer.version, processor.features()).gone(found.verification) == ()
        wrong = {one.vector.id for one in found.verification.wrong}
        assert {"sum/i8/wrap", "sum/u8/wrap", "sum/i64/wide", "sum/f64/infinity"} <= wrong
        assert not {one for one in wrong if one.startswith("sum/f16/")}

    def test_the_table(self, found):
        table = dict(rows(found))
        assert table["f16"]["numpy"] == "pass"
        assert table["i8"]["numpy"] == "differs: saturated"
        assert table["u3"]["numpy"] == "not offered"
        assert set(table["f32"]["pdpd"].removeprefix("differs: ").split(", ")) == {"accepted", "refused"}

    def test_json_and_words(self, found):
        document = standard.loads(json.dumps(standing.document([found])))
        schema = standard.loads((resources.files("addison.report") / "schemas" / "standing-1.json").read_text())
        jsonschema.Draft202012Validator(schema).validate(document)
        (one,) = document["runtimes"]
        assert (one["name"], one["right"], one["settings"]) == (
            "openvino-cpu",
            True,
            {"INFERENCE_PRECISION_HINT": "f32"},
        )
        said = standing.text(found)
        assert "differs: saturated" in said
        assert "0 unknown" not in said
        page = standing.markdown([found])
        assert "| i8 | saturated |" in page
        assert "#35651" in page

    def test_numpy_on_all_vectors(self, root):
        found = stand("numpy")
        page = (root / "docs" / "conformance.md").read_text()
        assert column(page, "numpy") == column(standing.markdown([found]), "numpy")
        assert (found.unknown, found.gone) == ((), ())
        assert {name for one in found.verification.wrong for name in one.verdict.classes} == {
            "rounded-otherwise",
            "nan",
        }

    def test_its_own_reference(self):
        found = stand("openvino-reference", [one for one in made() if one.id in ("sum/bf16/rounded-up", "sum/i8/wrap")])
        assert [one.vector.id for one in found.verification.wrong] == ["sum/bf16/rounded-up"]
        assert found.unknown == ()


def test_the_page_is_of_the_versions_that_are_recorded(root):
    page = (root / "docs" / "conformance.md").read_text()
    for name in runtimes.names():
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert measured(name)[0] in section, name


def column(page, name):
    """What the page's first table says of a runtime, by type; types that the runtime was not asked about are `-`."""
    lines = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    (number,) = (i for i, cell in enumerate(lines[0]) if cell == name)
    table = {line[0]: line[number] for line in lines[1:] if len(line) == len(lines[0])}
    return {kind: table[kind] for kind in table if kind in ELEMENTS}


def _fields(departure):
    return {name: getattr(departure, name) for name in Departure.__dataclass_fields__}
