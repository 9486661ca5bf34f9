"""Explanations as HTML: well-formed, everything escaped, nothing fetched and nothing run."""

from html.parser import HTMLParser

import pytest

from addison import explain
from addison.reasons.pages import CodeReason
from addison.report.explain_html import html

ASKED = [("A302",), ("f8e4m3",), ("f16",), ("pdpd",), ("2,3", "2,4"), ("?,3", "..."), ("bf16", "0.1"),
         ("i8", -128, -1), ("f16", "nan", "0x1")]  # fmt: skip


class Page(HTMLParser):
    """What stands in it, and whether every tag is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.said = [], set(), []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"class", "style"}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)


@pytest.mark.parametrize("what", ASKED)
def test_every_kind_is_well_formed(what):
    reason = explain(*what)
    page = Page(html(reason))
    assert page.open == []
    assert page.tags <= {"div", "h4", "h5", "p", "br", "pre", "table", "thead", "tbody", "tr", "th", "td"}
    assert reason._repr_html_() == html(reason)


@pytest.mark.parametrize("what", ASKED)
def test_it_says_what_the_text_says(what):
    reason = explain(*what)
    said = "".join("".join(Page(html(reason)).said).split())
    assert sorted(said) == sorted("".join(str(reason).split()))


def test_everything_is_escaped():
    page = html(CodeReason("A302", "x", "error", "<script>alert('&')</script>\n\x1b[31m"))
    assert "&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt;\n\\e[31m" in page
    assert Page(page).tags == {"div", "pre"}


def test_numbers_are_on_the_right():
    page = html(explain("2,3", "3"))
    assert '<th style="text-align:right;font-family:monospace;white-space:pre">axis</th>' in page
    assert '<td style="text-align:left;font-family:monospace;white-space:pre">equal</td>' in page
