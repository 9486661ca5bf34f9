"""Findings as SARIF 2.1.0, which code-scanning services and editors read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    return log([path for path, _ in files], [result(path, one) for path, found in files for one in found])


def log(paths: Iterable[str], results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The same, of findings that are results already."""
    codes = sorted({one["ruleId"] for one in results})
    number = {code: index for index, code in enumerate(codes)}
    driver = {
        "name": "addison",
        "version": addison.__version__,
        "semanticVersion": addison.__version__,
        "rules": [_rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": _uri(path)}} for path in paths],
        "results": [{**one, "ruleIndex": number[one["ruleId"]]} for one in results],
    }
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": VERSION, "runs": [run]}


def _rule(code: str) -> dict[str, Any]:
    known = every_code()[code]
    text = page(code)
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in known.name.split("-")),
        "shortDescription": {"text": known.name.replace("-", " ")},
        "fullDescription": {"text": _first_paragraph(text)},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[known.severity]},
    }


def _first_paragraph(page: str) -> str:
    """A page's first paragraph, which says what is wrong; its title and severity stand before it."""
    return " ".join(page.split("\n\n")[2].split())


def result(path: str, one: Diagnostic) -> dict[str, Any]:
    """One finding; a file as a whole is its place when it has none."""
    said = f"{one.says}: {one.label}" if one.label else one.says
    whole = {"physicalLocation": {"artifactLocation": {"uri": _uri(path)}}}
    made: dict[str, Any] = {
        "ruleId": one.code,
        "level": _LEVELS[one.severity],
        "message": {"text": f"{said}. {one.help}" if one.help else said},
        "locations": [_location(one.at) if one.at else whole],
    }
    if one.related:
        made["relatedLocations"] = [
            {"id": index, **_location(other.at), "message": {"text": other.says}}
            for index, other in enumerate(one.related, 1)
        ]
    return made


def _location(place: Span) -> dict[str, Any]:
    end_line, end_column = place.end
    region = {"startLine": place.line, "startColumn": place.column, "endLine": end_line, "endColumn": end_column}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(place.path)}, "region": region}}


def _uri(path: str) -> str:
    """A relative path as it is, an absolute one as a file URI, both with what a URI cannot hold written out."""
    pure = PurePath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix(), safe="/._-~", errors="surrogateescape")
