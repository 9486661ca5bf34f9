"""Everything that is wrong with a file: what reading and inferring find, and what the rules find after them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from addison.checker.rule import rules
from addison.checker.scope import Scope
from addison.checker.select import Selection
from addison.checker.silencing import heed
from addison.deviations import departures
from addison.diagnostics import Diagnostic
from addison.ir import codes
from addison.ir.model import Model
from addison.ir.reader import Nibbles, PathLike, examine
from addison.ir.report import MOST_FINDINGS
from addison.ir.weights import BytesLike


def check(
    path_or_model: PathLike | bytes | Model,
    weights: PathLike | BytesLike | None = None,
    *,
    runtime: str | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    nibbles: Nibbles = "low-first",
) -> list[Diagnostic]:
    """All findings about an IR file, or about a model that was read, sorted by place.

    A bad file never raises: what is wrong with it is in the list. Raises InvalidInput when it cannot be opened.
    ``runtime`` names a runtime whose departures from the specification are findings too (``"openvino-cpu"``).
    ``select`` and ``ignore`` are codes or their beginnings: ``A302``, ``A3``, ``W``. A comment in a layer,
    ``<!-- addison: ignore A302 -->``, leaves out findings of that code that concern the layer.

    >>> [str(one) for one in check(b'<net version="9"/>')]
    ["<bytes>:1:15: error[F104]: the IR version is '9', which is older, laid out otherwise"]
    """
    wanted = Selection.of(select, ignore)
    if runtime is not None:
        departures(runtime)  # says at once when nothing is recorded of it
    if isinstance(path_or_model, Model):
        model: Model | None = path_or_model
        findings = list(path_or_model.findings)
    else:
        model, read = examine(path_or_model, weights, nibbles=nibbles)
        findings = list(read)
    if model is not None:
        findings += islice(_rules(model, runtime), MOST_FINDINGS + 1)
        complete = len(findings) <= MOST_FINDINGS
        findings = heed(model, findings, runtime, complete)
    return _bounded(sorted((one for one in findings if wanted.has(one.code)), key=lambda one: one.order))


def _rules(model: Model, runtime: str | None) -> Iterator[Diagnostic]:
    scope = Scope.of(model, runtime)
    yield from scope.report.sorted()
    for rule in rules():
        if runtime is not None or not rule.runtime:
            yield from rule(scope)


def _bounded(findings: list[Diagnostic]) -> list[Diagnostic]:
    """At most so many findings, the worst first to stay, and one that says that there are more."""
    if len(findings) <= MOST_FINDINGS:
        return findings
    listed = [one for one in findings if one.code != codes.TOO_MANY.code]
    worst = sorted(listed, key=lambda one: -one.severity)[:MOST_FINDINGS]
    kept = sorted(worst, key=lambda one: one.order)
    says = f"more than {MOST_FINDINGS} findings; the rest is not listed"
    return [*kept, codes.TOO_MANY(kept[-1].at, says, limit=MOST_FINDINGS)]
