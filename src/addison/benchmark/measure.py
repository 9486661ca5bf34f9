"""How calls are timed: all libraries' calls of a case take turns, so that a machine that slows down slows all of them.

A turn is some calls in a row, long enough for the clock; before it the threads of the one before get time to sleep, and
its first call is not counted. A time is the median over the turns, with the quartiles. Sums are compared with NumPy's,
bit by bit, before anything is timed.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from addison import engines
from addison.benchmark.cases import Case
from addison.benchmark.peers import offers
from addison.engines import native
from addison.tensor import Tensor

Call = Callable[[], Any]

CLOCK, TURN, REST = 20e-6, 1e-3, 12e-3
"""Seconds: the least timed at once, what a turn takes, and the rest before it: PyTorch's threads spin for 8.4 ms
after a call, and would take a core from who comes next."""
FEWEST, MOST = 3, 25
"""Turns of each call, whatever the budget."""
ROOF = (
    "what NumPy's plain copy or f32 addition of about as many bytes reaches, on one thread or on all that addison has; "
    "other stores or cache use can pass it"
)
"""What the roof of a row is."""
_SMALLEST_ROOF, _SHARED_ROOF = 1 << 16, 1 << 20
_REPEATS, _LARGE = 16, 1 << 23


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds a call: the median, and the quartiles."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """One case in one mode: who took how long. ``differing`` elements are wrong, and then nothing was timed."""

    case: Case
    mode: str
    bytes: int
    roof: float
    times: dict[str, Timing]
    turns: int
    differing: int = 0

    @property
    def ours(self) -> Timing | None:
        """addison's time."""
        return self.times.get("addison")

    @property
    def best(self) -> str:
        """The fastest peer; nothing when none has the type."""
        others = [peer for peer in self.times if peer != "addison"]
        return min(others, key=lambda peer: self.times[peer].median, default="")

    @property
    def ratio(self) -> float | None:
        """The best peer's time over ours: above 1, addison is the fastest."""
        return self.times[self.best].median / self.times["addison"].median if self.best else None

    @property
    def speed(self) -> float:
        """Bytes a second, read and written."""
        return self.bytes / self.ours.median if self.ours else 0.0

    @property
    def elements_per_ns(self) -> float:
        """Elements of the sum in a nanosecond."""
        return math.prod(self.case.shape) / self.ours.median / 1e9 if self.ours else 0.0


def bench(
    cases: Sequence[Case],
    modes: Sequence[str],
    peers: Sequence[str],
    seconds: float,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Row]:
    """Times every case in every mode. ``seconds`` are shared out among them; each gets three turns all the same.

    >>> from addison.spec.elements import ELEMENTS
    >>> row, = bench([Case("same", ELEMENTS["f32"], 64)], ["fresh"], ["numpy"], 0.01)
    >>> row.best, row.differing, row.bytes
    ('numpy', 0, 768)
    """
    rows: list[Row] = []
    end, total = time.perf_counter() + seconds, len(cases) * len(modes)
    for case in cases:
        a, b = case.operands()
        for mode in modes:
            share = max(0.0, end - time.perf_counter()) / (total - len(rows))
            rows.append(_row(case, mode, a, b, peers, time.perf_counter() + share))
            progress(len(rows), total)
    return rows


def _row(case: Case, mode: str, a: Any, b: Any, peers: Sequence[str], end: float) -> Row:
    out = case.room()
    calls = {"addison": _ours(a, b, out, mode)}
    moved = traffic(a, b, out)
    wrong = differing(calls["addison"](), a, b)
    if wrong:
        return Row(case, mode, moved, 0.0, {}, 0, wrong)
    if not isinstance(out, Tensor):
        found = offers(peers, a, b, case.element_type.name, out)
        calls |= {peer: made[mode] for peer, made in found.items() if mode in made}
    times = turns(calls, end)
    return Row(
        case, mode, moved, roof(moved), {key: timing(seen) for key, seen in times.items()}, len(times["addison"])
    )


def _ours(a: Any, b: Any, out: Any, mode: str) -> Call:
    add = engines.get(engines.DEFAULT).add
    return (lambda: add(a, b, out=out)) if mode == "out" else lambda: add(a, b)


def differing(found: Any, a: Any, b: Any) -> int:
    """How many elements have other bits than NumPy's sum; than the reference engine's, where NumPy lacks the type.

    >>> a = np.arange(3, dtype="f4")
    >>> differing(a + a, a, a), differing(a, a, a)
    (0, 2)
    """
    if isinstance(a, Tensor):
        wanted = engines.get("reference").add(a, b)
        return int(np.count_nonzero(found.codes() != wanted.codes()))
    with np.errstate(all="ignore"):
        sums = np.ascontiguousarray(np.add(a, b))
    if found.dtype != sums.dtype or found.shape != sums.shape:
        return int(sums.size)
    bits = f"u{sums.itemsize}"
    return int(np.count_nonzero(np.ascontiguousarray(found).view(bits) != sums.view(bits)))


def traffic(*operands: Any) -> int:
    """Bytes that must be read and written; a broadcast axis counts once.

    >>> traffic(np.zeros(4, "f4"), np.broadcast_to(np.float32(1), 4))
    20
    """
    return sum(
        x.nbytes
        if isinstance(x, Tensor)
        else x.itemsize * math.prod(n for n, step in zip(x.shape, x.strides, strict=True) if step)
        for x in operands
    )


def turns(calls: dict[str, Call], end: float) -> dict[str, list[float]]:
    """Seconds a call, one figure for each turn: three at least, and more until ``end``.

    >>> [len(seen) for seen in turns({"nothing": lambda: None}, 0.0).values()]
    [3]
    """
    loops = {key: _loop(call) for key, call in calls.items()}
    seen: dict[str, list[float]] = {key: [] for key in calls}
    left = max(0.0, end - time.perf_counter())
    rest = min(REST, left / (2 * FEWEST * len(calls)))
    for turn in range(MOST):
        if turn >= FEWEST and time.perf_counter() >= end:
            break
        for key, call in calls.items():
            time.sleep(rest)
            call()
            seen[key].append(_timed(call, loops[key]))
    return seen


def timing(seen: Sequence[float]) -> Timing:
    """The median and the quartiles.

    >>> timing([3.0, 1.0, 2.0])
    Timing(median=2.0, low=1.5, high=2.5)
    """
    low, median, high = statistics.quantiles(seen, n=4, method="inclusive")
    return Timing(median, low, high)


def _loop(call: Call) -> int:
    """How many calls in a row make a turn, from a count that takes long enough for the clock."""
    loop = 1
    while (took := _timed(call, loop)) * loop < CLOCK:
        loop *= 2
    return max(loop, min(loop * 64, int(TURN / took)))


def _timed(call: Call, loop: int) -> float:
    begin = time.perf_counter()
    for _ in range(loop):
        call()
    return (time.perf_counter() - begin) / loop


def roof(moved: int) -> float:
    """Bytes a second that this machine moves where about so many bytes are read and written: see ``ROOF``.

    >>> roof(1000) == roof(2000) > 0
    True
    """
    return _roof(max(_SMALLEST_ROOF, 1 << (moved - 1).bit_length()))


@lru_cache(maxsize=64)
def _roof(moved: int) -> float:
    third, half = moved // 12, moved // 8
    a, b, out = (np.ones(third, "f4") for _ in range(3))
    source, target = (np.ones(half, "f4") for _ in range(2))

    def copy(part: slice) -> None:
        np.copyto(target[part], source[part])

    def add(part: slice) -> None:
        np.add(a[part], b[part], out[part])

    alone = min(_best(lambda: copy(slice(None))), _best(lambda: add(slice(None))))
    threads = native.info()["threads"]
    if moved < _SHARED_ROOF or threads == 1:
        return moved / alone
    return moved / min(alone, _shared(add, third, threads), _shared(copy, half, threads))


def _shared(work: Callable[[slice], Any], size: int, threads: int) -> float:
    """Seconds for the whole by so many threads, each of which does its own part again and again: what it costs to
    start them is not counted."""
    repeats = max(2, min(_REPEATS, _LARGE // size))
    parts = [slice(i * size // threads, (i + 1) * size // threads) for i in range(threads)]

    def again(part: slice) -> None:
        for _ in range(repeats):
            work(part)

    with ThreadPoolExecutor(threads) as pool:
        return _best(lambda: list(pool.map(again, parts))) / repeats


def _best(call: Call) -> float:
    loop = _loop(call)
    return min(_timed(call, loop) for _ in range(5))
