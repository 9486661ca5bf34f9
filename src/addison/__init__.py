"""Addison: OpenVINO's Add-1 in Python, exact in all 23 element types and three broadcast rules.

Importing this module imports nothing else: each public name is looked up on first use and kept.

>>> import addison
>>> str(addison.infer_shape((8, 1, 6, 1), (7, 1, 5)))
'[8,7,6,5]'
"""

from __future__ import annotations

__version__ = "0.1.0"

_PLACES = {
    "add": "addison.engines",
    "engines": "addison.engines",
    "set_num_threads": "addison.engines.native",
    "trim": "addison.engines.native",
    "infer_shape": "addison.spec.broadcast",
    "read_model": "addison.ir.reader",
    "save_model": "addison.ir.writer",
    "compile_model": "addison.runtime.program",
    "check": "addison.checker.check",
    "explain": "addison.reasons.explain",
    "compare": "addison.conformance.compare",
    "Verdict": "addison.conformance.verdict",
    "Tensor": "addison.tensor",
    "Shape": "addison.spec.shapes",
    "Dim": "addison.spec.shapes",
    "ElementType": "addison.spec.elements",
    "Model": "addison.ir.model",
    "Diagnostic": "addison.diagnostics",
    "Severity": "addison.diagnostics",
    "AddisonError": "addison.errors",
    "InvalidInput": "addison.errors",
    "InvalidModel": "addison.errors",
    "LimitExceeded": "addison.errors",
    "Unsupported": "addison.errors",
    "FlushedSubnormals": "addison.errors",
}

__all__ = ["__version__", *_PLACES]


def __getattr__(name: str) -> object:
    from importlib import import_module

    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module 'addison' has no attribute {name!r}")
    module = import_module(place)
    found: object
    if name == "engines":
        found = module
    elif name == "add":
        engine = module.get()
        found = engine.add
        if engine.name != "native":  # which has it so already, being C
            found.__module__ = "addison"  # it pickles, and shows, as addison.add
    else:
        found = getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
