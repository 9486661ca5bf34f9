"""Ways to add. Each engine is one file with an ``add`` of the same signature; ``get`` finds one by name.

>>> get("oracle").name
'oracle'
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from addison.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Engine:
    """A named way to add; ``add`` has the signature of ``addison.add``."""

    name: str
    says: str
    add: Callable[..., Any]


_ENGINES = {
    "reference": "NumPy and ml_dtypes, vectorised; always there",
    "oracle": "the specification element by element, in whole numbers and fractions; slow, exact",
}
DEFAULT = "reference"


def names() -> tuple[str, ...]:
    """The engines there are, the default one first."""
    return tuple(_ENGINES)


def get(name: str | None = None) -> Engine:
    """The engine of that name (None: the default one); InvalidInput with the nearest name otherwise."""
    wanted = DEFAULT if name is None else name
    if not isinstance(wanted, str) or wanted not in _ENGINES:
        near = difflib.get_close_matches(str(wanted), _ENGINES, 1)
        raise InvalidInput(f"there is no engine {wanted!r}",
                           help=f"did you mean {near[0]}?" if near else "one of " + ", ".join(_ENGINES), engine=wanted)
    module = importlib.import_module(f"addison.engines.{wanted}")
    return Engine(wanted, _ENGINES[wanted], module.add)
