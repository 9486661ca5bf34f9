"""Whether a difference of floats is one that a declared precision explains: rounding there, and not a wrong answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from addison.spec.elements import ElementType, Float

Numbers = NDArray[np.float64]


def unit(precision: str) -> float:
    """Half the distance from 1 to the next number: the largest relative error of one rounding.

    >>> unit("bf16") == 2**-8
    True
    """
    form = ElementType.parse(precision).format
    assert isinstance(form, Float)
    return 2.0 ** -(form.mantissa + 1)


def tiniest(precision: str) -> float:
    """The smallest number above 0."""
    form = ElementType.parse(precision).format
    assert isinstance(form, Float)
    return 2.0 ** (1 - form.bias - form.mantissa)


def coarsest(*precisions: str) -> str:
    """The one that keeps the fewest bits.

    >>> coarsest("f32", "f16", "f64")
    'f16'
    """
    return max(precisions, key=unit)


def explained(precision: str, a: Numbers, b: Numbers, got: Numbers, wanted: Numbers) -> NDArray[np.bool_]:
    """Where ``got`` is no farther from ``wanted`` than if a, b and their sum had each been rounded once to
    ``precision``. Infinities and NaNs are explained by nothing but themselves.

    >>> one, two = np.array([1.0]), np.array([2.0])
    >>> bool(explained("bf16", one, two, np.array([3.015625]), np.array([3.0])))
    True
    >>> bool(explained("f32", one, two, np.array([3.015625]), np.array([3.0])))
    False
    """
    with np.errstate(all="ignore"):
        size: Any = np.abs(a) + np.abs(b) + np.maximum(np.abs(wanted), np.abs(got))
        allowed = unit(precision) * size + tiniest(precision)
        finite = np.isfinite(got) & np.isfinite(wanted)
        return np.asarray(finite & (np.abs(got - wanted) <= allowed))
