"""What the grid's tables share: arrays of numbers, calls that take turns, and a row of what they took."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, TypeVar

import numpy as np

from addison.benchmark.measure import REST
from addison.spec.elements import ELEMENTS
from addison.tensor.dtypes import dtype_of

Call = Callable[[], Any]
Key = TypeVar("Key")


def values(shape: tuple[int, ...], name: str, seed: int = 1) -> Any:
    """Random numbers without subnormals or overflow: a short block repeated, which is fast to make."""
    size, dtype = math.prod(shape), dtype_of(ELEMENTS[name])
    random = np.random.default_rng(seed)
    few: Any = random.standard_normal(min(size, 1 << 16)) * 4
    if name[0] in "iu":
        few = random.integers(0, 8, len(few))
    if name == "f8e8m0":
        few = np.abs(few)  # it has no sign: half of them would be NaN
    return np.resize(few.astype("f4").astype(dtype), size).reshape(shape)


def measure(calls: Mapping[Key, Call], rounds: int) -> dict[Key, tuple[float, float]]:
    """Seconds a call, and how far the middle half of the rounds spreads, for each of the calls."""
    loops = {key: _loop(call) for key, call in calls.items()}
    seen: dict[Key, list[float]] = {key: [] for key in calls}
    for _ in range(rounds):
        for key, call in calls.items():
            time.sleep(REST)
            call()
            seen[key].append(_best(call, loops[key]))
    return {key: (statistics.median(times), _spread(times)) for key, times in seen.items()}


def _loop(call: Call) -> int:
    """How many calls in a row take 20 us: less, and the clock would be timed as well."""
    _timed(call, 10)  # the first calls are slow
    loop = 1
    while _timed(call, loop) * loop < 20e-6:
        loop *= 2
    return loop


def _timed(call: Call, loop: int) -> float:
    begin = time.perf_counter()
    for _ in range(loop):
        call()
    return (time.perf_counter() - begin) / loop


def _best(call: Call, loop: int) -> float:
    """The best of about a millisecond, and of three at least."""
    first = _timed(call, loop)
    return min(first, *(_timed(call, loop) for _ in range(max(2, min(50, int(1e-3 / (first * loop)))))))


def _spread(times: list[float]) -> float:
    ordered = sorted(times)
    return (ordered[3 * len(ordered) // 4] - ordered[len(ordered) // 4]) / statistics.median(ordered)


def row_of(pattern: str, name: str, mode: str, moved: int, times: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """What the JSON has of a case: addison's time, bytes ``moved`` in it, and the best peer's time over it."""
    (our, spread), peers = times["addison"], {peer: took for peer, (took, _) in times.items() if peer != "addison"}
    best = min(peers, key=lambda peer: peers[peer], default="")
    return {"pattern": pattern, "type": name, "mode": mode, "us": our * 1e6, "spread": spread,
            "GB/s": moved / our / 1e9, "peer": best, "ratio": peers[best] / our if best else None,
            "peers": {peer: took * 1e6 for peer, took in peers.items()}}  # fmt: skip


def chosen(word: str, wanted: str | None) -> bool:
    """Whether a list with commas has the word, or a pattern such as ``chain9-*`` that fits it."""
    return wanted is None or any(fnmatchcase(word, one) for one in wanted.split(","))


def table(head: Iterable[str], body: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    head = list(head)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, ["---"] * len(head), *body))
