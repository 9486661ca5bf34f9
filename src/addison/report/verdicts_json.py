"""Verdicts, verifications and lists of vectors for programs; see ``schemas/``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from addison.conformance.vectors import Vector, to_line
from addison.conformance.verdict import Verdict
from addison.conformance.verify import Verification


def compare(a: str, b: str, found: Verdict) -> dict[str, Any]:
    """Schema addison/compare/1: a verdict on two operands; of many parts only those that differ.

    >>> compare("a.npy", "b.npy", Verdict())["verdict"]["same"]
    True
    """
    return {"schema": "addison/compare/1", "a": a, "b": b, "verdict": verdict(found)}


def verdict(found: Verdict) -> dict[str, Any]:
    """One verdict, with codes in hex, since not every reader of JSON has 64-bit integers."""
    return {
        "same": found.same,
        "says": found.says,
        "mismatch": found.mismatch,
        "element_type": found.element_type or None,
        "shape": list(found.shape),
        "elements": found.elements,
        "differing": found.differing,
        "tolerated": found.tolerated,
        "ulps": found.ulps,
        "first": None if found.first is None else list(found.first),
        "found": None if found.found is None else f"{found.found:#x}",
        "wanted": None if found.wanted is None else f"{found.wanted:#x}",
        "largest": None if found.largest is None else str(found.largest),
        "classes": dict(found.classes),
        "axis": found.axis,
        "operands_known": found.operands_known,
        "compared": len(found.parts),
        "parts": [{"name": name, "verdict": verdict(part)} for name, part in found.parts if not part.same],
    }


def verify(reports: Sequence[Verification]) -> dict[str, Any]:
    """Schema addison/verify/1: a table of types and rules for each implementation, and everything that was wrong."""
    return {
        "schema": "addison/verify/1",
        "right": all(report.right for report in reports),
        "reports": [_report(report) for report in reports],
    }


def _report(report: Verification) -> dict[str, Any]:
    return {
        "name": report.name,
        "right": report.right,
        "vectors": len(report.outcomes),
        "table": [
            {
                "element_type": kind,
                "auto_broadcast": rule,
                "same": cell.same,
                "wrong": cell.wrong,
                "not_offered": cell.not_offered,
                "kinds": dict(cell.kinds),
            }
            for (kind, rule), cell in report.table().items()
        ],
        "wrong": [
            {
                "id": one.vector.id,
                "result": one.result,
                "says": one.says,
                "verdict": None if one.verdict is None else verdict(one.verdict),
            }
            for one in report.wrong
        ],
    }


def listing(listed: Sequence[Vector]) -> dict[str, Any]:
    """Schema addison/vectors-list/1: the vectors as the files have them."""
    return {"schema": "addison/vectors-list/1", "vectors": [json.loads(to_line(one)) for one in listed]}


def written(folder: str, files: Sequence[str]) -> dict[str, Any]:
    """Schema addison/vectors-make/1: what was written, and where."""
    return {"schema": "addison/vectors-make/1", "folder": folder, "files": list(files)}
