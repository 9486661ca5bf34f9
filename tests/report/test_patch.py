"""Unified diffs: applied by a small reader of them, they give the edited file."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison.checker.edits import Before, Edit, apply
from addison.report.patch import patch

HEAD = re.compile(rb"@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n")


def lines_of(data):
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def applied(data, diff):
    """The data with the diff applied, every line that it names held against the data."""
    old, new, at = lines_of(data), [], 0
    rest = lines_of(diff)[2:]
    while rest:
        start, count, new_start, new_count = map(int, HEAD.fullmatch(rest.pop(0)).groups())
        start -= count > 0
        new += old[at:start]
        assert len(new) == new_start - (new_count > 0)
        began, at = len(new), start
        while rest and not rest[0].startswith(b"@@"):
            mark, line = rest[0][:1], rest.pop(0)[1:]
            if rest and rest[0].startswith(b"\\"):
                rest.pop(0)
                line = line.removesuffix(b"\n")
            if mark in b" -":
                assert old[at] == line
                at += 1
            if mark in b" +":
                new.append(line)
        assert (at - start, len(new) - began) == (count, new_count)
    return b"".join(new + old[at:])


@st.composite
def edited(draw):
    data = draw(st.lists(st.sampled_from([b"a", b"b", b"\n", b"\n\n", b"x\r\n"]), max_size=60).map(b"".join))
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=12, unique=True)))
    new = st.sampled_from([b"", b"y", b"\n", b"a", b"y\nz\n"])
    return data, [Edit(start, stop, draw(new)) for start, stop in zip(cuts[::2], cuts[1::2], strict=False)]


@given(edited())
def test_it_gives_the_edited_file(case):
    data, edits = case
    diff = patch("net.xml", data, edits)
    assert applied(data, diff) == apply(data, edits)
    assert diff == b"" if not edits else diff.startswith(b"--- net.xml\n+++ net.xml\n")


@given(edited(), st.integers(0, 200))
def test_positions_before_the_edits(case, position):
    data, edits = case
    after, before = apply(data, edits), Before(edits)
    kept = [i for i in range(len(data)) if not any(one.start <= i < one.stop for one in edits)]
    now = {i: len(apply(data[:i], [one for one in edits if one.stop <= i])) for i in kept}
    for old, at in now.items():
        assert after[at] == data[old]
        assert before(at) == old


def test_a_wrong_diff_is_seen():
    diff = patch("a", b"1\n2\n3\n", [Edit(2, 3, b"x")])
    assert applied(b"1\n2\n3\n", diff) == b"1\nx\n3\n"
    with pytest.raises(AssertionError):
        applied(b"1\n9\n3\n", diff)
    with pytest.raises(AssertionError):
        applied(b"1\n2\n3\n", diff.replace(b"-1,3", b"-1,2"))


def test_lines_around_are_three_and_what_is_near_stands_together():
    data = b"".join(b"%d\n" % i for i in range(1, 31))
    diff = patch(
        "a",
        data,
        [
            Edit(data.index(b"10\n"), data.index(b"10\n") + 2, b"x"),
            Edit(data.index(b"16\n"), data.index(b"16\n") + 2, b"y"),
            Edit(data.index(b"28\n"), data.index(b"28\n") + 2, b"z"),
        ],
    )
    assert re.findall(rb"@@.*@@", diff) == [b"@@ -7,13 +7,13 @@", b"@@ -25,6 +25,6 @@"]


def test_overlapping_edits_are_refused():
    with pytest.raises(ValueError, match="overlaps"):
        apply(b"0123", [Edit(0, 2, b""), Edit(1, 3, b"")])


def test_names_of_files_are_escaped():
    assert patch("a\nb\x1b.xml", b"1", [Edit(0, 1, b"2")]).startswith(b"--- a\\nb\\e.xml\n+++ ")
