"""What a rule is, and how all of them are found. A rule without a page does not load."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from addison.checker.scope import Scope
from addison.diagnostics import Code, Diagnostic, Related, Severity, Span
from addison.ir import codes
from addison.ir.report import short

PAGES = Path(__file__).parent / "rules"
"""The folder of the rules and their pages."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule yields; its code, name and severity are the rule's."""

    at: Span | None
    says: str
    label: str = ""
    help: str = ""
    related: tuple[Related, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rule:
    """A code, and the function that finds it. ``runtime`` says that it is about a runtime, and off unless asked for."""

    code: Code
    find: Callable[[Scope], Iterator[Finding]]
    runtime: bool = False

    def __call__(self, scope: Scope) -> Iterator[Diagnostic]:
        for one in self.find(scope):
            fields = {name: short(value) for name, value in one.fields.items()}
            yield self.code(one.at, one.says, help=one.help, related=one.related, label=one.label, **fields)


def rule(
    code: str,
    name: str,
    severity: Severity,
    *,
    runtime: bool = False,
) -> Callable[[Callable[[Scope], Iterator[Finding]]], Rule]:
    """Makes a function over a Scope a rule; refuses one whose page is not beside it."""
    if not (PAGES / f"{code}.md").exists():
        raise LookupError(f"the rule {code} {name} has no page {code}.md")

    def make(find: Callable[[Scope], Iterator[Finding]]) -> Rule:
        return Rule(Code(code, name, severity), find, runtime)

    return make


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule there is, by code."""
    found = []
    for path in sorted(PAGES.glob("*.py")):
        if path.stem != "__init__":
            module = importlib.import_module(f"addison.checker.rules.{path.stem}")
            for value in vars(module).values():
                found += [one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Rule)]
    return tuple(sorted(found, key=lambda one: one.code.code))


@cache
def every_code() -> Mapping[str, Code]:
    """Every code a check can give: those found while reading and inferring, and those of the rules."""
    reading = [one for one in vars(codes).values() if isinstance(one, Code)]
    return {one.code: one for one in sorted([*reading, *(one.code for one in rules())], key=lambda one: one.code)}


def page(code: str) -> str:
    """The text of a code's page; LookupError when there is none."""
    path = PAGES / f"{code}.md"
    if code not in every_code() or not path.exists():
        raise LookupError(f"there is no rule {code}")
    return path.read_text(encoding="utf-8")
