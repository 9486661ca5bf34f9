"""ONNX models made here, converted by OpenVINO, and their Adds compared with those of the IR."""

import json as standard
from importlib import resources

import jsonschema
import numpy as np
import openvino
import pytest
from onnx import TensorProto, helper, numpy_helper, save_model

from addison import InvalidInput, Unsupported, read_model
from addison.conformance import onnx_adds
from addison.conformance.onnx_adds import compare_onnx
from addison.conformance.runtimes.offer import Package
from addison.report import conversion, json

BIAS = np.float32([0.1, 2, 3])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """x + BIAS, then that plus its ReLU; as ONNX, as IR, and as IR with f16 constants."""
    folder = tmp_path_factory.mktemp("onnx")
    nodes = [
        helper.make_node("Add", ["x", "bias"], ["biased"], name="first"),
        helper.make_node("Relu", ["biased"], ["positive"], name="relu"),
        helper.make_node("Add", ["biased", "positive"], ["y"], name="second"),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "net", [x], [y], [numpy_helper.from_array(BIAS, "bias")])
    path = folder / "net.onnx"
    save_model(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    model = openvino.Core().read_model(path)
    openvino.save_model(model, folder / "net.xml", compress_to_fp16=False)
    openvino.save_model(model, folder / "half.xml", compress_to_fp16=True)
    return folder


def differences(found):
    return {pair.onnx.name: pair.differences for pair in found.pairs}


def test_a_faithful_conversion(files):
    found = compare_onnx(str(files / "net.onnx"), read_model(str(files / "net.xml")))
    assert differences(found) == {"first": (), "second": ()}
    assert (found.same, found.only_onnx, found.only_ir) == (True, (), ())
    assert conversion.text(found).startswith("2 Adds of one name, none of them different")


def test_what_the_onnx_model_says(files):
    first, second = onnx_adds.onnx_adds(str(files / "net.onnx"))
    assert (first.tensor, first.b.element_type, str(first.total.shape)) == ("biased", "f32", "[?,3]")
    np.testing.assert_array_equal(first.b.value, BIAS)
    assert second.b.value is None


def test_a_constant_that_was_rounded_to_f16(files):
    found = compare_onnx(str(files / "net.onnx"), read_model(str(files / "half.xml")))
    (said,) = differences(found)["first"]
    assert said.startswith("the constant b: rounded to f16, 1 of 3 elements differs")
    assert not found.same


def changed(files, tmp_path, **words):
    """The IR with some text replaced, beside a constant whose last value is another."""
    text = (files / "net.xml").read_text()
    for old, new in words.items():
        text = text.replace(*{"rule": ('auto_broadcast="numpy"', new, 1), "shape": ('shape="?,3"', new),
                              "layer": ('name="y"', new), "tensor": ('names="y"', new)}[old])  # fmt: skip
    (tmp_path / "net.xml").write_text(text)
    (tmp_path / "net.bin").write_bytes(np.float32([0.1, 2, 4]).tobytes())
    return compare_onnx(str(files / "net.onnx"), read_model(str(tmp_path / "net.xml")))


def test_another_constant_and_another_shape(files, tmp_path):
    found = differences(changed(files, tmp_path, shape='shape="?,7,3"'))
    assert found["first"][0] == "the sum's shape is [?,7,3]; in ONNX [?,3]"
    assert found["first"][1].startswith("the constant b: 1 of 3 elements differs")
    assert found["second"] == ("the sum's shape is [?,7,3]; in ONNX [?,3]",)


def test_another_rule(files, tmp_path):
    found = differences(changed(files, tmp_path, rule='auto_broadcast="none"'))
    assert "auto_broadcast is none; ONNX broadcasts as numpy does" in found["first"]


def test_adds_of_one_side_alone_are_no_fault(files, tmp_path):
    found = changed(files, tmp_path, layer='name="other"', tensor='names="z"')
    assert ([one.name for one in found.only_onnx], [one.path for one in found.only_ir]) == (["second"], ["other"])
    assert [pair.onnx.name for pair in found.pairs] == ["first"]
    assert "only in the IR: other" in conversion.text(found)


def test_the_document(files):
    found = compare_onnx(str(files / "net.onnx"), read_model(str(files / "half.xml")))
    document = standard.loads(json.dumps(conversion.document("net.onnx", "half.xml", found)))
    schema = standard.loads((resources.files("addison.report") / "schemas" / "conversion-1.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(document)
    assert document["pairs"][0]["tensor"] == "biased"


def test_files_that_are_no_onnx_models(tmp_path):
    (tmp_path / "text.onnx").write_text("no protobuf, this")
    for name in ("text.onnx", "nothing.onnx"):
        with pytest.raises(InvalidInput) as caught:
            onnx_adds.onnx_adds(str(tmp_path / name))
        assert caught.value.fields["path"].endswith(name)


def test_without_onnx_its_command_is_named(monkeypatch):
    monkeypatch.setattr(onnx_adds, "_PACKAGE", Package("no_such_module_here", "onnx"))
    with pytest.raises(Unsupported) as caught:
        onnx_adds.onnx_adds("net.onnx")
    assert (caught.value.help, caught.value.fields["missing"]) == ("pip install onnx", ("onnx",))
