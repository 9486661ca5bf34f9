"""Edits of a file as a unified diff, made from the edits themselves: the lines they touch, three lines around them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from addison.checker.edits import Edit, apply
from addison.report.escape import escape

AROUND = 3
"""Lines shown before and behind a change."""


@dataclass(frozen=True, slots=True)
class _Change:
    """Lines ``start`` to ``stop`` of the old file, counted from 0, become ``new``."""

    start: int
    stop: int
    new: tuple[bytes, ...]


def patch(path: str, data: bytes, edits: Sequence[Edit]) -> bytes:
    """The diff that makes the edited file of this one; nothing when there are no edits.

    >>> print(patch("a.xml", b"<a>\\n<b/>\\n</a>\\n", [Edit(5, 6, b"c")]).decode(), end="")
    --- a.xml
    +++ a.xml
    @@ -1,3 +1,3 @@
     <a>
    -<b/>
    +<c/>
     </a>
    """
    if not edits:
        return b""
    lines = _lines(data)
    name = escape(path).encode(errors="surrogateescape")
    out = [b"--- " + name + b"\n+++ " + name + b"\n"]
    moved = 0
    for hunk in _hunks(_changes(data, lines, edits)):
        start, stop = max(hunk[0].start - AROUND, 0), min(hunk[-1].stop + AROUND, len(lines))
        grown = sum(len(one.new) - (one.stop - one.start) for one in hunk)
        head = f"@@ -{_range(start, stop - start)} +{_range(start + moved, stop - start + grown)} @@\n"
        out += [head.encode(), *_body(hunk, lines, start, stop)]
        moved += grown
    return b"".join(out)


def _lines(data: bytes) -> list[bytes]:
    """The lines with their ends. Only a newline ends one, as for the tools that read diffs."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def _changes(data: bytes, lines: Sequence[bytes], edits: Sequence[Edit]) -> list[_Change]:
    """What happens to which lines; edits that touch one line are one change."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    groups: list[tuple[int, list[int], list[Edit]]] = []
    for edit in sorted(edits):
        first = bisect_right(starts, edit.start, hi=len(lines)) - 1
        last = bisect_right(starts, max(edit.stop - 1, edit.start), hi=len(lines)) - 1
        if groups and first <= groups[-1][1][-1]:
            groups[-1][1].append(max(last, groups[-1][1][-1]))
            groups[-1][2].append(edit)
        else:
            groups.append((first, [last], [edit]))
    return [_change(data, starts, first, lasts[-1], each) for first, lasts, each in groups]


def _change(data: bytes, starts: Sequence[int], first: int, last: int, edits: Sequence[Edit]) -> _Change:
    """The lines before and after; those at either end that stay as they are do not belong to it."""
    at = starts[first]
    piece = data[at : starts[last + 1]]
    old, new = _lines(piece), _lines(apply(piece, [Edit(one.start - at, one.stop - at, one.new) for one in edits]))
    above = 0
    while above < min(len(old), len(new)) and old[above] == new[above]:
        above += 1
    below = 0
    while below < min(len(old), len(new)) - above and old[-1 - below] == new[-1 - below]:
        below += 1
    return _Change(first + above, last + 1 - below, tuple(new[above : len(new) - below]))


def _hunks(changes: Sequence[_Change]) -> list[list[_Change]]:
    """Changes whose surroundings meet stand together."""
    hunks: list[list[_Change]] = []
    for one in changes:
        if hunks and one.start - hunks[-1][-1].stop <= 2 * AROUND:
            hunks[-1].append(one)
        else:
            hunks.append([one])
    return hunks


def _body(hunk: Sequence[_Change], lines: Sequence[bytes], start: int, stop: int) -> list[bytes]:
    out = []
    at = start
    for one in hunk:
        out += [_marked(b" ", line) for line in lines[at : one.start]]
        out += [_marked(b"-", line) for line in lines[one.start : one.stop]]
        out += [_marked(b"+", line) for line in one.new]
        at = one.stop
    return out + [_marked(b" ", line) for line in lines[at:stop]]


def _marked(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + b"\n\\ No newline at end of file\n"


def _range(start: int, count: int) -> str:
    """Lines from 1 on; where there are none, the line before."""
    return f"{start + 1 if count else start},{count}"
