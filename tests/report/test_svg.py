"""The drawing: well-formed, nothing in it but what is meant, the same bytes again."""

import re
from xml.etree import ElementTree

import pytest

from addison.report import boxes
from addison.report.svg import svg
from tests.ir.build import add, data, layer, net, parameter, port, sum_of
from tests.report.models import HOSTILE, album, clashing, named, wired, with_bodies

SVG = "{http://www.w3.org/2000/svg}"


def drawn(made, number=0, around=None, **how):
    """The drawing as an XML parser reads it."""
    text = svg(made.picture(number, around), made.findings, label=made.file, **how)
    assert text.isascii()
    return ElementTree.fromstring(text)


def of_class(root, *names):
    """The groups that have all these classes."""
    return [one for one in root.iter() if set(names) <= set(one.get("class", "").split())]


def words(element):
    return [one.text for one in element.iter(f"{SVG}text")]


def title(element):
    return element.find(f"{SVG}title").text


def test_every_layer_and_every_edge_is_there_and_adds_are_marked():
    root = drawn(album(sum_of(b=parameter(1, "b", "1,3"))))
    assert [words(one)[:2] for one in of_class(root, "node")] == [
        ["Parameter", "a"], ["Parameter", "b"], ["Add", "add"], ["Result", "r"],
    ]  # fmt: skip
    assert [(one.get("data-a"), one.get("data-b")) for one in of_class(root, "wire")] == [
        ("0", "2"), ("1", "2"), ("2", "3"),
    ]  # fmt: skip
    (total,) = of_class(root, "add")
    assert len(total.findall(f"{SVG}circle")) == 1
    assert len(list(root.iter(f"{SVG}circle"))) == 1
    assert [one.text for one in of_class(root, "fact")] == ["f32 [2,3]", "f32 [1,3]", "f32 [2,3]"]


def test_titles_say_what_and_from_where():
    root = drawn(album(sum_of()))
    assert title(of_class(root, "wire")[1]).splitlines() == ["b output 0 to add input 1", "f32 [2,3]"]
    assert title(of_class(root, "add")[0]).splitlines() == [
        "Add add (id 2)", "input 0: f32 [2,3]", "input 1: f32 [2,3]", "output 0: f32 [2,3]",
    ]  # fmt: skip


def test_a_clash_is_red_and_says_why():
    root = drawn(album(clashing()))
    assert len(of_class(root, "wire", "error")) == 2
    assert len(of_class(root, "fact", "error")) == 2
    (total,) = of_class(root, "node", "error")
    assert "axis -1: 3 against 4, and neither is 1" in words(total)[2]
    assert "A302" in title(total)
    assert all("A302" in title(one) for one in of_class(root, "wire", "error"))


def test_the_rule_of_an_add_that_is_not_numpys_is_written_on_it():
    made = album(sum_of(add_layer=add(inside=data(auto_broadcast="pdpd", axis=0))))
    assert words(of_class(drawn(made), "add")[0])[0] == "Add pdpd axis 0"
    made = album(sum_of(add_layer=add(inside=data(auto_broadcast="none"))))
    assert words(of_class(drawn(made), "add")[0])[0] == "Add none"


def test_bodies_are_named_and_drawn_by_themselves():
    made = album(with_bodies())
    root = drawn(made)
    (choice,) = of_class(root, "bodied")
    assert "holds then_body, else_body" in words(choice)
    assert "addison show --body if/else_body" in title(choice)
    assert len(of_class(drawn(made, 2), "wire", "error")) == 2


def test_what_is_left_out_is_said_on_the_drawing_and_at_the_layers():
    made = album(wired(9, [(k, k + 1) for k in range(8)]))
    root = drawn(made, around=made.near(0, 4, 1))
    assert [one.text for one in of_class(root, "said")] == ["3 of 9 layers: those within 1 edge of n4"]
    assert [title(one) for one in of_class(root, "stub")] == [
        "1 input from layers that are not shown", "1 edge to layers that are not shown",
    ]  # fmt: skip
    assert len(of_class(root, "centre")) == 1
    assert of_class(drawn(made), "said") == []


def test_too_many_edges_are_not_drawn_and_it_is_said(monkeypatch):
    monkeypatch.setattr(boxes, "MOST_WIRES", 5)
    root = drawn(album(wired(9, [(k, k + 1) for k in range(8)])))
    assert len(of_class(root, "wire")) == 5
    assert [one.text for one in of_class(root, "said")] == ["3 of 8 edges are not drawn"]


def test_hostile_names_stay_text():
    made = album(named(HOSTILE))
    assert made.model.layers[2].name == HOSTILE
    root = drawn(made)
    assert {one.tag.removeprefix(SVG) for one in root.iter()} == {
        "svg", "title", "style", "rect", "g", "path", "text", "circle",
    }  # fmt: skip
    assert not [key for one in root.iter() for key in one.attrib if key.startswith("on") or "href" in key]
    assert title(of_class(root, "add")[0]).startswith("Add </title></script><script>")
    assert "\u202e" not in "".join(root.itertext())


@pytest.mark.parametrize("name", ["", "x" * 100_000, "名" * 50, "\u0301" * 50, "]]>", "a\u2028b"])
def test_odd_names_are_drawn(name):
    made = album(named(name))
    root = drawn(made)
    (total,) = of_class(root, "add")
    assert len(words(total)[1]) <= 60
    assert float(root.get("width")) < 1500


def test_cycles_and_layers_that_feed_themselves_are_drawn():
    root = drawn(album(wired(4, [(0, 1), (1, 2), (2, 1), (3, 3)])))
    assert len(of_class(root, "wire")) == 4
    for one in of_class(root, "wire"):
        assert re.fullmatch(r"M[-\d. ]+([CV][-\d. ]+)+", one.find(f"{SVG}path").get("d"))


def test_many_outputs_leave_at_their_own_places():
    split = layer(1, "split", "Split", inputs=[port(0)], outputs=[port(k, (1, 3)) for k in (5, 6)])
    text = net([parameter(), split, add(2, inputs=[port(0), port(1)])], [(0, 0, 1, 0), (1, 5, 2, 0), (1, 6, 2, 1)])
    root = drawn(album(text))
    starts = [one.find(f"{SVG}path").get("d").split(" ")[0] for one in of_class(root, "wire")[1:]]
    assert len(set(starts)) == 2
    assert [one.text for one in of_class(root, "fact")].count("f32 [1,3]") == 2


def test_a_drawing_for_a_page_has_no_style_of_its_own():
    root = drawn(album(sum_of()), alone=False)
    assert list(root.iter(f"{SVG}style")) == []
    assert of_class(root, "said") == []


def test_the_same_model_is_drawn_in_the_same_bytes():
    made = [album(wired(40, [(k, (k * 3 + 1) % 40) for k in range(13)])) for _ in range(2)]
    assert len({svg(one.picture(0), one.findings, label="x") for one in made}) == 1


def test_a_model_without_layers_is_drawn():
    assert of_class(drawn(album(net([]))), "node") == []
