"""Every Add of a real model, as a runtime computes it, against the specification.

The runtime runs the model in a process of its own, with operands and results of Adds as further outputs; each Add is
computed anew from its operands as the runtime had them. Differences that the runtime's precision explains are told
apart from wrong answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from addison import engines
from addison.conformance import processor, runtimes
from addison.conformance.feeding import Feed, feeds
from addison.conformance.held import Held, hold
from addison.conformance.judge import judge
from addison.conformance.runtimes.process import Process
from addison.conformance.sites import Site, sites
from addison.conformance.tapping import Batch, Tapped, taps
from addison.conformance.verdict import Verdict
from addison.errors import InvalidInput
from addison.ir.reader import read_model
from addison.runtime import names
from addison.spec.shapes import Shape
from addison.tensor import Tensor

RUNTIMES = ("openvino-cpu",)
"""Those that can run whole models with taps."""
MEMORY = 1 << 30
"""Bytes that taps and comparisons may take, unless told otherwise."""
OUTCOMES = ("wrong", "failed", "rounded", "equal", "unreached")
"""What can come of an Add, the worst first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One Add. ``outcome`` is "equal", bit for bit; "rounded", where the precision explains every difference; "wrong";
    "failed" when the runtime did; or "unreached". ``known`` tells whether a wrong answer is one that is recorded of the
    runtime; ``says`` is the verdict, or why there is none."""

    site: Site
    outcome: str
    says: str
    held: Held | None = None
    computed_in: str = ""

    @property
    def known(self) -> bool:
        return self.held is not None and self.held.known

    @property
    def weight(self) -> tuple[int, bool, float, int]:
        """Sorts the worst first: wrong ones that nobody recorded, then by how many elements differ."""
        verdict = self.held.verdict if self.held else None
        share = verdict.differing / verdict.elements if verdict and verdict.elements else 0.0
        return OUTCOMES.index(self.outcome), self.known, -share, self.site.order


@dataclass(frozen=True, slots=True)
class Output:
    """An output of the model, with and without taps: the worst verdict of all batches, or None for strings."""

    name: str
    verdict: Verdict | None
    largest: float | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """``rows`` are in topological order. ``tapped`` is how many bytes the largest batch of taps took."""

    model: str
    offer: runtimes.Offer
    settings: Mapping[str, str]
    features: frozenset[str] | None
    engine: str
    seed: int | None
    inputs: tuple[Feed, ...]
    rows: tuple[Row, ...]
    outputs: tuple[Output, ...]
    batches: int
    tapped: int
    memory: int

    @property
    def worst(self) -> tuple[Row, ...]:
        """The rows, the worst first."""
        return tuple(sorted(self.rows, key=lambda row: row.weight))

    @property
    def first(self) -> Row | None:
        """The first Add in topological order whose answer is wrong."""
        return next((row for row in self.rows if row.outcome == "wrong"), None)

    @property
    def right(self) -> bool:
        """Whether no Add is wrong and none made the runtime fail."""
        return not any(row.outcome in ("wrong", "failed") for row in self.rows)


def audit(
    path: str,
    runtime: str = "openvino-cpu",
    *,
    weights: str | None = None,
    given: Mapping[str, str] | None = None,
    shapes: Mapping[str, Shape] | None = None,
    seed: int = 0,
    layers: str = "*",
    memory: int = MEMORY,
    settings: Mapping[str, str] | None = None,
    engine: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Runs the model in the runtime and holds every Add whose path fits ``layers`` against the specification.

    ``given`` maps input names to files, ``shapes`` sets those that the model leaves open, ``settings`` are the
    runtime's, all of them. Raises Unsupported when the runtime is not installed or refuses the model, and Crashed when
    its process ends while running the model as it is.
    """
    offer = _offer(runtime)
    chosen = dict(offer.settings if settings is None else settings)
    model = read_model(path, weights)
    inputs = feeds(model, given or {}, shapes or {}, seed, memory)
    found = sites(model, runtime, layers)
    place = "addison.conformance.runtimes.openvino_taps:open_model"
    with Process(place, path, weights, chosen) as session:
        work = _Work(session, inputs, engines.get(engine), chosen, memory)
        work.run_untapped()
        rows = work.rows(found, progress)
    keys = [one.key for one in names.outputs(model)]
    outputs = tuple(work.output(number, key) for number, key in enumerate(keys))
    made = None if all(one.file is not None for one in inputs) else seed
    return Audit(path, offer, chosen, processor.features(), work.engine.name, made, inputs, rows, outputs,
                 work.batches, work.tapped, memory)  # fmt: skip


def _offer(runtime: str) -> runtimes.Offer:
    offer = runtimes.offer(runtime)
    if runtime not in RUNTIMES:
        raise InvalidInput(
            f"the runtime {runtime} does not run whole models here",
            help=f"use {' or '.join(RUNTIMES)}",
            runtime=runtime,
        )
    offer.require()
    return offer


class _Work:
    """One audit under way: the process, what went in, and what the untapped model gave."""

    def __init__(
        self,
        session: Process,
        inputs: tuple[Feed, ...],
        engine: engines.Engine,
        settings: Mapping[str, str],
        memory: int,
    ) -> None:
        self.session, self.engine, self.memory = session, engine, memory
        self.precision = settings.get("INFERENCE_PRECISION_HINT", "")
        self.feeds = inputs
        self.plain: list[Tensor | None] = []
        self.outputs: dict[int, tuple[Verdict, float | None]] = {}
        self.batches = self.tapped = 0

    def run_untapped(self) -> None:
        """What the model gives as it is."""
        wanted = self.session("inputs")
        self.packed = [feed.packed(name) for feed, name in zip(self.feeds, wanted, strict=True)]
        count, _ = self.session("run", self.packed, [])
        self.plain = [self.session("output", number) for number in range(count)]

    def rows(self, found: tuple[Site, ...], progress: Callable[[int, int], None] | None) -> tuple[Row, ...]:
        plan = taps(self.session, self.packed, found, self.memory)
        rows = [Row(site, "unreached", reason) for site, reason in plan.unreached]
        for batch in plan.batches:
            if progress is not None:
                progress(len(rows), len(found))
            rows += self._batch(batch)
        return tuple(sorted(rows, key=lambda row: row.site.order))

    def _batch(self, batch: Batch) -> list[Row]:
        """The rows of a batch. One that makes the runtime fail is cut in two, down to the Add that does it."""
        tapped = Tapped(self.session, self.packed, batch)
        fault = tapped.run()
        if fault and len(batch.sites) > 1:
            return [row for half in batch.halves() for row in self._batch(half)]
        if fault:
            return [Row(batch.sites[0], "failed", fault)]
        self.batches += 1
        self.tapped = max(self.tapped, batch.bytes)
        self._compare_outputs()
        return [self._row(site, tapped) for site in batch.sites]

    def _row(self, site: Site, tapped: Tapped) -> Row:
        a, b, got = (tapped.value(site, slot, self.feeds) for slot in (0, 1, 2))
        computed_in = tapped.precisions.get(site.add.layer.name, "")
        held = hold(site, self.engine, a, b, got, (self.precision, computed_in))
        return Row(site, held.outcome, held.says, held, computed_in)

    def _compare_outputs(self) -> None:
        for number, plain in enumerate(self.plain):
            tapped = self.session("output", number)
            if plain is None or tapped is None:
                continue
            verdict = judge(tapped, plain)
            worst = self.outputs.get(number)
            if worst is None or verdict.differing > worst[0].differing or (verdict.mismatch and not worst[0].mismatch):
                self.outputs[number] = verdict, _largest(tapped, plain) if verdict.differing else None

    def output(self, number: int, name: str) -> Output:
        verdict, largest = self.outputs.get(number, (None, None))
        return Output(name, verdict, largest)


def _largest(tapped: Tensor, plain: Tensor) -> float | None:
    """The largest distance of two elements as numbers; None when one of them is none."""
    import numpy as np

    with np.errstate(all="ignore"):
        apart = np.abs(tapped.to_numpy(decode=True).astype(np.float64) - plain.to_numpy(decode=True).astype(np.float64))
    return float(apart.max()) if apart.size and np.isfinite(apart).all() else None
