"""The shell of HTML pages, and what makes text and data safe to stand in one."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from addison.report.markup import ascii_only, clipped, embedded, markup
from addison.report.page import asset, page

HOSTILE = "</title></script><script>alert(1)</script>\"'&amp;]]>\x1b\x00\u202e\u2028\ud800ö"


class Elements(HTMLParser):
    """What a browser would see: tags in order, and the text of each script and title."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.attributes = [""], {}, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        self.tags.append("")

    def handle_data(self, data):
        self.texts.setdefault(self.tags[-1], []).append(data)


@pytest.mark.parametrize(
    ("raw", "made"),
    [
        ("a", "a"),
        ("<script>", "&lt;script&gt;"),
        ("\"'", "&quot;&#x27;"),
        ("&lt;", "&amp;lt;"),
        ("]]>", "]]&gt;"),
        ("\x00\x1b[", "\\x00\\e["),
        ("\u202eevil", "\\u202eevil"),
        ("größe", "gr&#246;&#223;e"),
        ("\U0001f600", "&#128512;"),
        ("\ud800", "\\ud800"),
    ],
)
def test_markup(raw, made):
    assert markup(raw) == made


def test_what_is_embedded_reads_back_as_what_may_be_shown():
    data = {"a": [HOSTILE, 1, None, True], HOSTILE: {"b": "ö"}}
    made = embedded(data)
    assert made.isascii()
    assert not set(made) & set("<>&")
    shown = "</title></script><script>alert(1)</script>\"'&amp;]]>\\e\\x00\\u202e\\u2028\\ud800ö"
    assert json.loads(made) == {"a": [shown, 1, None, True], shown: {"b": "ö"}}


@pytest.mark.parametrize("most", [10, 11, 20])
def test_clipped_text_keeps_both_ends_and_is_never_longer(most):
    text = "0123456789" * 5
    made = clipped(text, most)
    head, _, tail = made.partition("...")
    assert len(made) == most
    assert text.startswith(head)
    assert text.endswith(tail)
    assert clipped(text, 50) == text


def test_a_page_is_ascii_and_a_hostile_title_stays_text():
    made = page(HOSTILE, "<p>body</p>", script="let x = 1;", data={"name": HOSTILE})
    assert made.isascii()
    seen = Elements(made)
    assert seen.tags.count("script") == 2
    assert seen.tags.count("title") == 1
    assert "<script>alert(1)</script>" in "".join(seen.texts["title"])
    assert json.loads(seen.texts["script"][0])["name"].startswith("</title></script>")


def test_the_policy_allows_the_style_and_the_script_that_are_there_and_nothing_else():
    seen = Elements(page("t", "", style="p{}", script="let x = 1;"))
    (policy,) = [one["content"] for tag, one in seen.attributes if one.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))

    def hashed(text):
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == hashed("let x = 1;")
    assert rules["style-src"] == hashed("".join(seen.texts["style"]))
    assert set(rules) == {
        "default-src", "script-src", "style-src", "base-uri", "form-action", "require-trusted-types-for",
    }  # fmt: skip


def test_a_page_without_script_allows_none():
    made = page("t", "<p>x</p>")
    assert "script-src" not in made
    assert "<script" not in made


@pytest.mark.parametrize("made", [page("t", "")])
def test_nothing_is_loaded_from_elsewhere(made):
    assert not re.search(r"(src|href)\s*=|url\(|@import|https?:", made)
    assert made == page("t", "")


def test_assets_and_numbers_are_ascii():
    assert asset("page.css").isascii()
    assert ascii_only("é") == "&#233;"
