"""What ``addison bench`` found, for people: a line for each case and mode, and what machine it was."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from addison.benchmark.measure import ROOF, Row
from addison.report.text import PLAIN, Style, table

CAP = 10.0
"""A ratio counts as no more than this in the mean, so that one case a peer is bad at does not make it."""


def text(rows: Sequence[Row], machine: Mapping[str, Any], peers: Mapping[str, str], style: Style = PLAIN) -> str:
    """The machine, the table, and the sum of it.

    >>> from addison.engines import native
    >>> print(text([], native.info(), {"numpy": "2.1"}).splitlines()[1])
    peers: numpy 2.1
    """
    lines = [core(machine), "peers: " + (", ".join(f"{name} {of}".strip() for name, of in peers.items()) or "none")]
    lines += [
        table(
            [
                ["pattern", "type", "elements", "mode", "us", "quartiles", "per ns", "GB/s", "of roof", "ratio", "to"],
                *map(_cells, rows),
            ],
            right=(2, 4, 5, 6, 7, 8, 9),
        ),
        f"roof: {ROOF}; measured in this run",
    ]
    return "\n".join([*lines, style.paint(_sum(rows), "error" if any(row.differing for row in rows) else "bold")])


def core(machine: Mapping[str, Any]) -> str:
    """What adds here.

    >>> core({"core": True, "level": "v3", "threads": 2})
    'C++ core, level v3, threads 2'
    """
    if not machine["core"]:
        return "no C++ core: NumPy adds"
    return f"C++ core, level {machine['level']}, threads {machine['threads']}"


def missing(machine: Mapping[str, Any]) -> str:
    """A warning when there is no core; nothing when there is.

    >>> missing({"core": True})
    ''
    """
    if machine["core"]:
        return ""
    return "warning: the C++ core is not built here, so this times NumPy behind addison's checks; " + (
        "install a C++ compiler and CMake, then addison once more"
    )


def mean(ratios: Sequence[float]) -> float | None:
    """The geometric mean of the ratios, each capped.

    >>> mean([1.0, 100.0]) == math.sqrt(10)
    True
    """
    return math.exp(statistics.fmean(math.log(min(ratio, CAP)) for ratio in ratios)) if ratios else None


def _cells(row: Row) -> list[str]:
    head = [row.case.pattern, row.case.element_type.name, str(math.prod(row.case.shape)), row.mode]
    if row.ours is None:
        return [*head, *[""] * 6, f"{row.differing} elements differ from NumPy's"]
    ours = row.ours
    return [
        *head,
        _short(ours.median * 1e6),
        f"{_short(ours.low * 1e6)}-{_short(ours.high * 1e6)}",
        _short(row.elements_per_ns),
        _short(row.speed / 1e9),
        f"{row.speed / row.roof:.0%}",
        "" if row.ratio is None else f"{row.ratio:.2f}",
        row.best,
    ]


def _short(number: float) -> str:
    """Three digits, and no exponent."""
    return f"{number:.0f}" if number >= 100 else f"{number:.{2 - math.floor(math.log10(number)) if number else 0}f}"


def _sum(rows: Sequence[Row]) -> str:
    wrong, ratios = sum(row.differing > 0 for row in rows), [row.ratio for row in rows if row.ratio is not None]
    parts = [f"{wrong} of {len(rows)} differ from NumPy"] if wrong else []
    if ratios:
        parts.append(
            f"{len(ratios)} ratios of the best peer's time to addison's: "
            f"geometric mean {mean(ratios):.2f} (each capped at {CAP:.0f}), lowest {min(ratios):.2f}"
        )
    return "; ".join(parts) or "no peer adds these types"
