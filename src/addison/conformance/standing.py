"""Where a runtime stands: vectors put to it in a process of its own, held against what is known of it.

Strict both ways on the versions that ``deviations`` names: a difference that nobody recorded is a fault, and so is a
recorded one that does not show. On other versions both are said, and are no faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from addison.conformance import processor, runtimes
from addison.conformance.expected import Expectation, expectation
from addison.conformance.runtimes.process import Crashed, Process
from addison.conformance.vectors import Vector, made
from addison.conformance.verify import SHAPES_ALONE, InferShape, Outcome, Progress, Verification, put, verify
from addison.spec.broadcast import RULES
from addison.spec.elements import ELEMENTS
from addison.spec.shapes import Shape
from addison.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Standing:
    """``unknown`` are differences that nobody recorded, ``gone`` recorded ones that did not show, in words; ``known``
    says why each wrong outcome is as recorded, by the vector's id. ``strict`` tells whether this version was measured
    before with these settings, so that either is a fault."""

    offer: runtimes.Offer
    settings: Mapping[str, str]
    features: frozenset[str] | None
    verification: Verification
    known: Mapping[str, str]
    unknown: tuple[Outcome, ...]
    gone: tuple[str, ...]
    strict: bool

    @property
    def right(self) -> bool:
        """Whether the runtime does what is recorded of it, or is of a version of which nothing is."""
        return not self.strict or not (self.unknown or self.gone)


def stand(
    name: str,
    vectors: Iterable[Vector] | None = None,
    *,
    settings: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Standing:
    """Puts all vectors that the runtime takes to it. Unsupported, with the pip command, when it is not installed."""
    offer = runtimes.offer(name)
    offer.require()
    chosen = {**offer.settings, **(settings or {})}
    asked = _restated(offer, made() if vectors is None else vectors)
    with Process("addison.conformance.runtimes:adder", name, options=chosen) as add, _inferrer(name) as infer:
        adds = _adds(add)
        verification = verify(
            adds, asked, name=name, infer_shape=_infers(infer), offers=_offers(offer), progress=progress
        )
        expected = expectation(name, offer.version, processor.features())
        refused = {one: put(_probe(one, asked), adds) for one in expected.refused if _has_probe(one, asked)}
    return held(offer, chosen, verification, expected, refused, whole=vectors is None)


def _restated(offer: runtimes.Offer, vectors: Iterable[Vector]) -> tuple[Vector, ...]:
    """The vectors; for a runtime without the rule numpy, those of equal shapes under its own: they mean the same."""
    if "numpy" in offer.rules:
        return tuple(vectors)
    rule = offer.rules[0]
    return tuple(
        replace(one, auto_broadcast=rule)
        if one.kind == "sum" and one.auto_broadcast == "numpy" and one.a_shape == one.b_shape
        else one
        for one in vectors
    )


def held(
    offer: runtimes.Offer,
    settings: Mapping[str, str],
    verification: Verification,
    expected: Expectation,
    refused: Mapping[str, Outcome],
    *,
    whole: bool,
) -> Standing:
    """The outcomes against what is expected. Only a run of all vectors (``whole``) can tell that something is gone;
    other settings than the usual ones were not measured."""
    known = {one.vector.id: expected.reason(one) for one in verification.wrong}
    unknown = tuple(one for one in verification.wrong if not known[one.vector.id])
    gone = expected.gone(verification) if whole else ()
    gone += tuple(f"an Add of {name} is no longer refused" for name, one in refused.items() if one.result != "refused")
    strict = expected.strict and dict(settings) == dict(offer.settings)
    return Standing(offer, settings, processor.features(), verification, known, unknown, gone, strict)


def _adds(process: Process) -> Callable[..., Tensor]:
    """The runtime as something that ``verify`` can call. Its end is not its refusal."""

    def add(a: Any, b: Any, *, auto_broadcast: str, axis: int) -> Tensor:
        left, right = (one if isinstance(one, Tensor) else Tensor.from_numpy(one) for one in (a, b))
        try:
            total: Tensor = process(left, right, auto_broadcast=auto_broadcast, axis=axis)
        except Crashed as fault:
            raise RuntimeError(fault.says) from None
        return total

    return add


class _Nothing:
    """Stands where a runtime infers no shapes."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


def _inferrer(name: str) -> Process | _Nothing:
    place = "addison.conformance.runtimes:inferrer"
    return Process(place, name) if runtimes.infers(name) else _Nothing()


def _infers(process: Process | None) -> InferShape | None:
    if process is None:
        return None

    def infer(a: Shape, b: Shape, *, auto_broadcast: str, axis: int) -> Shape:
        return Shape.parse(process(a.spell(), b.spell(), auto_broadcast, axis))

    return infer


def _offers(offer: runtimes.Offer) -> Callable[[Vector], str]:
    def why_not(vector: Vector) -> str:
        if vector.error in ("types", "type", "rule") or (vector.axis != -1 and vector.auto_broadcast != "pdpd"):
            return "it cannot be asked of a runtime"
        if vector.element_type is None:
            return "" if vector.auto_broadcast in offer.rules else f"it has no rule {vector.auto_broadcast}"
        shapes = (vector.a_shape.sizes, vector.b_shape.sizes)
        return offer.refusal(ELEMENTS[vector.element_type], vector.auto_broadcast, shapes)

    return why_not


def _has_probe(element: str, vectors: Iterable[Vector]) -> bool:
    return any(_probes(element, one) for one in vectors)


def _probe(element: str, vectors: Iterable[Vector]) -> Vector:
    return next(one for one in vectors if _probes(element, one))


def _probes(element: str, vector: Vector) -> bool:
    return vector.kind == "sum" and vector.element_type == element and vector.auto_broadcast == "numpy"


def rows(standing: Standing) -> list[tuple[str, dict[str, str]]]:
    """The table: for each type that vectors have (and "shapes") what is said of each rule.

    "pass", "differs: ..." with the classes, "not offered", or "" where there are no vectors.
    """
    table = standing.verification.table()
    names = [name for name in (*ELEMENTS, SHAPES_ALONE) if any((name, rule) in table for rule in RULES)]
    return [(name, {rule: _said(table.get((name, rule))) for rule in RULES}) for name in names]


def _said(cell: Any) -> str:
    if cell is None:
        return ""
    if cell.wrong:
        return "differs: " + ", ".join(name for name, _ in cell.kinds)
    return "pass" if cell.same else "not offered"
