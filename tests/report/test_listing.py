"""What a check of many files becomes in each format."""

import json
from html.parser import HTMLParser

import pytest

from addison import Severity, check
from addison.report import text
from addison.report.listing import FORMATS, listing
from tests.ir.build import layer, parameter, port, sum_of
from tests.report.test_json import held

CLASH = sum_of(a=parameter(shape="2,3"), b=parameter(1, "b", "4"))
NASTY = '<script>alert(1)</script>\u202e&amp;\x85"'


def made(form, *files, **how):
    one = listing(form, **how)
    for path, found in files:
        one.add(path, found)
    return one.end()


@pytest.mark.parametrize("form", FORMATS)
def test_of_no_files(form):
    assert (made(form) == "") is (form in ("text", "github"))


def test_text_is_the_findings_and_a_line_that_counts_them():
    found = check(CLASH.encode())
    assert made("text", ("a.xml", found), ("b.xml", [])) == f"{text.findings(found)}\n2 files: 1 error"
    assert made("text", ("a.xml", [])) == "a.xml: no findings"
    assert made("text", ("a.xml", []), quiet=True) == ""
    assert made("text", ("a.xml", found), quiet=True) == text.findings(found)
    assert "\x1b[1;31m" in made("text", ("a.xml", found), style=text.Style(colour=True))


def test_json_fits_its_schema():
    read = held(json.loads(made("json", ("a.xml", check(CLASH.encode())), ("b.xml", []))), "check-1")
    assert [(one["file"], len(one["findings"])) for one in read["files"]] == [("a.xml", 1), ("b.xml", 0)]
    assert read["counts"] == {"info": 0, "warning": 0, "error": 1}


def test_github_leaves_files_without_findings_out():
    found = check(CLASH.encode())
    assert made("github", ("a.xml", []), ("b.xml", found), ("c.xml", found)).count("::error ") == 2


class Page(HTMLParser):
    """The text of a page, and the tags in it."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.tags = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


class TestHtml:
    def test_each_finding_with_its_lines(self):
        found = check(CLASH.replace("><", ">\n<").encode())
        page = Page(made("html", ("a.xml", found), ("b.xml", [])))
        said = "".join(page.texts)
        for wanted in ("a.xml", "b.xml", "no findings", "2 files: 1 error", "error A302", "3 against 4", "help:"):
            assert wanted in said
        (excerpt,) = (one for one in page.texts if "^" in one)
        assert excerpt.split("\n") == text.finding(found[0]).rstrip("\n").split("\n")[1:]

    def test_it_loads_and_runs_nothing(self):
        page = made("html", ("a.xml", check(CLASH.encode())))
        tags = {tag for tag, _ in Page(page).tags}
        assert tags.isdisjoint({"script", "link", "img", "iframe", "object", "a", "form"})
        assert "default-src 'none'" in page
        assert page.isascii()

    def test_names_are_text(self):
        odd = layer(9, "n", "t", outputs=[port(0)]).replace('"n"', '"&lt;script&gt;alert(1)&lt;/script&gt;&#x202e;"')
        found = check(sum_of(more=[odd]).encode())
        assert found[0].fields["layer"] == "<script>alert(1)</script>\u202e"
        page = made("html", (NASTY, found))
        assert "<script" not in page
        said = "".join(Page(page).texts)
        assert "<script>alert(1)</script>\\u202e" in said
        assert "\u202e" not in said
        assert {one.severity for one in found} == {Severity.INFO}
