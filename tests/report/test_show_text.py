"""The tree, in a pipe and on a terminal."""

import pytest
from rich.text import Text

from addison.report.show_rows import MOST_FINDINGS, headline
from addison.report.show_terminal import ASCII, UNICODE, tree
from addison.report.show_text import text
from tests.ir.build import add, data, net, parameter, port, result, sum_of
from tests.report.models import HOSTILE, album, clashing, named, wired, with_bodies


def lines(made, number=0, around=None):
    return text(made, made.picture(number, around)).splitlines()


def test_a_model_as_lines():
    assert lines(album(sum_of(b=parameter(1, "bias", "3")))) == [
        "net.xml: m, IR v11, 4 layers, 1 Add, no findings",
        "  a     Parameter            f32 [2,3]",
        "  bias  Parameter            f32 [3]",
        "+ add   Add        a + bias  f32 [2,3]",
        "  r     Result     add",
    ]


def test_findings_stand_under_their_layer():
    made = album(clashing())
    assert lines(made)[-2].strip() == (
        "error[A302] line 1: shapes clash under \"numpy\" in Add 'add': axis -1: 3 against 4, and neither is 1"
    )
    assert lines(made)[0].endswith("1 Add, 1 error")


def test_findings_about_the_file_stand_at_the_end():
    made = album(net([parameter(), result(3)], [(0, 0, 3, 0)], tail="<edges/>"))
    assert lines(made)[-1].startswith("error[F114] line 1: a second <edges>")


def test_bodies_stand_inside_their_layer():
    assert lines(album(with_bodies()))[:7] == [
        "net.xml: m, IR v11, 3 layers and 8 in bodies, 2 Adds, 1 error",
        "  x        Parameter         f32 [2,3]",
        "  if       If         x      f32 [2,3]",
        "    then_body: 4 layers",
        "      a    Parameter         f32 [2,3]",
        "      b    Parameter         f32 [2,3]",
        "+     add  Add        a + b  f32 [2,3]",
    ]
    assert lines(album(with_bodies()), 2)[0] == "net.xml: m, IR v11, body if/else_body, 4 layers, 1 Add, 1 error"


def test_two_bodies_of_one_path_are_both_shown():
    choice = with_bodies().partition('<layer id="9"')[2].partition("</then_body>")
    one = f'<layer id="9"{choice[0]}</then_body></layer>'
    made = album(net([parameter(0, "x"), one, one.replace('id="9"', 'id="8"', 1)], [(0, 0, 9, 0), (0, 0, 8, 0)]))
    assert made.paths == ["", "if/then_body/", "if/then_body/"]
    assert sum("then_body: 4 layers" in line for line in lines(made)) == 2


def test_a_part_says_that_it_is_one():
    made = album(wired(9, [(k, k + 1) for k in range(8)]))
    shown = lines(made, around=made.near(0, 4, 1))
    assert shown[0] == "net.xml: m, IR v11, 9 layers, 0 Adds shown, no findings"
    assert shown[-1] == "shown: 3 of 9 layers: those within 1 edge of n4"
    made = album(clashing())
    assert lines(made, around=made.near(0, 0, 0))[-1] == "1 finding elsewhere: addison check lists all"


def test_rules_and_inputs_are_named():
    made = album(sum_of(add_layer=add(inside=data(auto_broadcast="pdpd", axis=0)), wires=((0, 0, 2, 0), (2, 2, 3, 0))))
    assert any("Add pdpd 0  a + ?" in line for line in lines(made))
    many = album(wired(9, [(k, 8) for k in range(8)]))
    assert "n0, n1, n2 and 5 more" in lines(many)[-1]


def test_many_findings_at_one_layer_are_cut():
    ports = [port(k, ("x",)) for k in range(MOST_FINDINGS + 5)]
    made = album(sum_of(add_layer=add(outputs=ports)))
    assert len(made.findings) > MOST_FINDINGS + 5
    shown = lines(made)
    assert f"    and {len(made.findings) - MOST_FINDINGS} more findings" in shown
    assert sum("[" in line and "line 1:" in line for line in shown) == MOST_FINDINGS


@pytest.mark.parametrize("name", [HOSTILE, "x" * 1_000_000, "a\u009b31m", ""])
def test_names_are_safe_and_short(name):
    made = album(named(name))
    for line in lines(made):
        assert line.isprintable()
        assert len(line) < 300
    assert len(headline(made, made.picture(0))) < 300


def shown(made, width, signs=UNICODE):
    return tree(made, made.picture(0), width, signs)


def test_a_tree_has_guides():
    assert [str(line).rstrip() for line in shown(album(with_bodies()), 200)][1:11] == [
        "├─ x            Parameter         f32 [2,3]",
        "├─ if           If         x      f32 [2,3]",
        "│  ├─ then_body: 4 layers",
        "│  │  ├─ a      Parameter         f32 [2,3]",
        "│  │  ├─ b      Parameter         f32 [2,3]",
        "│  │  ├─ + add  Add        a + b  f32 [2,3]",
        "│  │  └─ r      Result     add",
        "│  └─ else_body: 4 layers",
        "│     ├─ a      Parameter         f32 [2,3]",
        "│     ├─ b      Parameter         f32 [4]",
    ]


@pytest.mark.parametrize("width", [20, 80, 100, 1000])
def test_a_tree_is_cut_to_the_terminal(width):
    made = album(named("encoder/layer_with_a_rather_long_name/that_goes_on", wired(2, []) and sum_of()))
    layers = [line for line in shown(made, width)[1:] if "Add" in str(line) or "Param" in str(line)]
    assert len(layers) == 3
    for line in layers:
        assert isinstance(line, Text)
        assert line.cell_len <= max(width, 72)


def test_a_tree_without_unicode():
    assert str(shown(album(sum_of()), 80, ASCII)[4]).startswith("`- r")


def test_styles_mark_adds_and_errors():
    made = shown(album(clashing()), 100)
    styles = {str(span.style) for line in made for span in line.spans}
    assert {"bold blue", "green", "bold red", "dim"} <= styles
