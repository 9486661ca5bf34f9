"""Findings and results in words."""

import numpy as np
import pytest

from addison import check
from addison.report import text
from addison.report.escape import escape
from addison.runtime.shapes import pair
from tests.ir.build import parameter, sum_of

NET = """<?xml version="1.0"?>
<net name="m" version="11">
    <layers>
        <layer id="0" name="a" type="Parameter" version="opset1">
            <data shape="2,3" element_type="f32"/>
            <output><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></output>
        </layer>
        <layer id="1" name="b" type="Const" version="opset1">
            <data shape="2" element_type="f32" offset="0" size="8"/>
            <output><port id="0" precision="FP32"><dim>2</dim></port></output>
        </layer>
        <layer id="2" name="add" type="Add" version="opset1">
            <input><port id="0"/><port id="1"/></input>
            <output><port id="2" precision="FP32"/></output>
        </layer>
        <layer id="3" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>
    </layers>
    <edges>
        <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
        <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
        <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
    </edges>
</net>
"""


def test_a_clash_as_a_user_sees_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.xml").write_text(NET)
    (tmp_path / "net.bin").write_bytes(bytes(8))
    assert (
        text.findings(check("net.xml"))
        == """\
net.xml:9:26: error[A302]: shapes clash under "numpy" in Add 'add'
 5 |             <data shape="2,3" element_type="f32"/>
   |                          ^^^ this side is [2,3]
 9 |             <data shape="2" element_type="f32" offset="0" size="8"/>
   |                          ^ axis -1: 3 against 2, and neither is 1
12 |         <layer id="2" name="add" type="Add" version="opset1">
   |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ they meet in this Add
   = help: make the sizes equal, or one of them 1, on each axis named
   = more: addison explain A302
"""
    )


def test_a_long_line_is_cut_around_the_place():
    xml = sum_of(a=parameter(0, "a", "2,,3"))
    shown = text.findings(check(xml.encode()))
    _, line, carets, *_ = shown.splitlines()
    assert len(line) <= text.WIDEST + 4
    start, stop = carets.index("^"), carets.rindex("^") + 1
    assert line[start:stop] == "2,,3"


def test_colour_only_when_asked():
    found = check(b"hello")
    assert "\x1b" not in text.findings(found)
    assert "\x1b[1;31merror[F105]\x1b[0m" in text.findings(found, text.Style(colour=True))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("add", "add"),
        ("\x1b[31m", "\\e[31m"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x00\x07", "\\x00\\x07"),
        ("\u202egnp", "\\u202egnp"),
        ("\u2028", "\\u2028"),
        ("\ud800", "\\ud800"),
        ("größe ✓", "größe ✓"),
        ("\x9b31m", "\\x9b31m"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_could_steer_a_terminal_is_written_out(raw, shown):
    assert escape(raw) == shown


def test_names_in_findings_are_escaped():
    name = "\u202eevil\u009b31m"
    xml = sum_of(a=parameter(0, "a", "2,3"), b=parameter(1, "b", "4")).replace('name="add"', f'name="{name}"')
    shown = text.findings(check(xml.encode()))
    assert "\\u202eevil\\x9b31m" in shown
    assert name not in shown
    assert "\u202e" not in shown
    assert "\u009b" not in shown


def test_two_shapes_in_columns():
    assert (
        text.merged(pair("2,3,4", "5,1", "numpy", -1))
        == """\
axis  a  b  result
  -3  2  .       2
  -2  3  5   clash
  -1  4  1       4
[2,3,4] + [5,1] clash under numpy: axis -2: 3 against 5, and neither is 1
  help: make the sizes equal, or one of them 1, on each axis named"""
    )
    assert text.merged(pair("...", "2", "numpy", -1)) == "[...] + [2] -> [...]   (numpy)"


def test_a_trailing_one_past_the_last_axis_is_shown_as_dropped():
    assert text.merged(pair("2,3", "3,1", "pdpd", 1)).splitlines()[:4] == [
        "axis  a  b  result",
        "   0  2  .       2",
        "   1  3  3       3",
        "   2  .  1       .",
    ]


def test_previews():
    assert text.preview(np.arange(3)) == "0, 1, 2"
    assert text.preview(np.arange(9), 2) == "0, 1, ..."
    assert text.preview(np.float32(0.5)[None][:0]) == ""


def test_summaries():
    assert text.summary([], ["a.xml"]) == "a.xml: no findings"
    found = check(b"hello")
    assert text.summary([*found, *found], ["a", "b"]) == "2 files: 2 errors"
