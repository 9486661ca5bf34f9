"""Audits of models that OpenVINO makes, in its CPU plugin. What is right is worked out here, by hand or by NumPy."""

import json as standard
from importlib import resources

import jsonschema
import numpy as np
import openvino
import pytest

from addison import InvalidInput, Tensor, Unsupported, engines, read_model
from addison.conformance.audit import _Work, audit
from addison.conformance.feeding import feeds
from addison.conformance.runtimes.process import Crashed, Refused
from addison.conformance.sites import sites
from addison.report import audit as words
from addison.report import audit_html, audit_json, json
from addison.spec.shapes import Shape
from tests.conformance import audited

T = openvino.Type


SHAPES = {"image": Shape(1, 3, 8, 8), "rows": Shape(1)}


def row_of(found, path):
    (row,) = (one for one in found.rows if one.site.path == path)
    return row


def outcomes(found):
    return {row.site.path: (row.outcome, row.known) for row in found.rows}


@pytest.fixture(scope="module")
def saturating(tmp_path_factory):
    """i8 sums that the plugin saturates: 100 + 100 is 127 there, and -56 as specified."""
    folder = tmp_path_factory.mktemp("saturating")
    path = audited.saved(folder, audited.sums(T.i8))
    return audit(path, given=audited.inputs(folder, a=np.int8([100, 1, -128, 3]), b=np.int8([100, 2, -1, 4])))


class TestWrongAnswers:
    def test_i8_saturates_and_that_is_known(self, saturating):
        assert outcomes(saturating) == {"first": ("wrong", True), "second": ("wrong", True)}
        verdict = row_of(saturating, "first").held.verdict
        assert (verdict.differing, verdict.first, dict(verdict.classes)) == (2, (0,), {"saturated": 2})
        assert (np.int8(verdict.found), np.uint8(verdict.wanted).view(np.int8)) == (127, -56)
        assert [one.kind for one in row_of(saturating, "first").site.hazards] == ["saturates"]
        assert saturating.first.site.path == "first"
        assert not saturating.right

    def test_each_add_is_judged_by_the_operands_that_it_had(self, saturating):
        """127 + 100 saturates again, and the second Add is not blamed for the first one's mistake."""
        verdict = row_of(saturating, "second").held.verdict
        assert (verdict.differing, np.uint8(verdict.wanted).view(np.int8)) == (2, np.uint8(227).view(np.int8))

    def test_a_64_bit_sum_that_is_cut(self, tmp_path):
        path = audited.saved(tmp_path, audited.sums(T.i64, (2,)))
        found = audit(path, given=audited.inputs(tmp_path, a=np.int64([2**40, 5]), b=np.int64([1, 6])))
        row = row_of(found, "first")
        assert (row.outcome, row.known) == ("wrong", True)
        assert (row.held.verdict.found, row.held.verdict.wanted) == (1, 2**40 + 1)
        assert row.held.verdict.differing == 1

    def test_a_constant_that_is_clamped(self, tmp_path):
        path = audited.saved(tmp_path, audited.with_constant(T.u32, [2**31, 7]))
        found = audit(path, given=audited.inputs(tmp_path, a=np.uint32([0, 1])))
        row = row_of(found, "add")
        assert (row.outcome, row.known) == ("wrong", True)
        assert (row.held.verdict.found, row.held.verdict.wanted) == (2**31 - 1, 2**31)
        assert "clamps" in [one.kind for one in row.site.hazards]

    def test_f64_is_rounded_where_f32_explains_it_and_wrong_where_not(self, tmp_path):
        path = audited.saved(tmp_path, audited.with_constant(T.f64, [2.0**-30, 1.0]))
        found = audit(path, given=audited.inputs(tmp_path, a=np.float64([1, 2])))
        assert (row_of(found, "add").outcome, row_of(found, "add").held.precision) == ("rounded", "f32")
        assert found.right
        found = audit(path, given=audited.inputs(tmp_path, a=np.float64([np.inf, 2])))
        row = row_of(found, "add")
        assert (row.outcome, row.known, row.held.verdict.differing) == ("wrong", True, 1)

    def test_16_bit_sums_are_right(self, tmp_path):
        path = audited.saved(tmp_path, audited.sums(T.i16, (1,)))
        found = audit(path, given=audited.inputs(tmp_path, a=np.int16([32767]), b=np.int16([1])))
        assert outcomes(found) == {"first": ("equal", False), "second": ("equal", False)}
        assert found.right
        assert found.first is None


class TestNetworks:
    @pytest.fixture(scope="class")
    @classmethod
    def network(cls, tmp_path_factory):
        return audited.saved(tmp_path_factory.mktemp("network"), audited.network())

    def test_a_dynamic_network_is_right_throughout(self, network):
        found = audit(network, shapes=SHAPES)
        assert {path: one for path, (one, _) in outcomes(found).items()} == {
            "bias": "equal", "block/residual": "equal", "head": "equal"}  # fmt: skip
        assert str(row_of(found, "bias").held.a) == "f32 [1,3,8,8]"
        assert str(row_of(found, "bias").held.b) == "f32 [1,3,1,1]"
        assert [one.name for one in found.outputs] == ["out"]
        assert found.batches == 1
        assert found.features is None or found.features
        assert row_of(found, "bias").computed_in == "f32"

    def test_an_add_that_is_too_large_is_not_compared(self, network):
        """bias takes 192 + 3 + 192 elements of 4 bytes, residual 3 * 192."""
        found = audit(network, shapes=SHAPES, memory=5 * 2304 - 1)
        assert outcomes(found)["block/residual"] == ("unreached", False)
        assert "raise --memory" in row_of(found, "block/residual").says
        assert (found.batches, found.tapped) == (1, 1548 + 36)

    def test_only_the_layers_asked_for(self, network):
        found = audit(network, shapes=SHAPES, layers="block/*")
        assert list(outcomes(found)) == ["block/residual"]

    def test_a_shape_is_wanted_for_each_dynamic_input(self, network):
        with pytest.raises(InvalidInput) as caught:
            audit(network, shapes={"image": Shape(1, 3, 8, 8)})
        assert caught.value.fields["name"] == "rows"

    def test_whole_numbers_that_are_looked_up_are_0_or_1(self, network):
        found = audit(network, shapes={**SHAPES, "rows": Shape(50)})
        (rows,) = (one.value for one in found.inputs if one.name == "rows")
        assert set(rows.tolist()) == {0, 1}

    def test_adds_in_bodies_are_listed_as_not_reached(self, tmp_path):
        found = audit(audited.saved(tmp_path, audited.with_body()))
        reasons = {row.site.path: (row.outcome, row.says) for row in found.rows}
        assert reasons["outside"][0] == "equal"
        assert {path: says for path, (_, says) in reasons.items() if path != "outside"} == {
            "If/then_body/then_add": "it is in a body", "If/else_body/else_add": "it is in a body"}  # fmt: skip

    def test_sizes_that_depend_on_values(self, tmp_path):
        path = audited.saved(tmp_path, audited.data_dependent())
        found = audit(path, given=audited.inputs(tmp_path, a=np.float32([0, 3, 0, 4, 5, 0])))
        assert str(row_of(found, "add").held.total) == "f32 [3,1]"
        assert row_of(found, "add").outcome == "equal"

    def test_two_of_one_name_are_not_told_apart(self, tmp_path):
        model = audited.twins()
        for node in model.get_ops():
            if node.get_type_name() == "Add":
                node.set_friendly_name("twin")
        found = audit(audited.saved(tmp_path, model))
        assert [(row.outcome, row.says) for row in found.rows] == [("unreached", "2 Adds have that name")] * 2

    def test_a_precision_that_is_asked_for_explains_rounding(self, network):
        found = audit(network, shapes=SHAPES, settings={"INFERENCE_PRECISION_HINT": "bf16"})
        assert found.right
        assert found.settings == {"INFERENCE_PRECISION_HINT": "bf16"}
        assert all(row.held.precision in ("", "bf16", "f16") for row in found.rows)


class Pretending:
    """Stands in for the process: two Adds of 3 * 40 bytes, of which one makes the runtime fail."""

    def __init__(self, fails=()):
        self.fails, self.runs = fails, []

    def __call__(self, command, *arguments):
        match command:
            case "adds":
                return {"first": 1, "second": 1}
            case "sizes":
                return [(10,) for _ in arguments[1]]
            case "run":
                taps = arguments[1]
                self.runs.append(sorted({name for name, _ in taps}))
                if any(name in self.fails for name, _ in taps):
                    raise Crashed("the runtime's process was ended by SIGSEGV", how="", last="")
                return 0, {}
            case "tap":
                return Tensor("f32", (10,), bytes(40))


class TestBatches:
    @pytest.fixture
    def asked(self, tmp_path):
        path = audited.saved(tmp_path, audited.sums(T.f32, (10,)))
        model = read_model(path)
        return sites(model, "openvino-cpu"), feeds(model, audited.inputs(tmp_path, a=np.zeros(10, "f4"),
                                                   b=np.zeros(10, "f4")), {}, 0, 1 << 20)  # fmt: skip

    def rows(self, asked, process, memory):
        found, fed = asked
        work = _Work(process, fed, engines.get(), {}, memory)
        work.packed = []
        return [(row.site.path, row.outcome) for row in work.rows(found, None)], work

    @pytest.mark.parametrize(
        ("memory", "batches"), [(960, [["first", "second"]]), (959, [["first"], ["second"]]), (599, [])]
    )
    def test_as_many_as_the_memory_holds(self, asked, memory, batches):
        process = Pretending()
        rows, work = self.rows(asked, process, memory)
        assert process.runs == batches
        outcome = "equal" if batches else "unreached"
        assert rows == [("first", outcome), ("second", outcome)]
        assert work.tapped == (0 if not batches else 240 // len(batches))

    def test_an_add_that_ends_the_process_is_found(self, asked):
        process = Pretending(fails=("second",))
        rows, work = self.rows(asked, process, 1 << 20)
        assert rows == [("first", "equal"), ("second", "failed")]
        assert process.runs == [["first", "second"], ["first"], ["second"]]
        assert work.tapped == 120


class TestRefusals:
    def test_a_model_that_the_runtime_does_not_compile(self, tmp_path):
        path = audited.saved(tmp_path, audited.sums(T.f8e4m3, (1,)))
        with pytest.raises(Refused) as caught:
            audit(path)
        assert "f8e4m3" in caught.value.says

    def test_a_runtime_that_runs_no_models(self, tmp_path):
        with pytest.raises(InvalidInput) as caught:
            audit(audited.saved(tmp_path, audited.twins()), "numpy")
        assert caught.value.fields == {"runtime": "numpy"}

    def test_a_file_of_another_type(self, tmp_path):
        path = audited.saved(tmp_path, audited.twins())
        with pytest.raises(Unsupported) as caught:
            audit(path, given=audited.inputs(tmp_path, a=np.float64([1, 2])))
        assert caught.value.fields["name"] == "a"


class TestReports:
    def test_json(self, saturating):
        document = standard.loads(json.dumps(audit_json.document(saturating)))
        schema = standard.loads((resources.files("addison.report") / "schemas" / "audit-1.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(document)
        assert (document["first"], document["right"], document["counts"]["wrong"]) == ("first", False, 2)
        assert document["adds"][0]["hazards"][0]["issues"][0] == "35651"
        assert document["settings"] == {"INFERENCE_PRECISION_HINT": "f32"}

    def test_text(self, saturating):
        said = words.text(saturating)
        assert "wrong (known)" in said
        assert "the first to depart in topological order: #0 'first'" in said
        assert said.endswith("2 wrong, 2 of them as recorded of openvino-cpu")

    def test_html(self, saturating):
        page = audit_html.html(saturating)
        assert page.count('<tr class="error">') == 2
        assert "Content-Security-Policy" in page
        assert "saturated" in page
