"""Verdicts and verifications for people: what differs, in which way, and tables of types and rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from addison.conformance.differences import CLASSES
from addison.conformance.vectors import Vector
from addison.conformance.verdict import Verdict, classes_in_words, count, distance, ulps
from addison.conformance.verify import Cell, Verification
from addison.report.escape import escape
from addison.report.text import PLAIN, Style, table
from addison.spec.broadcast import RULES
from addison.spec.shapes import Shape

MOST_LISTED = 20
"""Parts or vectors that are listed one by one."""


def verdict(found: Verdict, style: Style = PLAIN) -> str:
    """A verdict in a few lines.

    >>> import addison, numpy as np
    >>> print(verdict(addison.compare(np.int8([[1, 2]]), np.int8([[1, 3]]))))
    1 of 2 elements of i8 [1,2] differs
      first at [0,1]: 2 (0x02), wanted 3 (0x03)
      largest distance: 1
      1 of no known class (knowing the operands would tell more)
    """
    if found.parts:
        return _parts(found, style)
    if found.same or found.mismatch:
        return style.paint(escape(found.says), "bold" if found.same else "error")
    verb = "differs" if found.differing == 1 else "differ"
    head = f"{found.differing} of {count(found.elements)} of {found.element_type} {Shape(*found.shape)} {verb}"
    if found.ulps:
        head += f" by more than {ulps(found.ulps)}; {found.tolerated} within"
    lines = [style.paint(head, "error"), f"  first at {Shape(*found.first or ())}: {found.pair()}"]
    if found.largest is not None:
        lines.append(f"  largest distance: {distance(found)}")
    if found.axis is not None:
        return "\n".join([*lines, f"  {classes_in_words(found)}"])
    ordered = sorted(found.classes.items(), key=lambda one: (-one[1], list(CLASSES).index(one[0])))
    return "\n".join([*lines, *(f"  {number} {_class(name, found)}" for name, number in ordered)])


def _class(name: str, found: Verdict) -> str:
    if name == "other" and not found.operands_known:
        return f"{CLASSES[name]} (knowing the operands would tell more)"
    return CLASSES[name]


def _parts(found: Verdict, style: Style) -> str:
    wrong = [(name, part) for name, part in found.parts if not part.same]
    lines = [f"{escape(name)}: {escape(part.says)}" for name, part in wrong[:MOST_LISTED]]
    if len(wrong) > MOST_LISTED:
        lines.append(f"and {len(wrong) - MOST_LISTED} more")
    if not wrong:
        return style.paint(f"{len(found.parts)} compared, all the same", "bold")
    return "\n".join([*lines, style.paint(f"{len(wrong)} of {len(found.parts)} differ", "error")])


def verification(report: Verification, style: Style = PLAIN) -> str:
    """A table of types and rules, and what was wrong."""
    cells = report.table()
    rules = [*RULES, *sorted({rule for _, rule in cells} - set(RULES))]
    rows = [["type", *("no rule" if rule not in RULES else rule for rule in map(escape, rules))]]
    for kind in dict.fromkeys(kind for kind, _ in cells):
        rows.append([escape(kind), *(_cell(cells.get((kind, rule))) for rule in rules)])
    lines = [f"{escape(report.name)}: {len(report.outcomes)} vectors", table(rows)]
    for one in report.wrong[:MOST_LISTED]:
        lines.append(f"{escape(one.vector.id)}: {one.result}: {escape(one.says)}")
    if len(report.wrong) > MOST_LISTED:
        lines.append(f"and {len(report.wrong) - MOST_LISTED} more")
    left_out = sum(one.result == "not-offered" for one in report.outcomes)
    tail = f"; {left_out} not offered" if left_out else ""
    if report.right:
        return "\n".join([*lines, style.paint(f"all as the specification has it{tail}", "bold")])
    return "\n".join([*lines, style.paint(f"{len(report.wrong)} of {len(report.outcomes)} wrong{tail}", "error")])


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "."
    if cell.wrong:
        words = ", ".join(name for name, _ in cell.kinds)
        return f"{cell.wrong} of {cell.same + cell.wrong}: {words}"
    return str(cell.same) if cell.same else "not offered"


def vectors(listed: Iterable[Vector]) -> str:
    """Ids and sentences, in columns."""
    rows: Sequence[Sequence[str]] = [[escape(one.id), escape(one.says)] for one in listed]
    return table(rows) if rows else "no vectors"
