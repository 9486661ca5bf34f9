"""Runtimes that can add: one file each, imported only when it is asked for by name, and its package only when it adds.

>>> names()[0]
'openvino-cpu'
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import cast

from addison.conformance.runtimes.offer import Adder, Offer, Package
from addison.errors import InvalidInput

__all__ = ["Adder", "Offer", "Package", "adder", "inferrer", "infers", "names", "offer"]

_FILES = {
    "openvino-cpu": "openvino_cpu",
    "openvino-reference": "openvino_reference",
    "onnxruntime": "onnxruntime_cpu",
    "torch": "torch_cpu",
    "numpy": "numpy_arrays",
    "jax": "jax_cpu",
    "paddle": "paddle_cpu",
}


def names() -> tuple[str, ...]:
    """The runtimes there are, installed or not."""
    return tuple(_FILES)


def offer(name: str) -> Offer:
    """What the runtime says of itself; InvalidInput with the nearest name when there is none of that name."""
    return cast(Offer, _file(name).OFFER)


def adder(name: str, **settings: str) -> Adder:
    """A way to add with that runtime, in this very process; Unsupported when its package is not installed.

    >>> from addison.tensor import Tensor
    >>> adder("numpy")(Tensor("u8", (2,), bytes([200, 1])), Tensor("u8", (), b"d")).tolist()
    [44, 101]
    """
    file = _file(name)
    here = cast(Offer, file.OFFER)
    here.require()
    unknown = set(settings) - set(here.settings)
    if unknown:
        raise InvalidInput(
            f"the runtime {name} has no setting {min(unknown)!r}",
            help=f"its settings: {', '.join(here.settings) or 'none'}",
            runtime=name,
            setting=min(unknown),
        )
    return cast(Adder, file.adder(**{**here.settings, **settings}))


def infers(name: str) -> bool:
    """Whether the runtime says what shapes come out, of shapes that may be dynamic."""
    return hasattr(_file(name), "inferrer")


def inferrer(name: str) -> Callable[[str, str, str, int], str]:
    """A way to infer shapes with that runtime: two spelled shapes, rule and axis in, a spelled shape out."""
    cast(Offer, _file(name).OFFER).require()
    return cast("Callable[[str, str, str, int], str]", _file(name).inferrer())


def _file(name: str) -> ModuleType:
    if name not in _FILES:
        near = difflib.get_close_matches(name, _FILES, 1)
        raise InvalidInput(
            f"there is no runtime {name!r}",
            help=f"did you mean {near[0]}?" if near else "one of " + ", ".join(_FILES),
            runtime=name,
        )
    return importlib.import_module(f"addison.conformance.runtimes.{_FILES[name]}")
