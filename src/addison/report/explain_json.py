"""Explanations for programs, as schema ``addison/explain/1``."""

from __future__ import annotations

from typing import Any

from addison.reasons.element_types import TypeReason
from addison.reasons.explain import Reason
from addison.reasons.numerals import about, exact_decimal
from addison.reasons.pages import CodeReason
from addison.reasons.rounding import Neighbour, Rounding
from addison.reasons.rules import RuleReason
from addison.reasons.shapes import ShapesReason
from addison.reasons.sums import Element, Operand, SumReason, ValueReason
from addison.spec.bits import Special, Value
from addison.spec.elements import ElementType


def document(reason: Reason) -> dict[str, Any]:
    """The explanation as a plain dict; ``kind`` says which of six it is.

    >>> from addison.reasons.explain import explain
    >>> document(explain("u4", 15, 1))["result"]["code"]
    '0x0'
    """
    return {"schema": "addison/explain/1", "kind": reason.kind, **_content(reason)}


def _content(reason: Reason) -> dict[str, Any]:
    match reason:
        case CodeReason():
            return {"code": reason.code, "name": reason.name, "severity": reason.severity or None, "page": reason.page}
        case TypeReason():
            return _type(reason)
        case RuleReason():
            return {"name": reason.name, "says": list(reason.says), "example": _shapes(reason.example)}
        case ShapesReason():
            return _shapes(reason)
        case ValueReason():
            return {"element_type": reason.element_type.name, "value": _operand(reason.element_type, reason.operand)}
        case SumReason():
            return _sum(reason)


def number(value: Value) -> dict[str, Any]:
    """A number: the exact fraction (null for nan, inf, -inf, -0), and a decimal that may be rounded to 17 digits.

    >>> from fractions import Fraction
    >>> number(Fraction(1, 3))
    {'fraction': '1/3', 'decimal': '0.33333333333333333', 'exact': False}
    """
    exact = exact_decimal(value)
    return {
        "fraction": None if isinstance(value, Special) else str(value),
        "decimal": about(value) if exact is None else exact,
        "exact": exact is not None,
    }


def code(element: ElementType, bits: int) -> str:
    """A code in hexadecimal, as wide as the type's longest.

    >>> code(ElementType.parse("bf16"), 1)
    '0x0001'
    """
    return f"0x{bits:0{-(-element.bits // 4)}x}"


def _sum(reason: SumReason) -> dict[str, Any]:
    element = reason.element_type
    return {
        "element_type": element.name,
        "a": _operand(element, reason.a),
        "b": _operand(element, reason.b),
        "exact_sum": number(reason.rounding.exact),
        "rounding": _rounding(element, reason.rounding, reason.says),
        "result": _element(element, reason.result),
    }


def _operand(element: ElementType, one: Operand) -> dict[str, Any]:
    return {
        "written": one.written,
        "exact": one.exact,
        **_element(element, one.element),
        "rounding": None if one.rounding is None else _rounding(element, one.rounding, one.says),
    }


def _element(element: ElementType, one: Element) -> dict[str, Any]:
    return {
        "code": code(element, one.code),
        "bits": f"{one.code:0{element.bits}b}",
        "value": number(one.value),
        "parts": [
            {"name": part.name, "high": part.high, "low": part.low, "bits": part.bits, "says": part.says}
            for part in one.parts
        ],
    }


def _rounding(element: ElementType, found: Rounding, says: str) -> dict[str, Any]:
    return {
        "of": number(found.exact),
        "decision": found.decision.value,
        "says": says,
        "below": _neighbour(element, found.below),
        "above": _neighbour(element, found.above),
    }


def _neighbour(element: ElementType, one: Neighbour | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"code": code(element, one.code) if one.there else None, "value": number(one.value)}


def _type(reason: TypeReason) -> dict[str, Any]:
    element = reason.element_type
    return {
        "name": element.name,
        "bits": element.bits,
        "says": list(reason.says),
        "parts": [{"name": name, "bits": width} for name, width in reason.parts],
        "complete": reason.complete,
        "values": [
            {"code": code(element, row.code), "value": number(row.value), "name": row.name or None}
            for row in reason.rows
        ],
        "layout": {
            "elements": reason.layout.elements,
            "bytes": [[{"element": i, "bit": bit} for i, bit in bits] for bits in reason.layout.bytes],
        },
    }


def _shapes(reason: ShapesReason) -> dict[str, Any]:
    return {
        "a": reason.a.spell(),
        "b": reason.b.spell(),
        "auto_broadcast": reason.auto_broadcast,
        "axis": reason.axis,
        "shape": None if reason.shape is None else reason.shape.spell(),
        "clash": reason.clash,
        "columns": [
            {
                "axis": one.axis,
                "a": None if one.a is None else str(one.a),
                "b": None if one.b is None else str(one.b),
                "result": None if one.out is None else str(one.out),
                "why": one.why.value,
                "says": one.says,
            }
            for one in reason.columns
        ],
        "remarks": list(reason.remarks),
        "suggestions": [
            {
                "says": one.says,
                "a": one.a.spell(),
                "b": one.b.spell(),
                "auto_broadcast": one.auto_broadcast,
                "axis": one.axis,
                "shape": one.shape.spell(),
                "keeps_elements": one.keeps_elements,
            }
            for one in reason.suggestions
        ],
    }
