"""What a runtime's recorded departures make one expect of it: classes of differences by type, and its own shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from addison.conformance.vectors import Vector
from addison.conformance.verify import Outcome, Verification
from addison.deviations import Departure, departures, measured, openvino_shapes, paddle_shapes
from addison.deviations import runtimes as recorded
from addison.spec import broadcast
from addison.spec.broadcast import Clash, Merge
from addison.spec.shapes import Shape

Merges = Callable[[Shape, Shape, str, int], Merge | Clash]

_SHAPES: dict[str, Merges] = {
    "openvino-cpu": openvino_shapes.merge,
    "openvino-reference": openvino_shapes.merge,
    "paddle": paddle_shapes.merge,
}


@dataclass(frozen=True, slots=True)
class Expectation:
    """``departures`` are those that vectors can show on this processor, ``perhaps`` those of which that is not known;
    ``merge`` is the runtime's own rule for shapes; ``strict`` whether its version was measured."""

    departures: tuple[Departure, ...]
    perhaps: tuple[Departure, ...]
    merge: Merges
    strict: bool

    @property
    def refused(self) -> tuple[str, ...]:
        """The types that are known to be refused."""
        return tuple(name for one in self.departures if one.kind == "refuses" for name in one.types)

    def reason(self, outcome: Outcome) -> str:
        """Why this wrong outcome is as recorded, or nothing when it is not."""
        vector = outcome.vector
        if outcome.verdict is not None and outcome.verdict.classes:
            found = [self._departure(vector, name) for name in outcome.verdict.classes]
            return "; ".join(dict.fromkeys(one.does for one in found if one)) if all(found) else ""
        return _shapes_reason(outcome, self.merge(*_question(vector)))

    def _departure(self, vector: Vector, name: str) -> Departure | None:
        for one in (*self.departures, *self.perhaps):
            if vector.element_type in one.types and one.rule in ("any", vector.auto_broadcast) and name in one.classes:
                return one
        return None

    def gone(self, verification: Verification) -> tuple[str, ...]:
        """Recorded differences that none of these outcomes shows, in words."""
        seen = {
            (one.vector.element_type, name)
            for one in verification.wrong
            if one.verdict is not None
            for name in one.verdict.classes
        }
        missing = [
            f"{one.runtime} no longer {one.does.partition(':')[0]} ({element})"
            for one in self.departures
            for element in one.types
            if one.kind != "refuses" and not any((element, name) in seen for name in one.classes)
        ]
        return (*missing, *(said for one in verification.outcomes if (said := self._shape_gone(one))))

    def _shape_gone(self, outcome: Outcome) -> str:
        """Whether a runtime's own rule for shapes foretells something wrong, and right is what came."""
        vector = outcome.vector
        if outcome.result != "same" or vector.auto_broadcast not in broadcast.RULES:
            return ""
        told, right = self.merge(*_question(vector)), broadcast.merge(*_question(vector))
        if isinstance(told, Clash) == isinstance(right, Clash) and getattr(told, "shape", 0) == getattr(
            right, "shape", 0
        ):
            return ""
        return f"{vector.id} is answered rightly, although the shapes recorded of the runtime are others"


def expectation(runtime: str, version: str, features: frozenset[str] | None) -> Expectation:
    """What is recorded of the runtime, as far as vectors can show it."""
    merge = _SHAPES.get(runtime, broadcast.merge)
    if runtime not in recorded():
        return Expectation((), (), merge, False)
    shown = [one for one in departures(runtime) if one.when in ("always", "values") and one.classes]
    sure = tuple(one for one in shown if one.cpu == "any" or (features is not None and one.cpu in features))
    perhaps = tuple(one for one in shown if one.cpu != "any" and features is None)
    return Expectation(sure, perhaps, merge, version in measured(runtime))


def _question(vector: Vector) -> tuple[Shape, Shape, str, int]:
    return vector.a_shape, vector.b_shape, vector.auto_broadcast, vector.axis


def _shapes_reason(outcome: Outcome, told: Merge | Clash) -> str:
    match outcome.result, told:
        case "refused", Clash():
            return f"the runtime's own rule for shapes refuses them: {told.says}"
        case "accepted" | "differs", Merge() if outcome.says.startswith(f"gave {told.shape}"):
            return f"the runtime's own rule for shapes gives {told.shape}"
    return ""
