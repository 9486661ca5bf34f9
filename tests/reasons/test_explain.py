"""What explain is asked, and what answers."""

import pickle

import pytest

from addison import Dim, ElementType, InvalidInput, Shape, Unsupported, check, explain
from addison.reasons.element_types import TypeReason
from addison.reasons.pages import CodeReason
from addison.reasons.rules import RuleReason
from addison.reasons.shapes import ShapesReason
from addison.reasons.sums import SumReason, ValueReason

F16 = ElementType.parse("f16")


@pytest.mark.parametrize(
    ("what", "kind", "name"),
    [
        (("A302",), CodeReason, "code"),
        (("a302",), CodeReason, "code"),
        (("shapes-clash",), CodeReason, "code"),
        (("f8e4m3",), TypeReason, "type"),
        ((F16,), TypeReason, "type"),
        (("numpy",), RuleReason, "rule"),
        (("2,3", "3"), ShapesReason, "shapes"),
        (((2, None), [3]), ShapesReason, "shapes"),
        ((Shape(2), (Dim(1, 3),)), ShapesReason, "shapes"),
        (("", "[]"), ShapesReason, "shapes"),
        (("-1,3", "..."), ShapesReason, "shapes"),
        (("f16", "0.1"), ValueReason, "value"),
        ((F16, 3), ValueReason, "value"),
        (("f8e4m3", 448, -32), SumReason, "sum"),
        ((F16, "0x1", 2.5), SumReason, "sum"),
    ],
)
def test_what_answers(what, kind, name):
    reason = explain(*what)
    assert isinstance(reason, kind)
    assert reason.kind == name
    assert pickle.loads(pickle.dumps(reason)) == reason
    assert hash(reason) == hash(explain(*what))
    assert str(reason).strip()
    assert reason._repr_html_().startswith("<div")


def test_a_finding_is_explained_by_its_code():
    (finding,) = check(b'<net version="9"/>')
    assert explain(finding) == explain("F104")


@pytest.mark.parametrize(
    ("what", "help"),
    [
        (("f8e4m4",), "did you mean f8e4m3?"),
        (("FP16",), "did you mean f16?"),
        (("bf61",), "did you mean bf16?"),
        (("nunpy",), "did you mean numpy?"),
        (("PDPD",), "did you mean pdpd?"),
        (("explicit",), "did you mean none?"),
        (("shape-clash",), "did you mean shapes-clash?"),
        (("f8e4m4", "1"), "did you mean f8e4m3?"),
        (("f8e4m4", "1", "2"), "did you mean f8e4m3?"),
    ],
)
def test_near_misses(what, help):
    with pytest.raises(InvalidInput) as caught:
        explain(*what)
    assert (caught.value.fields, caught.value.help) == ({"found": what[0]}, help)


@pytest.mark.parametrize(
    ("what", "kind", "fields"),
    [
        ((), InvalidInput, {"found": 0}),
        ((1, 2, 3, 4), InvalidInput, {"found": 4}),
        ((3,), InvalidInput, {"found": 1}),
        ((None,), InvalidInput, {"found": 1}),
        (("zzzzzz" * 100,), InvalidInput, {"found": "zzzzzz" * 100}),
        (("",), InvalidInput, {"found": ""}),
        (("2,3",), InvalidInput, {"found": "2,3"}),
        (("boolean",), Unsupported, {"element_type": "boolean"}),
        (("string", 1), Unsupported, {"element_type": "string"}),
        (("dynamic", 1, 2), Unsupported, {"element_type": "dynamic"}),
        (((2,), (3,), (4,)), InvalidInput, {"found": (2,)}),
        (("2,x", "3"), InvalidInput, {"found": "2,x"}),
        ((3, 4), InvalidInput, {"found": 3}),
        (("A399",), InvalidInput, {"code": "A399"}),
    ],
)
def test_refused(what, kind, fields):
    with pytest.raises(kind) as caught:
        explain(*what)
    assert caught.value.fields == fields
    assert len(str(caught.value)) < 700


@pytest.mark.parametrize("what", [("f16",), ("f16", 1), ("f16", 1, 2), ("A302",)])
@pytest.mark.parametrize("rule", [{"auto_broadcast": "pdpd"}, {"axis": 0}])
def test_rules_go_with_shapes(what, rule):
    with pytest.raises(InvalidInput) as caught:
        explain(*what, **rule)
    assert caught.value.fields == {"auto_broadcast": "numpy", "axis": -1, **rule}
