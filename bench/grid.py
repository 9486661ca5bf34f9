#!/usr/bin/env python3
"""addison.add beside every peer installed: patterns, types and sizes, in one process on the same memory.

    python bench/grid.py [--patterns same100k,rgb] [--types f32,bf16] [--peers numpy,torch] [--rounds N] [--json FILE]
                         [--markdown FILE]

All calls of a case take turns, so that a machine that slows down slows all of them; before each turn the threads of
the one before get time to go to sleep, and the first call is not counted. A time is the median over the rounds
of each round's best; a ratio is the best peer's time over ours. Packed types, which no peer has, give elements per ns.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import addison
from addison import Tensor
from addison.benchmark.peers import PEERS, offers
from addison.engines import native

DTYPES = {name: np.dtype(code) for name, code in {
    "f32": "f4", "f64": "f8", "f16": "f2", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2",
    "bf16": ml_dtypes.bfloat16, "f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2,
    "f8e8m0": ml_dtypes.float8_e8m0fnu, "f4e2m1": ml_dtypes.float4_e2m1fn, "i4": ml_dtypes.int4, "u4": ml_dtypes.uint4,
}.items()}  # fmt: skip
PACKED = ("u1", "u2", "u3", "u4", "u6", "nf4", "f4e2m1")
MAIN = ("f32", "f16", "bf16", "i8")


def as_is(a: Any, b: Any) -> tuple[Any, Any]:
    return a, b


PATTERNS: dict[str, tuple[tuple[int, ...], tuple[int, ...], Callable[[Any, Any], tuple[Any, Any]], tuple[str, ...]]] = {
    "same5": ((5,), (5,), as_is, tuple(DTYPES)),
    "same64": ((64,), (64,), as_is, MAIN),
    "same500": ((500,), (500,), as_is, MAIN),
    "same2000": ((2000,), (2000,), as_is, MAIN),
    "example1": ((256, 56), (256, 56), as_is, MAIN),
    "example2": ((8, 1, 6, 1), (7, 1, 5), as_is, MAIN),
    "same100k": ((100_000,), (100_000,), as_is, tuple(DTYPES)),
    "same1M": ((1_000_000,), (1_000_000,), as_is, ("f32", "f64", "i64", "bf16")),
    "scalar1M": ((1_000_000,), (1,), as_is, MAIN),
    "row1k": ((1024, 1024), (1024,), as_is, MAIN),
    "column1k": ((1024, 1024), (1024, 1), as_is, MAIN),
    "outer1k": ((1024, 1), (1, 1024), as_is, MAIN),
    "channels": ((32, 64, 56, 56), (64, 1, 1), as_is, MAIN),
    "channels7": ((32, 512, 7, 7), (512, 1, 1), as_is, MAIN),
    "attention": ((8, 12, 128, 128), (8, 1, 1, 128), as_is, MAIN),
    "rgb": ((1_000_000, 3), (3,), as_is, MAIN),
    "pairs": ((100_000, 2), (2,), as_is, MAIN),
    "pairs-column": ((500_000, 2), (500_000, 1), as_is, MAIN),
    "outer5": ((64, 1, 256, 1), (128, 1, 5), as_is, MAIN),
    "transposed1k": ((1024, 1024), (1024, 1024), lambda a, b: (a, b.T), MAIN),
    "stride2": ((1024, 2048), (1024, 2048), lambda a, b: (a[:, ::2], b[:, ::2]), MAIN),
    "same16M": ((4096, 4096), (4096, 4096), as_is, MAIN),
    "row4k": ((4096, 4096), (4096,), as_is, MAIN),
    "transposed4k": ((4096, 4096), (4096, 4096), lambda a, b: (a, b.T), ("f32",)),
}


def values(shape: tuple[int, ...], name: str) -> Any:
    """Random numbers without subnormals or overflow: a short block repeated, which is fast to make."""
    size = math.prod(shape)
    random = np.random.default_rng(1)
    few = random.standard_normal(min(size, 1 << 16)) * 4
    if DTYPES[name].kind in "iu" or name in ("i4", "u4"):
        few = random.integers(0, 8, len(few))
    return np.resize(few.astype("f4").astype(DTYPES[name]), size).reshape(shape)


def measure(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, tuple[float, float]]:
    """Seconds a call, and how far the middle half of the rounds spreads, for each of the calls."""
    loops = {key: _loop(call) for key, call in calls.items()}
    seen: dict[str, list[float]] = {key: [] for key in calls}
    for _ in range(rounds):
        for key, call in calls.items():
            time.sleep(0.004)
            call()
            seen[key].append(_best(call, loops[key]))
    return {key: (statistics.median(times), _spread(times)) for key, times in seen.items()}


def _loop(call: Callable[[], Any]) -> int:
    """How many calls in a row take 20 us: less, and the clock would be timed as well."""
    _timed(call, 10)  # the first calls are slow
    loop = 1
    while _timed(call, loop) * loop < 20e-6:
        loop *= 2
    return loop


def _timed(call: Callable[[], Any], loop: int) -> float:
    begin = time.perf_counter()
    for _ in range(loop):
        call()
    return (time.perf_counter() - begin) / loop


def _best(call: Callable[[], Any], loop: int) -> float:
    """The best of about a millisecond, and of three at least."""
    first = _timed(call, loop)
    return min(first, *(_timed(call, loop) for _ in range(max(2, min(50, int(1e-3 / (first * loop)))))))


def _spread(times: list[float]) -> float:
    ordered = sorted(times)
    return (ordered[3 * len(ordered) // 4] - ordered[len(ordered) // 4]) / statistics.median(ordered)


def traffic(*arrays: Any) -> int:
    """Bytes that must be read and written; a broadcast axis counts once."""
    return sum(x.itemsize * math.prod(n for n, step in zip(x.shape, x.strides, strict=True) if step) for x in arrays)


def rows(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    peers = arguments.peers.split(",") if arguments.peers else list(PEERS)
    for pattern, (shape_a, shape_b, arrange, types) in PATTERNS.items():
        for name in types:
            if not (_chosen(pattern, arguments.patterns) and _chosen(name, arguments.types)):
                continue
            a, b = arrange(values(shape_a, name), values(shape_b, name))
            out = np.empty(np.broadcast_shapes(a.shape, b.shape), a.dtype)
            found = offers(peers, a, b, name, out)
            ours = {
                "fresh": lambda a=a, b=b: addison.add(a, b),
                "out": lambda a=a, b=b, out=out: addison.add(a, b, out=out),
            }
            for mode, mine in ours.items():
                calls = {"addison": mine} | {peer: made[mode] for peer, made in found.items() if mode in made}
                times = measure(calls, arguments.rounds)
                our, spread = times.pop("addison")
                best = min(times, key=lambda peer: times[peer][0], default="")
                yield {"pattern": pattern, "type": name, "mode": mode, "us": our * 1e6, "spread": spread,
                       "GB/s": traffic(a, b, out) / our / 1e9, "peer": best,
                       "ratio": times[best][0] / our if best else None}  # fmt: skip


def packed_rows(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Packed bytes of Tensors: elements per ns, as no peer adds them."""
    size = 1_000_000
    for name in PACKED:
        if not (_chosen("packed", arguments.patterns) and _chosen(name, arguments.types)):
            continue
        needed = Tensor.from_codes(name, np.zeros(size, "u1")).nbytes
        a, b = (Tensor(name, (size,), bytes(np.random.default_rng(i).integers(0, 256, needed, "u1"))) for i in (1, 2))
        out = Tensor(name, (size,), bytearray(needed))
        our, spread = measure({"addison": lambda a=a, b=b, out=out: addison.add(a, b, out=out)}, arguments.rounds)[
            "addison"
        ]
        yield {"pattern": "packed", "type": name, "mode": "out", "us": our * 1e6, "spread": spread,
               "GB/s": 3 * needed / our / 1e9, "peer": "", "ratio": None, "per_ns": size / our / 1e9}  # fmt: skip


def _chosen(word: str, wanted: str | None) -> bool:
    return wanted is None or word in wanted.split(",")


def line(row: dict[str, Any]) -> str:
    ratio = f"{row['ratio']:7.2f} {row['peer']}" if row["ratio"] else f"{row.get('per_ns', 0):7.1f} elements per ns"
    return f"{row['pattern']:13} {row['type']:7} {row['mode']:6} {row['us']:10.3f} us ±{row['spread']:4.0%} " \
           f"{row['GB/s']:7.1f} GB/s {ratio}"  # fmt: skip


def markdown(found: list[dict[str, Any]]) -> str:
    """One row a pattern and type: our time and the ratio, fresh and with out=."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in found:
        told = f"x{row['ratio']:.2f} {row['peer']}" if row["ratio"] else f"{row.get('per_ns', 0):.0f} elements per ns"
        cells.setdefault((row["pattern"], row["type"]), {})[row["mode"]] = f"{row['us']:.3g} us, {told}"
    lines = ["| pattern | type | fresh | out= |", "|---|---|---|---|"]
    lines += [f"| {p} | {t} | {c.get('fresh', '')} | {c.get('out', '')} |" for (p, t), c in cells.items()]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--patterns", "--types", "--peers"):
        parser.add_argument(option)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    arguments = parser.parse_args()
    told = native.info()
    if not told["core"]:
        print(f"warning: there is no core here ({told['missing']}); this times the NumPy engine")
    print(f"# {platform.machine()}, level {told['level'] or 'none'}, {told['threads']} threads")
    found = []
    for source in (rows, packed_rows):
        for row in source(arguments):
            found.append(row)
            print(line(row), flush=True)
    ratios = [row["ratio"] for row in found if row["ratio"]]
    if ratios:
        capped = math.exp(statistics.fmean(math.log(min(ratio, 10)) for ratio in ratios))
        print(f"# {len(ratios)} ratios: geometric mean, each capped at 10: {capped:.2f}; worst {min(ratios):.2f}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": told, "rows": found}, indent=1))
    if arguments.markdown:
        arguments.markdown.write_text(markdown(found))


if __name__ == "__main__":
    main()
