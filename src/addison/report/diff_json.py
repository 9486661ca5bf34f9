"""Schema addison/show-diff/1: what two models differ in, for programs."""

from __future__ import annotations

from typing import Any

from addison.report.diff import Change, Difference, Lone
from addison.report.diff_constants import BitsDiffer


def document(found: Difference) -> dict[str, Any]:
    """Everything that a Difference holds."""
    return {
        "schema": "addison/show-diff/1",
        "a": found.a,
        "b": found.b,
        "differ": bool(found),
        "model": [_change(one) for one in found.model],
        "removed": [_lone(one) for one in found.removed],
        "added": [_lone(one) for one in found.added],
        "changed": [
            {"path": one.path, "b": one.b, "type": one.type, "changes": [_change(change) for change in one.changes]}
            for one in found.changed
        ],
        "same": found.same,
        "not_compared": [{"path": path, "why": why} for path, why in found.unseen],
    }


def _change(one: Change) -> dict[str, Any]:
    made: dict[str, Any] = {"what": one.what, "key": one.key, "a": one.a, "b": one.b}
    return {**made, "bits": _bits(one.bits)} if one.bits else made


def _bits(one: BitsDiffer) -> dict[str, Any]:
    return {
        "element_type": one.element_type.name,
        "elements": one.elements,
        "differing": one.differing,
        "first": list(one.first),
        "a": f"{one.a:#x}",
        "b": f"{one.b:#x}",
    }


def _lone(one: Lone) -> dict[str, Any]:
    return {"path": one.path, "id": one.id, "type": one.type, "outputs": list(one.outputs), "inside": one.inside}
