"""One Add of a runtime against the specification: the same, rounded as its precision has it, or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from addison.conformance.judge import BLOCK, Addends, judge
from addison.conformance.precision import coarsest, explained
from addison.conformance.sites import Site, recomputed
from addison.conformance.verdict import Verdict
from addison.engines import Engine
from addison.errors import InvalidInput
from addison.inference.operations import Fact
from addison.runtime.feeding import Value, fact_of
from addison.spec.broadcast import aligned
from addison.spec.elements import Float
from addison.tensor import Tensor
from addison.tensor.dtypes import Array


@dataclass(frozen=True, slots=True)
class Held:
    """``explained`` counts the differing elements that rounding to ``precision`` explains."""

    a: Fact
    b: Fact
    total: Fact
    outcome: str = "equal"
    says: str = ""
    verdict: Verdict | None = None
    precision: str = ""
    explained: int = 0
    known: bool = False


def hold(site: Site, engine: Engine, a: Value, b: Value, got: Value, declared: Sequence[str] = ()) -> Held:
    """What the runtime ``got`` of a and b. ``declared`` are the precisions that it says it computes in."""
    held = Held(fact_of(a), fact_of(b), fact_of(got))
    try:
        wanted = recomputed(site, engine, a, b)
    except InvalidInput as fault:
        known = any(one.kind == "broadcasts" for one in site.hazards)
        return replace(held, outcome="wrong", says=f"the specification refuses it: {fault.says}", known=known)
    operation = site.add.operation
    verdict = judge(got, wanted, addends=Addends(a, b, operation.auto_broadcast, operation.axis))
    held = replace(held, says=verdict.says, verdict=verdict)
    if verdict.same:
        return held
    element = held.total.element_type
    if isinstance(element.format, Float) and not verdict.mismatch:
        precision = coarsest(element.name, *(name for name in declared if name in _FLOATS))
        held = replace(held, precision=precision, explained=_explained(site, precision, a, b, got, wanted))
        if held.explained == verdict.differing:
            return replace(held, outcome="rounded")
    return replace(held, outcome="wrong", known=_known(site, verdict))


_FLOATS = ("bf16", "f16", "f32", "f64")


def _known(site: Site, verdict: Verdict) -> bool:
    """Whether each class of difference is one that a recorded hazard of this Add shows."""
    if not site.hazards:
        return False
    classes = {name for one in site.hazards for name in one.classes}
    return any(not one.classes for one in site.hazards) or set(verdict.classes) <= classes


def _explained(site: Site, precision: str, a: Value, b: Value, got: Value, wanted: Value) -> int:
    """How many of the differing elements rounding explains, a block at a time."""
    operation = site.add.operation
    sizes = aligned(a.shape, b.shape, operation.auto_broadcast, operation.axis)
    found, right = _array(got), _array(wanted)
    sides = [np.broadcast_to(_array(one).reshape(own), found.shape) for one, own in zip((a, b), sizes, strict=True)]
    count = 0
    for start in range(0, found.size, BLOCK):
        ours, theirs, left, other = (
            one.flat[start : start + BLOCK].astype(np.float64) for one in (found, right, *sides)
        )
        with np.errstate(all="ignore"):
            differ = ~((ours == theirs) & (np.signbit(ours) == np.signbit(theirs)) | np.isnan(ours) & np.isnan(theirs))
        count += int((explained(precision, left, other, ours, theirs) & differ).sum())
    return count


def _array(value: Value) -> Array:
    return value.to_numpy() if isinstance(value, Tensor) else value
