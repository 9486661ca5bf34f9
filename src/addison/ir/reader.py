"""An IR file to a Model: layers are made straight from the parser's events, and faults are collected, not raised.

``examine`` gives whatever could be made of a file and everything found in it; ``read_model`` raises when any of that
is an error.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from addison.diagnostics import Diagnostic, Severity
from addison.errors import InvalidInput, InvalidModel, Unsupported
from addison.ir import codes
from addison.ir.assembly import Assembly
from addison.ir.events import open_source, read_events
from addison.ir.model import Model
from addison.ir.report import Report
from addison.ir.weights import BytesLike, Weights

PathLike = str | os.PathLike[str]
Nibbles = Literal["low-first", "high-first"]


def read_model(
    xml: PathLike | bytes, weights: PathLike | BytesLike | None = None, *, nibbles: Nibbles = "low-first"
) -> Model:
    """Reads an OpenVINO IR, version 10 or 11, every layer of it.

    ``xml`` is a path, or the XML itself as bytes. ``weights`` is the ``.bin``, as a path or a buffer; left out, it is
    the file of the same stem beside the XML. ``nibbles="high-first"`` reads i4 and u4 constants of files written before
    2024.0. Raises InvalidModel, with every finding in its fields, when anything in the file is an error.

    >>> read_model(b'<net name="empty" version="11"></net>')
    Model('empty', IR v11, 0 layers)
    """
    model, findings = examine(xml, weights, nibbles=nibbles)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors or model is None:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise InvalidModel(f"{errors[0]}{more}", help=errors[0].help, findings=findings)
    return model


def examine(
    xml: PathLike | bytes, weights: PathLike | BytesLike | None = None, *, nibbles: Nibbles = "low-first"
) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model as far as it could be read, and all findings sorted by place. Raises only for files that cannot be
    opened, and for arguments that make no sense."""
    if nibbles not in ("low-first", "high-first"):
        raise InvalidInput(f"nibbles is {nibbles!r}", help='write "low-first" or "high-first"', nibbles=nibbles)
    if not isinstance(xml, str | bytes | os.PathLike):
        kind = type(xml).__name__
        raise Unsupported(f"the model is given as {kind}", help="give a path, or the XML as bytes", found=kind)
    path = xml if isinstance(xml, bytes) else os.fspath(xml)
    try:
        stream, source = open_source(path)
    except (OSError, ValueError) as fault:
        raise InvalidInput(f"the model {path!r} cannot be opened: {_reason(fault)}", path=path) from None
    report = Report(source)
    with stream, _no_collection():
        try:
            reader = Assembly(report, _find_weights(path, weights, report), nibbles == "high-first")
            whole = read_events(stream, source, report, reader.outermost, reader.texts, reader.comment)
        except OSError as fault:
            raise InvalidInput(f"the model {path!r} cannot be read: {_reason(fault)}", path=path) from None
        model = reader.finish(whole)
    return model, report.sorted()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keeps Python's cycle collector off: reading makes many objects and no cycles, and in a process that holds many
    others each pass over them all costs more than the reading (measured: a third of the time beside OpenVINO)."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _reason(fault: Exception) -> str:
    return fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)


def _find_weights(xml: str | bytes, weights: PathLike | BytesLike | None, report: Report) -> Weights | None:
    """The .bin that goes with the model; None when there is none, or it cannot be opened, which is a finding."""
    if weights is None:
        beside = None if isinstance(xml, bytes) else Path(xml).with_suffix(".bin")
        if beside is None or os.fspath(beside) == xml or not beside.exists():
            return None
        weights = beside
    try:
        return Weights.of(weights)
    except (OSError, ValueError) as fault:
        report.add(
            codes.NO_WEIGHTS,
            None,
            f"the weights {str(weights)!r} cannot be opened: {_reason(fault)}",
            path=str(weights),
        )
        return None
    except TypeError as fault:
        kind = type(weights).__name__
        raise Unsupported(
            f"the weights are given as {kind}: {fault}", help="give a path, or bytes in one piece", found=kind
        ) from None
