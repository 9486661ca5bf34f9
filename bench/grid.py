#!/usr/bin/env python3
"""addison.add and addison.compile_model beside every peer installed: patterns, types and sizes, in one process on the
same memory.

    python bench/grid.py [--patterns same100k,rgb,chain9-*] [--types f32,bf16] [--peers numpy,torch] [--rounds N]
                         [--json FILE] [--markdown FILE] [--plot FILE]

All calls of a case take turns, so that a machine that slows down slows all of them; before each turn the threads of
the one before get time to go to sleep, and the first call is not counted. A time is the median over the rounds
of each round's best; a ratio is the best peer's time over ours. Packed types, which no peer has, give elements per ns.
Chains of additions are in ``chains.py``. The load is printed, as ratios count on an idle machine only: where others
want its cores, PyTorch's threads wait for each other, for milliseconds a call.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chains
import numpy as np
from timing import chosen, measure, row_of, table, values

import addison
from addison import Tensor
from addison.benchmark.measure import traffic
from addison.benchmark.peers import PEERS, offers
from addison.engines import native
from addison.report.bench_plot import Mark, check, save

TYPES = ("f32", "f64", "f16", "i8", "i16", "i32", "i64", "u8", "u16", "bf16", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1",
         "i4", "u4")  # fmt: skip
PACKED = ("u1", "u2", "u3", "u4", "i4", "u6", "nf4", "f4e2m1")
MAIN = ("f32", "f16", "bf16", "i8")


def as_is(a: Any, b: Any) -> tuple[Any, Any]:
    return a, b


PATTERNS: dict[str, tuple[tuple[int, ...], tuple[int, ...], Callable[[Any, Any], tuple[Any, Any]], tuple[str, ...]]] = {
    "same5": ((5,), (5,), as_is, TYPES),
    "same64": ((64,), (64,), as_is, MAIN),
    "same500": ((500,), (500,), as_is, MAIN),
    "same2000": ((2000,), (2000,), as_is, MAIN),
    "example1": ((256, 56), (256, 56), as_is, MAIN),
    "example2": ((8, 1, 6, 1), (7, 1, 5), as_is, MAIN),
    "same100k": ((100_000,), (100_000,), as_is, TYPES),
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
    "eights-column": ((125_000, 8), (125_000, 1), as_is, (*MAIN, "f64")),
    "part16": ((3000, 16), (3000, 32), lambda a, b: (a, b[:, :16]), (*MAIN, "f64")),
    "outer5": ((64, 1, 256, 1), (128, 1, 5), as_is, MAIN),
    "transposed1k": ((1024, 1024), (1024, 1024), lambda a, b: (a, b.T), MAIN),
    "axes201": ((40, 50, 60), (50, 60, 40), lambda a, b: (a, b.transpose(2, 0, 1)), (*MAIN, "f64")),
    "axes0213": ((8, 16, 128, 64), (8, 128, 16, 64), lambda a, b: (a, b.transpose(0, 2, 1, 3)), MAIN),
    "stride2": ((1024, 2048), (1024, 2048), lambda a, b: (a[:, ::2], b[:, ::2]), MAIN),
    "same16M": ((4096, 4096), (4096, 4096), as_is, MAIN),
    "row4k": ((4096, 4096), (4096,), as_is, MAIN),
    "transposed4k": ((4096, 4096), (4096, 4096), lambda a, b: (a, b.T), ("f32",)),
}


def rows(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    peers = arguments.peers.split(",") if arguments.peers else list(PEERS)
    for pattern, (shape_a, shape_b, arrange, types) in PATTERNS.items():
        for name in types:
            if not (chosen(pattern, arguments.patterns) and chosen(name, arguments.types)):
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
                yield row_of(pattern, name, mode, traffic(a, b, out), times)


def packed_rows(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Packed bytes of Tensors: elements per ns, as no peer adds them."""
    size = 1_000_000
    for name in PACKED:
        if not (chosen("packed", arguments.patterns) and chosen(name, arguments.types)):
            continue
        needed = Tensor.from_codes(name, np.zeros(size, "u1")).nbytes
        a, b = (Tensor(name, (size,), bytes(np.random.default_rng(i).integers(0, 256, needed, "u1"))) for i in (1, 2))
        out = Tensor(name, (size,), bytearray(needed))
        times = measure({"addison": lambda a=a, b=b, out=out: addison.add(a, b, out=out)}, arguments.rounds)
        told = row_of("packed", name, "out", 3 * needed, times)
        yield told | {"per_ns": size / told["us"] / 1e3}


def line(row: dict[str, Any]) -> str:
    if row.get("wrong"):
        return f"{row['pattern']:15} {row['type']:7} {row['mode']:6} wrong: {row['wrong']}"
    star = "*" if row["peer"] in row.get("other_bits", ()) else ""
    return f"{row['pattern']:15} {row['type']:7} {row['mode']:6} {row['us']:10.3f} us ±{row['spread']:4.0%} " \
           f"{row['GB/s']:7.1f} GB/s {_told(row)}{star}"  # fmt: skip


def _told(row: dict[str, Any]) -> str:
    if row["ratio"]:
        return f"x{row['ratio']:.2f} {row['peer']}"
    return f"{row['per_ns']:.3g} elements per ns" if "per_ns" in row else "no peer"


def markdown(found: list[dict[str, Any]]) -> str:
    """One row a pattern and type: our time and the ratio, fresh and with out=. Then the chains."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in found:
        if row["mode"] != chains.MODE:
            cells.setdefault((row["pattern"], row["type"]), {})[row["mode"]] = f"{row['us']:.3g} us, {_told(row)}"
    chained = [row for row in found if row["mode"] == chains.MODE]
    body = ((p, t, c.get("fresh", ""), c.get("out", "")) for (p, t), c in cells.items())
    parts = [table(("pattern", "type", "fresh", "out="), body)] if cells else []
    return "\n".join([*parts, chains.markdown(chained)] if chained else parts)


def summary(found: list[dict[str, Any]]) -> Iterator[str]:
    """What all rows come to."""
    ratios = [row["ratio"] for row in found if row["ratio"]]
    if ratios:
        capped = math.exp(statistics.fmean(math.log(min(ratio, 10)) for ratio in ratios))
        yield f"{len(ratios)} ratios: geometric mean, each capped at 10: {capped:.2f}; worst {min(ratios):.2f}"
    if any(row.get("other_bits") for row in found):
        yield "* a peer whose sums have other bits than rounding after each addition"
    yield from chains.call_costs(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--patterns", "--types", "--peers"):
        parser.add_argument(option)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    if arguments.plot:
        check(str(arguments.plot))
    told = native.info()
    if not told["core"]:
        print(f"warning: there is no core here ({told['missing']}); this times the NumPy engine")
    load = os.getloadavg()[0]
    print(f"# {platform.machine()}, level {told['level'] or 'none'}, {told['threads']} threads, load {load:.2f}")
    found = []
    for source in (rows, packed_rows, chains.rows):
        for one in source(arguments):
            found.append(one)
            print(line(one), flush=True)
    if not found:
        parser.error("no case has such a pattern and type")
    for said in summary(found):
        print(f"# {said}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": told | {"load": load}, "rows": found}, indent=1))
    if arguments.markdown:
        arguments.markdown.write_text(markdown(found))
    if arguments.plot:
        head = f"{platform.machine()}, level {told['level'] or 'none'}, {told['threads']} threads"
        marks = [Mark(f"{row['pattern']} {row['type']}", row["mode"], row["ratio"]) for row in found if row["ratio"]]
        save(marks, str(arguments.plot), head)
    return int(any(row.get("wrong") for row in found))


if __name__ == "__main__":
    raise SystemExit(main())
