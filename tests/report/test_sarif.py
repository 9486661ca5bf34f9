"""SARIF: the fields that the standard requires, places, and what names from files become."""

import json

import pytest

import addison
from addison import Severity, check
from addison.checker.rule import every_code
from addison.diagnostics import Diagnostic
from addison.report.listing import listing
from addison.report.sarif import sarif
from tests.ir.build import add, data, parameter, sum_of

CLASH = sum_of(
    a=parameter(shape="2,3"), b=parameter(1, "größe", "4"), add_layer=add(inside=data(auto_broadcast="pdpd"))
)


def run(*files):
    """The one run, as another program reads it."""
    log = json.loads(json.dumps(sarif(files)))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (only,) = log["runs"]
    return only


def test_what_is_required_is_there():
    only = run(("net.xml", check(CLASH.encode())))
    driver = only["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("addison", addison.__version__)
    assert [one["id"] for one in driver["rules"]] == ["A105", "A302"]
    for one in driver["rules"]:
        assert one["shortDescription"]["text"]
        assert one["fullDescription"]["text"]
        assert one["help"]["text"].startswith(f"# {one['id']} ")
    for one in only["results"]:
        assert one["message"]["text"]
        assert driver["rules"][one["ruleIndex"]]["id"] == one["ruleId"]
        assert one["level"] in ("none", "note", "warning", "error")
        assert one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert only["artifacts"] == [{"location": {"uri": "net.xml"}}]


def test_levels_are_the_severities():
    only = run(("net.xml", check(CLASH.encode())))
    assert {one["ruleId"]: one["level"] for one in only["results"]} == {"A302": "error", "A105": "warning"}
    info = Diagnostic("W108", "unread-bytes", Severity.INFO, "says")
    assert run(("net.xml", [info]))["results"][0]["level"] == "note"


def test_places_are_lines_and_columns_from_1_and_ends_just_past(tmp_path):
    path = tmp_path / "a b%.xml"
    path.write_text(CLASH.replace("><", ">\n<"), encoding="utf-8")
    only = run((str(path), check(path)))
    result = next(one for one in only["results"] if one["ruleId"] == "A302")
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines, 1) if 'shape="4"' in line)
    column = lines[number - 1].index('"4"') + 2
    place = result["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": number, "startColumn": column, "endLine": number, "endColumn": column + 1}
    assert place["artifactLocation"]["uri"] == path.as_uri()
    assert place["artifactLocation"]["uri"].endswith("/a%20b%25.xml")
    assert [one["message"]["text"] for one in result["relatedLocations"]] == [
        "this side is [2,3]",
        "they meet in this Add",
    ]
    assert only["columnKind"] == "unicodeCodePoints"


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("net.xml", "net.xml"),
        ("a b/ü:#.xml", "a%20b/%C3%BC%3A%23.xml"),
        ("../x.xml", "../x.xml"),
        ("/a b/x.xml", "file:///a%20b/x.xml"),
        ("\udcff.xml", "%FF.xml"),
    ],
)
def test_paths_are_uris(path, uri):
    only = run((path, [Diagnostic("W108", "unread-bytes", Severity.INFO, "says")]))
    assert only["artifacts"][0]["location"]["uri"] == uri
    assert only["results"][0]["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": uri}}}]


def test_every_code_can_be_a_rule():
    found = [Diagnostic(one.code, one.name, one.severity, "says") for one in every_code().values()]
    rules = run(("net.xml", found))["tool"]["driver"]["rules"]
    assert [one["id"] for one in rules] == list(every_code())
    assert {one["id"]: one["name"] for one in rules}["A302"] == "ShapesClash"
    assert all(len(one["fullDescription"]["text"]) < 1024 for one in rules)


def test_nothing_found_is_a_run_too():
    only = run(("a.xml", []), ("b.xml", []))
    assert (only["results"], len(only["artifacts"]), only["tool"]["driver"]["rules"]) == ([], 2, [])


def test_a_listing_says_the_same():
    found = check(CLASH.encode())
    listed = listing("sarif")
    listed.add("a.xml", found)
    listed.add("b.xml", [])
    assert json.loads(listed.end()) == json.loads(json.dumps(sarif([("a.xml", found), ("b.xml", [])])))
    assert listed.end().isascii()
