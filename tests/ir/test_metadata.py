"""What <rt_info> says: of the model and of bodies as paths, of layers and ports as notes."""

import openvino
import openvino.opset13 as opset
import pytest
from openvino import Layout, Model, PartialShape, Type

from addison.ir.metadata import step
from addison.ir.reader import read_model
from tests.ir.build import add, layer, net, port, sum_of, tag


def said(inside):
    """The model's rt_info."""
    return read_model(net([], tail=f"<rt_info>{inside}</rt_info>").encode()).rt_info


@pytest.mark.parametrize(
    ("inside", "entries"),
    [
        ("", {}),
        ('<a value="1"/>', {"a": "1"}),
        ("<a/>", {}),
        ('<a value=""/>', {"a": ""}),
        ('<a><b value="1"/><c value="2"/></a><b value="3"/>', {"a/b": "1", "a/c": "2", "b": "3"}),
        ('<a value="1"><b value="2"/></a>', {"a": "1", "a/b": "2"}),
        ('<a value="1"/><a value="2"/>', {"a": "2"}),
        ('<info name="k" value="v"/>', {"k": "v"}),
        ('<info name="k"><info name="l" value="v"/></info>', {"k/l": "v"}),
        ('<info name="a/b" value="v"/>', {r"a\/b": "v"}),
        ('<info name="a\\b" value="v"/>', {r"a\\b": "v"}),
        ("<a>text</a>", {}),
    ],
)
def test_entries_are_kept_by_their_paths(inside, entries):
    assert said(inside) == entries


def test_names_with_a_slash_do_not_meet_those_of_paths():
    assert said('<info name="a/b" value="1"/><a><b value="2"/></a>') == {r"a\/b": "1", "a/b": "2"}
    assert len({step(name) for name in ("a/b", r"a\/b", "a\\", "a", r"a\\/b")}) == 5


def test_a_body_has_its_own():
    inside = '<body><layers/><rt_info><k value="inner"/></rt_info></body>'
    outside = '<rt_info><k value="outer"/></rt_info>'
    model = read_model(net([layer(0, "loop", "Loop", inside=inside)], tail=outside).encode())
    assert model.rt_info == {"k": "outer"}
    assert model.layers[0].bodies[0].rt_info == {"k": "inner"}


def test_plain_attributes_of_a_layer():
    text = sum_of(
        add_layer=add(
            tail=tag(
                "rt_info",
                {},
                '<attribute name="fused_names" version="0" value="x"/><attribute name="other" version="1"/>',
            )
        )
    )
    total = read_model(text.encode()).layers[2]
    assert total.rt_info == ({"name": "fused_names", "version": "0", "value": "x"}, {"name": "other", "version": "1"})
    assert total.notes == ()


def test_other_elements_are_notes():
    text = sum_of(add_layer=add(tail='<rt_info><custom value="1"><deeper><deepest a="b"/></deeper></custom></rt_info>'))
    [note] = read_model(text.encode()).layers[2].notes
    assert (note.tag, note.attributes, note.side, note.port) == ("custom", {"value": "1"}, "", 0)
    assert note.inside[0].inside[0].attributes == {"a": "b"}


def test_notes_of_ports_say_which():
    def about(number, what):
        note = f'<rt_info><attribute name="{what}" version="0"/></rt_info>'
        return port(number).replace("/>", f">{note}<dim>2</dim></port>")

    text = sum_of(add_layer=add(inputs=[port(0), about(1, "in")], outputs=[about(2, "out")]))
    total = read_model(text.encode()).layers[2]
    assert [(one.side, one.port, one.attributes["name"]) for one in total.notes] == [
        ("input", 1, "in"),
        ("output", 0, "out"),
    ]
    assert [one.dims for one in (*total.inputs, *total.outputs)] == [(), (2,), (2,)]


def test_the_layouts_that_openvino_writes(tmp_path):
    x = opset.parameter(PartialShape([1, 3, "?"]), Type.f32, name="x")
    x.set_layout(Layout("NCW"))
    made = Model([opset.result(opset.add(x, x))], [x], "m")
    made.set_rt_info("me", ["who", "wrote"])
    openvino.serialize(made, tmp_path / "m.xml")
    model = read_model(tmp_path / "m.xml")
    assert model.rt_info["who/wrote"] == "me"
    [note] = model.inputs[0].notes
    assert (note.side, note.port) == ("output", 0)
    assert (note.attributes["name"], note.attributes["layout"]) == ("layout", "[N,C,W]")
