"""Two values of one type and their sum, bit by bit: decode, add exactly, round or wrap, encode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from addison.reasons.parts import Part, parts
from addison.reasons.rounding import Decision, Rounding, settle
from addison.reasons.shown import shown
from addison.reasons.words import rounding_says, sum_says
from addison.reasons.written import read
from addison.spec.addition import exact_sum
from addison.spec.bits import Value, decode
from addison.spec.elements import ElementType


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its code, its value and what its bits say."""

    code: int
    value: Value
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """What was written, and the element it is; ``rounding`` and ``says`` tell what was lost on the way. A code loses
    nothing: it has no rounding."""

    written: str
    element: Element
    rounding: Rounding | None = None
    says: str = ""

    @property
    def exact(self) -> bool:
        """Whether the element is what was written."""
        return self.rounding is None or self.rounding.decision in (Decision.EXACT, Decision.INFINITY, Decision.NAN)


@dataclass(frozen=True, slots=True)
class ValueReason:
    """One value as an element of a type.

    >>> print(ValueReason.of(ElementType.parse("f8e5m2"), 0.3).operand.says)
    nearer to 0.3125 (about 0.012500000000000011 away) than to 0.25 (about 0.049999999999999989 away)
    """

    kind: ClassVar[str] = "value"
    element_type: ElementType
    operand: Operand

    @classmethod
    def of(cls, element_type: ElementType, value: Any) -> ValueReason:
        """``value`` is a number, or text: a decimal, ``inf``, ``nan``, or a code such as ``0x7e``."""
        return cls(element_type, _operand(element_type, value))

    def __str__(self) -> str:
        return shown(self, "text")

    def _repr_html_(self) -> str:
        return shown(self, "html")


@dataclass(frozen=True, slots=True)
class SumReason:
    """a + b in one type: both operands, the exact sum in ``rounding.exact``, what it became and why.

    >>> reason = SumReason.of(ElementType.parse("u4"), 15, 1)
    >>> reason.result.code, reason.says
    (0, '16 is past 15, so it wraps modulo 2^4: 16 - 16 = 0')
    """

    kind: ClassVar[str] = "sum"
    element_type: ElementType
    a: Operand
    b: Operand
    rounding: Rounding
    says: str
    result: Element

    @classmethod
    def of(cls, element_type: ElementType, a: Any, b: Any) -> SumReason:
        """``a`` and ``b`` are numbers, or text: a decimal, ``inf``, ``nan``, or a code such as ``0x7e``."""
        left, right = _operand(element_type, a), _operand(element_type, b)
        values = left.element.value, right.element.value
        rounding = settle(element_type, exact_sum(*values))
        says = sum_says(element_type, *values, rounding)
        return cls(element_type, left, right, rounding, says, _element(element_type, rounding.code))

    def __str__(self) -> str:
        return shown(self, "text")

    def _repr_html_(self) -> str:
        return shown(self, "html")


def _operand(element_type: ElementType, value: Any) -> Operand:
    written = read(element_type, value)
    if written.code is not None:
        return Operand(written.text, _element(element_type, written.code))
    rounding = settle(element_type, written.value)
    return Operand(written.text, _element(element_type, rounding.code), rounding, rounding_says(element_type, rounding))


def _element(element_type: ElementType, code: int) -> Element:
    return Element(code, decode(element_type, code), parts(element_type, code))
