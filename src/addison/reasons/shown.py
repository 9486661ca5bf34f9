"""How reasons become text and HTML without importing what renders them: ``report`` puts its functions in here."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

_FILLED_BY = "addison.report.explain"
_forms: dict[str, Callable[[Any], str]] = {}


def fill(form: str, render: Callable[[Any], str]) -> None:
    """Says what renders reasons as ``form``: "text" or "html"."""
    _forms[form] = render


def shown(reason: object, form: str) -> str:
    """The reason as text or HTML.

    >>> from addison.reasons.explain import explain
    >>> shown(explain("u1", 1, 1), "text").splitlines()[0]
    'u1: 1 + 1 = 0'
    """
    if form not in _forms:
        importlib.import_module(_FILLED_BY)
    return _forms[form](reason)
