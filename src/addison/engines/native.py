"""The C++ core: ``add`` is its C function, and this file is what stands behind it.

The C function takes NumPy arrays whose layout it knows and hands every other call to ``_add_any`` here: bare numbers,
Tensors, other libraries' arrays, byte-swapped or overlapping ones, and all that is refused. The checks and the errors
are those of every engine (``operands``); the sums are the core's.
"""

from __future__ import annotations

import contextlib
import importlib
import operator
import os
import sys
from typing import Any, SupportsIndex

import numpy as np

from addison.clipping import quoted
from addison.engines import reference
from addison.engines.operands import Addition, prepare
from addison.errors import InvalidInput
from addison.spec.broadcast import check_rule
from addison.spec.elements import ELEMENTS
from addison.spec.packing import bytes_needed
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, array_dtype, dtype_of

_core: Any = None
_missing = ""
try:
    _core = importlib.import_module("addison.engines._core")
except ImportError as fault:  # a pure Python install, or an extension for another Python
    _missing = str(fault)

LEVEL, THREADS, RECYCLE = "ADDISON_LEVEL", "ADDISON_NUM_THREADS", "ADDISON_RECYCLE"
"""Environment variables, read once, when this module is imported."""


def available() -> bool:
    """Whether the core is built and can be loaded here."""
    return _core is not None


def info() -> dict[str, Any]:
    """What runs here: whether there is a core, its instruction-set level, the levels this machine can run, its threads.

    >>> info()["threads"] >= 1
    True
    """
    if _core is None:
        return {"core": False, "missing": _missing, "level": "", "levels": [], "threads": 1}
    return {"core": True, "missing": "", "levels": [name for name, runs in _core.levels() if runs], **_core.status()}


def set_num_threads(threads: SupportsIndex | None = None) -> int:
    """How many threads one addition may use, 64 at most; None asks for one for each CPU of the process.

    Returns the number now set.

    Without the core nothing changes and 1 is returned.

    >>> set_num_threads(1)
    1
    >>> set_num_threads() >= 1
    True
    """
    wanted = 0
    if threads is not None:
        with contextlib.suppress(TypeError):
            wanted = 0 if isinstance(threads, bool) else operator.index(threads)
        if wanted < 1:
            raise InvalidInput(f"{threads!r} threads; a number from 1 on is wanted", threads=threads)
    return int(_core.set_threads(min(wanted, sys.maxsize))) if _core is not None else 1


def trim() -> int:
    """Frees the result buffers kept for the next results; returns how many bytes that were (0 without the core).

    >>> _ = trim()
    >>> trim()
    0
    """
    return int(_core.trim()) if _core is not None else 0


def _add_any(
    a: Any, b: Any, /, *, auto_broadcast: str = "numpy", axis: SupportsIndex = -1, out: Array | Tensor | None = None
) -> Array | Tensor:
    packed = _add_packed(a, b, auto_broadcast, axis, out)
    if packed is not None:
        return packed
    call = prepare(a, b, auto_broadcast, axis, out)
    return call.deliver(_sum(call))


_add_any.__name__ = _add_any.__qualname__ = "add"  # what Python says of wrong arguments


def _sum(call: Addition) -> Array:
    """The core's sum of what has been checked; operands in layouts it does not walk are copied first."""
    name = call.element.name
    target = call.out if type(call.out) is np.ndarray else None
    done = _core.sum(name, call.a, call.b, target)
    if done is NotImplemented:
        dtype = array_dtype(call.element)
        done = _core.sum(name, *(np.array(side, dtype) for side in (call.a, call.b)), None)
    return reference._sum(call) if done is NotImplemented else done


def _add_packed(a: Any, b: Any, auto_broadcast: str, axis: SupportsIndex, out: Any) -> Tensor | None:
    """Two Tensors of one shape, or one beside a single element, without unpacking. None: not such a call."""
    if not (isinstance(a, Tensor) and isinstance(b, Tensor)) or a.element_type != b.element_type:
        return None
    check_rule(auto_broadcast, axis)
    if auto_broadcast == "pdpd":
        return None
    if a.shape != b.shape:
        if auto_broadcast == "none":
            return None
        if b.size != 1 or b.ndim > a.ndim:
            a, b = b, a
        if b.size != 1 or b.ndim > a.ndim:
            return None
    element, size = a.element_type, a.size
    data: Any
    if out is None:
        data = bytearray(bytes_needed(element, size))
        out = Tensor(element, a.shape, data)
    elif isinstance(out, Tensor) and out.element_type == element and out.shape == a.shape and not out.data.readonly:
        data = out.data
    else:
        return None
    return out if _core.sum_packed(element.name, a.data, b.data, data, size, a.shape != b.shape) else None


def _level() -> str:
    """The best level this machine runs, or the one that ADDISON_LEVEL names, checked."""
    levels: dict[str, bool] = dict(_core.levels())
    here = [name for name, runs in levels.items() if runs]
    wanted = os.environ.get(LEVEL)
    if not wanted:
        return here[0]
    if not levels.get(wanted):
        wrong = "this machine cannot run" if wanted in levels else "is no level of this build"
        raise InvalidInput(
            f"{LEVEL} is {quoted(wanted)}, which {wrong}", help=f"one of {', '.join(here)}", level=wanted
        )
    return wanted


def _number(variable: str, lowest: int) -> int | None:
    """A whole number from the environment, or None when the variable is not set."""
    text = os.environ.get(variable)
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 100) or int(text) < lowest:
        raise InvalidInput(
            f"{variable} is {quoted(text)}; a whole number from {lowest} on is wanted", variable=variable, found=text
        )
    return min(int(text), sys.maxsize)


def _dtypes() -> list[tuple[str, Any, bool, bool]]:
    """Element, dtype, whether results have it, whether arrays of it are of that element type."""
    rows = [(name, array_dtype(element), True, dtype_of(element) is not None) for name, element in ELEMENTS.items()]
    return [*rows, ("i64", np.dtype(np.longlong), False, True), ("u64", np.dtype(np.ulonglong), False, True)]


def _start() -> Any:
    threads, kept = _number(THREADS, 1), _number(RECYCLE, 0)
    function = _core.start(_level(), _dtypes(), _add_any, reference.add.__doc__ or "")
    _core.set_threads(threads or 0)
    _core.set_recycling_limit(kept)
    return function


add = _start() if _core is not None else reference.add
program = _core.Program if _core is not None else None
