"""What ``addison bench`` found, as a picture: one mark for each ratio, a line where addison and the best peer meet."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from typing import Any

from addison.benchmark.measure import Row
from addison.errors import InvalidInput, Unsupported


def need() -> None:
    """Unsupported, with the command to run, when there is no matplotlib."""
    if importlib.util.find_spec("matplotlib") is None:
        raise Unsupported(
            "a plot needs matplotlib, which is not installed",
            help="pip install 'addison[plot]'",
            missing=("matplotlib",),
        )


def save(rows: Sequence[Row], path: str, head: str) -> None:
    """Writes the plot as SVG."""
    need()
    figure = importlib.import_module("matplotlib.figure").Figure(figsize=(8, 2 + 0.2 * len(_labels(rows))))
    _draw(figure.add_subplot(), rows, head)
    try:
        figure.savefig(path, format="svg", bbox_inches="tight")
    except OSError as fault:
        raise InvalidInput(f"{path}: cannot be written: {fault.strerror or fault}", path=path) from fault


def _labels(rows: Sequence[Row]) -> list[str]:
    """One line for each case, the first at the bottom."""
    return list(dict.fromkeys(_label(row) for row in reversed(rows)))


def _label(row: Row) -> str:
    return f"{row.case.pattern} {row.case.element_type.name} {row.case.size}"


def _draw(axes: Any, rows: Sequence[Row], head: str) -> None:
    labels = _labels(rows)
    for mode, mark in (("fresh", "o"), ("out", "x")):
        shown = [row for row in rows if row.mode == mode and row.ratio is not None]
        axes.scatter(
            [row.ratio for row in shown], [labels.index(_label(row)) for row in shown], marker=mark, label=mode
        )
    axes.axvline(1, linewidth=1, color="0.5")
    axes.set_xscale("log")
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlabel("best peer's time over addison's (right of 1: addison is faster)")
    axes.set_title(head, fontsize="medium")
    axes.legend()
