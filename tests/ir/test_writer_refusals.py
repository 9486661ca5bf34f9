"""What save_model refuses, in words, leaving nothing behind."""

import dataclasses

import pytest

from addison.errors import InvalidInput
from addison.ir.model import Constant, Note
from addison.ir.reader import examine, read_model
from addison.ir.writer import save_model
from addison.spec.elements import ElementType
from addison.spec.shapes import Shape
from tests.ir.build import FLOATS, const, layer, net, sum_of, tag
from tests.ir.changed import rewritten, summed, with_layer

F32 = ElementType.parse("f32")


def refused(model, tmp_path):
    with pytest.raises(InvalidInput) as caught:
        save_model(model, tmp_path / "net.xml")
    assert list(tmp_path.iterdir()) == []
    return caught.value


@pytest.mark.parametrize(("character", "found"), [
    ("\0", "U+0000"), ("\x01", "U+0001"), ("\x1f", "U+001F"), ("\x0b", "U+000B"), ("\ud800", "U+D800"),
    ("\ufffe", "U+FFFE"), ("\uffff", "U+FFFF"),
])  # fmt: skip
def test_characters_that_xml_lacks(tmp_path, character, found):
    name = f"a{character}b"
    fault = refused(with_layer(summed(), 2, name=name), tmp_path)
    assert fault.fields == {"layer": name, "text": name, "found": found}
    assert repr(name) in fault.says


@pytest.mark.parametrize("text", ["\x7f", "\x85", "\u2028", "\ufffd", "\U0010ffff", "\n", "\r", "\t", "\r\n"])
def test_characters_that_it_has(tmp_path, text):
    _, again = rewritten(with_layer(summed(), 2, name=f"a{text}b"), tmp_path)
    assert again.layers[2].name == f"a{text}b"


@pytest.mark.parametrize("changes", [
    {"type": "\x01"}, {"version": "\x01"}, {"output_names": ("ok", "\x01")}, {"data": {"k": "\x01"}},
    {"rt_info": ({"name": "\x01"},)}, {"notes": (Note("k", {"v": "\x01"}, (), "output"),)},
    {"notes": (Note("k", {}, (Note("l", {"v": "\x01"}),)),)},
])  # fmt: skip
def test_wherever_they_are(tmp_path, changes):
    fault = refused(with_layer(summed(), 2, **changes), tmp_path)
    assert (fault.fields["layer"], fault.fields["found"]) == ("add", "U+0001")
    assert "'add'" in fault.says


@pytest.mark.parametrize(
    "changes",
    [
        {"data": {"a b": "1"}},
        {"data": {'x="1" y': "1"}},
        {"data": {"": "1"}},
        {"notes": (Note("a><b", {}),)},
        {"notes": (Note("", {}),)},
    ],
)
def test_what_nothing_can_be_called(tmp_path, changes):
    assert refused(with_layer(summed(), 2, **changes), tmp_path).fields["layer"] == "add"


def test_names_of_the_model_and_in_its_rt_info(tmp_path):
    model = summed()
    for changed in ({"name": "\x02"}, {"rt_info": {"a/\x02": "1"}}, {"rt_info": {"a": "\x02"}}):
        fault = refused(dataclasses.replace(model, **changed), tmp_path)
        assert fault.fields["found"] == "U+0002"
        assert "layer" not in fault.fields


def test_a_layer_in_a_body(tmp_path):
    inner = tag("layers", {}, layer(0, "inner", "Whatever"))
    model = read_model(net([layer(0, "loop", "Loop", inside=tag("body", {}, inner))]).encode())
    [body] = model.layers[0].bodies
    graph = dataclasses.replace(body.graph, layers=(body.graph.layers[0]._replace(name="\x01"),))
    model = with_layer(model, 0, bodies=(dataclasses.replace(body, graph=graph),))
    assert refused(model, tmp_path).fields["layer"] == "\x01"


def test_two_names_that_end_in_a_backslash(tmp_path):
    model = with_layer(summed(), 3, output_names=("a\\", "b\\"))
    fault = refused(model, tmp_path)
    assert (fault.fields["layer"], fault.fields["text"]) == ("r", "b\\")


def test_a_constant_without_bytes(tmp_path):
    model, findings = examine(sum_of(b=const(name="weight")).encode())
    assert [one.code for one in findings] == ["W101"]
    assert refused(model, tmp_path).fields == {"layer": "weight"}


def test_a_constant_past_the_end(tmp_path):
    model = summed(b=const(name="weight"))
    past = Constant(F32, Shape(4), 50, 16, model.weights)
    fault = refused(with_layer(model, 1, operation=past), tmp_path)
    assert fault.fields == {"layer": "weight", "offset": 50, "size": 16, "found": 64}


def test_a_constant_that_could_not_be_read(tmp_path):
    model, _ = examine(sum_of(b=const(shape="what?", name="weight")).encode(), FLOATS)
    assert refused(model, tmp_path).fields == {"layer": "weight"}


def test_ids_that_say_nothing(tmp_path):
    twice = summed().layers[2]._replace(inputs=(summed().layers[2].inputs[0],) * 2)
    fault = refused(with_layer(summed(), 2, inputs=twice.inputs), tmp_path)
    assert fault.fields == {"layer": "add", "id": 0}
    inner = tag("layers", {}, layer(0, "x", "Whatever"), layer(0, "y", "Whatever"))
    model, _ = examine(net([layer(0, "loop", "Loop", inside=tag("body", {}, inner))]).encode())
    assert refused(model, tmp_path).fields == {"id": 0}


def test_inputs_without_ports(tmp_path):
    fault = refused(with_layer(summed(), 2, inputs=()), tmp_path)
    assert fault.fields == {"layer": "add", "found": 2, "wanted": 0}
