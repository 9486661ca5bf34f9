"""A fault of a file, as a value: code, severity, place, numbers, remedy. Prints nothing."""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any


class Severity(enum.IntEnum):
    """How bad a finding is; only ``ERROR`` fails a check unless asked otherwise."""

    INFO = 0
    WARNING = 1
    ERROR = 2

    def __str__(self) -> str:
        return self.name.lower()


_PIECE = 8 << 10


class Source:
    """The bytes of one file and the way from a byte to its line and column.

    >>> Source("net.xml", b"<net>\\n  <layers/>").place(8)
    (2, 3)
    """

    def __init__(self, path: str, data: bytes | bytearray, encoding: str = "utf-8") -> None:
        self.path = path
        self.data = data
        self.encoding = encoding

    def __repr__(self) -> str:
        return f"Source({self.path!r}, {len(self.data)} bytes)"

    @property
    def _units(self) -> str:
        """The encoding, with the byte order of UTF-16 made explicit."""
        if self.encoding.lower().replace("_", "-") in ("utf-16", "utf16"):
            return "utf-16-be" if self.data[:2] == b"\xfe\xff" or self.data[:1] == b"\0" else "utf-16-le"
        return self.encoding

    def place(self, byte: int) -> tuple[int, int]:
        """Line and column (both from 1, the column in characters) of a byte offset."""
        starts, places = self._marks
        mark = max(bisect_right(starts, byte) - 1, 0)
        return _past(self._text(starts[mark], byte), *places[mark])

    def line(self, number: int, column: int = 1, most: int | None = None) -> str:
        """The text of line ``number``, counted from 1; of a long line, ``most`` characters from a column on."""
        starts, places = self._marks
        mark = bisect_right(places, (number, column)) - 1
        if mark < 0:
            return ""
        line, before = places[mark]
        lines = self._piece(mark).split("\n")[number - line :]
        pieces = [one[column - (before if line == number else 1) :] for one in lines[:1]]
        while len(lines) == 1 and mark + 1 < len(starts) and (most is None or sum(map(len, pieces)) < most):
            mark += 1
            lines = self._piece(mark).split("\n")
            pieces.append(lines[0])
        return "".join(pieces)[:most].strip("\r")

    @cached_property
    def _marks(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Every few thousand bytes, a byte that a character starts at, and its line and column: however long lines
        are, and however many, a place is found by decoding one piece."""
        at = self._mark_length
        starts, places = [at], [(1, 1)]
        while at + _PIECE < len(self.data):
            stop = self._character(at + _PIECE)
            places.append(_past(self._text(at, stop), *places[-1]))
            starts.append(stop)
            at = stop
        return starts, places

    @property
    def _mark_length(self) -> int:
        """Bytes of the byte-order mark."""
        mark = "\ufeff".encode(self._units, "replace")
        return len(mark) if len(mark) > 1 and self.data[: len(mark)] == mark else 0

    def _character(self, byte: int) -> int:
        """Where the character that a byte belongs to starts."""
        if self._units.startswith("utf-16"):
            byte -= byte % 2
            high = self.data[byte - 2 if self._units.endswith("be") else byte - 1]
            return byte - 2 if high & 0xFC == 0xD8 else byte  # the second half of a pair
        if self._units.lower() == "utf-8":
            return next((at for at in range(byte, byte - 4, -1) if self.data[at] & 0xC0 != 0x80), byte)
        return byte

    def _piece(self, mark: int) -> str:
        starts, _ = self._marks
        return self._text(starts[mark], starts[mark + 1] if mark + 1 < len(starts) else len(self.data))

    def _text(self, start: int, stop: int) -> str:
        return self.data[start:stop].decode(self._units, "replace")


def _past(text: str, line: int, column: int) -> tuple[int, int]:
    """Where a text ends that starts at a line and column."""
    newline = text.rfind("\n")
    return (line + text.count("\n"), len(text) - newline) if newline >= 0 else (line, column + len(text))


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes ``start`` to ``stop`` of a source; line and column are found when asked for."""

    source: Source
    start: int
    stop: int

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def line(self) -> int:
        return self.source.place(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.place(self.start)[1]

    @property
    def end(self) -> tuple[int, int]:
        """Line and column just past the last character."""
        return self.source.place(max(self.stop, self.start))

    def __str__(self) -> str:
        line, column = self.source.place(self.start)
        return f"{self.path}:{line}:{column}"


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that has to do with a finding, and what it has to do with it."""

    at: Span
    says: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. ``fields`` holds the numbers and names that ``says`` was made from; ``label`` is what stands under
    the marked place, when that is more than ``says``."""

    code: str
    name: str
    severity: Severity
    says: str
    at: Span | None = None
    help: str = ""
    related: tuple[Related, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    def __str__(self) -> str:
        where = f"{self.at}: " if self.at else ""
        return f"{where}{self.severity}[{self.code}]: {self.says}"

    @property
    def order(self) -> tuple[str, int, str]:
        """What findings are sorted by: the file, the place in it, the code."""
        return (self.at.path if self.at else "", self.at.start if self.at else 0, self.code)


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding: its stable code, its name and how bad it is."""

    code: str
    name: str
    severity: Severity

    def __call__(
        self,
        at: Span | None,
        says: str,
        *,
        help: str = "",
        related: tuple[Related, ...] = (),
        label: str = "",
        **fields: Any,
    ) -> Diagnostic:
        return Diagnostic(self.code, self.name, self.severity, says, at, help, related, fields, label)
