"""PyTorch on the CPU: ``torch.add``."""

from __future__ import annotations

from addison.conformance.runtimes.offer import Adder, Offer, Package
from addison.tensor import Tensor

_DTYPES = {
    "bf16": "bfloat16",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
}

OFFER = Offer(
    name="torch",
    says="torch.add on the CPU",
    packages=(Package("torch", "torch"),),
    types=tuple(_DTYPES),
    rules=("numpy",),
    rank=64,
    settings={},
)


def adder() -> Adder:
    """Bytes in, bytes out: torch's arrays are made over a copy of them."""
    import torch

    def given(one: Tensor) -> torch.Tensor:
        dtype = getattr(torch, _DTYPES[one.element_type.name])
        if not one.size:
            return torch.empty(one.shape, dtype=dtype)
        return torch.frombuffer(bytearray(one.data), dtype=dtype).reshape(one.shape)

    def add(a: Tensor, b: Tensor, /, *, auto_broadcast: str = "numpy", axis: int = -1) -> Tensor:
        total = torch.add(given(a), given(b))
        raw = total.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if total.numel() else b""
        return Tensor(a.element_type, tuple(total.shape), raw)

    return add
