"""The model as a value: what is kept of a file, and where it stands."""

import dataclasses
import pickle

import pytest

from addison.ir.model import Add, Constant, Convert, Opaque, Parameter, Result
from addison.ir.reader import read_model
from addison.spec.elements import DYNAMIC, ELEMENTS
from addison.spec.shapes import Shape
from tests.ir.build import AXIS, FLOATS, PROLOG, WIRES, add, const, data, layer, net, parameter, port, result, sum_of

CONVERTED = net(
    [
        const(0, "f16", "2, 3", 0, 12, name="w_compressed"),
        layer(
            1,
            "w",
            "Convert",
            inside=data(destination_type="f32"),
            inputs=[port(0, (), "FP16")],
            outputs=[port(1)],
            tail='<rt_info><attribute name="decompression" version="0"/></rt_info>',
        ),
        parameter(2, "a"),
        add(3),
        result(4, output_names=r"out,o\,2"),
    ],
    [(0, 0, 1, 0), (2, 0, 3, 0), (1, 1, 3, 1), (3, 2, 4, 0)],
).encode()


def test_the_known_operations_are_typed():
    model = read_model(CONVERTED, FLOATS)
    weight, convert, a, total, out = (one.operation for one in model.layers)
    assert (weight.element_type, weight.shape, weight.offset, weight.size) == (ELEMENTS["f16"], Shape(2, 3), 0, 12)
    assert isinstance(weight, Constant)
    assert convert == Convert(ELEMENTS["f32"])
    assert a == Parameter(ELEMENTS["f32"], Shape(2, 3))
    assert total == Add("numpy", -1)
    assert out == Result()


@pytest.mark.parametrize(
    ("inside", "operation"),
    [
        ("", Add("numpy", -1)),
        ("<data/>", Add("numpy", -1)),
        (data(auto_broadcast="NumPy"), Add("numpy", -1)),
        (data(auto_broadcast="none"), Add("none", -1)),
        (data(auto_broadcast="Explicit"), Add("none", -1)),
        (data(auto_broadcast="numpy", axis=2), Add("numpy", -1)),
        (data(auto_broadcast="none", axis="x"), Add("none", -1)),
        (data(auto_broadcast="pdpd", axis=-1), Add("pdpd", -1)),
        (data(auto_broadcast="PDPD", axis=" 2 "), Add("pdpd", 2)),
        (data(auto_broadcast="pdpd", axis="-0"), Add("pdpd", 0)),
        (data(auto_broadcast="pdpd"), Add("pdpd", -1)),
        (data(auto_broadcast="pdpd", axis=-7), Add("pdpd", -7)),
        ('<data auto_broadcast="pdpd" axis="2"/>', Add("pdpd", -1)),
        ("<data/>" + data(auto_broadcast="none"), Add("numpy", -1)),
    ],
)
def test_an_adds_rule_and_axis(inside, operation):
    assert read_model(sum_of(add_layer=add(inside=inside)).encode()).layers[2].operation == operation


def test_pdpds_axis_is_read_from_one_attribute_only():
    assert AXIS == "auto_broadcast.auto_broadcast_axis"
    text = sum_of(add_layer=add(inside=f'<data auto_broadcast="pdpd" axis="3" auto_broadcast_axis="2" {AXIS}="1"/>'))
    model = read_model(text.encode())
    assert model.layers[2].operation == Add("pdpd", 1)
    assert [(one.code, one.fields["found"]) for one in model.findings] == [
        ("A104", "axis"),
        ("A104", "auto_broadcast_axis"),
    ]


@pytest.mark.parametrize("kind", ["MatMul", "ReLU", "addd", "Const2", "TopK", "größe"])
def test_other_operations_are_kept_as_they_stand(kind):
    text = net(
        [
            parameter(),
            layer(
                5,
                "x",
                kind,
                version="opset11",
                inside='<data a="1" b="2"/>',
                inputs=[port(3, [2])],
                outputs=[port(4, [2, -1], "I64", "n,m"), port(5, (), "BOOL")],
            ),
        ],
        [(0, 0, 5, 3)],
    )
    kept = read_model(text.encode()).layers[1]
    assert isinstance(kept.operation, Opaque)
    assert (kept.id, kept.name, kept.type, kept.version, dict(kept.data)) == (
        5,
        "x",
        kind,
        "opset11",
        {"a": "1", "b": "2"},
    )
    assert [(one.id, one.dims, one.precision) for one in kept.inputs] == [(3, (2,), "FP32")]
    assert [(one.id, one.dims, one.names) for one in kept.outputs] == [(4, (2, -1), ("n", "m")), (5, (), ())]
    assert [str(one.shape) for one in kept.outputs] == ["[2,?]", "[...]"]
    assert [one.element_type for one in kept.outputs] == [ELEMENTS["i64"], kept.outputs[1].element_type]
    assert kept.outputs[1].element_type.name == "boolean"


def test_a_port_without_precision_is_of_no_known_type():
    model = read_model(sum_of(add_layer=add(inputs=[port(0, (), None), port(1, (), "WHATEVER")])).encode())
    assert [one.element_type for one in model.layers[2].inputs] == [DYNAMIC, DYNAMIC]


def test_names_and_runtime_information_are_kept():
    model = read_model(CONVERTED, FLOATS)
    assert model.layers[4].output_names == ("out", "o,2")
    assert model.layers[1].rt_info == ({"name": "decompression", "version": "0"},)
    assert model.layers[0].rt_info == ()


def test_inputs_and_outputs_stand_in_the_order_of_the_file():
    layers = [result(9, "z"), parameter(8, "b"), parameter(7, "a"), result(6, "y"), parameter(5, "unused")]
    model = read_model(net(layers, [(8, 0, 9, 0), (7, 0, 6, 0)]).encode())
    assert [one.name for one in model.inputs] == ["b", "a", "unused"]
    assert [one.name for one in model.outputs] == ["z", "y"]


def test_metadata_is_kept_by_its_path():
    model = read_model(
        net(
            [],
            tail="""<rt_info><MO_version value="2022"/><info name="k" value="v"/><info value="w"/>
        <conversion_parameters><framework value="onnx"/><deep><er value="x"/></deep></conversion_parameters>
        <text>ignored</text></rt_info><meta_data><old value="1"/></meta_data>""",
        ).encode()
    )
    assert model.rt_info == {
        "MO_version": "2022",
        "k": "v",
        "info": "w",
        "conversion_parameters/framework": "onnx",
        "conversion_parameters/deep/er": "x",
    }


def test_runtime_information_of_a_layer_is_not_the_models():
    text = sum_of(add_layer=add(tail='<rt_info><attribute name="x" version="0" value="1"/></rt_info>'))
    assert read_model(text.encode()).rt_info == {}


def test_places_of_layers():
    text = net([parameter(), add(2)]).replace("><", ">\n<")
    model = read_model(text.encode())
    lines = text.splitlines()
    a, total = model.layers
    assert lines[model.place(a).line - 1].startswith('<layer id="0"')
    span = model.place(a, "shape")
    assert (lines[span.line - 1][span.column - 1 :][:3], span.stop - span.start) == ("2,3", 3)
    assert model.place(total, "no_such").start == text.index("<data auto_broadcast")
    assert model.source.line(model.place(a).line) == lines[model.place(a).line - 1]


def test_layers_are_equal_only_when_they_are_the_same():
    one, other = read_model(sum_of().encode()), read_model(sum_of().encode())
    assert one.layers[0] == one.layers[0]
    assert one.layers[0] != other.layers[0]
    assert len({*one.layers, *other.layers}) == 8


def test_a_model_does_not_change():
    model = read_model(sum_of().encode())
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.name = "other"
    with pytest.raises(AttributeError):
        model.layers[0].name = "other"


def test_what_shows_is_short():
    model = read_model(CONVERTED, FLOATS)
    assert repr(model) == "Model('m', IR v11, 5 layers)"
    assert repr(model.layers[3]) == "Layer(3, 'add', Add)"
    assert len(repr(model.layers[0].operation)) < 200


def test_findings_are_values():
    text = sum_of(add_layer=add(inside='<data auto_broadcast="pdpd"/>'))
    [finding] = read_model(text.encode()).findings
    with pytest.raises(dataclasses.FrozenInstanceError):
        finding.code = "X"
    again = pickle.loads(pickle.dumps(finding))
    assert (str(again), again.fields) == (str(finding), finding.fields)


def test_every_operation_in_another_case_is_known():
    text = sum_of().replace("Parameter", "parameter").replace('"Add"', '"ADD"').replace("Result", "rEsult")
    model = read_model(text.encode())
    assert [type(one.operation) for one in model.layers] == [Parameter, Parameter, Add, Result]
    assert [one.type for one in model.layers] == ["parameter", "parameter", "ADD", "rEsult"]


@pytest.mark.parametrize("version", [10, 11])
def test_both_versions_are_read(version):
    model = read_model((PROLOG + f'<net name="größe" version="{version}"/>').encode())
    assert (model.name, model.version, model.layers) == ("größe", version, ())
    assert model.graph.edges == ()


def test_the_boundary_of_version_10_is_remarked_upon():
    """OpenVINO converts f16 inputs, and outputs of any type but f32 and i32."""

    def remarks(kind, version=10):
        ports = {"inputs": [port(0, (), kind)]}
        text = net(
            [
                parameter(0, "in", element_type={"FP16": "f16", "I64": "i64", "I32": "i32", "FP32": "f32"}[kind]),
                result(1, "out", **ports),
            ],
            [(0, 0, 1, 0)],
            version=version,
        )
        return [(one.code, one.severity.name, one.fields["layer"]) for one in read_model(text.encode()).findings]

    assert remarks("FP16") == [("F113", "INFO", "in"), ("F113", "INFO", "out")]
    assert remarks("I64") == [("F113", "INFO", "out")]
    assert remarks("I32") == remarks("FP32") == []
    assert remarks("FP16", 11) == []


def test_wires_are_the_builders():
    """The builder itself: layers 0 and 1 into 2, 2 into 3."""
    model = read_model(sum_of().encode())
    assert [tuple(one)[:4] for one in model.graph.edges] == list(WIRES)
