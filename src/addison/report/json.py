"""Results for programs: plain dicts, each with a ``schema`` name that ends in a version. See ``schemas/``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from addison.diagnostics import Diagnostic, Severity, Span
from addison.spec.broadcast import Clash

if TYPE_CHECKING:
    from addison.errors import AddisonError
    from addison.inference.operations import Fact
    from addison.runtime.session import Run
    from addison.runtime.shapes import LayerRow, Pair


def dumps(document: Mapping[str, Any]) -> str:
    """The document as JSON in ASCII: control characters and other scripts are escaped, so nothing steers a terminal."""
    return json.dumps(document, indent=1, default=str)


def check(files: Sequence[tuple[str, Sequence[Diagnostic]]]) -> dict[str, Any]:
    """Schema addison/check/1: findings of each file."""
    return checked([checked_file(path, found) for path, found in files])


def checked(files: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The same, of files that are documents already."""
    every = Counter(one["severity"] for file in files for one in file["findings"])
    counts = {str(level): every[str(level)] for level in Severity}
    return {"schema": "addison/check/1", "files": files, "counts": counts}


def checked_file(path: str, found: Sequence[Diagnostic]) -> dict[str, Any]:
    """One file and its findings."""
    return {"file": path, "findings": [diagnostic(one) for one in found]}


def diagnostic(one: Diagnostic) -> dict[str, Any]:
    """One finding with its places and fields."""
    return {
        "code": one.code,
        "name": one.name,
        "severity": str(one.severity),
        "message": one.says,
        "label": one.label,
        "help": one.help,
        "span": span(one.at) if one.at else None,
        "related": [{"span": span(other.at), "message": other.says} for other in one.related],
        "fields": {key: _plain(value) for key, value in one.fields.items()},
    }


def span(place: Span) -> dict[str, Any]:
    """A place: file, line and column from 1, the end just past the last character, and the bytes."""
    end_line, end_column = place.end
    return {
        "file": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": end_line,
        "end_column": end_column,
        "start": place.start,
        "stop": place.stop,
    }


def error(fault: AddisonError) -> dict[str, Any]:
    """Schema addison/error/1: what went wrong, in words and in fields."""
    fields = {key: _plain(value) for key, value in fault.fields.items() if key != "findings"}
    return {
        "schema": "addison/error/1",
        "error": type(fault).__name__,
        "message": fault.says,
        "help": fault.help,
        "fields": fields,
        "findings": [diagnostic(one) for one in fault.fields.get("findings", ())],
    }


def run(account: Run) -> dict[str, Any]:
    """Schema addison/run/1: inputs, outputs and the files they came from and went to."""
    return {
        "schema": "addison/run/1",
        "model": account.model,
        "engine": account.engine,
        "seed": account.seed,
        "inputs": [{"name": fed.name, **fact(fed.fact), "file": fed.file} for fed in account.inputs],
        "outputs": [
            {
                "name": made.name,
                "names": list(made.names),
                **fact(made.fact),
                "folder": account.folder,
                "files": list(made.files),
            }
            for made in account.outputs
        ],
    }


def fact(one: Fact) -> dict[str, Any]:
    """An element type and a shape: sizes as numbers when they are known, else as spellings; null for unknown rank."""
    dims = one.shape.dims
    return {
        "element_type": one.element_type.name,
        "shape": None if dims is None else [dim.low if dim.static else str(dim) for dim in dims],
    }


def layers(model: str, rows: Sequence[LayerRow], found: Sequence[Diagnostic]) -> dict[str, Any]:
    """Schema addison/shapes/1, kind "model": the inferred facts of each layer."""
    return {
        "schema": "addison/shapes/1",
        "kind": "model",
        "model": model,
        "layers": [
            {
                "path": row.path,
                "id": row.id,
                "type": row.type,
                "line": row.line,
                "inputs": [fact(one) for one in row.inputs],
                "output": fact(row.output) if row.output else None,
            }
            for row in rows
        ],
        "findings": [diagnostic(one) for one in found],
    }


def merged(pair: Pair) -> dict[str, Any]:
    """Schema addison/shapes/1, kind "pair": two shapes axis by axis."""
    clash = pair.outcome if isinstance(pair.outcome, Clash) else None
    return {
        "schema": "addison/shapes/1",
        "kind": "pair",
        "a": pair.a.spell(),
        "b": pair.b.spell(),
        "auto_broadcast": pair.auto_broadcast,
        "axis": pair.axis,
        "shape": None if isinstance(pair.outcome, Clash) else pair.outcome.shape.spell(),
        "clash": clash.says if clash else None,
        "help": clash.help if clash else "",
        "columns": [{"axis": c.axis, "a": _dim(c.a), "b": _dim(c.b), "result": _dim(c.out)} for c in pair.columns],
    }


def _dim(dim: object) -> str | None:
    return None if dim is None else str(dim)


def _plain(value: Any) -> Any:
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return str(value)
