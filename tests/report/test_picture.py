"""What is shown of a model, as values."""

import pytest

from addison import InvalidInput
from addison.report.concerns import Where
from tests.ir.build import add, data, parameter, port, result, sum_of
from tests.report.models import album, clashing, wired, with_bodies


def test_layers_have_kinds_facts_and_sources():
    made = album(sum_of(b=parameter(1, "b", "3")))
    picture = made.picture(0)
    assert [(one.path, one.kind) for one in picture.layers] == [
        ("a", "input"), ("b", "input"), ("add", "add"), ("r", "output"),
    ]  # fmt: skip
    total = picture.at(2)
    assert [str(one) for one in total.inputs] == ["f32 [2,3]", "f32 [3]"]
    assert [str(one) for one in total.outputs] == ["f32 [2,3]"]
    assert [(one.layer, one.output) for one in total.sources] == [(0, 0), (1, 0)]
    assert [(edge.source, edge.target, edge.input, str(edge.fact)) for edge in picture.edges] == [
        (0, 2, 0, "f32 [2,3]"), (1, 2, 1, "f32 [3]"), (2, 3, 0, "f32 [2,3]"),
    ]  # fmt: skip
    assert (picture.total, picture.around, picture.said) == (4, None, "")
    assert not made.failed


def test_what_depends_on_constants_only_is_fixed():
    made = album(wired(6, [(0, 1), (2, 3), (1, 4), (3, 4), (4, 5)], {0}), bytes(24))
    assert {one.path for one in made.picture(0).layers if one.fixed} == {"n0", "n1"}


def test_findings_are_at_the_layer_and_at_the_edges_they_are_about():
    made = album(clashing())
    picture = made.picture(0)
    assert [one.path for one in picture.layers if one.findings == (0,)] == ["add"]
    assert [(edge.source, edge.target) for edge in picture.edges if edge.findings == (0,)] == [(0, 2), (1, 2)]
    assert made.failed
    pdpd = album(sum_of(add_layer=add(inside=data(auto_broadcast="pdpd"))))
    assert [one.code for one in pdpd.findings] == ["A105"]
    assert all(edge.findings == () for edge in pdpd.picture(0).edges)
    assert not pdpd.failed


def test_edges_whose_other_end_is_not_shown_are_counted():
    made = album(wired(5, [(0, 1), (1, 2), (2, 3), (1, 4), (2, 4)]))
    picture = made.picture(0, made.near(0, 2, 1))
    assert {one.path: one.unseen for one in picture.layers} == {
        "n1": (1, 0), "n2": (0, 0), "n3": (0, 0), "n4": (0, 0),
    }  # fmt: skip
    picture = made.picture(0, made.near(0, 2, 0))
    assert [one.unseen for one in picture.layers] == [(1, 2)]
    assert picture.edges == ()
    assert picture.said == "1 of 5 layers: those within 0 edges of n2"


def test_bodies_are_graphs_of_their_own():
    made = album(with_bodies())
    assert made.paths == ["", "if/then_body/", "if/else_body/"]
    assert made.picture(0).at(1).bodies == ("if/then_body", "if/else_body")
    assert made.bodies(0, 1) == (1, 2)
    assert made.body("if/else_body") == made.body("if/else_body/") == 2
    assert [one.path for one in made.picture(2).layers if one.findings] == ["if/else_body/add"]


def test_a_body_that_is_not_there_and_one_that_is_there_twice():
    made = album(with_bodies())
    with pytest.raises(InvalidInput) as caught:
        made.body("if")
    assert caught.value.fields == {"body": "if", "found": 0, "wanted": ("if/then_body", "if/else_body")}
    with pytest.raises(InvalidInput) as caught:
        album(sum_of()).body("x")
    assert caught.value.fields["wanted"] == ()
    twice = with_bodies().replace("else_body", "then_body").replace("<then_body>", "<body>", 1)
    twice = twice.replace("</then_body>", "</body>", 1)
    assert album(twice).paths == ["", "if/body/", "if/then_body/"]


def test_layers_are_found_by_path_name_and_id():
    made = album(with_bodies())
    assert made.find("if") == made.find("9") == Where(0, 1)
    assert made.find("if/else_body/add") == Where(2, 2)
    assert made.find("add", 2) == made.find("2", 2) == made.find("if/else_body/add", 2) == Where(2, 2)
    with pytest.raises(InvalidInput):
        made.find("add")
    with pytest.raises(InvalidInput) as caught:
        made.find("if", 2)
    assert caught.value.fields == {"layer": "if", "found": 0}


@pytest.mark.parametrize(
    ("text", "centre"),
    [
        (clashing(), "add"),
        (sum_of(), "add"),
        (wired(3, [(0, 1), (1, 2)]), "n0"),
        (wired(5, [(0, 1), (1, 2), (2, 1), (3, 4)]), "n1"),
        (sum_of(r=result(inputs=[port(0), port(7)])), "r"),
    ],
)
def test_the_centre_is_the_worst_finding_or_the_first_add(text, centre):
    made = album(text)
    assert made.graphs[0].layers[made.centre(0)].name == centre


def test_data_is_kept_as_written():
    made = album(sum_of(a=parameter(0, "a", inside=data(shape="2,3", element_type="f32", strange="x"))))
    assert made.picture(0).layers[0].layer.data["strange"] == "x"
