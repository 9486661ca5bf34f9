#!/usr/bin/env python3
"""What an audit costs, beside a plain run of the same model in the same runtime.

    python bench/audit.py MODEL.xml [--set NAME=SHAPE ...] [--memory BYTES ...] [--rounds N]

Each measurement is a process of its own: a plain run reads, compiles and infers once; an audit does that, and then
again for each batch of taps, and computes every Add anew. Prints medians of seconds, the multiple of the plain run, and
the peak memory of both processes together, with what the taps were allowed to take (--memory).
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time

from addison.conformance.audit import audit
from addison.conformance.feeding import feeds
from addison.conformance.runtimes.process import Process
from addison.ir.reader import read_model
from addison.spec.shapes import Shape

PLACE = "addison.conformance.runtimes.openvino_taps:open_model"
HINT = {"INFERENCE_PRECISION_HINT": "f32"}


def measured(path: str, shapes: dict[str, Shape], memory: int) -> dict[str, float]:
    """One plain run (memory 0) or one audit, in this process and its child."""
    started = time.perf_counter()
    adds = batches = 0
    if memory:
        found = audit(path, shapes=shapes, memory=memory)
        adds, batches = sum(row.outcome != "unreached" for row in found.rows), found.batches
    else:
        inputs = feeds(read_model(path), {}, shapes, 0, 1 << 40)
        with Process(PLACE, path, None, HINT) as session:
            packed = [one.packed(name) for one, name in zip(inputs, session("inputs"), strict=True)]
            session("run", packed, [])
    seconds = time.perf_counter() - started
    peaks = [resource.getrusage(who).ru_maxrss * 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {"seconds": seconds, "peak": sum(peaks), "adds": adds, "batches": batches}


def fresh(arguments: list[str], memory: int) -> dict[str, float]:
    """The same in a new process, so that peaks are its own."""
    command = [sys.executable, __file__, *arguments, "--one", str(memory)]
    result: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return result


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=SHAPE")
    parser.add_argument("--memory", action="append", type=int, metavar="BYTES")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    shapes = {name: Shape.parse(text) for name, _, text in (one.rpartition("=") for one in asked.set)}
    if asked.one is not None:
        print(json.dumps(measured(asked.model, shapes, asked.one)))
        return
    arguments = [asked.model, *(word for one in asked.set for word in ("--set", one))]
    limits = [0, *(asked.memory or [1 << 30, 1 << 26])]
    taken: dict[int, list[dict[str, float]]] = {limit: [] for limit in limits}
    for _ in range(asked.rounds):
        for limit in limits:
            taken[limit].append(fresh(arguments, limit))
    plain = statistics.median(one["seconds"] for one in taken[0])
    for limit, rows in taken.items():
        seconds = statistics.median(one["seconds"] for one in rows)
        peak = max(one["peak"] for one in rows) / 2**20
        words = f"audit, --memory {limit / 2**20:.0f} MiB" if limit else "plain"
        runs = f"{rows[0]['adds']:.0f} Adds in {rows[0]['batches']:.0f} runs" if limit else ""
        print(f"{words:28} {seconds:7.2f} s  {seconds / plain:5.1f} x  peak {peak:6.0f} MiB  {runs}")


if __name__ == "__main__":
    main()
