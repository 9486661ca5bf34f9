"""A picture as a tree for a terminal: coloured, and cut to its width. The one file here that imports rich."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from addison.report.boxes import columns
from addison.report.escape import escape
from addison.report.picture import Album, Picture
from addison.report.show_rows import Row, headline, remarks, rows

_STYLES = {
    "add": "bold blue", "input": "green", "output": "green", "constant": "dim", "body": "magenta",
    "error": "bold red", "warning": "yellow", "info": "cyan",
}  # fmt: skip
_LEAST = (24, 10, 14, 14)
"""Columns that name, type, inputs and outputs keep however narrow the terminal is."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What a tree is drawn with."""

    branch: str
    last: str
    pass_by: str
    cut: str


UNICODE = Signs("\u251c\u2500 ", "\u2514\u2500 ", "\u2502  ", "\u2026")
ASCII = Signs("|- ", "`- ", "|  ", "...")


def tree(album: Album, picture: Picture, width: int, signs: Signs = UNICODE) -> list[Text]:
    """The lines; print each without wrapping."""
    lines = rows(album, picture)
    guides = list(_guides(lines, signs))
    marked = [f"{'+ ' if row.kind == 'add' else ''}{row.name}" for row in lines]
    cells = [
        (guide + name, row.type, row.inputs, row.outputs)
        for guide, name, row in zip(guides, marked, lines, strict=True)
        if row.type
    ]
    widths = _fitted([max((columns(cell) for cell in column), default=0) for column in zip(*cells, strict=True)], width)
    made = [Text.assemble((escape(album.file), "bold"), f": {headline(album, picture)}")]
    for guide, name, row in zip(guides, marked, lines, strict=True):
        style = _STYLES.get(row.kind, "")
        line = Text().append(guide, "dim")
        if row.type:
            line.append(_cell(name, widths[0] - columns(guide), signs), style)
            line.append(_cell(row.type, widths[1], signs), style)
            line.append(_cell(row.inputs, widths[2], signs), "dim")
            line.append(_cell(row.outputs, widths[3], signs).rstrip())
        else:
            line.append(name, style)
        made.append(line)
    made += [Text(one) for one in remarks(album, picture)]
    return made


def _guides(lines: Sequence[Row], signs: Signs) -> Iterator[str]:
    """What stands before each line."""
    follows: list[bool] = []  # for each depth, whether more comes under the same layer
    for row in lines:
        del follows[row.depth :]
        before = "".join(signs.pass_by if more else "   " for more in follows)
        yield before + (signs.last if row.last else signs.branch)
        follows.append(not row.last)


def _fitted(wanted: list[int], width: int) -> list[int]:
    """The widths of the columns, the widest made narrower until all of them fit, if they can."""
    if not wanted:
        return []
    room = width - 2 * (len(wanted) - 1)
    fitted = list(wanted)
    while sum(fitted) > room:
        over = [k for k, (now, least) in enumerate(zip(fitted, _LEAST, strict=True)) if now > least]
        if not over:
            break
        fitted[max(over, key=lambda k: fitted[k])] -= 1
    return fitted


def _cell(text: str, width: int, signs: Signs) -> str:
    """The text in so many columns and two blanks, its end cut off when it is longer."""
    if columns(text) > width:
        while text and columns(text) + len(signs.cut) > width:
            text = text[:-1]
        text += signs.cut
    return text + " " * (width - columns(text) + 2)
