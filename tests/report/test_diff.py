"""What two models differ in."""

import json as standard
import struct

import jsonschema
import pytest

from addison.ir.reader import examine
from addison.report import diff_json, diff_text, json
from addison.report.diff import Change, diff, matched
from tests.ir.build import add, bent, const, data, layer, net, parameter, port, result, sum_of
from tests.report.models import named, wired, with_bodies
from tests.report.test_json import schema

BIN = struct.pack("<6f", 1, 2, 3, 4, 5, 6)


def difference(a, b, weights_a=BIN, weights_b=BIN):
    return diff(examine(a.encode(), weights_a)[0], examine(b.encode(), weights_b)[0], ("a.xml", "b.xml"))


def changes(a, b, **weights):
    """The changes of the one layer that is otherwise, with its path."""
    found = difference(a, b, **weights)
    assert (found.model, found.removed, found.added) == ((), (), ())
    (layer,) = found.changed
    return layer.path, {(one.what, one.key): (one.a, one.b) for one in layer.changes}


@pytest.mark.parametrize(
    "other",
    [
        sum_of(),
        bent('<layer id="2"', '<layer id="7"')
        .replace('to-layer="2"', 'to-layer="7"')
        .replace('from-layer="2"', 'from-layer="7"'),
        bent('<data auto_broadcast="numpy"/>', ""),
        bent('shape="2,3"', 'shape="[2, 3]"'),
        net([result(), add(), parameter(1, "b"), parameter()], ((2, 2, 3, 0), (1, 0, 2, 1), (0, 0, 2, 0))),
    ],
)
def test_ids_order_and_spelling_are_no_difference(other):
    found = difference(sum_of(), other)
    assert not found
    assert found.same == 4
    assert diff_text.text(found) == "a.xml -> b.xml: no difference in 4 layers"


@pytest.mark.parametrize(
    ("other", "path", "told"),
    [
        (bent('<data auto_broadcast="numpy"/>', '<data auto_broadcast="none"/>'), "add",
         {("attribute", "auto_broadcast"): ("numpy", "none")}),
        (bent('<data auto_broadcast="numpy"/>', '<data auto_broadcast="numpy" x="y"/>'), "add",
         {("attribute", "x"): (None, "y")}),
        (bent('type="Add" version="opset1"', 'type="Add" version="opset2"'), "add",
         {("version", ""): ("opset1", "opset2")}),
        (sum_of(wires=((1, 0, 2, 0), (0, 0, 2, 1), (2, 2, 3, 0))), "add",
         {("input", "0"): ("a", "b"), ("input", "1"): ("b", "a")}),
        (sum_of(wires=((0, 0, 2, 0), (2, 2, 3, 0))), "add",
         {("input", "1"): ("b", None), ("output", "0"): ("f32 [2,3]", "f32 [...]")}),
        (sum_of(add_layer=add(outputs=[port(2, names="x,y")])), "add", {("names", "0"): ("", "x, y")}),
        (sum_of(add_layer=add(tail='<rt_info><attribute name="n" version="0" value="v"/></rt_info>')), "add",
         {("rt_info", "n"): (None, "version=0 value=v")}),
        (sum_of(r=result(3, "s")), "r", {("name", ""): ("r", "s")}),
    ],
)  # fmt: skip
def test_one_thing_changed(other, path, told):
    assert changes(sum_of(), other) == (path, told)
    again, back = changes(other, sum_of())
    assert back == {key: (b, a) for key, (a, b) in told.items()}
    assert again == ("s" if path == "r" else path)


def test_another_shape_is_told_where_it_is_and_where_it_leads():
    found = difference(sum_of(b=parameter(1, "b", "3")), sum_of(b=parameter(1, "b", "1")))
    assert [(one.path, one.changes) for one in found.changed] == [("b", (Change("output", "0", "f32 [3]", "f32 [1]"),))]
    found = difference(sum_of(), sum_of(a=parameter(0, "a", "5,2,3")))
    assert [one.path for one in found.changed] == ["a", "add"]


def test_constants():
    a = sum_of(b=const())
    path, told = changes(a, a, weights_b=BIN[:-4] + b"abcd")
    assert (path, list(told)) == ("c", [("constant", "")])
    found = difference(a, a, weights_b=BIN[:-4] + b"abcd")
    assert (found.changed[0].changes[0].bits.first, found.changed[0].changes[0].bits.differing) == ((1, 2), 1)
    moved = sum_of(b=const(offset=8, size=30))
    assert not difference(a, moved, weights_b=bytes(8) + BIN + bytes(6))
    gone = difference(a, a, weights_b=None)
    assert not gone
    assert gone.unseen == (("c", "the second model's weights are not there"),)
    assert "not compared: the bits of c: the second" in diff_text.text(gone)


def test_layers_that_only_one_has():
    more = layer(5, "extra", "ReLU", inputs=[port(0)], outputs=[port(1, (2, 3))])
    found = difference(sum_of(), sum_of(more=[more], wires=((0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (2, 2, 5, 0))))
    assert [(one.path, one.type, one.outputs) for one in found.added] == [("extra", "ReLU", ("f32 [2,3]",))]
    assert (found.removed, found.changed, found.same) == ((), (), 4)
    found = difference(with_bodies(), net([parameter(0, "x"), result(3, "y")], [(0, 0, 3, 0)]))
    assert [(one.path, one.inside) for one in found.removed] == [("if", 8)]


def test_bodies_are_compared_too():
    found = difference(with_bodies(), with_bodies().replace('shape="4"', 'shape="1"'))
    assert [one.path for one in found.changed] == ["if/else_body/b", "if/else_body/add"]
    found = difference(with_bodies(), with_bodies("other"))
    assert [(one.path, one.b, len(one.changes)) for one in found.changed] == [("if", "other", 1)]
    half = with_bodies().partition("<else_body>")
    without = half[0] + half[2].partition("</else_body>")[2]
    assert changes(with_bodies(), without) == ("if", {("body", "else_body"): ("there", None)})


def test_the_models_own_properties():
    found = difference(sum_of(), sum_of(name="n", version=10, tail='<rt_info><x value="1"/></rt_info>'))
    assert [(one.what, one.key, one.a, one.b) for one in found.model] == [
        ("name", "", "m", "n"), ("version", "", "11", "10"), ("rt_info", "x", None, "1"),
    ]  # fmt: skip
    assert "3 properties of the model" in diff_text.text(found)


@pytest.mark.parametrize(
    ("a", "b", "match"),
    [
        (wired(3, [(0, 1), (1, 2)]), wired(3, [(0, 1), (1, 2)]), {0: 0, 1: 1, 2: 2}),
        # what feeds a layer of the same name, wherever it stands and whatever it is called
        (wired(3, [(0, 1), (1, 2)]), wired(3, [(1, 0), (0, 2)]).replace('"n0"', '"p"').replace('"n1"', '"q"'),
         {0: 1, 1: 0, 2: 2}),
        # by id: nothing else is left
        (wired(2, []), wired(2, []).replace('"n0"', '"p"'), {0: 0, 1: 1}),
        (wired(2, []), wired(2, [], {0}).replace('"n0"', '"p"'), {1: 1}),
        # names that are there twice say nothing
        (wired(2, []).replace('"n0"', '"n1"'), wired(2, []).replace('"n0"', '"n1"'), {0: 0, 1: 1}),
        (wired(2, []).replace('"n0"', '"n1"').replace('id="0" name', 'id="1" name'),
         wired(2, []).replace('"n0"', '"n1"').replace('id="1" name', 'id="0" name'), {0: 0, 1: 1}),
    ],
)  # fmt: skip
def test_which_layer_is_which(a, b, match):
    graphs = [examine(text.encode(), bytes(24))[0].graph for text in (a, b)]
    assert matched(*graphs) == match


def test_in_words():
    other = sum_of(b=const(1, name="b"), r=result(3, "s"), add_layer=add(inside=data(auto_broadcast="none")))
    assert diff_text.text(difference(sum_of(), other)).splitlines() == [
        "a.xml -> b.xml: 3 layers changed; 1 the same",
        "~ b  Parameter",
        "    type: Parameter -> Const",
        "    attribute shape: 2,3 -> 2, 3",
        "    attribute offset: (none) -> 0",
        "    attribute size: (none) -> 24",
        "~ add  Add",
        "    attribute auto_broadcast: numpy -> none",
        "~ r -> s  Result",
    ]


def test_as_json():
    other = sum_of(b=const(), r=result(3, "s"))
    found = difference(sum_of(b=const()), other, weights_b=bytes(24))
    made = standard.loads(json.dumps(diff_json.document(found)))
    jsonschema.Draft202012Validator.check_schema(schema("show-diff-1"))
    jsonschema.Draft202012Validator(schema("show-diff-1")).validate(made)
    assert made["schema"] == "addison/show-diff/1"
    assert made["changed"][0]["changes"][0]["bits"] == {
        "element_type": "f32", "elements": 6, "differing": 6, "first": [0, 0], "a": "0x3f800000", "b": "0x0",
    }  # fmt: skip
    assert (made["differ"], made["same"]) == (True, 2)
    for text in (named("x"), with_bodies(), net([])):
        document = standard.loads(json.dumps(diff_json.document(difference(sum_of(), text))))
        jsonschema.Draft202012Validator(schema("show-diff-1")).validate(document)


def test_names_are_escaped():
    found = difference(named("evil\u202e"), sum_of())
    said = diff_text.text(found)
    assert "\u202e" not in said
    assert "evil\\u202e -> add" in said


def test_progress_is_told():
    told = []
    model = examine(sum_of().encode())[0]
    diff(model, model, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4)]
