"""Files that OpenVINO writes: what was put in comes out of this package's reader."""

import numpy as np
import openvino
import openvino.opset13 as opset
import pytest
from openvino import Model, PartialShape, Type
from openvino.utils.node_factory import NodeFactory

from addison.errors import InvalidModel
from addison.ir.model import Add, Constant, Convert
from addison.ir.reader import read_model
from addison.spec.elements import ELEMENTS
from addison.spec.packing import pack
from tests.ir.build import AXIS


def written(tmp_path, inputs, outputs, compress=None):
    model = Model([opset.result(one, name=f"r{i}") for i, one in enumerate(outputs)], inputs, "m")
    if compress is None:
        openvino.serialize(model, tmp_path / "m.xml")
    else:
        openvino.save_model(model, tmp_path / "m.xml", compress_to_fp16=compress)
    return read_model(tmp_path / "m.xml")


def constant(name, shape, data):
    """A constant of any type, from its packed bytes."""
    tensor = openvino.Tensor(getattr(Type, name), openvino.Shape(list(shape)))
    tensor.data.reshape(-1).view(np.uint8)[:] = np.frombuffer(data, np.uint8)
    return opset.constant(tensor, shared_memory=False)


@pytest.mark.parametrize("name", [*ELEMENTS, "boolean"])
@pytest.mark.parametrize("count", [1, 3, 8, 11])
def test_constants_of_every_type(tmp_path, name, count):
    if name == "boolean":
        data = bytes(i % 2 for i in range(count))
    else:
        element = ELEMENTS[name]
        data = pack(element, [(0x5A5A5A5A5A5A5A5A * (i + 3)) % (1 << element.bits) for i in range(count)])
    model = written(tmp_path, [], [constant(name, (count,), data)])
    [read] = [one.operation for one in model.layers if isinstance(one.operation, Constant)]
    assert (read.element_type.name, read.shape.sizes, bytes(read.data)) == (name, (count,), data)
    assert model.findings == ()


def test_bytes_are_shared_and_offsets_are_odd(tmp_path):
    """Equal bytes are written once, whatever their shapes; nothing is aligned; no elements take one byte."""
    made = {
        "a": np.arange(6, dtype=np.float32),
        "none": np.zeros((0, 3), np.float32),
        "c": np.float32([7, 8]),
        "b": np.arange(6, dtype=np.float32).reshape(2, 3),
        "flag": np.bool_([True]),
    }
    nodes = []
    for name, value in made.items():
        nodes.append(opset.constant(value))
        nodes[-1].set_friendly_name(name)
    model = written(tmp_path, [], nodes)
    read = {one.name: one.operation for one in model.layers if isinstance(one.operation, Constant)}
    for name, value in made.items():
        assert read[name].shape.sizes == value.shape
        assert bytes(read[name].data) == value.tobytes()
    assert read["a"].offset == read["b"].offset
    assert read["a"].offset % 4 or read["c"].offset % 4
    assert read["none"].size == 1
    assert model.findings == ()


@pytest.mark.parametrize("shape", ["2,3", "", "?,3", "1..8,3", "..8,3", "1..,3", "...", "0", "9223372036854775806"])
def test_shapes_of_parameters(tmp_path, shape):
    x = opset.parameter(PartialShape(shape), Type.f32, name="x")
    read = written(tmp_path, [x], [x]).inputs[0].operation
    assert str(PartialShape(str(read.shape))) == str(PartialShape(shape))


@pytest.mark.parametrize(
    "name",
    [
        "plain",
        "with blank",
        "a,b",
        r"a\,b",
        "größe 和 😀",
        "a<b>&\"'c",
        "a/b",
        "line\nbreak",
        "tab\there",
        " edges ",
        "]]>",
        "-->",
        "%s{}",
    ],
)
def test_names(tmp_path, name):
    x = opset.parameter([2], Type.f32, name=name)
    x.output(0).set_names({name, "second"})
    total = opset.add(x, x)
    total.set_friendly_name(name + "+")
    model = written(tmp_path, [x], [total])
    assert model.inputs[0].name == name
    assert model.layers[1].name == name + "+"
    assert sorted(model.inputs[0].outputs[0].names) == sorted({name, "second"})


@pytest.mark.parametrize("control", ["\x01", "\x1f", "\x0b"])
def test_a_control_character_in_a_name_cannot_be_read_back(tmp_path, control):
    """OpenVINO writes it as a reference, which XML does not have."""
    x = opset.parameter([2], Type.f32, name=f"a{control}b")
    with pytest.raises(InvalidModel) as caught:
        written(tmp_path, [x], [x])
    [finding] = caught.value.fields["findings"]
    assert (finding.code, finding.fields) == ("F101", {"reason": "reference to invalid character number"})
    assert "control characters" in finding.help


@pytest.mark.parametrize(
    ("rule", "axis", "operation"),
    [
        ("numpy", None, Add("numpy", -1)),
        ("none", None, Add("none", -1)),
        ("pdpd", -1, Add("pdpd", -1)),
        ("pdpd", 0, Add("pdpd", 0)),
        ("pdpd", 1, Add("pdpd", 1)),
        ("pdpd", None, Add("pdpd", 0)),
    ],
)
def test_rules_and_axes(tmp_path, rule, axis, operation):
    """OpenVINO's default axis is 0, and it is written: no file of its own is without one."""
    a, b = (opset.parameter([2] * 3, Type.f32) for _ in range(2))
    if rule == "pdpd":
        b = opset.parameter([2], Type.f32)
    attributes = {"auto_broadcast": rule} | ({} if axis is None else {AXIS: axis})
    total = NodeFactory("opset1").create("Add", [a.output(0), b.output(0)], attributes)
    model = written(tmp_path, [a, b], [total])
    assert [one.operation for one in model.layers if isinstance(one.operation, Add)] == [operation]
    assert model.findings == ()


def test_constants_that_are_compressed_come_with_a_convert(tmp_path):
    x = opset.parameter([2, 3], Type.f32, name="x")
    weight = opset.constant(np.arange(6, dtype=np.float32).reshape(2, 3))
    weight.set_friendly_name("weight")
    model = written(tmp_path, [x], [opset.add(x, weight)], compress=True)
    [half] = [one for one in model.layers if isinstance(one.operation, Constant)]
    [convert] = [one for one in model.layers if isinstance(one.operation, Convert)]
    assert (half.name, half.operation.element_type.name) == ("weight_compressed", "f16")
    assert (convert.name, convert.operation.destination.name) == ("weight", "f32")
    assert {"name": "decompression", "version": "0"} in convert.rt_info
    assert np.frombuffer(half.operation.data, np.float16).tolist() == [0, 1, 2, 3, 4, 5]


def test_what_stands_around_an_add_is_kept(tmp_path):
    """A few operations of other kinds: their types, ports and declared shapes are those that OpenVINO knows."""
    x = opset.parameter(PartialShape("?,3,8,8"), Type.f32, name="x")
    kernel = opset.constant(np.ones((4, 3, 3, 3), np.float32))
    folded = opset.convolution(x, kernel, [1, 1], [1, 1], [1, 1], [1, 1])
    split = opset.split(opset.relu(opset.add(folded, opset.constant(np.ones((1, 4, 1, 1), np.float32)))), 1, 2)
    made = Model([opset.result(one) for one in split.outputs()], [x], "m")
    openvino.serialize(made, tmp_path / "m.xml")
    model = read_model(tmp_path / "m.xml")
    known = {op.get_friendly_name(): op for op in made.get_ops()}
    assert len(model.layers) == len(known)
    for layer in model.layers:
        op = known[layer.name]
        assert layer.type == {"Constant": "Const", "Relu": "ReLU"}.get(op.get_type_name(), op.get_type_name())
        for port, output in zip(layer.outputs, op.outputs(), strict=layer.type != "Result"):
            assert port.element_type.name == output.get_element_type().get_type_name()
            assert [str(dim) for dim in port.shape.dims or ()] == [str(dim) for dim in output.get_partial_shape()]
        sources = [model.layers[one.layer].name for one in model.graph.producers[model.layers.index(layer)]]
        assert sources == [one.get_node().get_friendly_name() for one in op.input_values()]
