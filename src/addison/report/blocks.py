"""What an explanation is made of: titles, lines, tables and verbatim text. Rendered as text and as HTML."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Title:
    """The first line."""

    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The line right above a part."""

    text: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Sentences, one a line."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a head, which may be empty; the columns numbered in ``right`` are aligned on the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text of many lines that is shown as it stands."""

    text: str


Block = Title | Heading | Lines | Table | Verbatim
