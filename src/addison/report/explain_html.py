"""Explanations as a piece of HTML for notebooks. Every text is escaped; no script, no style sheet, no network."""

from __future__ import annotations

from html import escape as entities
from typing import TYPE_CHECKING

from addison.report.blocks import Block, Heading, Lines, Table, Title, Verbatim
from addison.report.escape import escape
from addison.report.explain_blocks import blocks

if TYPE_CHECKING:
    from addison.reasons.explain import Reason

_CELL = "text-align:{};font-family:monospace;white-space:pre"


def html(reason: Reason) -> str:
    """The whole explanation in one ``<div>``.

    >>> from addison.reasons.explain import explain
    >>> html(explain("u1", 1, 1))[:55]
    '<div class="addison-explain"><h4>u1: 1 + 1 = 0</h4><tab'
    """
    return f'<div class="addison-explain">{"".join(_block(block) for block in blocks(reason))}</div>'


def _block(block: Block) -> str:
    match block:
        case Title(title):
            return f"<h4>{_safe(title)}</h4>"
        case Heading(title):
            return f"<h5>{_safe(title)}</h5>"
        case Lines(lines):
            return f"<p>{'<br>'.join(map(_safe, lines))}</p>"
        case Verbatim(page):
            return f"<pre>{chr(10).join(map(_safe, page.splitlines()))}</pre>"
        case Table(head, rows, right):
            return _table(head, rows, right)


def _table(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...], right: tuple[int, ...]) -> str:
    top = f"<thead>{_row(head, right, 'th')}</thead>" if head else ""
    return f"<table>{top}<tbody>{''.join(_row(row, right, 'td') for row in rows)}</tbody></table>"


def _row(cells: tuple[str, ...], right: tuple[int, ...], tag: str) -> str:
    made = (
        f'<{tag} style="{_CELL.format("right" if i in right else "left")}">{_safe(cell)}</{tag}>'
        for i, cell in enumerate(cells)
    )
    return f"<tr>{''.join(made)}</tr>"


def _safe(text: str) -> str:
    return entities(escape(text))
