"""What ``addison show`` shows of a file: the model and its findings, and which part of it is drawn."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from addison.checker.check import check
from addison.diagnostics import Diagnostic
from addison.errors import InvalidInput, InvalidModel
from addison.ir.model import Model
from addison.ir.reader import PathLike, examine
from addison.ir.weights import BytesLike
from addison.report.neighbourhood import MOST_LAYERS
from addison.report.picture import Album, Picture

SUFFIXES = {".txt": "text", ".json": "json", ".svg": "svg", ".html": "html", ".htm": "html"}
"""The form that a file's name asks for."""


def album(file: str, weights: PathLike | BytesLike | None = None) -> Album:
    """The model of a file, however wrong, with everything that reading and checking find; InvalidModel when there is
    nothing to show.

    >>> album("examples/bias.xml").model
    Model('bias', IR v11, 5 layers)
    """
    model, findings = examine(file, weights)
    if model is None:
        worst = max(findings, key=lambda one: one.severity)
        raise InvalidModel(str(worst), help=worst.help, findings=findings)
    return Album(model, _together(model, findings), file)


def _together(model: Model, findings: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    """What reading found, and what checking the model finds besides, sorted by place."""
    seen = {(one.code, one.at, one.says) for one in findings}
    more = [one for one in check(model) if (one.code, one.at, one.says) not in seen]
    return sorted([*findings, *more], key=lambda one: one.order)


def chosen(
    album: Album, *, body: str | None = None, around: str | None = None, depth: int | None = None, drawn: bool = False
) -> Picture:
    """The graph, or the neighbourhood in it, that was asked for. What is ``drawn`` has at most 500 layers."""
    number = album.body(body) if body is not None else 0
    large = drawn and len(album.graphs[number].layers) > MOST_LAYERS
    if around is None and depth is None and not large:
        return album.picture(number)
    if around is not None:
        number, centre = album.find(around, number if body is not None else None)
    else:
        centre = album.centre(number)
    if not album.graphs[number].layers:
        return album.picture(number)
    return album.picture(number, album.near(number, centre, depth))


def write(path: str, text: str) -> None:
    """Writes a file aside and renames it, so that it is there whole or not at all."""
    target = Path(path)
    try:
        handle, aside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n", errors="backslashreplace") as file:
                file.write(text)
            mask = os.umask(0)
            os.umask(mask)
            Path(aside).chmod(0o666 & ~mask)
            Path(aside).replace(target)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
        raise InvalidInput(f"{path!r} cannot be written: {reason}", path=path) from None
