"""Where a reader puts what it finds: a list with an end."""

from __future__ import annotations

from typing import Any

from addison.diagnostics import Code, Diagnostic, Related, Severity, Source, Span
from addison.ir import codes, places

MOST_FINDINGS = 10_000
"""Findings kept of one file; the next one says that there are more."""
LONGEST_FIELD = 1000
"""Characters kept of a text in a finding's fields: ten thousand findings may name one layer."""


def short(value: Any) -> Any:
    """A value for a finding's fields; a text has an end."""
    return value[:LONGEST_FIELD] if isinstance(value, str) else value


class Report:
    """Collects findings about one source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.findings: list[Diagnostic] = []
        self.full = False
        self._spans: dict[tuple[int, str], Span] = {}

    def add(
        self,
        code: Code,
        at: int | Span | None,
        says: str,
        *,
        attribute: str = "",
        help: str = "",
        label: str = "",
        related: tuple[Related, ...] = (),
        **fields: Any,
    ) -> None:
        """One finding at the tag that starts at byte ``at``, or at one attribute of it."""
        if self.full:
            return
        if len(self.findings) >= MOST_FINDINGS:
            self.full = True
            self.findings.append(
                codes.TOO_MANY(
                    self.findings[-1].at,
                    f"more than {MOST_FINDINGS} findings; the rest is not listed",
                    limit=MOST_FINDINGS,
                )
            )
            return
        kept = {name: short(value) for name, value in fields.items()}
        self.findings.append(code(self.span(at, attribute), says, help=help, related=related, label=label, **kept))

    def span(self, at: int | Span | None, attribute: str = "") -> Span | None:
        """The span of a tag, or of one attribute's value in it."""
        if not isinstance(at, int):
            return at
        known = self._spans.get((at, attribute))  # many findings may point at one long tag
        if known is None:
            known = places.attribute(self.source, at, attribute) if attribute else places.tag(self.source, at)
            self._spans[at, attribute] = known
        return known

    def name(self, at: int, attribute: str) -> Span:
        """The span of an attribute's name in the tag that starts at byte ``at``."""
        return places.attribute_name(self.source, at, attribute)

    @property
    def failed(self) -> bool:
        """Whether any finding is an error."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def sorted(self) -> tuple[Diagnostic, ...]:
        return tuple(sorted(self.findings, key=lambda finding: finding.order))
