"""Findings as GitHub's workflow commands: annotations beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from addison.diagnostics import Diagnostic, Severity
from addison.report.escape import escape

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(files: Sequence[tuple[str, Iterable[Diagnostic]]]) -> str:
    """One line a finding."""
    return "\n".join(_annotation(path, one) for path, found in files for one in found)


def _annotation(path: str, one: Diagnostic) -> str:
    properties = {"file": one.at.path if one.at else path}
    if one.at:
        (line, column), (end_line, end_column) = (one.at.line, one.at.column), one.at.end
        properties |= {"line": str(line), "endLine": str(end_line), "col": str(column), "endColumn": str(end_column)}
    properties["title"] = f"{one.code} {one.name}"
    said = ": ".join(part for part in (one.says, one.label) if part) + (f"\nhelp: {one.help}" if one.help else "")
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[one.severity]} {told}::{_data(chr(10).join(escape(line) for line in said.splitlines()))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(escape(text)).replace(":", "%3A").replace(",", "%2C")
