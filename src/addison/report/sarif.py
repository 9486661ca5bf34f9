"""Findings as SARIF 2.1.0, which code-scanning services and editors read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import addison
from addison.checker.rule import every_code, page
from addison.diagnostics import Diagnostic, Severity, Span

VERSION = "2.1.0"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def sarif(files: Sequence[tuple[str, Sequence[Diagnostic]]]) -> dict[str, Any]:
    """One run with every finding of every file; the rules are those that found something."""
    found = [(path, one) for path, findings in files for one in findings]
    codes = sorted({one.code for _, one in found})
    number = {code: index for index, code in enumerate(codes)}
    driver = {
        "name": "addison",
        "version": addison.__version__,
        "semanticVersion": addison.__version__,
        "rules": [_rule(code) for code in codes],
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": VERSION,
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "artifacts": [{"location": {"uri": _uri(path)}} for path, _ in files],
                "results": [_result(path, one, number[one.code]) for path, one in found],
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    known = every_code()[code]
    text = page(code)
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in known.name.split("-")),
        "shortDescription": {"text": known.name.replace("-", " ")},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[known.severity]},
    }


def _result(path: str, one: Diagnostic, rule: int) -> dict[str, Any]:
    said = f"{one.says}: {one.label}" if one.label else one.says
    result: dict[str, Any] = {
        "ruleId": one.code,
        "ruleIndex": rule,
        "level": _LEVELS[one.severity],
        "message": {"text": f"{said}. {one.help}" if one.help else said},
        "locations": [_location(one.at)]
        if one.at
        else [{"physicalLocation": {"artifactLocation": {"uri": _uri(path)}}}],
    }
    if one.related:
        result["relatedLocations"] = [
            {"id": index, **_location(other.at), "message": {"text": other.says}}
            for index, other in enumerate(one.related, 1)
        ]
    return result


def _location(place: Span) -> dict[str, Any]:
    end_line, end_column = place.end
    region = {"startLine": place.line, "startColumn": place.column, "endLine": end_line, "endColumn": end_column}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(place.path)}, "region": region}}


def _uri(path: str) -> str:
    """A relative path as it is, an absolute one as a file URI, both with what a URI cannot hold written out."""
    pure = PurePath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix(), safe="/._-~", errors="surrogatepass")
