"""Results for people: findings with the lines they are about, shapes in columns, an account of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from addison.diagnostics import Diagnostic, Severity, Span
from addison.report.escape import escape
from addison.spec.broadcast import Clash, Column

if TYPE_CHECKING:
    from addison.checker.fix import Refusal
    from addison.errors import AddisonError
    from addison.runtime.session import Run
    from addison.runtime.shapes import LayerRow, Pair

WIDEST = 110
"""Characters of a source line that are shown; a longer one is cut around the marked place."""

_COLOURS = {"error": "1;31", "warning": "1;33", "info": "1;36", "dim": "2", "bold": "1"}


@dataclass(frozen=True, slots=True)
class Style:
    """Whether to use colour; ``paint`` is where it is decided."""

    colour: bool = False

    def paint(self, text: str, kind: str) -> str:
        return f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m" if self.colour else text


PLAIN = Style()


def findings(found: Iterable[Diagnostic], style: Style = PLAIN) -> str:
    """Each finding with its lines, a blank line between two."""
    return "\n".join(finding(one, style) for one in found)


def finding(one: Diagnostic, style: Style = PLAIN) -> str:
    """One finding: place, severity, code; the lines it is about, in file order; what to do.

    The primary place carries the finding's label, each related one what it has to do with it.
    """
    where = f"{escape(str(one.at))}: " if one.at else ""
    head = style.paint(f"{one.severity}[{one.code}]", str(one.severity))
    lines = [f"{style.paint(where, 'bold')}{head}: {escape(one.says)}"]
    places = [(one.at, one.label)] if one.at else []
    places += [(related.at, related.says) for related in one.related]
    places.sort(key=lambda place: place[0].start)
    width = max((len(str(place.line)) for place, _ in places), default=1)
    shown = ""
    for place, says in places:
        source, mark = _excerpt(place)
        if not source.strip():
            continue
        row = f"{place.line:>{width}} | {source}"
        if row != shown:
            lines.append(row)
            shown = row
        lines.append(f"{'':>{width}} | {style.paint(mark, str(one.severity))} {escape(says)}".rstrip())
    if one.help:
        lines.append(f"{'':>{width}} = help: {escape(one.help)}")
    lines.append(f"{'':>{width}} = more: addison explain {one.code}")
    return "\n".join(lines) + "\n"


def _excerpt(place: Span) -> tuple[str, str]:
    """The source line of a span, and carets under it."""
    (line, column), (end_line, end_column) = place.source.place(place.start), place.end
    first, text = 1, place.source.line(line, 1, WIDEST + 1)
    if len(text) > WIDEST:
        first = max(1, column - 30)
        text = place.source.line(line, first, WIDEST)
        if len(text) < WIDEST and first > 1:  # its end
            first -= WIDEST - len(text)
            text = place.source.line(line, first, WIDEST)
    stop = end_column if end_line == line else first + len(text)
    start = column - first
    length = max(min(stop - column, WIDEST - start), 1)
    before, marked, after = escape_line(text[:start]), escape_line(text[start : start + length]), text[start + length :]
    return before + marked + escape_line(after), " " * len(before) + "^" * max(len(marked), 1)


def escape_line(text: str) -> str:
    """A piece of a source line: tabs become four blanks, what could steer a terminal is written out."""
    return escape(text.replace("\t", "    "))


def summary(found: Sequence[Diagnostic], files: Sequence[str]) -> str:
    """How many of each severity, in one line."""
    return tally(Counter(one.severity for one in found), files)


def tally(counts: Mapping[Severity, int], files: Sequence[str]) -> str:
    """The same, of findings that are counted already."""
    each = [(counts.get(level, 0), str(level)) for level in reversed(Severity)]
    said = ", ".join(f"{n} {word}{'s' if n != 1 and word != 'info' else ''}" for n, word in each if n)
    where = escape(files[0]) if len(files) == 1 else f"{len(files)} files"
    return f"{where}: {said or 'no findings'}"


def refused(path: str, refusal: Refusal) -> str:
    """Why a finding was not fixed."""
    one = refusal.finding
    where = f":{one.at.line}:{one.at.column}" if one.at else ""
    return escape(f"{path}{where}: {one.code} is not fixed: {refusal.reason}")


def fixed(findings: int, files: int, only_said: bool) -> str:
    """How many findings were fixed, or would be, in how many files.

    >>> fixed(2, 1, False)
    'fixed 2 findings in 1 file'
    """
    verb = "would fix" if only_said else "fixed"
    return f"{verb} {findings} finding{'s' * (findings != 1)} in {files} file{'s' * (files != 1)}"


def error(fault: AddisonError, style: Style = PLAIN) -> str:
    """An exception in two lines; a model's with all its findings."""
    found = fault.fields.get("findings")
    if found:
        return findings(found, style).rstrip("\n")
    lines = [f"{style.paint('error', 'error')}: {escape(fault.says)}"]
    if fault.help:
        lines.append(f"  help: {escape(fault.help)}")
    return "\n".join(lines)


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Rows in columns, two blanks between; the columns numbered in ``right`` are aligned on the right.

    A cell may stand out of its column, so that one long name does not make every line long.
    """
    widths = [min(max(len(row[i]) for row in rows), WIDEST) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            f"{cell:>{w}}" if i in right else f"{cell:<{w}}"
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def merged(pair: Pair) -> str:
    """Two shapes axis by axis, and what comes out."""
    rows = [["axis", "a", "b", "result"]]
    rows += [[str(c.axis), str(c.a or "."), str(c.b or "."), _result(c)] for c in pair.columns]
    lines = [table(rows, right=(0, 1, 2, 3))] if pair.columns else []
    rule = pair.auto_broadcast if pair.axis == -1 else f"{pair.auto_broadcast}, axis {pair.axis}"
    if isinstance(pair.outcome, Clash):
        return "\n".join(
            [*lines, f"{pair.a} + {pair.b} clash under {rule}: {pair.outcome.says}", f"  help: {pair.outcome.help}"]
        )
    return "\n".join([*lines, f"{pair.a} + {pair.b} -> {pair.outcome.shape}   ({rule})"])


def _result(column: Column) -> str:
    if column.out is None:
        return "clash"
    dropped = column.a is None and column.axis >= 0  # a trailing 1 of b, past a's last axis
    return "." if dropped else str(column.out)


def layers(rows: Sequence[LayerRow]) -> str:
    """Inferred types and shapes of a model's layers, inputs of Adds beside their results."""
    if not rows:
        return "the model has no layers to show"
    cells = [["layer", "operation", "inputs", "output"]]
    for row in rows:
        cells.append([escape(row.path), escape(row.type), "  ".join(map(str, row.inputs)), str(row.output or "")])
    return table(cells)


def run(account: Run) -> str:
    """What went in, what came out, and where it was written."""
    rows = []
    for fed in account.inputs:
        source = f"made from seed {account.seed}" if fed.file is None else escape(fed.file)
        rows.append([f"  {escape(fed.name)}", str(fed.fact), source])
    out = []
    for made in account.outputs:
        where = f"{account.folder}/{made.files[0]}" if made.files and account.folder else "(not written: no -o)"
        out.append([f"  {escape(made.name)}", str(made.fact), escape(where)])
    lines = [f"{escape(account.model)}: {account.layers} layers, engine {account.engine}"]
    lines += ["inputs", table(rows)] if rows else []
    lines += ["outputs", table(out)] if out else ["outputs: the model has none"]
    lines += [f"  {escape(made.name)} = {preview(made.value)}" for made in account.outputs]
    return "\n".join(lines)


def preview(value: Any, count: int = 6) -> str:
    """The first elements of an array."""
    array = value.to_numpy(decode=True) if hasattr(value, "to_numpy") else value
    flat = array.ravel()[:count]
    return ", ".join(str(one) for one in flat) + (", ..." if array.size > count else "")
