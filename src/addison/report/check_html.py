"""Findings as one HTML page that stands alone: a section for each file, each finding with the lines it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from addison.diagnostics import Diagnostic, Severity
from addison.report import text
from addison.report.markup import markup
from addison.report.page import asset, page


def html(sections: Sequence[str], counts: Mapping[Severity, int], files: Sequence[str]) -> str:
    """The whole page out of its sections."""
    said = markup(text.tally(counts, files)) if files else "no files"
    body = f"<main><h1>addison check</h1><p>{said}</p>{''.join(sections)}</main>"
    return page("addison check", body, style=asset("check.css"))


def section(path: str, found: Sequence[Diagnostic]) -> str:
    """One file: its name, and its findings in order.

    >>> section("a<b.xml", [])
    '<section><h2 class="mono">a&lt;b.xml</h2><p class="soft">no findings</p></section>'
    """
    said = "".join(map(_finding, found)) or '<p class="soft">no findings</p>'
    return f'<section><h2 class="mono">{markup(path)}</h2>{said}</section>'


def _finding(one: Diagnostic) -> str:
    """The finding as on a terminal; its first line is the heading."""
    _, *lines = text.finding(one).rstrip("\n").split("\n")
    where = f'<span class="soft mono">{one.at.line}:{one.at.column}</span> ' if one.at else ""
    head = f'{where}<b class="{one.severity}">{one.severity} {one.code}</b> {markup(one.says)}'
    shown = "\n".join(map(markup, lines))
    return f'<article><h3 title="{markup(one.name)}">{head}</h3>{f"<pre>{shown}</pre>" if lines else ""}</article>'
