"""An audit for people: what ran, a table of Adds with the worst first, the first that departs, and the outputs."""

from __future__ import annotations

from collections import Counter

from addison.conformance.audit import OUTCOMES, Audit, Output, Row
from addison.report.escape import escape
from addison.report.markup import clipped
from addison.report.text import PLAIN, Style, table

MOST_LISTED = 40
"""Adds that the text lists; JSON and HTML have all."""
HEAD = ("#", "layer", "a", "b", "sum", "in", "outcome", "")


def text(found: Audit, style: Style = PLAIN) -> str:
    """The whole report."""
    lines = [headline(found), *_inputs(found), "adds: " + counts(found)]
    listed = found.worst[:MOST_LISTED]
    if listed:
        lines.append(table([list(HEAD), *([*cells(row)] for row in listed)], right=(0,)))
    if len(found.rows) > len(listed):
        lines.append(f"and {len(found.rows) - len(listed)} more that are no worse; --format json has all")
    lines.append(first(found))
    if found.outputs:
        lines.append("outputs with taps, against the model as it is (taps change what a runtime fuses)")
        lines += [f"  {escape(one.name)}: {output(one)}" for one in found.outputs]
    return "\n".join([*lines, style.paint(verdict(found), "bold" if found.right else "error")])


def headline(found: Audit) -> str:
    """What ran, in what."""
    versions = ", ".join(f"{name} {version}" for name, version in found.offer.versions.items())
    settings = "".join(f", {key}={value}" for key, value in found.settings.items())
    return escape(f"{found.model} on {found.offer.name} ({versions}{settings}); engine {found.engine}")


def _inputs(found: Audit) -> list[str]:
    rows = [[f"  {escape(one.name)}", str(one.fact), source(found, one.file)] for one in found.inputs]
    return ["inputs", table(rows)] if rows else []


def source(found: Audit, file: str | None) -> str:
    """Where an input came from."""
    return f"made from seed {found.seed}" if file is None else escape(file)


def counts(found: Audit) -> str:
    """How many of each outcome, and what running them took."""
    number = Counter(row.outcome for row in found.rows)
    said = ", ".join(f"{number[name]} {name}" for name in OUTCOMES if number[name]) or "none"
    runs = f"{found.batches} run{'' if found.batches == 1 else 's'} with taps of at most {found.tapped} bytes"
    return f"{said}; {runs}" if found.batches else said


def cells(row: Row) -> tuple[str, ...]:
    """A row's cells under ``HEAD``."""
    held = row.held
    facts = (str(held.a), str(held.b), str(held.total)) if held else ("", "", "")
    return (
        str(row.site.order),
        escape(clipped(row.site.path, 60)),
        *facts,
        row.computed_in,
        row.outcome + (" (known)" if row.known else ""),
        escape(details(row)),
    )


def details(row: Row) -> str:
    """What is to be said beside the outcome."""
    if row.outcome == "equal":
        return "; ".join(f"hazard: {one.kind}" for one in row.site.hazards)
    if row.outcome == "rounded" and row.held:
        return f"within rounding to {row.held.precision}: {row.says}"
    partly = ""
    if row.held and row.held.explained:
        partly = f" ({row.held.explained} of them within rounding to {row.held.precision})"
    known = "".join(f"; {one.kind}: {one.says}" for one in row.site.hazards) if row.known else ""
    return f"{row.says}{partly}{known}"


def first(found: Audit) -> str:
    """The first Add that departs."""
    if found.first is None:
        return "no Add that was reached departs"
    return f"the first to depart in topological order: #{found.first.site.order} {escape(repr(found.first.site.path))}"


def output(one: Output) -> str:
    """What taps did to an output of the model."""
    if one.verdict is None:
        return "not compared"
    if one.verdict.same:
        return "the same"
    if one.verdict.mismatch:
        return escape(one.verdict.mismatch)
    apart = "" if one.largest is None else f", at most {one.largest:.6g} apart"
    return f"{one.verdict.differing} of {one.verdict.elements} elements differ{apart}"


def verdict(found: Audit) -> str:
    """The sum of it, in one line."""
    wrong = [row for row in found.rows if row.outcome == "wrong"]
    failed = sum(row.outcome == "failed" for row in found.rows)
    reached = sum(row.outcome != "unreached" for row in found.rows)
    if not wrong and not failed:
        return f"nothing wrong in {reached} of {len(found.rows)} Adds" + ("" if reached else ": none was reached")
    known = sum(row.known for row in wrong)
    parts = [f"{len(wrong)} wrong, {known} of them as recorded of {found.offer.name}"] if wrong else []
    return ", ".join([*parts, *([f"{failed} failed"] if failed else [])])
