"""NumPy and ml_dtypes: ``a + b`` on arrays."""

from __future__ import annotations

from addison.conformance.runtimes.offer import PYTHON_TYPES, Adder, Offer, Package
from addison.tensor import Tensor

OFFER = Offer(
    name="numpy",
    says="a + b of NumPy, with the types of ml_dtypes",
    packages=(Package("ml_dtypes", "ml_dtypes"), Package("numpy", "numpy")),
    types=PYTHON_TYPES,
    rules=("numpy",),
    rank=64,
    settings={},
)


def adder() -> Adder:
    """Adds with the operator."""
    import numpy as np

    def add(a: Tensor, b: Tensor, /, *, auto_broadcast: str = "numpy", axis: int = -1) -> Tensor:
        with np.errstate(all="ignore"):
            return Tensor.from_numpy(np.asarray(a.to_numpy() + b.to_numpy()), a.element_type)

    return add
