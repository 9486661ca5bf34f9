"""The shape rule that is recorded of OpenVINO, against OpenVINO itself, in this process: no file is read."""

import itertools
import json
import re
from collections import Counter
from pathlib import Path

import openvino
import openvino.opset1 as opset
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openvino.utils.node_factory import NodeFactory

from addison.deviations import openvino_shapes
from addison.spec import broadcast
from addison.spec.broadcast import Merge
from addison.spec.shapes import Dim, Shape
from tests.strategies import shapes

AXIS = "auto_broadcast.auto_broadcast_axis"
INTERVALS = [Dim(low, high) for low in range(7) for high in (*range(low, 7), None)]
TABLE = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "spec" / "pdpd_table.jsonl").read_text(encoding="utf-8").splitlines()
]
_FACTORY = NodeFactory("opset1")
_PARAMETERS = {}


def parameter(spelling):
    """A Parameter of that shape, made once: a sweep asks for the same shapes many times."""
    if spelling not in _PARAMETERS:
        _PARAMETERS[spelling] = opset.parameter(openvino.PartialShape(spelling), openvino.Type.f32).output(0)
    return _PARAMETERS[spelling]


def openvino_infers(a, b, rule, axis=None):
    """The shape of a + b as OpenVINO prints it; None when it says that the shapes are inconsistent."""
    attributes = {"auto_broadcast": rule} | ({} if axis is None else {AXIS: axis})
    try:
        add = _FACTORY.create("Add", [parameter(a.spell()), parameter(b.spell())], attributes)
    except RuntimeError as fault:
        if "Argument shapes are inconsistent" not in str(fault):
            raise
        return None
    return str(add.output(0).get_partial_shape())


def recorded(a, b, rule, axis=None):
    return printed(openvino_shapes.merge(a, b, rule, axis))


def printed(merged):
    """As OpenVINO prints it: ..8 for 0..8."""
    return re.sub(r"(?<![\d.])0(?=\.\.\d)", "", str(merged.shape)) if isinstance(merged, Merge) else None


@pytest.mark.parametrize("rule", broadcast.RULES)
def test_every_pair_of_intervals(rule):
    for one, other in itertools.product(INTERVALS, repeat=2):
        a, b = Shape(one), Shape(other)
        assert recorded(a, b, rule) == openvino_infers(a, b, rule), f"{a} {b}"


def test_the_sweep_of_static_shapes_under_pdpd():
    static = [Shape(*sizes) for rank in range(4) for sizes in itertools.product(range(4), repeat=rank)]
    kinds = Counter()
    for a, b, axis in itertools.product(static, static, range(-2, 5)):
        if len(b) > len(a) + 1:
            continue
        found = openvino_infers(a, b, "pdpd", axis)
        assert recorded(a, b, "pdpd", axis) == found, f"{a} {b} axis {axis}"
        right = printed(broadcast.merge(a, b, "pdpd", axis))
        if right != found:
            start = len(a) - len(b) if axis == -1 else axis
            kinds["b runs past a" if start + len(b) > len(a) else "0 and 1" if found is None else "1 and 0"] += 1
    assert kinds == {"b runs past a": 448, "0 and 1": 514, "1 and 0": 514}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['A']}+{row['B']} axis {row['axis']}")
def test_the_table(row):
    merged = openvino_shapes.merge(Shape(*row["A"]), Shape(*row["B"]), "pdpd", row["axis"])
    assert (list(merged.shape.sizes) if isinstance(merged, Merge) else None) == row["openvino"]
    assert openvino_infers(Shape(*row["A"]), Shape(*row["B"]), "pdpd", row["axis"]) == printed(merged)


@given(a=shapes(), b=shapes(), rule=st.sampled_from(broadcast.RULES), axis=st.none() | st.integers(-3, 5))
def test_shapes_of_any_rank(a, b, rule, axis):
    axis = axis if rule == "pdpd" else None
    assert recorded(a, b, rule, axis) == openvino_infers(a, b, rule, axis)


def test_without_an_axis_pdpd_starts_at_0():
    assert recorded(Shape(3, 5, 3), Shape(3, 5), "pdpd") == "[3,5,3]"
    assert recorded(Shape(3, 5, 3), Shape(3, 5), "pdpd", -1) is None
    assert openvino_infers(Shape(3, 5, 3), Shape(3, 5), "pdpd") == "[3,5,3]"
    assert openvino_infers(Shape(3, 5, 3), Shape(3, 5), "pdpd", -1) is None


def test_a_clash_names_every_axis_and_both_sizes():
    clash = openvino_shapes.merge(Shape(2, 3, 0), Shape(4, 3, 1), "pdpd", 0)
    assert [(one.axis, one.a, one.b) for one in clash.columns] == [(0, Dim(2), Dim(4)), (2, Dim(0), Dim(1))]
    assert clash.error().fields["axes"] == ((0, Dim(2), Dim(4)), (2, Dim(0), Dim(1)))


def test_a_merge_names_its_columns():
    merged = openvino_shapes.merge(Shape(2, 3, 4), Shape(3, 1), "pdpd", 1)
    assert [(one.axis, one.a, one.b, one.out) for one in merged.columns] == [
        (0, Dim(2), None, Dim(2)),
        (1, Dim(3), Dim(3), Dim(3)),
        (2, Dim(4), Dim(1), Dim(4)),
    ]


def test_the_peer_sees_a_wrong_rule():
    """What the specification says is not what OpenVINO infers: comparing them must show it."""
    a, b = Shape(0, 3), Shape(1, 3)
    assert printed(broadcast.merge(a, b, "pdpd", -1)) != openvino_infers(a, b, "pdpd", -1)
