"""H1xx: Adds whose answer on a runtime is not the specification's. One row a code; the facts are in ``deviations``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from addison.checker.hazards import departing
from addison.checker.rule import Finding, Rule, rule
from addison.checker.scope import Scope
from addison.diagnostics import Severity
from addison.spec.elements import ElementType, Whole


def _any(element: ElementType) -> bool:
    return True


def _whole(element: ElementType) -> bool:
    return isinstance(element.format, Whole)


def _real(element: ElementType) -> bool:
    return not isinstance(element.format, Whole)


def _hazard(code: str, name: str, kind: str, types: Callable[[ElementType], bool] = _any) -> Rule:
    def find(scope: Scope) -> Iterator[Finding]:
        return departing(scope, kind, types)

    return rule(code, name, Severity.WARNING, runtime=True)(find)


HAZARDS = (
    _hazard("H101", "saturates-instead-of-wrapping", "saturates"),
    _hazard("H102", "computed-in-32-bits", "narrows", _whole),
    _hazard("H103", "computed-in-a-narrower-float", "narrows", _real),
    _hazard("H104", "flushes-subnormals", "flushes"),
    _hazard("H105", "does-not-compile", "refuses"),
    _hazard("H106", "another-default-axis", "default-axis"),
    _hazard("H107", "broadcasts-under-none", "broadcasts"),
    _hazard("H108", "converts-at-the-boundary", "converts"),
    _hazard("H109", "clamps-constants", "clamps"),
    _hazard("H110", "reorders-old-files", "reorders"),
    _hazard("H111", "rounds-otherwise", "rounds"),
)
