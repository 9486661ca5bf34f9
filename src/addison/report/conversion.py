"""The Adds of an ONNX model beside those of an IR: as text and as JSON."""

from __future__ import annotations

from typing import Any

from addison.conformance.onnx_adds import Conversion
from addison.report.escape import escape
from addison.report.text import PLAIN, Style

MOST_LISTED = 20
"""Adds of one side alone that are named one by one."""


def text(found: Conversion, style: Style = PLAIN) -> str:
    """What pairs differ in, which Adds only one side has, and the sum of it."""
    lines = [f"{escape(pair.site.path)}: {escape(words)}" for pair in found.pairs for words in pair.differences]
    lines += _lone("only in the ONNX model", [one.name or one.tensor for one in found.only_onnx])
    lines += _lone("only in the IR", [site.path for site in found.only_ir])
    wrong = sum(bool(pair.differences) for pair in found.pairs)
    said = f"{len(found.pairs)} Adds of one name, {wrong or 'none'} of them different; "
    said += f"{len(found.only_onnx)} only in the ONNX model, {len(found.only_ir)} only in the IR"
    return "\n".join([*lines, style.paint(said, "bold" if found.same else "error")])


def _lone(title: str, names: list[str]) -> list[str]:
    if not names:
        return []
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return [f"{title}: {', '.join(map(escape, names[:MOST_LISTED]))}{more}"]


def document(onnx: str, model: str, found: Conversion) -> dict[str, Any]:
    """Schema addison/conversion/1."""
    return {
        "schema": "addison/conversion/1",
        "onnx": onnx,
        "model": model,
        "same": found.same,
        "pairs": [
            {"onnx": pair.onnx.name, "tensor": pair.onnx.tensor, "path": pair.site.path,
             "differences": list(pair.differences)}
            for pair in found.pairs
        ],
        "only_onnx": [{"onnx": one.name, "tensor": one.tensor} for one in found.only_onnx],
        "only_ir": [site.path for site in found.only_ir],
    }  # fmt: skip
