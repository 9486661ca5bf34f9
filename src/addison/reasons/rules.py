"""The three broadcast rules in a few sentences each, with an example that is worked out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from addison.reasons.shapes import ShapesReason
from addison.reasons.shown import shown
from addison.spec.broadcast import check_rule

_SAYS = {
    "none": (
        "The shapes must be equal: the same rank, and the same size on every axis.",
        "Nothing is stretched, and a 1 is a size like any other.",
        "A size that is not known yet has to turn out equal; until then the result has the sizes that both allow.",
        "In files the rule is also called explicit.",
    ),
    "numpy": (
        "The shapes are lined up at their last axes.",
        "An axis that one side does not have counts as a 1.",
        "On each axis the sizes must be equal, or one of them must be 1.",
        "A 1 is stretched to the other side's size. Both sides can be stretched, each on its own axes.",
        "0 is a size like any other: 0 and 1 give 0, 0 and 3 clash.",
    ),
    "pdpd": (
        "b is laid over a, from one axis of a on. The result always has the shape of a: only b is stretched.",
        "axis says where b starts. -1, the default, stands for rank(a) - rank(b), with every axis of b counted.",
        "After that the trailing 1s of b are dropped.",
        "Each size of b that is left must be 1, or the size a has there. On axes it does not reach b is repeated.",
        "b cannot have more axes than a. axis is at most rank(a) - 1; a scalar b may also stand at rank(a).",
        "In files the axis is auto_broadcast.auto_broadcast_axis. Where it is missing, OpenVINO reads 0, not -1.",
    ),
}
_EXAMPLES = {
    "none": ("256,56", "256,56", -1),
    "numpy": ("8,1,6,1", "7,1,5", -1),
    "pdpd": ("2,3,4,5", "3,1", 1),
}


@dataclass(frozen=True, slots=True)
class RuleReason:
    """One of the rules: what it does, sentence by sentence, and an example.

    >>> str(RuleReason.of("numpy").example.shape)
    '[8,7,6,5]'
    """

    kind: ClassVar[str] = "rule"
    name: str
    says: tuple[str, ...]
    example: ShapesReason

    @classmethod
    def of(cls, name: str) -> RuleReason:
        """``name`` is none, numpy or pdpd."""
        check_rule(name, -1)
        a, b, axis = _EXAMPLES[name]
        return cls(name, _SAYS[name], ShapesReason.of(a, b, name, axis))

    def __str__(self) -> str:
        return shown(self, "text")

    def _repr_html_(self) -> str:
        return shown(self, "html")
