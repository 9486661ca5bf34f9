"""An audit for programs; see ``schemas/audit-1.json``."""

from __future__ import annotations

from collections import Counter
from typing import Any

from addison.conformance.audit import OUTCOMES, Audit, Row
from addison.report import json, verdicts_json


def document(found: Audit) -> dict[str, Any]:
    """Schema addison/audit/1: the Adds, the worst first."""
    number = Counter(row.outcome for row in found.rows)
    return {
        "schema": "addison/audit/1",
        "model": found.model,
        "runtime": found.offer.name,
        "versions": found.offer.versions,
        "settings": dict(found.settings),
        "features": None if found.features is None else sorted(found.features),
        "engine": found.engine,
        "seed": found.seed,
        "inputs": [{"name": one.name, **json.fact(one.fact), "file": one.file} for one in found.inputs],
        "counts": {name: number[name] for name in OUTCOMES},
        "right": found.right,
        "first": None if found.first is None else found.first.site.path,
        "adds": [_row(row) for row in found.worst],
        "outputs": [
            {"name": one.name, "largest": one.largest, "verdict": verdicts_json.verdict(one.verdict)}
            if one.verdict is not None
            else {"name": one.name, "largest": None, "verdict": None}
            for one in found.outputs
        ],
        "batches": found.batches,
        "tapped_bytes": found.tapped,
        "memory": found.memory,
    }


def _row(row: Row) -> dict[str, Any]:
    held, operation = row.held, row.site.add.operation
    return {
        "path": row.site.path,
        "order": row.site.order,
        "auto_broadcast": operation.auto_broadcast,
        "axis": operation.axis,
        "a": json.fact(held.a) if held else None,
        "b": json.fact(held.b) if held else None,
        "sum": json.fact(held.total) if held else None,
        "computed_in": row.computed_in or None,
        "outcome": row.outcome,
        "known": row.known,
        "says": row.says,
        "explained": held.explained if held else 0,
        "precision": (held.precision or None) if held else None,
        "hazards": [{"kind": one.kind, "says": one.says, "issues": list(one.issue)} for one in row.site.hazards],
        "verdict": None if held is None or held.verdict is None else verdicts_json.verdict(held.verdict),
    }
