"""``<!-- addison: ignore A302 -->`` inside a layer: findings of that code that concern the layer are left out, and a
comment that leaves nothing out is a finding itself."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from addison.checker.rule import every_code, rules
from addison.clipping import quoted
from addison.diagnostics import Diagnostic
from addison.ir import codes, places
from addison.ir.model import Model
from addison.ir.silences import Silence

OWN = codes.UNUSED_SILENCE.code


def heed(model: Model, findings: Sequence[Diagnostic], runtime: str | None, complete: bool) -> list[Diagnostic]:
    """The findings that are not silenced, and one for each silence that no finding needed.

    Codes that were not looked for are not called unused: those about a runtime that was not asked about, and none at
    all when the list of findings is not ``complete``.
    """
    if not model.silences:
        return list(findings)
    silencer = _Silencer(model)
    kept = [one for one in findings if not silencer.silences(one)]
    if not complete:
        return kept
    unused = _unused(model, silencer.used, runtime)
    return kept + [one for one in unused if not silencer.silences(one)]


class _Silencer:
    """Which silences a finding meets; ``used`` has the code and the layer of those that were met."""

    def __init__(self, model: Model) -> None:
        wanted = defaultdict(set)
        for silence in model.silences:
            for code in silence.codes if silence.inside else ():
                wanted[code].add(silence.inside)
        self.around = {code: _Nest(sorted(inside for inside in spans if inside)) for code, spans in wanted.items()}
        self.layers = _unique_layers(model)
        self.used: set[tuple[str, tuple[int, int]]] = set()

    def silences(self, finding: Diagnostic) -> bool:
        nest = self.around.get(finding.code)
        if nest is None:
            return False
        met = {span for byte in self._concerned(finding) for span in nest.around(byte)}
        self.used.update((finding.code, span) for span in met)
        return bool(met)

    def _concerned(self, finding: Diagnostic) -> Iterator[int]:
        """The bytes that a finding is about: its own place, the related ones, and the layer that it names."""
        if finding.at is not None:
            yield finding.at.start
        for other in finding.related:
            yield other.at.start
        at = self.layers.get(finding.fields.get("layer"))
        if at is not None:
            yield at


class _Nest:
    """Spans of bytes that lie beside or inside each other, as elements do, in the order of their starts."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self.spans = spans
        self.outer: list[int] = []
        open_spans: list[int] = []
        for number, (start, _) in enumerate(spans):
            while open_spans and spans[open_spans[-1]][1] <= start:
                open_spans.pop()
            self.outer.append(open_spans[-1] if open_spans else -1)
            open_spans.append(number)

    def around(self, byte: int) -> Iterator[tuple[int, int]]:
        """The spans that hold a byte, the innermost first."""
        number = bisect_right(self.spans, (byte, 1 << 62)) - 1
        while number >= 0:
            if byte < self.spans[number][1]:
                yield self.spans[number]
            number = self.outer[number]


def _unique_layers(model: Model) -> dict[object, int]:
    """Where the layers stand whose name no other layer has."""
    found: dict[object, int] = {}
    for _, graph in model.graphs():
        for layer in graph.layers:
            found[layer.name] = -1 if layer.name in found else layer.at
    return {name: at for name, at in found.items() if at >= 0}


def _unused(model: Model, used: Iterable[tuple[str, tuple[int, int]]], runtime: str | None) -> Iterator[Diagnostic]:
    known = every_code()
    met = set(used)
    unasked = {one.code.code for one in rules() if one.runtime} if runtime is None else set()
    for silence in model.silences:
        if not silence.codes:
            remedy = "a silence is written as in <!-- addison: ignore A302 -->"
            yield _says(model, silence, "", "unreadable", "this comment is not read", remedy)
        elif silence.inside is None:
            remedy = "put it inside the <layer> that the finding is about"
            yield _says(model, silence, "", "outside", "a silence outside of a layer silences nothing", remedy)
        for code in silence.codes if silence.inside else ():
            if code not in known:
                near = difflib.get_close_matches(code.upper(), known, 1)
                remedy = f"did you mean {near[0]}?" if near else "a code is as A302"
                yield _says(model, silence, code, "unknown", f"there is no code {quoted(code)}", remedy)
            elif (code, silence.inside) not in met and code not in unasked and code != OWN:
                says = f"{code} is silenced, and is not found here"
                yield _says(model, silence, code, "unused", says, "remove it from the comment")


def _says(model: Model, silence: Silence, code: str, reason: str, says: str, help: str) -> Diagnostic:
    at = places.comment(model.source, silence.at, code)
    return codes.UNUSED_SILENCE(at, says, help=help, code=code or None, reason=reason)
