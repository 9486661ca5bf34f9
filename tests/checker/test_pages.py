"""Every code's page: its title is the registry's, and its two examples do what they say.

A page ends in ``Fires at LINE:COLUMN`` and ``Passes``, each before a file in a fenced block. Behind the place may stand
fields as JSON; ``weights`` before the block gives the .bin as hex, ``runtime`` the runtime that is asked about.
"""

import json
import re

import pytest

from addison import check
from addison.checker.rule import PAGES, every_code, page

WITHOUT_EXAMPLES = {"F103", "F117", "F199", "W109"}
"""Limits, and files that cannot be opened: no file is an example of those. They have tests of their own."""

EXAMPLE = re.compile(
    r"^(?P<word>Fires|Passes)(?: at (?P<place>\d+:\d+))?(?: with (?P<fields>\{.*\}))?"
    r"(?:, weights `(?P<weights>[0-9a-f]*)`)?(?:, runtime `(?P<runtime>[\w-]+)`)?:\n\n```xml\n(?P<xml>.*?)```",
    re.MULTILINE | re.DOTALL,
)


def examples(code):
    return {found["word"]: found.groupdict() for found in EXAMPLE.finditer(page(code))}


def found_in(example, code):
    weights = None if example["weights"] is None else bytes.fromhex(example["weights"])
    found = check(example["xml"].encode(), weights, runtime=example["runtime"])
    return [one for one in found if one.code == code]


@pytest.mark.parametrize("code", every_code())
class TestEachPage:
    def test_its_first_lines_are_the_registrys(self, code):
        title, blank, severity, *_ = page(code).splitlines()
        known = every_code()[code]
        assert (title, blank, severity) == (f"# {code} {known.name}", "", f"{known.severity}")

    def test_it_says_what_it_is_about_and_what_to_do(self, code):
        text = page(code)
        assert len(re.sub(r"```.*?```", "", text, flags=re.DOTALL)) > 200
        assert "\nWhat to do: " in text

    def test_its_example_fires_where_it_says(self, code):
        if code in WITHOUT_EXAMPLES:
            assert examples(code) == {}
            return
        example = examples(code)["Fires"]
        (one,) = found_in(example, code)
        if example["place"]:
            assert f"{one.at.line}:{one.at.column}" == example["place"]
        else:
            assert one.at is None
        wanted = json.loads(example["fields"] or "{}")
        assert wanted, "an example names fields"
        read = json.loads(json.dumps(dict(one.fields), default=str))
        assert {key: read[key] for key in wanted} == wanted

    def test_its_near_miss_does_not(self, code):
        if code not in WITHOUT_EXAMPLES:
            assert found_in(examples(code)["Passes"], code) == []


def test_no_page_is_without_a_code():
    assert {path.stem for path in PAGES.glob("*.md")} == set(every_code())


def test_a_rule_without_a_page_does_not_load():
    from addison import Severity
    from addison.checker.rule import rule

    with pytest.raises(LookupError):
        rule("A999", "none", Severity.ERROR)


def test_codes_are_one_letter_and_three_digits_and_names_are_unique():
    known = every_code()
    assert all(re.fullmatch(r"[AFGHW]\d{3}", code) for code in known)
    assert len({one.name for one in known.values()}) == len(known)
