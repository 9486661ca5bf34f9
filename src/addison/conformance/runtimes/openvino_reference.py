"""OpenVINO's own reference: what ``evaluate`` gives, which is also what constants are folded with."""

from __future__ import annotations

from collections.abc import Callable

from addison.conformance.runtimes.offer import Adder, Offer, Package
from addison.errors import Unsupported
from addison.spec.broadcast import RULES
from addison.tensor import Tensor

OFFER = Offer(
    name="openvino-reference",
    says="OpenVINO's evaluate, with which it folds constants",
    packages=(Package("openvino", "openvino"),),
    types=("bf16", "f16", "f32", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"),
    rules=RULES,
    rank=64,
    settings={},
)


def adder() -> Adder:
    """Evaluates the one Add of a model."""
    import openvino

    from addison.conformance.runtimes import openvino_border as border

    def add(a: Tensor, b: Tensor, /, *, auto_broadcast: str = "numpy", axis: int = -1) -> Tensor:
        model = border.model_for(a, b, auto_broadcast, axis)
        (node,) = (one for one in model.get_ops() if one.get_type_name() == "Add")
        total = openvino.Tensor(node.get_output_element_type(0), node.get_output_shape(0))
        if not node.evaluate([total], [border.given(a), border.given(b)]):
            raise Unsupported(f"evaluate has no answer for {a.element_type}", element_type=a.element_type.name)
        return border.taken(total)

    return add


def inferrer() -> Callable[[str, str, str, int], str]:
    """Shape inference is the same in all of OpenVINO."""
    from addison.conformance.runtimes import openvino_border as border

    return border.inferred
