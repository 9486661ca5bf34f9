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

    @cached_property
    def _line_starts(self) -> list[int]:
        newline = "\n".encode(self._units)
        starts = [0]
        at = self.data.find(newline)
        while at >= 0:
            if at % len(newline) == 0:
                starts.append(at + len(newline))
            at = self.data.find(newline, at + 1)
        return starts

    @property
    def _units(self) -> str:
        """The encoding, with the byte order of UTF-16 made explicit."""
        if self.encoding.lower().replace("_", "-") in ("utf-16", "utf16"):
            return "utf-16-be" if self.data[:2] == b"\xfe\xff" or self.data[:1] == b"\0" else "utf-16-le"
        return self.encoding

    def place(self, byte: int) -> tuple[int, int]:
        """Line and column (both from 1, the column in characters) of a byte offset."""
        line = bisect_right(self._line_starts, byte)
        start = self._line_starts[line - 1]
        text = self.data[start:byte].decode(self._units, "replace")
        return line, len(text.lstrip("\ufeff")) + 1

    def line(self, number: int) -> str:
        """The text of line ``number``, counted from 1."""
        starts = self._line_starts
        if not 1 <= number <= len(starts):
            return ""
        stop = starts[number] if number < len(starts) else len(self.data)
        return self.data[starts[number - 1] : stop].decode(self._units, "replace").strip("\r\n\ufeff")


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
