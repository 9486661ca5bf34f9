"""The document of a model against its schema."""

import json as standard

import jsonschema
import pytest

from addison.report import json, show_json
from tests.ir.build import net, parameter, port, result, sum_of
from tests.report.models import HOSTILE, album, clashing, named, wired, with_bodies
from tests.report.test_json import schema


def held(made, pictures):
    """The document as another program reads it, once it fits its schema."""
    read = standard.loads(json.dumps(show_json.document(made, pictures)))
    jsonschema.Draft202012Validator(schema("show-1")).validate(read)
    assert read["schema"] == "addison/show/1"
    return read


def whole(made):
    return held(made, [made.picture(number) for number in range(len(made.graphs))])


def test_the_schema_is_one_and_refuses_what_does_not_fit():
    jsonschema.Draft202012Validator.check_schema(schema("show-1"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema("show-1")).validate({"schema": "addison/show/1", "graphs": [{}]})


def test_a_sum():
    read = whole(album(sum_of(a=parameter(0, "a", "?,1..8,3"), b=parameter(1, "b", "...")), file="dir/net.xml"))
    assert (read["model"], read["name"], read["version"]) == ("dir/net.xml", "m", 11)
    (graph,) = read["graphs"]
    assert (graph["path"], graph["total"], graph["around"]) == ("", 4, None)
    a, b, total, end = graph["layers"]
    assert (a["kind"], b["kind"], total["kind"], end["kind"]) == ("input", "input", "add", "output")
    assert a["outputs"] == [{"port": 0, "element_type": "f32", "shape": ["?", "1..8", 3], "names": []}]
    assert b["outputs"][0]["shape"] is None
    assert total["attributes"] == {"auto_broadcast": "numpy"}
    assert [one["source"] for one in total["inputs"]] == [{"layer": 0, "output": 0}, {"layer": 1, "output": 0}]
    assert [(edge["source"]["layer"], edge["target"]) for edge in graph["edges"]] == [
        (0, {"layer": 2, "input": 0}), (1, {"layer": 2, "input": 1}), (2, {"layer": 3, "input": 0}),
    ]  # fmt: skip


def test_findings_are_named_by_number():
    read = whole(album(clashing()))
    assert [one["code"] for one in read["findings"]] == ["A302"]
    (graph,) = read["graphs"]
    assert [one["findings"] for one in graph["layers"]] == [[], [], [0], []]
    assert [one["findings"] for one in graph["edges"]] == [[0], [0], []]


def test_bodies_and_neighbourhoods():
    read = whole(album(with_bodies()))
    assert [one["path"] for one in read["graphs"]] == ["", "if/then_body", "if/else_body"]
    assert read["graphs"][0]["layers"][1]["bodies"] == ["if/then_body", "if/else_body"]
    made = album(wired(9, [(k, k + 1) for k in range(8)]))
    read = held(made, [made.picture(0, made.near(0, 4, 1))])
    assert read["graphs"][0]["around"] == {"layer": 4, "depth": 1, "cut": False}
    assert [one["unseen"] for one in read["graphs"][0]["layers"]] == [
        {"inputs": 1, "outputs": 0}, {"inputs": 0, "outputs": 0}, {"inputs": 0, "outputs": 1},
    ]  # fmt: skip


def test_lines_names_and_metadata():
    text = sum_of(tail='<rt_info><made_by value="hand"/></rt_info>').replace("<layer ", "\n<layer ")
    read = whole(album(text.replace('<port id="2"', '<port id="2" names="sum,total"')))
    assert [one["line"] for one in read["graphs"][0]["layers"]] == [2, 3, 4, 5]
    assert read["graphs"][0]["layers"][2]["outputs"][0]["names"] == ["sum", "total"]
    assert read["rt_info"] == {"made_by": "hand"}


@pytest.mark.parametrize(
    "text",
    [
        named(HOSTILE),
        net([]),
        wired(3, [(0, 1), (1, 2), (2, 1)]),
        sum_of(wires=[]),
        sum_of(r=result(3, inputs=[port(0), port(0)])),
        sum_of(b=parameter(0, "b")),
        sum_of(a=parameter(0, "a", "2,,3", "f99")),
    ],
)
def test_whatever_is_read_fits(text):
    whole(album(text))
