"""Which layer each finding is shown at."""

import pytest

from addison.diagnostics import Source, Span
from addison.ir import codes
from addison.ir.reader import examine
from addison.report.concerns import Concerns, Where
from tests.ir.build import add, const, layer, net, parameter, port, result, sum_of
from tests.report.models import album, clashing, with_bodies
from tests.report.test_text import NET


def concern(text, code, weights=None):
    """What the one finding of that code in a text is about, as names: the graph's path and the layer, the others."""
    made = album(text, weights)
    (finding,) = [one for one in made.findings if one.code == code]
    found = Concerns(made.model).of(finding)
    if found is None:
        return None

    def named(where):
        return made.paths[where.graph] + made.graphs[where.graph].layers[where.layer].name

    return named(found.home), {named(one) for one in found.others}, found.input


def test_a_clash_is_at_its_add_and_points_at_both_that_feed_it():
    assert concern(NET, "A302", bytes(8)) == ("add", {"a", "b"}, -1)
    assert concern(clashing(), "A302") == ("add", {"a", "b"}, -1)


def test_two_types_are_at_their_add():
    assert concern(sum_of(b=parameter(1, "b", "2,3", "f16")), "A201") == ("add", {"a", "b"}, -1)


def test_a_clash_in_a_body_is_at_the_add_of_that_body():
    assert concern(with_bodies(), "A302") == ("if/else_body/add", {"if/else_body/a", "if/else_body/b"}, -1)


def test_an_input_that_the_finding_names():
    strange = layer(1, "b", "Strange", outputs=[port(0, (2, 3), "BOOL")])
    home, _, wrong = concern(sum_of(b=strange), "A202")
    assert (home, wrong) == ("add", 1)


@pytest.mark.parametrize(
    ("text", "code", "home"),
    [
        (sum_of(b=const(1, "f32", "2, 3", 0, 4)), "W103", "c"),
        (sum_of(add_layer=add(outputs=[port(2, (), "FP99")])), "F111", "add"),
        (sum_of(add_layer=add(outputs=[port(2, ("x",))])), "F109", "add"),
        (sum_of(a=parameter(0, "a", "2,,3")), "F112", "a"),
        (sum_of(r=result(inputs=[port(0, (3,)).replace("3</dim>", "3<x/></dim>")])), "F109", "r"),
        (sum_of(wires=((0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (7, 0, 3, 0))), "G102", "r"),
        (sum_of(wires=((0, 0, 2, 0), (1, 0, 2, 1), (1, 0, 2, 1), (2, 2, 3, 0))), "G104", "add"),
    ],
)
def test_a_finding_inside_a_layer_is_at_that_layer(text, code, home):
    found = concern(text, code)
    assert found is not None
    assert found[0] == home


def test_an_edge_is_about_both_its_ends():
    wires = ((0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (0, 0, 2, 9))
    assert concern(sum_of(wires=wires), "G103") == ("add", {"a"}, -1)


@pytest.mark.parametrize(
    "text",
    [
        net([parameter(), result(3)], [(0, 0, 3, 0)], tail="<edges/>"),
        net([parameter(), result(3)], [(0, 0, 3, 0)], tail="<layers/>"),
    ],
)
def test_what_stands_outside_of_layers_is_about_none(text):
    assert concern(text, "F114") is None


def test_of_two_layers_with_one_name_the_one_that_is_pointed_at():
    text = sum_of(a=parameter(0, "same", "2,3"), b=parameter(1, "same", "2,,3"))
    made = album(text)
    (finding,) = [one for one in made.findings if one.code == "F112"]
    assert Concerns(made.model).of(finding).home == Where(0, 1)


def test_a_finding_without_a_place_is_at_the_layer_it_names():
    made = album(sum_of())
    about = Concerns(made.model).of
    assert about(codes.CYCLE(None, "says", layer="add")).home == Where(0, 2)
    assert about(codes.CYCLE(None, "says", layer="nothing")) is None
    assert about(codes.CYCLE(None, "says")) is None
    assert about(codes.CYCLE(None, "says", layer=7)) is None
    assert about(codes.CYCLE(Span(Source("other.xml", b"<x/>"), 0, 1), "says")) is None


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16be", "latin1"])
def test_in_other_encodings(encoding):
    text = clashing().replace('<?xml version="1.0"?>', f'<?xml version="1.0" encoding="{encoding}"?>')
    data = ("\ufeff" * (encoding == "utf-16be") + text).encode(encoding)
    model, findings = examine(data)
    assert findings == ()
    from addison import check

    (finding,) = check(model)
    found = Concerns(model).of(finding)
    assert (model.layers[found.home.layer].name, len(found.others)) == ("add", 2)
