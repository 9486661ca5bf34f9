"""How a model is drawn in a notebook without importing what draws it: ``report`` puts its function in here."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from addison.ir.model import Model

_FILLED_BY = "addison.report.notebook"
_drawn_by: list[Callable[[Model], str]] = []


def fill(draw: Callable[[Model], str]) -> None:
    """Says what draws models."""
    _drawn_by[:] = [draw]


def drawn(model: Model) -> str:
    """The model as a piece of HTML.

    >>> from addison import read_model
    >>> drawn(read_model("examples/bias.xml"))[:27]
    '<div class="addison-model">'
    """
    if not _drawn_by:
        importlib.import_module(_FILLED_BY)
    return _drawn_by[0](model)
