"""OpenVINO's CPU plugin. Computes in f32 unless ``INFERENCE_PRECISION_HINT`` says otherwise: some processors' default
is bf16."""

from __future__ import annotations

from collections.abc import Callable

from addison.conformance.runtimes.offer import Adder, Offer, Package
from addison.spec.broadcast import RULES
from addison.tensor import Tensor

OFFER = Offer(
    name="openvino-cpu",
    says="OpenVINO's CPU plugin",
    packages=(Package("openvino", "openvino"),),
    types=("bf16", "f16", "f32", "f64", "i4", "i8", "i16", "i32", "i64", "u4", "u8", "u16", "u32", "u64"),
    rules=RULES,
    rank=12,  # from 13 on, on 2026.4.1, some sums end the process: SIGFPE, or a smashed stack
    settings={"INFERENCE_PRECISION_HINT": "f32"},
)


def adder(**settings: str) -> Adder:
    """Compiles a model of one Add for each addition; the operands are its inputs."""
    import openvino

    from addison.conformance.runtimes import openvino_border as border

    core = openvino.Core()

    def add(a: Tensor, b: Tensor, /, *, auto_broadcast: str = "numpy", axis: int = -1) -> Tensor:
        request = core.compile_model(border.model_for(a, b, auto_broadcast, axis), "CPU", settings)
        request = request.create_infer_request()
        operands = [border.given(a), border.given(b)]
        for position, operand in enumerate(operands):
            request.set_input_tensor(position, operand)
        request.infer()
        return border.taken(request.get_output_tensor(0))

    return add


def inferrer() -> Callable[[str, str, str, int], str]:
    """Shape inference is the same in all of OpenVINO."""
    from addison.conformance.runtimes import openvino_border as border

    return border.inferred
