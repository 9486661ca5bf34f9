"""PaddlePaddle on the CPU: ``elementwise_add`` with an axis, the operation that the rule pdpd is named after."""

from __future__ import annotations

from addison.conformance.runtimes.offer import Adder, Offer, Package
from addison.tensor import Tensor

OFFER = Offer(
    name="paddle",
    says="PaddlePaddle's elementwise_add with an axis, on the CPU",
    packages=(Package("paddle", "paddlepaddle"),),
    types=("f32", "f64", "i8", "i16", "i32", "i64", "u8"),
    rules=("pdpd",),
    rank=9,
    settings={},
)


def adder() -> Adder:
    """Arrays go in and come out through NumPy; the operation with an axis is the one of the older interface."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import paddle

    paddle.set_device("cpu")

    def add(a: Tensor, b: Tensor, /, *, auto_broadcast: str = "numpy", axis: int = -1) -> Tensor:
        left, right = paddle.to_tensor(a.to_numpy()), paddle.to_tensor(b.to_numpy())
        total = paddle._legacy_C_ops.elementwise_add(left, right, "axis", axis)
        return Tensor.from_numpy(total.numpy(), a.element_type)

    return add
