"""Names that would steer a terminal or become markup, in every place a file has for a text, in every form of output."""

import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import pytest

from addison.checker.check import check
from addison.cli.main import main
from addison.report import github
from tests.hostile.worker import STEERS
from tests.ir.build import add, const, data, edges, layer, net, parameter, port, result, sum_of, tag

EVIL = "\x9b31m\x85\x7f\u202e\u2066\u200b\u2028\t\n\r<script>alert(1)</script>\"'&]]>--><img src=x>[red]%0A::error::x"
"""What XML may hold: there is no escape character, but a one-byte CSI, direction overrides and markup."""
WORD = "\u0430\u0301b\u00aa"  # what a tag's name may hold
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def loop(name="loop", variable="v", body="body"):
    inside = (
        f"<port_map>{tag('input', {'external_port_id': EVIL})}</port_map><{body}><layers>{parameter(0, EVIL)}</layers>"
        f"{edges([(0, 0, 1, 0)])}</{body}>"
    )
    return net(
        [parameter(), layer(1, name, "Loop", inside=inside, inputs=[port(0)], outputs=[port(1)]), result(2)],
        [(0, 0, 1, 0), (1, 1, 2, 0)],
    )


PLACES = {
    "the model's name": sum_of(name=EVIL),
    "the version": sum_of(version=EVIL),
    "a parameter's name": sum_of(a=parameter(name=EVIL), b=parameter(1, "b", "9")),
    "an Add's name": sum_of(b=parameter(1, "b", "9"), add_layer=add(name=EVIL)),
    "one name twice": sum_of(a=parameter(0, EVIL), b=parameter(0, EVIL)),
    "a type": sum_of(more=[layer(9, "x", EVIL, outputs=[port(0)])]),
    "a type that leads to an Add": sum_of(a=layer(0, "x", EVIL, outputs=[port(0, [4])]), b=parameter(1, "b", "9")),
    "an opset": sum_of(add_layer=add(version=EVIL)),
    "an id": sum_of(add_layer=add(EVIL)),
    "an attribute's name": sum_of(add_layer=add(inside=f'<data {WORD}="1" auto_broadcas{WORD}="1"/>')),
    "an attribute's value": sum_of(more=[layer(9, "x", "X", inside=data(value=EVIL), outputs=[port(0)])]),
    "a rule": sum_of(add_layer=add(inside=data(auto_broadcast=EVIL))),
    "an axis": sum_of(add_layer=add(inside=data(auto_broadcast="pdpd", axis=EVIL))),
    "a shape": sum_of(a=parameter(shape=EVIL), b=const(shape=EVIL)),
    "an element type": sum_of(a=parameter(element_type=EVIL), b=const(element_type=EVIL)),
    "an offset and a size": sum_of(b=const(offset=EVIL, size=EVIL)),
    "names of tensors": sum_of(
        a=parameter(outputs=[port(0, [2, 3], names=EVIL)]), add_layer=add(outputs=[port(2, [9], names=EVIL)]),
        r=result(output_names=EVIL),
    ),
    "a precision": sum_of(add_layer=add(outputs=[port(2, [2, 3], EVIL)])),
    "a dim": sum_of(add_layer=add(outputs=[port(2, [EVIL.replace("<", "&lt;").replace("&]", "&amp;]")])])),
    "a port's id": sum_of(add_layer=add(outputs=[port(EVIL)])),
    "an edge": sum_of(wires=[(EVIL, EVIL, EVIL, EVIL)]),
    "rt_info of the model": sum_of(tail=tag("rt_info", {}, tag("x", {"name": EVIL, "value": EVIL}))),
    "rt_info of a layer": sum_of(add_layer=add(tail=tag("rt_info", {}, tag("attribute", {"name": EVIL, "v": EVIL})))),
    "a loop": loop(EVIL),
    "a tag": sum_of(tail=f"<{WORD}/>").replace("<dim>", f"<dim><{WORD}/>"),
    "the root": f"<{WORD}/>",
    "a document type": f"<!DOCTYPE {WORD}><net/>",
    "a comment that silences": sum_of(add_layer=add(tail="<!-- addison: ignore \x9b\u202eA999 -->")),
    "pre-processing": sum_of(tail=tag("pre-process", {"reference-layer-name": EVIL})),
    "a line with a fault": sum_of(add_layer=add(inside="<!-- \x9b\u202e --><data auto_broadcast='x'/><!-- \u2066 -->")),
    "a fault of XML": sum_of() + "\x9b\u202e<script>",
}  # fmt: skip


def addison(*arguments):
    """What the command line prints, in this process."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]), pytest.raises(SystemExit) as left:
        main(list(arguments))
    out, err = (stream.buffer.getvalue().decode() for stream in streams if stream.flush() is None)
    return SimpleNamespace(code=left.value.code, out=out, err=err)


class Elements(HTMLParser):
    """The elements of a page, and what is in its scripts."""

    def __init__(self, page):
        super().__init__()
        self.tags: set[str] = set()
        self.scripts = 0
        self.handlers: set[str] = set()
        self.feed(page)

    def handle_starttag(self, name, attributes):
        self.tags.add(name)
        self.scripts += name == "script"
        self.handlers |= {key for key, _ in attributes if key.startswith("on") or key in ("src", "srcdoc")}


def test_a_page_with_a_script_too_many_is_seen():
    seen = Elements("<p><script>1</script><img src=x onerror=y>")
    assert (seen.scripts, seen.handlers) == (1, {"src", "onerror"})
    assert "img" in seen.tags


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
def test_nothing_from_a_file_comes_out_raw(text, folder, monkeypatch):
    (folder / "net.xml").write_bytes(text.encode())
    lines = [(verb, "net.xml", *more) for verb in ("check", "run") for more in ((), ("--format", "json"))]
    lines += [("shapes", "net.xml", "--all", *more) for more in ((), ("--format", "json"))]
    lines += [("check", "net.xml", "--format", form) for form in ("github", "sarif", "html")]
    lines += [("show", "net.xml", "--format", form) for form in ("text", "json", "svg", "html")]
    lines += [("show", "net.xml", "--diff", "net.xml"), ("check", "net.xml", "--runtime", "openvino-cpu")]
    everything = ""
    for line in lines:
        done = addison(*line)
        everything += done.out
        assert done.code in (0, 1, 2), line
        assert STEERS.findall(done.out + done.err) == [], line
        form = line[-1]
        if form in ("json", "sarif") and done.out:
            json.loads(done.out)
        if form == "html" and done.out:
            page = Elements(done.out)
            assert page.scripts <= 2
            assert page.handlers == set()
            assert "img" not in page.tags
        if form == "svg" and done.out:
            seen = {one.tag.rpartition("}")[2] for one in ElementTree.fromstring(done.out).iter()}
            assert {"script", "img", "foreignObject"}.isdisjoint(seen)
    assert "\\u202e" in everything or quoteattr(EVIL) not in text  # it did come out, written out
    monkeypatch.setenv("FORCE_COLOR", "1")
    for line in [lines[0], ("show", "net.xml"), ("shapes", "net.xml", "--all")]:
        done = addison(*line)
        assert STEERS.findall(COLOUR.sub("", done.out + done.err)) == [], line


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
def test_an_annotation_is_one_line_that_starts_as_one(text):
    found = check(text.encode())
    lines = github.github([("net.xml", found)]).splitlines()
    assert len(lines) == len(found)
    assert all(re.match(r"::(error|warning|notice) file=[^:]*::", line) for line in lines)


def test_a_model_in_a_notebook(folder):
    from addison.ir.reader import examine

    for text in PLACES.values():
        model, _ = examine(text.encode())
        if model is not None:
            page = model._repr_html_()
            assert (Elements(page).scripts, STEERS.findall(page)) == (0, [])
