"""JAX on the CPU: ``jax.numpy.add``, compiled by XLA."""

from __future__ import annotations

from addison.conformance.runtimes.offer import PYTHON_TYPES, Adder, Offer, Package
from addison.tensor import Tensor

OFFER = Offer(
    name="jax",
    says="jax.numpy.add on the CPU, with 64-bit types enabled",
    packages=(Package("jax", "jax"), Package("jaxlib", "jaxlib")),
    types=tuple(name for name in PYTHON_TYPES if name != "u1"),
    rules=("numpy",),
    rank=64,
    settings={},
)


def adder() -> Adder:
    """Arrays go in and come out through NumPy, which has the same types."""
    import jax
    import numpy as np

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")

    def add(a: Tensor, b: Tensor, /, *, auto_broadcast: str = "numpy", axis: int = -1) -> Tensor:
        total = jax.numpy.add(jax.numpy.asarray(a.to_numpy()), jax.numpy.asarray(b.to_numpy()))
        return Tensor.from_numpy(np.asarray(total), a.element_type)

    return add
