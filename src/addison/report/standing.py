"""Where runtimes stand: as text, as JSON, and as the page docs/conformance.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from addison.conformance.differences import CLASSES
from addison.conformance.standing import Standing, rows
from addison.conformance.verify import SHAPES_ALONE, Outcome
from addison.deviations import departures
from addison.deviations import runtimes as recorded
from addison.report.escape import escape
from addison.report.text import PLAIN, Style, table
from addison.spec.broadcast import RULES

MOST_LISTED = 20
"""Unknown differences that are listed one by one."""


def text(one: Standing, style: Style = PLAIN) -> str:
    """The table, what nobody recorded, what is recorded and did not show, and the sum of it."""
    lines = [f"{head(one)}: {len(one.verification.outcomes)} vectors", table(_cells(one))]
    lines += [f"unknown: {escape(outcome.vector.id)}: {said(outcome)}" for outcome in one.unknown[:MOST_LISTED]]
    if len(one.unknown) > MOST_LISTED:
        lines.append(f"and {len(one.unknown) - MOST_LISTED} more unknown")
    lines += [f"gone: {escape(words)}" for words in one.gone]
    return "\n".join([*lines, style.paint(_sum(one), "bold" if one.right else "error")])


def head(one: Standing) -> str:
    """The runtime, its version and its settings."""
    settings = "".join(f", {key}={value}" for key, value in one.settings.items())
    return escape(f"{one.offer.name} ({_versions(one)}{settings})")


def _versions(one: Standing) -> str:
    return ", ".join(f"{name} {version}" for name, version in one.offer.versions.items())


def said(outcome: Outcome) -> str:
    """What was wrong with one vector, on one line."""
    return escape(f"{outcome.result}: {outcome.says}".replace("\n", " ")[:300])


def _cells(one: Standing) -> list[list[str]]:
    return [["type", *RULES], *([name, *(cells[rule] or "." for rule in RULES)] for name, cells in rows(one))]


def _sum(one: Standing) -> str:
    wrong = len(one.verification.wrong)
    parts = [f"{wrong} differ from the specification, {wrong - len(one.unknown)} of them as recorded" if wrong else ""]
    parts.append(f"{len(one.unknown)} unknown" if one.unknown else "")
    parts.append(f"{len(one.gone)} recorded and gone" if one.gone else "")
    known = ", ".join(part for part in parts if part) or "nothing differs from the specification"
    return known if one.strict else f"{known}; nothing is recorded of this version and these settings: no fault"


def document(standings: Sequence[Standing]) -> dict[str, Any]:
    """Schema addison/standing/1."""
    return {"schema": "addison/standing/1", "right": all(one.right for one in standings), "runtimes": [
        {
            "name": one.offer.name,
            "versions": one.offer.versions,
            "settings": dict(one.settings),
            "features": None if one.features is None else sorted(one.features),
            "strict": one.strict,
            "right": one.right,
            "vectors": len(one.verification.outcomes),
            "table": [
                {"element_type": name, "auto_broadcast": rule, "says": cells[rule]}
                for name, cells in rows(one) for rule in RULES if cells[rule]
            ],
            "wrong": [
                {"id": outcome.vector.id, "result": outcome.result, "says": outcome.says,
                 "known": one.known[outcome.vector.id] or None}
                for outcome in one.verification.wrong
            ],
            "gone": list(one.gone),
        } for one in standings
    ]}  # fmt: skip


def markdown(standings: Sequence[Standing]) -> str:
    """The page: what was measured, a table of runtimes and types, then each runtime's departures with reasons."""
    command = "addison vectors verify " + " ".join(f"--runtime {one.offer.name}" for one in standings)
    lines = [
        "# Where runtimes stand",
        "",
        "Golden vectors for Add-1 (`addison vectors list`), put to each runtime in a process of its own. This page is "
        "made by a run and not edited:",
        "",
        f"    {command} --page docs/conformance.md",
        "",
        f"Processor features that runtimes choose their code by, as measured with: {_features(standings)}.",
        "",
        *_overview(standings),
        "",
        "pass: every vector of the type, bit for bit (any NaN for a NaN). Otherwise the kinds of difference; `-` where "
        "the runtime does not add the type. Differences of shapes alone are below.",
        "",
        *(f"* {name}: {words}" for name, words in CLASSES.items() if _appears(name, standings)),
    ]
    for one in standings:
        lines += ["", *_section(one)]
    return "\n".join(lines) + "\n"


def _features(standings: Sequence[Standing]) -> str:
    found = standings[0].features if standings else None
    return "not known" if found is None else " ".join(sorted(found)) or "none of those known"


def _overview(standings: Sequence[Standing]) -> list[str]:
    tables = {one.offer.name: dict(rows(one)) for one in standings}
    types = list(dict.fromkeys(name for cells in tables.values() for name in cells))
    lines = ["| type | " + " | ".join(tables) + " |", "|---" * (len(tables) + 1) + "|"]
    for name in types:
        if name != SHAPES_ALONE:
            cells = [_overall(tables[runtime].get(name, {})) for runtime in tables]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


_OF_SHAPES = ("refused", "accepted", "differs")


def _overall(cells: dict[str, str]) -> str:
    """One word for a type: over all rules, without what is about shapes."""
    said = [cell for cell in cells.values() if cell not in ("", "not offered")]
    kinds = [kind for cell in said if cell != "pass" for kind in cell.removeprefix("differs: ").split(", ")]
    named = list(dict.fromkeys(kind for kind in kinds if kind not in _OF_SHAPES))
    return ", ".join(named) if named else "pass" if said else "-"


def _appears(name: str, standings: Sequence[Standing]) -> bool:
    return any(name in _overall(cells).split(", ") for one in standings for _, cells in rows(one))


def _section(one: Standing) -> list[str]:
    lines = [f"## {one.offer.name}", "", f"{one.offer.says[0].upper()}{one.offer.says[1:]}. Measured: {_versions(one)}"]
    lines[-1] += "".join(f", {key}={value}" for key, value in one.settings.items()) + "."
    lines.append(f"Rules: {', '.join(one.offer.rules)}; at most {one.offer.rank} axes. {_sum(one).capitalize()}.")
    known = departures(one.offer.name) if one.offer.name in recorded() else ()
    if known:
        lines += ["", "| types | when | what it does | why that is not the specification's |", "|---|---|---|---|"]
    for row in known:
        when = row.condition or "always"
        when += "" if row.cpu == "any" else f" (processors with {row.cpu})"
        issues = "".join(f" #{number}" for number in row.issue)
        cells = (" ".join(row.types), when, row.does + issues, row.why)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    of_shapes = [outcome for outcome in one.verification.wrong if outcome.verdict is None]
    if of_shapes:
        lines += ["", *_shapes(of_shapes)]
    return lines


def _shapes(outcomes: Sequence[Outcome]) -> list[str]:
    """What the runtime makes of shapes that the specification takes otherwise; intervals are only counted."""
    static = [one for one in outcomes if one.vector.kind != "shape" and one.vector.a is not None]
    intervals = len(outcomes) - len(static)
    lines = ["| a | b | rule | axis | the specification | here |", "|---|---|---|---|---|---|"] if static else []
    for one in static:
        vector = one.vector
        right = f"{vector.shape}" if vector.shape is not None else "an error"
        here = "an error" if one.result == "refused" else one.says.partition(" where")[0].removeprefix("gave ")
        lines.append(
            f"| {vector.a_shape} | {vector.b_shape} | {vector.auto_broadcast} | {vector.axis} | {right} | {here} |"
        )
    if intervals:
        lines += ["", f"Shapes of unknown sizes: {intervals} vectors are answered otherwise, all under pdpd."]
    return lines
