"""NumPy and ml_dtypes, vectorised: every type, no Python loop over elements.

One ``nditer`` walks the operands in blocks: it broadcasts, puts bytes in native order, copies an input that overlaps
the result, and keeps the operands' memory layout. Each type has a kernel that adds one block.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, SupportsIndex

import numpy as np

from addison.engines.operands import Addition, prepare
from addison.engines.subnormals import warn_if_flushed
from addison.spec.elements import ElementType, Float, Levels, Powers, Whole
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, array_dtype

Kernel = Callable[[Array, Array, Array], object]
BLOCK = 1 << 16
"""Elements a block has at most."""


def add(
    a: Any, b: Any, /, *, auto_broadcast: str = "numpy", axis: SupportsIndex = -1, out: Array | Tensor | None = None
) -> Array | Tensor:
    """The element-wise sum of two tensors of one element type, as OpenVINO's Add-1 specifies it.

    ``a`` and ``b`` are NumPy arrays (ml_dtypes types too) or ``Tensor``; one of them may be a Python int or float,
    which takes the other's type. ``auto_broadcast`` is ``"numpy"`` (shapes aligned on the right, sizes of 1 stretched),
    ``"none"`` (equal shapes) or ``"pdpd"`` (b laid over a from ``axis`` on; -1 is rank(a) - rank(b)). ``out`` takes the
    result; it may overlap an operand.

    Integers wrap modulo 2**bits. Floats are the exact sum rounded once, to nearest, ties to even, subnormals kept.
    Returns a NumPy array, or a ``Tensor`` when an operand is one. Raises ``Unsupported`` for operands of two types and
    for types that are not numeric, ``InvalidInput`` for shapes that clash (naming each axis and both sizes).

    >>> import numpy as np
    >>> add(np.ones((8, 1, 6, 1), np.float32), np.ones((7, 1, 5), np.float32)).shape
    (8, 7, 6, 5)
    >>> add(np.array([200, 100], np.uint8), np.array([100, 200], np.uint8))
    array([44, 44], dtype=uint8)
    >>> add(np.zeros((2, 3, 4), np.float16), np.arange(3, dtype=np.float16), auto_broadcast="pdpd", axis=1)[0, 2]
    array([2., 2., 2., 2.], dtype=float16)
    """
    call = prepare(a, b, auto_broadcast, axis, out)
    warn_if_flushed(call.element)
    return call.deliver(_sum(call))


def _sum(call: Addition) -> Array:
    dtype = array_dtype(call.element)
    if math.prod(call.shape) == 0:
        return np.empty(call.shape, dtype)
    kernel = _kernel(call.element)
    target = call.out if isinstance(call.out, np.ndarray) else None
    blocks = np.nditer(
        [call.a, call.b, None if target is None else target.view(np.ndarray)],
        flags=["external_loop", "buffered", "growinner", "copy_if_overlap"],
        op_flags=[["readonly"], ["readonly"], ["writeonly", "allocate", "no_broadcast"]],
        op_dtypes=[dtype, dtype, dtype],
        casting="equiv",
        order="K",
        buffersize=BLOCK,
    )
    with blocks, np.errstate(all="ignore"):
        for x, y, z in blocks:
            kernel(x, y, z)
        result: Array = blocks.operands[2]
    return target if target is not None else result


@cache
def _kernel(element: ElementType) -> Kernel:
    """How to add one block of this type: ``kernel(x, y, out)`` on 1-d arrays."""
    match element.format:
        case Whole() if element.bits < 8:
            return _masked(element.bits)
        case Powers():
            return _add_powers
        case Levels(values):
            return _levels(np.array([float(value) for value in values]))
        case Float() if element.bits < 8:
            return _small_float
        case _:  # whole-byte integers wrap; NumPy and ml_dtypes round these floats' exact sums once
            return np.add


def _masked(bits: int) -> Kernel:
    """Codes one a byte: any garbage above them falls out with the carry."""
    mask = np.uint8((1 << bits) - 1)

    def kernel(x: Array, y: Array, out: Array) -> None:
        np.bitwise_and(x.view(np.uint8) + y.view(np.uint8), mask, out=out.view(np.uint8))

    return kernel


def _add_powers(x: Array, y: Array, out: Array) -> None:
    """f8e8m0. The larger power wins unless the smaller is within one step: equal ones make the next power, and one
    and a half is a tie, which goes to the even code."""
    left, right = x.view(np.uint8).astype(np.int16), y.view(np.uint8).astype(np.int16)
    larger = np.maximum(left, right)
    apart = np.abs(left - right)
    rises = (apart == 0) | ((apart == 1) & (larger % 2 == 1))
    code = np.minimum(larger + rises, 0xFE)
    code[larger == 0xFF] = 0xFF
    out.view(np.uint8)[...] = code


def _levels(levels: Array) -> Kernel:
    """nf4. Levels and their midpoints are exact in float64, and so is the sum of two of them."""
    midpoints = (levels[:-1] + levels[1:]) / 2

    def kernel(x: Array, y: Array, out: Array) -> None:
        total = levels[x & np.uint8(0xF)] + levels[y & np.uint8(0xF)]
        out[...] = np.searchsorted(midpoints, total, side="left")  # a midpoint itself goes to the lower code

    return kernel


def _small_float(x: Array, y: Array, out: Array) -> None:
    """f4e2m1: the garbage above a code is masked, the sum is exact in float32, ml_dtypes rounds it."""
    clean = [(side.view(np.uint8) & np.uint8(0xF)).view(out.dtype).astype(np.float32) for side in (x, y)]
    out[...] = (clean[0] + clean[1]).astype(out.dtype)
