"""What ``addison bench`` found, as a picture: one mark for each ratio, a line where addison and the best peer meet."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

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


def check(path: str) -> None:
    """As ``need``, and InvalidInput for a path that no plot can be written to: before anything is timed for it."""
    need()
    if not path.lower().endswith(".svg"):
        raise InvalidInput(f"{path}: a plot is SVG", help="name it .svg", path=path)
    there = Path(path)
    if not there.parent.is_dir():
        raise InvalidInput(f"{path}: cannot be written: there is no folder {there.parent}", path=path)
    if there.is_dir() or not os.access(there if there.exists() else there.parent, os.W_OK):
        raise InvalidInput(f"{path}: cannot be written", path=path)


class Mark(NamedTuple):
    """A ratio: the case it belongs to, fresh or out=, and the best peer's time over ours."""

    case: str
    mode: str
    ratio: float


def marks(rows: Sequence[Row]) -> list[Mark]:
    """The ratios of these rows; rows of types that no peer has have none."""
    return [
        Mark(f"{row.case.pattern} {row.case.element_type.name} {row.case.size}", row.mode, row.ratio)
        for row in rows
        if row.ratio is not None
    ]


def save(found: Sequence[Mark], path: str, head: str) -> None:
    """Writes the plot as SVG."""
    need()
    cases = list(dict.fromkeys(one.case for one in reversed(found)))  # the first at the top
    figure = importlib.import_module("matplotlib.figure").Figure(figsize=(8, 2 + 0.2 * len(cases)))
    _draw(figure.add_subplot(), found, cases, head)
    try:
        with importlib.import_module("matplotlib").rc_context({"svg.fonttype": "none"}):  # text stays text
            figure.savefig(path, format="svg", bbox_inches="tight", metadata={"Date": None})
    except OSError as fault:
        raise InvalidInput(f"{path}: cannot be written: {fault.strerror or fault}", path=path) from fault


def _draw(axes: Any, found: Sequence[Mark], cases: list[str], head: str) -> None:
    for mode, shape in zip(dict.fromkeys(one.mode for one in found), "oxs", strict=False):
        shown = [one for one in found if one.mode == mode]
        axes.scatter([one.ratio for one in shown], [cases.index(one.case) for one in shown], marker=shape, label=mode)
    axes.axvline(1, linewidth=1, color="0.5")
    axes.set_xscale("log")
    axes.set_yticks(range(len(cases)), cases)
    axes.set_ylim(-1, len(cases))
    axes.set_xlabel("best peer's time over addison's (right of 1: addison is faster)")
    axes.set_title(head, fontsize="medium")
    if found:
        axes.legend()
