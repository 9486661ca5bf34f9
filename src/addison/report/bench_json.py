"""What ``addison bench`` found, for programs. Times are in microseconds, speeds in GB/s (10^9 bytes)."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping, Sequence
from typing import Any

from addison.benchmark.measure import ROOF, Row
from addison.report.bench_text import CAP, mean


def document(
    rows: Sequence[Row], machine: Mapping[str, Any], peers: Mapping[str, str], seconds: float
) -> dict[str, Any]:
    """Schema addison/bench/1.

    >>> document([], {"core": False, "missing": "", "level": "", "threads": 1}, {}, 1.0)["summary"]["ratios"]
    0
    """
    ratios = [row.ratio for row in rows if row.ratio is not None]
    return {
        "schema": "addison/bench/1",
        "machine": {
            "architecture": platform.machine(),
            "python": platform.python_version(),
            **{key: machine[key] for key in ("core", "missing", "level", "threads")},
        },
        "peers": [{"name": name, "version": version} for name, version in peers.items()],
        "budget_s": seconds,
        "roof": ROOF,
        "rows": [_row(row) for row in rows],
        "summary": {
            "ratios": len(ratios),
            "cap": CAP,
            "geometric_mean": mean(ratios),
            "lowest": min(ratios, default=None),
            "differing": sum(row.differing > 0 for row in rows),
        },
    }


def _row(row: Row) -> dict[str, Any]:
    timed = row.ours is not None
    return {
        "pattern": row.case.pattern,
        "element_type": row.case.element_type.name,
        "size": row.case.size,
        "a": list(row.case.shapes[0]),
        "b": list(row.case.shapes[1]),
        "elements": math.prod(row.case.shape),
        "bytes": row.bytes,
        "mode": row.mode,
        "differing": row.differing,
        "turns": row.turns,
        "times": [
            {"name": name, "median_us": one.median * 1e6, "low_us": one.low * 1e6, "high_us": one.high * 1e6}
            for name, one in row.times.items()
        ],
        "best_peer": row.best or None,
        "ratio": row.ratio,
        "elements_per_ns": row.elements_per_ns if timed else None,
        "gb_per_s": row.speed / 1e9 if timed else None,
        "roof_gb_per_s": row.roof / 1e9 if timed else None,
    }
