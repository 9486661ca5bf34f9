"""Explanations for people: titles, lines and columns. Strings out, nothing printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from addison.report import text as columns
from addison.report.blocks import Block, Heading, Lines, Table, Title, Verbatim
from addison.report.escape import escape
from addison.report.explain_blocks import blocks

if TYPE_CHECKING:
    from addison.reasons.explain import Reason


def text(reason: Reason) -> str:
    """The whole explanation.

    >>> from addison.reasons.explain import explain
    >>> print(text(explain((2, 3), (2, 4))).splitlines()[0])
    [2,3] + [2,4] clash under numpy
    """
    written = ""
    gap = ""
    for block in blocks(reason):
        written += gap + _block(block)
        gap = "\n" if isinstance(block, Heading) else "\n\n"
    return written


def _block(block: Block) -> str:
    match block:
        case Title(line) | Heading(line):
            return escape(line)
        case Lines(lines):
            return "\n".join(escape(line) for line in lines)
        case Verbatim(page):
            return "\n".join(escape(line) for line in page.rstrip("\n").split("\n"))
        case Table(head, rows, right):
            cells = [[escape(cell) for cell in row] for row in ((head, *rows) if head else rows)]
            return columns.table(cells, right)
