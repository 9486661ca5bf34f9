"""Shapes and types through a graph, and what is found on the way."""

import openvino
import pytest

from addison import Shape, check, read_model
from addison.inference.graph import Inference, agree, infer_graphs
from addison.ir.report import Report
from tests.ir.build import add, const, data, layer, net, parameter, port, result, sum_of


def facts_of(model):
    (_, facts), *_ = infer_graphs(model)[0]
    return {layer.name: str(facts.of(i)) for i, layer in enumerate(model.layers)}


def only(findings):
    (one,) = findings
    return one


def test_the_shapes_of_an_add():
    model = read_model(sum_of(a=parameter(0, "a", "8,1,6,1"), b=parameter(1, "b", "7,1,5")).encode())
    assert facts_of(model)["add"] == "f32 [8,7,6,5]"


def test_intervals_and_unknown_rank_go_through():
    wide = read_model(sum_of(a=parameter(0, "a", "?,1..8,3"), b=parameter(1, "b", "2,1,3")).encode())
    assert facts_of(wide)["add"] == "f32 [2,1..8,3]"
    unknown = read_model(sum_of(a=parameter(0, "a", "..."), b=parameter(1, "b", "2,1,3")).encode())
    assert facts_of(unknown)["add"] == "f32 [...]"


def test_a_type_that_is_not_known_yet_takes_the_others():
    model = read_model(
        sum_of(
            a=parameter(0, "a", "3", "dynamic"),
            b=parameter(1, "b", "3", "f16"),
            add_layer=add(outputs=[port(2, (), "FP16")]),
        ).encode()
    )
    assert facts_of(model)["add"] == "f16 [3]"


def test_an_opaque_layers_dimless_port_is_a_scalar_or_of_unknown_rank():
    relu = layer(1, "relu", "ReLU", inputs=[port(0)], outputs=[port(1)])
    model = read_model(sum_of(b=relu, wires=[(0, 0, 1, 0), (0, 0, 2, 0), (1, 1, 2, 1), (2, 2, 3, 0)]).encode())
    assert facts_of(model)["add"] == "f32 [...]"
    assert check(model) == []


def test_an_opaque_layers_declared_dims_are_taken():
    relu = layer(1, "relu", "ReLU", inputs=[port(0)], outputs=[port(1, (-1, 3))])
    model = read_model(sum_of(b=relu, wires=[(0, 0, 1, 0), (0, 0, 2, 0), (1, 1, 2, 1), (2, 2, 3, 0)]).encode())
    assert facts_of(model)["relu"] == "f32 [?,3]"
    assert facts_of(model)["add"] == "f32 [2,3]"


def test_a_clash_names_both_places_every_axis_and_both_sizes():
    text = sum_of(a=parameter(0, "a", "52,1,33,1"), b=parameter(1, "b", "2,52,33,1"))  # the shapes of p75
    one = only(check(text.encode()))
    assert one.code == "A302"
    assert one.fields["axes"] == ((-4, "52", "2"),)
    assert (one.fields["a"], one.fields["b"]) == ("[52,1,33,1]", "[2,52,33,1]")
    assert text[one.at.start : one.at.stop] == "2,52,33,1"
    assert text[one.related[0].at.start : one.related[0].at.stop] == "52,1,33,1"
    assert "52 against 2" in one.label


def test_types_that_differ_are_named_with_where_they_come_from():
    text = sum_of(b=parameter(1, "b", "2,3", "f16"))  # p77
    one = only(finding for finding in check(text.encode()) if finding.code == "A201")
    assert (one.fields["a"], one.fields["b"]) == ("f32", "f16")
    assert [text[place.at.start : place.at.stop] for place in one.related] == ["f32", "f16"]


@pytest.mark.parametrize("element_type", ["boolean", "string"])
def test_types_that_are_not_numeric_are_refused_by_name(element_type):
    text = sum_of(
        a=parameter(0, "a", "2,3", element_type),
        b=parameter(1, "b", "2,3", element_type),
        add_layer=add(outputs=[port(2, (), {"boolean": "BOOL", "string": "STRING"}[element_type])]),
    )
    found = check(text.encode())
    assert [(one.code, one.fields["found"], one.fields["input"]) for one in found] == [
        ("A202", element_type, 0),
        ("A202", element_type, 1),
    ]


@pytest.mark.parametrize("dims", [(2,), (2, 4)])
def test_a_declared_output_that_cannot_be_is_reported(dims):
    text = sum_of(b=parameter(1, "b", "3"), add_layer=add(outputs=[port(2, dims)]))  # p67
    one = only(check(text.encode()))
    assert (one.code, one.fields["found"], one.fields["wanted"]) == ("A301", f"[{','.join(map(str, dims))}]", "[2,3]")
    openvino.Core().read_model(text.encode(), b"")  # which reads it and keeps silent


def test_a_declared_output_that_says_less_is_not():
    assert check(sum_of(add_layer=add(outputs=[port(2, (-1, 3))])).encode()) == []


def test_a_declared_precision_that_cannot_be_is_reported():
    one = only(check(sum_of(add_layer=add(outputs=[port(2, (2, 3), "I32")])).encode()))
    assert (one.code, one.fields["found"], one.fields["wanted"]) == ("A203", "i32", "f32")


def test_pdpd_without_an_axis_is_minus_one_and_a_warning():
    text = sum_of(
        a=parameter(0, "a", "2,3,4"), b=parameter(1, "b", "3,4"), add_layer=add(inside='<data auto_broadcast="pdpd"/>')
    )
    found = check(text.encode())
    assert {(one.code, str(one.severity)) for one in found} == {("A105", "warning"), ("A303", "warning")}
    assert facts_of(read_model(text.encode()))["add"] == "f32 [2,3,4]"


def test_converts_and_constants():
    half = const(1, "f16", "3", 0, 6)
    wide = layer(
        4, "wide", "Convert", inside=data(destination_type="f32"), inputs=[port(0, (), "FP16")], outputs=[port(1)]
    )
    model = read_model(
        net(
            [parameter(), half, add(), result(), wide], [(0, 0, 2, 0), (1, 0, 4, 0), (4, 1, 2, 1), (2, 2, 3, 0)]
        ).encode(),
        bytes(6),
    )
    assert facts_of(model)["wide"] == "f32 [3]"
    assert facts_of(model)["add"] == "f32 [2,3]"


def test_given_facts_override_the_parameters():
    model = read_model(sum_of(a=parameter(0, "a", "?,3"), b=parameter(1, "b", "3")).encode())
    from addison.inference.operations import Fact
    from addison.spec.elements import ELEMENTS

    facts = Inference(model.graph, Report(model.source), {0: Fact(ELEMENTS["f32"], Shape(7, 3))})
    assert str(facts.of(2)) == "f32 [7,3]"


@pytest.mark.parametrize(
    ("a", "b", "they_do"),
    [
        ("2,3", "2,3", True),
        ("2,?", "2,3", True),
        ("...", "2", True),
        ("2,3", "2", False),
        ("1..2", "3", False),
    ],
)
def test_agreement(a, b, they_do):
    assert agree(Shape.parse(a), Shape.parse(b)) is they_do


def test_thirty_faults_are_thirty_findings():
    layers, wires = [], []
    for i in range(30):
        layers += [
            parameter(4 * i, f"a{i}", "2,3"),
            parameter(4 * i + 1, f"b{i}", "4"),
            add(4 * i + 2, f"add{i}"),
            result(4 * i + 3, f"r{i}"),
        ]
        wires += [(4 * i, 0, 4 * i + 2, 0), (4 * i + 1, 0, 4 * i + 2, 1), (4 * i + 2, 2, 4 * i + 3, 0)]
    found = check(net(layers, wires).encode())
    assert [one.code for one in found] == ["A302"] * 30
    assert [one.at.start for one in found] == sorted(one.at.start for one in found)


def test_adds_in_bodies_are_inferred(tmp_path):
    op = openvino.opset13
    body_x = op.parameter([2, 3], openvino.Type.f32)
    body = openvino.Model(
        [op.result(op.add(body_x, op.constant([1.0, 2.0, 3.0], openvino.Type.f32), name="inner"))], [body_x]
    )
    other_x = op.parameter([2, 3], openvino.Type.f32)
    other = openvino.Model([op.result(other_x)], [other_x])
    condition, x = op.parameter([], openvino.Type.boolean), op.parameter([2, 3], openvino.Type.f32)
    branch = op.if_op(condition)
    branch.set_then_body(body)
    branch.set_else_body(other)
    branch.set_input(x.output(0), body_x, other_x)
    total = branch.set_output(body.get_results()[0], other.get_results()[0])
    openvino.save_model(openvino.Model([op.result(total)], [condition, x]), tmp_path / "if.xml", compress_to_fp16=False)
    graphs, found = infer_graphs(read_model(tmp_path / "if.xml"))
    assert found == ()
    assert len(graphs) == 3
    inner = [
        str(facts.of(i)) for path, facts in graphs for i, one in enumerate(facts.graph.layers) if one.name == "inner"
    ]
    assert inner == ["f32 [2,3]"]
