"""An audit as one HTML page that stands alone."""

from __future__ import annotations

from pathlib import PurePath

from addison.conformance.audit import Audit, Row
from addison.report import audit
from addison.report.markup import clipped, markup
from addison.report.page import page

_STYLE = """\
main { padding: 1rem 1.4rem; }
td, th { border-bottom: 1px solid var(--line); }
td:first-child { text-align: right; }
.equal { color: var(--soft); }
"""
_CLASSES = {"wrong": "error", "failed": "error", "rounded": "warning", "equal": "equal", "unreached": "soft"}


def html(found: Audit) -> str:
    """The page, with every Add."""
    name = clipped(PurePath(found.model).name, 120)
    parts = [
        f"\n<main><h1>{markup(name)}</h1>",
        f"<p>{markup(audit.headline(found))}</p>",
        f'<p class="{"info" if found.right else "error"}">{markup(audit.verdict(found))}; '
        f"{markup(audit.first(found))}.</p>",
        f"<p>{markup(audit.counts(found))}</p>",
        _table("Inputs", ("name", "value", "from"), [_input(found, i) for i in range(len(found.inputs))]),
        _table("Adds, the worst first", audit.HEAD, [_row(row) for row in found.worst]),
        _table(
            "Outputs with taps, against the model as it is",
            ("name", ""),
            [_cells((one.name, audit.output(one))) for one in found.outputs],
        ),
        "<p>Taps change what a runtime fuses, and so may the outputs change.</p></main>",
    ]
    return page(f"{name} - addison compare", "\n".join(parts), style=_STYLE)


def _input(found: Audit, number: int) -> str:
    one = found.inputs[number]
    return _cells((one.name, str(one.fact), audit.source(found, one.file)))


def _row(row: Row) -> str:
    return f'<tr class="{_CLASSES[row.outcome]}">' + _cells(audit.cells(row)).removeprefix("<tr>")


def _table(title: str, head: tuple[str, ...], rows: list[str]) -> str:
    if not rows:
        return ""
    top = "".join(f"<th>{markup(cell)}</th>" for cell in head)
    return (
        f"<h2>{markup(title)}</h2>\n<table><thead><tr>{top}</tr></thead><tbody>\n"
        + "\n".join(rows)
        + "</tbody></table>"
    )


def _cells(texts: tuple[str, ...]) -> str:
    return "<tr>" + "".join(f"<td>{markup(text)}</td>" for text in texts) + "</tr>"
