"""GitHub's workflow commands: one line a finding, and nothing in a name that starts another."""

import re

import pytest

from addison import Severity, check
from addison.diagnostics import Diagnostic, Source, Span
from addison.report.github import github
from tests.ir.build import parameter, sum_of

LINE = re.compile(r"::(?P<command>error|warning|notice) (?P<properties>[^\n\r]*?)::(?P<message>[^\n\r]*)")


def commands(text):
    """Each line taken apart as GitHub's runner does: at the first ``::`` after the command, then at commas."""
    for line in text.split("\n"):
        found = LINE.fullmatch(line)
        assert found, line
        properties = dict(one.split("=", 1) for one in found["properties"].split(","))
        yield (
            found["command"],
            {key: unescaped(value, ":,") for key, value in properties.items()},
            unescaped(found["message"]),
        )


def unescaped(text, also=""):
    for character in "\r\n" + also:
        text = text.replace(f"%{ord(character):02X}", character)
    return text.replace("%25", "%")


def one_finding(says="says", path="net.xml", severity=Severity.ERROR, label="", help=""):
    at = Span(Source(path, b"<net>\n  <layer/>\n</net>"), 8, 16)
    return Diagnostic("A302", "shapes-clash", severity, says, at, help, (), {}, label)


def test_a_finding_is_one_line():
    text = sum_of(a=parameter(shape="2,3"), b=parameter(1, "b", "4")).replace("><", ">\n<")
    ((command, properties, message),) = commands(github([("net.xml", check(text.encode()))]))
    number = next(i for i, line in enumerate(text.splitlines(), 1) if 'shape="4"' in line)
    assert command == "error"
    assert properties == {
        "file": "<bytes>",
        "line": str(number),
        "endLine": str(number),
        "col": "14",
        "endColumn": "15",
        "title": "A302 shapes-clash",
    }
    assert message.splitlines()[0].endswith("axis -1: 3 against 4, and neither is 1")
    assert message.splitlines()[1].startswith("help: ")


@pytest.mark.parametrize(
    ("severity", "command"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice")]
)
def test_severities(severity, command):
    assert github([("net.xml", [one_finding(severity=severity)])]).startswith(f"::{command} file=net.xml,line=2,")


def test_a_finding_without_a_place_has_its_file():
    line = github([("net.xml", [Diagnostic("W108", "unread-bytes", Severity.INFO, "says")])])
    assert line == "::notice file=net.xml,title=W108 unread-bytes::says"


@pytest.mark.parametrize(
    "nasty",
    [
        "50%",
        "%0A",
        "a\nb",
        "a\r\nb",
        "a::b",
        "a,b",
        "x::error file=y,line=1::z",
        "a\x1b[31m",
        "%25",
        "a\u2028b",
        "a\x85b",
    ],
)
def test_nothing_in_a_name_starts_a_command_or_ends_a_line(nasty):
    (found,) = commands(github([("p", [one_finding(says=nasty, path=nasty, label=nasty, help=nasty)])]))
    assert set(found[1]) == {"file", "line", "endLine", "col", "endColumn", "title"}
    assert "\x1b" not in found[2]
    assert found[1]["file"].isprintable()


@pytest.mark.parametrize(
    ("path", "written"),
    [("a,b.xml", "a%2Cb.xml"), ("a:b.xml", "a%3Ab.xml"), ("100%.xml", "100%25.xml"), ("a\nb.xml", "a\\nb.xml")],
)
def test_paths_in_properties(path, written):
    assert github([("p", [one_finding(path=path)])]).startswith(f"::error file={written},line=2,endLine=2,col=3,")


@pytest.mark.parametrize(
    ("says", "written"), [("100%", "100%25"), ("a, b: c", "a, b: c"), ("a\nb", "a%0Ab"), ("a\x07", "a\\x07")]
)
def test_messages(says, written):
    assert github([("p", [one_finding(says=says)])]).endswith(f"::{written}")


def test_several():
    assert github([("a", [one_finding(), one_finding()]), ("b", []), ("c", [one_finding()])]).count("\n") == 2
    assert github([("a", [])]) == ""
