"""Explanations as titles, lines and tables; how they look is for ``explain_text`` and ``explain_html``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from addison.reasons.element_types import Layout, Row, TypeReason
from addison.reasons.explain import Reason
from addison.reasons.numerals import spell, spell_out
from addison.reasons.pages import CodeReason
from addison.reasons.rounding import Decision, Neighbour, Rounding
from addison.reasons.rules import RuleReason
from addison.reasons.shapes import ShapesReason, Why
from addison.reasons.suggestions import Suggestion
from addison.reasons.sums import Element, Operand, SumReason, ValueReason
from addison.report.blocks import Block, Heading, Lines, Table, Title, Verbatim
from addison.report.explain_json import code
from addison.spec.bits import Special
from addison.spec.elements import ElementType
from addison.spec.shapes import Dim

_GRID = 4
"""How many columns a list of many values has."""
_FEW = 16
"""The most values that are listed one a line."""


def blocks(reason: Reason) -> Iterator[Block]:
    """The parts of any explanation, in order."""
    match reason:
        case CodeReason():
            yield Verbatim(reason.page)
        case TypeReason():
            yield from _type(reason)
        case RuleReason():
            yield from _rule(reason)
        case ShapesReason():
            yield from _shapes(reason)
        case ValueReason():
            yield from _value(reason)
        case SumReason():
            yield from _sum(reason)


def _sum(reason: SumReason) -> Iterator[Block]:
    element = reason.element_type
    a, b = _written(reason.a), _written(reason.b)
    yield Title(f"{element}: {a} + {b} = {spell(reason.result.value)}")
    yield _bits(element, (("a", reason.a.element), ("b", reason.b.element), ("result", reason.result)))
    rows = [(name, _lost(element, one)) for name, one in (("a", reason.a), ("b", reason.b)) if not one.exact]
    rows.append(("exact sum", spell_out(reason.rounding.exact)))
    rows += _neighbours(element, reason.rounding)
    yield Table((), (*rows, (str(reason.rounding.decision.value), reason.says)))


def _value(reason: ValueReason) -> Iterator[Block]:
    element, operand = reason.element_type, reason.operand
    yield Title(f"{element}: {_written(operand)}")
    yield _bits(element, (("", operand.element),))
    rows = [("exactly", spell_out(operand.element.value))]
    if operand.rounding is not None and not operand.exact:
        rows = [("written", spell_out(operand.rounding.exact)), *_neighbours(element, operand.rounding)]
    if operand.rounding is not None:
        rows.append((operand.rounding.decision.value, operand.says))
    yield Table((), tuple(rows))


def _written(operand: Operand) -> str:
    """As it was written, and the value when that is another, or was given as a code."""
    if operand.exact and operand.rounding is not None:
        return operand.written
    return f"{operand.written} ({spell(operand.element.value)})"


def _lost(element: ElementType, operand: Operand) -> str:
    return f"{operand.written} becomes a value of {element} first: {operand.says}"


def _bits(element: ElementType, named: Sequence[tuple[str, Element]]) -> Table:
    """The codes, part by part, each with what it says."""
    head = ["", "code"]
    for part in named[0][1].parts:
        head += [part.name, ""]
    rows = []
    for name, one in named:
        row = [name, code(element, one.code)]
        for part in one.parts:
            row += [part.bits, part.says]
        rows.append((*row, spell(one.value)))
    return Table((*head, "value"), tuple(rows), right=(len(head),))


def _neighbours(element: ElementType, found: Rounding) -> list[tuple[str, str]]:
    if found.decision is Decision.EXACT or isinstance(found.exact, Special):
        return []
    exact = Fraction(found.exact)
    pairs = (("below", found.below), ("above", found.above))
    return [(side, _neighbour(element, one, exact)) for side, one in pairs if one is not None]


def _neighbour(element: ElementType, one: Neighbour, exact: Fraction) -> str:
    away = spell(abs(one.number - exact))
    if not one.there:
        return f"{spell(one.value)}, the next step, which {element} does not have, {away} away"
    return f"{spell(one.value)} ({code(element, one.code)}), {away} away"


def _type(reason: TypeReason) -> Iterator[Block]:
    element = reason.element_type
    yield Title(str(element))
    yield Lines(reason.says)
    if len(reason.rows) > _FEW and reason.complete:
        yield Heading("named values")
        yield _rows(element, [row for row in reason.rows if row.name])
        yield Heading("all values")
        yield _grid(element, reason.rows)
    else:
        yield Heading("all values" if reason.complete else "named values")
        yield _rows(element, reason.rows)
    yield from _layout(reason.layout, element)


def _rows(element: ElementType, rows: Sequence[Row]) -> Table:
    cells = tuple((code(element, row.code), f"{row.code:0{element.bits}b}", spell(row.value), row.name) for row in rows)
    return Table(("code", "bits", "value", ""), cells, right=(2,))


def _grid(element: ElementType, rows: Sequence[Row]) -> Table:
    """Many values in columns, each column downwards."""
    height = -(-len(rows) // _GRID)
    cells = [(code(element, row.code), spell(row.value)) for row in rows]
    lines = tuple(tuple(cell for pair in cells[i::height] for cell in pair) for i in range(height))
    return Table(("code", "value") * _GRID, lines, right=tuple(range(1, 2 * _GRID, 2)))


def _layout(layout: Layout, element: ElementType) -> Iterator[Block]:
    several = f"{layout.elements} elements" if layout.elements > 1 else "1 element"
    yield Heading(f"{several} in {len(layout.bytes)} byte{'s' if len(layout.bytes) > 1 else ''}")
    rows = tuple((f"byte {n}", *(f"{i}.{bit}" for i, bit in bits)) for n, bits in enumerate(layout.bytes))
    yield Table(("bit", *"76543210"), rows, right=tuple(range(1, 9)))
    last = layout.elements - 1
    yield Lines(
        (f"{last}.{element.bits - 1} is bit {element.bits - 1} of element {last}; bit 0 is the least significant.",)
    )


def _rule(reason: RuleReason) -> Iterator[Block]:
    yield Title(f'auto_broadcast="{reason.name}"')
    yield Lines(reason.says)
    yield from _shapes(reason.example)


def _shapes(reason: ShapesReason) -> Iterator[Block]:
    rule = _rule_and_axis(reason.auto_broadcast, reason.axis)
    if reason.shape is None:
        yield Title(f"{reason.a} + {reason.b} clash under {rule}")
    else:
        yield Title(f"{reason.a} + {reason.b} -> {reason.shape} under {rule}")
    if reason.columns:
        rows = tuple(
            (str(one.axis), _size(one.a), _size(one.b), _out(one.out, one.why is Why.CLASH), one.says)
            for one in reason.columns
        )
        yield Table(("axis", "a", "b", "result", "why"), rows, right=(0, 1, 2, 3))
    elif reason.clash is not None:
        yield Lines((reason.clash,))
    if reason.remarks:
        yield Lines(reason.remarks)
    if reason.suggestions:
        yield Heading("what would work")
        yield Table((), tuple((one.says, _merged(one)) for one in reason.suggestions))


def _merged(one: Suggestion) -> str:
    return f"{one.a} + {one.b} -> {one.shape} under {_rule_and_axis(one.auto_broadcast, one.axis)}"


def _rule_and_axis(rule: str, axis: int) -> str:
    return f"{rule}, axis {axis}" if rule == "pdpd" else rule


def _size(dim: Dim | None) -> str:
    return "." if dim is None else str(dim)


def _out(dim: Dim | None, clash: bool) -> str:
    return "clash" if clash else _size(dim)
