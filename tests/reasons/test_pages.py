"""The page of a code, from a folder made for the test and from the checker's own."""

import pytest

from addison import InvalidInput, explain
from addison.reasons.pages import CodeReason, codes, names

CLASH = "# A302 shapes-clash\n\nerror\n\nTwo sizes differ, and neither is 1.\n"


@pytest.fixture
def pages(tmp_path):
    (tmp_path / "A302.md").write_text(CLASH)
    (tmp_path / "A303.md").write_text("# A303 größe\n\nwarning\n", encoding="utf-8")
    (tmp_path / "W101.md").write_text("no heading")
    (tmp_path / "shapes_clash.py").write_text("")
    return tmp_path


def test_a_page(pages):
    assert CodeReason.of("A302", pages) == CodeReason("A302", "shapes-clash", "error", CLASH)
    assert CodeReason.of("a302", pages).code == "A302"
    assert CodeReason.of("A303", pages).name == "größe"


def test_a_page_without_a_heading_is_shown_all_the_same(pages):
    assert CodeReason.of("W101", pages) == CodeReason("W101", "", "", "no heading")


def test_codes_and_names(pages):
    assert codes(pages) == ("A302", "A303", "W101")
    assert names(pages)["shapes-clash"] == "A302"


@pytest.mark.parametrize(
    ("code", "help"),
    [
        ("A305", "did you mean A303?"),
        ("A999", "the codes are A302 A303"),
        ("Z999", "the codes are A302 A303 W101"),
    ],
)
def test_unknown_codes(pages, code, help):
    with pytest.raises(InvalidInput) as caught:
        CodeReason.of(code, pages)
    assert (caught.value.fields, caught.value.help) == ({"code": code}, help)


def test_every_page_of_the_checker_is_found_by_its_code_and_by_its_name():
    for name, code in names().items():
        reason = explain(code)
        assert (reason.code, reason.name) == (code, name)
        assert reason.severity in ("info", "warning", "error")
        assert explain(name) == reason
