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

from addison.errors import InvalidInput, Unsupported


@dataclass(frozen=True, slots=True)
class Engine:
    """A named way to add; ``add`` has the signature of ``addison.add``. ``program`` makes a callable of a whole model
    written as a recipe (``addison.runtime.recipe``), where the engine can do that."""

    name: str
    says: str
    add: Callable[..., Any]
    program: Callable[..., Any] | None = None


_ENGINES = {
    "native": "the C++ core; there when it was built",
    "reference": "NumPy and ml_dtypes, vectorised; always there",
    "oracle": "the specification element by element, in whole numbers and fractions; slow, exact",
}
DEFAULT: str


def _has_core() -> bool:
    from addison.engines import native

    return native.available()


def default() -> str:
    """The engine that ``addison.add`` is: the core where it was built, else the reference."""
    return "native" if _has_core() else "reference"


def __getattr__(name: str) -> str:
    if name == "DEFAULT":  # known only once the core was looked for, which takes NumPy
        return default()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def names() -> tuple[str, ...]:
    """The engines there are, the default one first."""
    return tuple(name for name in _ENGINES if name != "native" or _has_core())


def get(name: str | None = None) -> Engine:
    """The engine of that name (None: the default one); InvalidInput with the nearest name otherwise."""
    wanted = default() if name is None else name
    if not isinstance(wanted, str) or wanted not in _ENGINES:
        near = difflib.get_close_matches(str(wanted), _ENGINES, 1)
        raise InvalidInput(
            f"there is no engine {wanted!r}",
            help=f"did you mean {near[0]}?" if near else "one of " + ", ".join(names()),
            engine=wanted,
        )
    if wanted == "native" and not _has_core():
        raise Unsupported(
            "the native engine is not built in this installation",
            help="install addison where there is a C++20 compiler, or use the reference engine",
            engine=wanted,
        )
    module = importlib.import_module(f"addison.engines.{wanted}")
    return Engine(wanted, _ENGINES[wanted], module.add, getattr(module, "program", None))
