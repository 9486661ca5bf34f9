"""Which tensors of a model are tapped, in batches that fit a limit, and what a run of one batch gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from addison.conformance.feeding import Feed
from addison.conformance.runtimes.process import Crashed, Process, Refused
from addison.conformance.sites import Site
from addison.runtime.feeding import Value
from addison.tensor import Tensor

IN_THE_RUNTIME = 3
"""Bytes that a runtime takes for each byte tapped, as measured: the tensor, a copy, and what cannot be used again."""
IN_COMPARING = 2
"""The same for the one Add that is being compared."""

Tap = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Batch:
    """Adds that are tapped in one run: ``bytes`` is what the taps take."""

    sites: tuple[Site, ...]
    sizes: tuple[int, ...]

    @property
    def bytes(self) -> int:
        return sum(self.sizes)

    def halves(self) -> Iterator[Batch]:
        """The batch in two."""
        middle = len(self.sites) // 2
        yield Batch(self.sites[:middle], self.sizes[:middle])
        yield Batch(self.sites[middle:], self.sizes[middle:])


@dataclass(frozen=True, slots=True)
class Plan:
    """All batches, and the Adds that are in none, each with the reason."""

    batches: tuple[Batch, ...]
    unreached: tuple[tuple[Site, str], ...]


def taps(session: Process, inputs: Sequence[Tensor], sites: Sequence[Site], memory: int) -> Plan:
    """Batches in topological order, each of which fits the memory."""
    there = session("adds")
    unreached = [(site, site.reason or _reason(site, there)) for site in sites]
    reached = [site for site, reason in unreached if not reason]
    left_out = [(site, reason) for site, reason in unreached if reason]
    sizes = _sizes(session, inputs, reached)
    batches: list[Batch] = []
    taken: list[tuple[Site, int]] = []
    for site in reached:
        size = sizes[site.path]
        if needed([size]) > memory:
            left_out.append((site, f"comparing it takes {needed([size])} bytes; the limit is {memory}: raise --memory"))
            continue
        if needed([*(one for _, one in taken), size]) > memory:
            batches.append(_batch(taken))
            taken = []
        taken.append((site, size))
    return Plan((*batches, *([_batch(taken)] if taken else [])), tuple(left_out))


def needed(sizes: Sequence[int]) -> int:
    """What it takes to run these taps and to compare the largest Add.

    >>> needed([100, 20])
    560
    """
    return IN_THE_RUNTIME * sum(sizes) + IN_COMPARING * max(sizes)


def _batch(taken: list[tuple[Site, int]]) -> Batch:
    return Batch(tuple(site for site, _ in taken), tuple(size for _, size in taken))


def _reason(site: Site, there: dict[str, int]) -> str:
    count = there.get(site.add.layer.name, 0)
    if count == 0:
        return "the runtime has no layer of that name"
    return "" if count == 1 else f"{count} Adds have that name"


def _sizes(session: Process, inputs: Sequence[Tensor], sites: Sequence[Site]) -> dict[str, int]:
    """How many bytes the three tensors of each Add take."""
    if not sites:
        return {}
    asked = [(site.add.layer.name, slot) for site in sites for slot in (0, 1, 2)]
    shapes = session("sizes", inputs, asked)
    sizes = {}
    for number, site in enumerate(sites):
        elements = sum(prod(shape) for shape in shapes[3 * number : 3 * number + 3])
        sizes[site.path] = elements * max(site.element.bits, 8) // 8 if site.element.numeric else elements * 8
    return sizes


@dataclass(slots=True)
class Tapped:
    """A run of one batch."""

    session: Process
    inputs: Sequence[Tensor]
    batch: Batch
    numbers: dict[Tap, int] = field(default_factory=dict)
    precisions: dict[str, str] = field(default_factory=dict)

    def run(self) -> str:
        """Runs it; gives what went wrong, or nothing. Operands that are inputs or constants are not tapped."""
        for site in self.batch.sites:
            for slot in (0, 1, 2):
                if slot == 2 or site.source(slot) is None:
                    self.numbers[site.add.layer.name, slot] = len(self.numbers)
        try:
            _, self.precisions = self.session("run", self.inputs, list(self.numbers))
        except (Crashed, Refused) as fault:
            return fault.says
        return ""

    def value(self, site: Site, slot: int, feeds: Sequence[Feed]) -> Value:
        """An operand (0 or 1) or the result (2) of an Add."""
        source = None if slot == 2 else site.source(slot)
        if source is None:
            tensor: Tensor = self.session("tap", self.numbers[site.add.layer.name, slot])
            return tensor
        return feeds[source].value if isinstance(source, int) else source
