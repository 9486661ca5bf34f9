"""Changes to the bytes of a file: each takes some of them out and puts others in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """Bytes ``start`` to ``stop`` become ``new``."""

    start: int
    stop: int
    new: bytes


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The data with every edit made; they must not overlap.

    >>> apply(b"0123456789", [Edit(7, 8, b""), Edit(2, 4, b"xyz")])
    b'01xyz45689'
    """
    pieces = []
    at = 0
    for edit in sorted(edits):
        if edit.start < at:
            raise ValueError(f"{edit} overlaps what ends at {at}")
        pieces += [data[at : edit.start], edit.new]
        at = edit.stop
    return b"".join([*pieces, data[at:]])


class Before:
    """Positions in the edited data, as positions in what it was made from."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._ends: list[int] = []
        self._moved = [0]
        for edit in sorted(edits):
            self._moved.append(self._moved[-1] + len(edit.new) - (edit.stop - edit.start))
            self._ends.append(edit.stop + self._moved[-1])

    def __call__(self, position: int) -> int:
        """Where a byte that no edit put in stood before.

        >>> before = Before([Edit(2, 4, b"xyz")])
        >>> before(1), before(5)
        (1, 4)
        """
        return position - self._moved[bisect_right(self._ends, position)]


_TOKEN = re.compile(
    rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(?P<close>/?)(?P<tag>[^\s/>]+)(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+>",
    re.DOTALL,
)


class Child(NamedTuple):
    """An element straight inside another: where it starts and stops, and the bytes between its tags."""

    tag: bytes
    start: int
    stop: int
    inside: tuple[int, int]


def children(data: bytes, at: int) -> list[Child]:
    """The elements straight inside the one whose tag starts at byte ``at``; the data is well-formed XML in UTF-8.

    >>> data = b"<port><!-- <dim> --><dim>3</dim></port>"
    >>> [data[slice(*one.inside)] for one in children(data, 0)]
    [b'3']
    """
    found: list[Child] = []
    open_tags: list[tuple[bytes, int, int]] = []
    for closes, tag, start, stop in _tags(data, at):
        if not closes:
            open_tags.append((tag, start, stop))
            if not data.endswith(b"/>", start, stop):
                continue
            inside = (stop, stop)
        else:
            inside = (open_tags[-1][2], start)
        name, began, _ = open_tags.pop()
        if len(open_tags) == 1:
            found.append(Child(name, began, stop, inside))
        elif not open_tags:
            return found
    raise ValueError(f"the element at {at} has no end")


def _tags(data: bytes, at: int) -> Iterator[tuple[bool, bytes, int, int]]:
    for token in _TOKEN.finditer(data, at):
        if token["tag"] is not None:
            yield token["close"] == b"/", token["tag"], token.start(), token.end()
