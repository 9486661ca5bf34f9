"""Whether this thread's CPU loses subnormal numbers (DAZ, FTZ), and the warning that it does."""

from __future__ import annotations

import warnings

import numpy as np

from addison.errors import FlushedSubnormals
from addison.spec.elements import ElementType

ROUNDED_BY_THE_CPU = ("f32", "f64", "bf16")
"""Types whose subnormals are subnormals of the float the CPU computes in, so that DAZ and FTZ reach them."""

_SMALLEST = np.array([1], np.uint32).view(np.float32)
_NOTHING = np.zeros(1, np.float32)


def flushes_subnormals() -> bool:
    """Whether this thread's CPU turns the smallest float32 into zero when adding."""
    return bool(np.add(_SMALLEST, _NOTHING).view(np.uint32)[0] != 1)


def warn_if_flushed(element: ElementType, stacklevel: int = 3) -> None:
    """Warns by name when NumPy is about to lose subnormals of this type."""
    if element.name in ROUNDED_BY_THE_CPU and flushes_subnormals():
        warnings.warn(
            FlushedSubnormals(
                f"this thread's CPU flushes subnormal {element} numbers to zero (DAZ/FTZ is set in its control "
                "register, which OpenVINO's CPU_DENORMALS_OPTIMIZATION, among others, does); NumPy loses them"
            ),
            stacklevel=stacklevel,
        )
