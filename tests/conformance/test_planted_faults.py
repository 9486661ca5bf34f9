"""Engines that are wrong on purpose: the vectors catch each, and the verdict names the class."""

import pytest

from addison import Dim, Shape, engines, infer_shape
from addison.conformance.vectors import made
from addison.conformance.verify import put, verify
from addison.spec.broadcast import merge
from tests.conformance.planted import FAULTS


@pytest.mark.parametrize("name", FAULTS)
def test_each_is_caught_and_named(name):
    add, element_type, kind = FAULTS[name]
    report = verify(add, [one for one in made() if one.element_type == element_type], name=name)
    assert not report.right
    kinds = {found for cell in report.table().values() for found, _ in cell.kinds}
    assert kind in kinds
    assert "failed" not in kinds


@pytest.mark.parametrize("name", FAULTS)
def test_it_is_only_caught_where_it_is_wrong(name):
    add, element_type, _ = FAULTS[name]
    if add.__name__ == "add":  # wrong for its own type alone
        others = [one for one in made() if one.element_type not in (element_type, None)][::7]
        assert verify(add, others).right


def test_the_engines_there_are_answer_every_vector(engine):
    report = verify(engine.add, name=engine.name, infer_shape=infer_shape)
    assert [(one.vector.id, one.says) for one in report.wrong] == []
    assert not [one for one in report.outcomes if one.result == "not-offered"]


def test_an_engine_that_falls_over_has_failed():
    def falls(a, b, *, auto_broadcast, axis):
        raise IndexError("list index out of range")

    (outcome,) = verify(falls, made()[:1]).outcomes
    assert (outcome.result, outcome.right) == ("failed", False)
    assert outcome.says == "IndexError: list index out of range"


def test_an_engine_that_gives_something_else_than_an_array_has_failed():
    (outcome,) = verify(lambda a, b, **rule: "sum", made()[:1]).outcomes
    assert outcome.result == "failed"
    (outcome,) = verify(lambda a, b, **rule: a.astype("f4"), made()[:1]).outcomes
    assert (outcome.result, outcome.verdict.mismatch) == ("differs", "the element types differ: f32, wanted bf16")


def test_a_refusal_of_what_is_right_is_wrong():
    refuse = engines.get("reference").add
    first = next(one for one in made() if one.kind == "sum")
    outcome = put(first, lambda a, b, **rule: refuse(a, b, auto_broadcast="nupmy"))
    assert (outcome.result, outcome.right) == ("refused", False)


def test_an_error_that_names_other_axes_is_wrong():
    clash = next(one for one in made() if one.id == "error/numpy/two-axes")
    add = engines.get("reference").add
    assert put(clash, add).right
    outcome = put(clash, lambda a, b, **rule: add(a[0], b[0]))
    assert (outcome.result, outcome.right) == ("differs", False)


def test_what_is_not_offered_is_not_wrong_and_is_counted():
    report = verify(engines.get("reference").add, made(), offers=lambda one: "" if one.element_type == "f32" else "no")
    table = report.table()
    assert report.right
    assert (table["i8", "numpy"].same, table["i8", "numpy"].not_offered > 5) == (0, True)
    assert table["f32", "numpy"].not_offered == 0


SHAPES = [one for one in made() if one.a is None]


def old_numpy(a, b, *, auto_broadcast, axis):
    """Only a size that is surely 1 is stretched, as OpenVINO had it before intervals were treated exactly."""
    if auto_broadcast == "numpy" and a.rank == b.rank == 1:
        for one, other in ((a, b), (b, a)):
            if 1 in one[0] and not one[0].static and 1 not in other[0]:
                return one
    return infer_shape(a, b, auto_broadcast=auto_broadcast, axis=axis)


def two_ways(a, b, *, auto_broadcast, axis):
    """pdpd's sizes merged both ways, as OpenVINO does."""
    if auto_broadcast == "pdpd" and a.rank == b.rank == 1:
        return infer_shape(a, b)
    return infer_shape(a, b, auto_broadcast=auto_broadcast, axis=axis)


def known_rank(a, b, *, auto_broadcast, axis):
    """A rank that is not known is taken for the other's."""
    if auto_broadcast == "numpy" and a.dims is None and b.dims is not None:
        return b
    return infer_shape(a, b, auto_broadcast=auto_broadcast, axis=axis)


@pytest.mark.parametrize("wrong", [old_numpy, two_ways, known_rank])
def test_wrong_shape_rules_are_caught(wrong):
    report = verify(engines.get("reference").add, SHAPES, infer_shape=wrong)
    assert report.wrong
    assert {one.result for one in report.wrong} <= {"differs", "accepted"}


def test_without_shape_inference_shapes_are_not_offered():
    assert {one.result for one in verify(engines.get("reference").add, SHAPES).outcomes} == {"not-offered"}


def test_the_helpers_of_this_file_bend_what_they_say():
    assert old_numpy(Shape("0..4"), Shape(3), auto_broadcast="numpy", axis=-1) == Shape("0..4")
    assert two_ways(Shape(1), Shape(3), auto_broadcast="pdpd", axis=0) == Shape(3)
    assert merge(Shape(Dim(0, 4)), Shape(3)).shape == Shape(3)
