"""ONNX Runtime on the CPU: a model of one Add of ONNX's default domain."""

from __future__ import annotations

from collections.abc import Sequence

from addison.conformance.runtimes.offer import Adder, Offer, Package
from addison.tensor import Tensor

_KINDS = {
    "f16": "FLOAT16",
    "f32": "FLOAT",
    "f64": "DOUBLE",
    "i8": "INT8",
    "i16": "INT16",
    "i32": "INT32",
    "i64": "INT64",
    "u8": "UINT8",
    "u16": "UINT16",
    "u32": "UINT32",
    "u64": "UINT64",
}

OFFER = Offer(
    name="onnxruntime",
    says="ONNX Runtime's CPU provider, Add of opset 14",
    packages=(Package("onnxruntime", "onnxruntime"), Package("onnx", "onnx")),
    types=tuple(_KINDS),
    rules=("numpy",),
    rank=64,
    settings={},
)


def adder() -> Adder:
    """A session for each addition."""
    import onnxruntime

    quiet = onnxruntime.SessionOptions()
    quiet.log_severity_level = 4

    def add(a: Tensor, b: Tensor, /, *, auto_broadcast: str = "numpy", axis: int = -1) -> Tensor:
        model = _model(a.element_type.name, a.shape, b.shape)
        session = onnxruntime.InferenceSession(model, quiet, providers=["CPUExecutionProvider"])
        (total,) = session.run(["sum"], {"a": a.to_numpy(), "b": b.to_numpy()})
        return Tensor.from_numpy(total, a.element_type)

    return add


def _model(name: str, a: Sequence[int], b: Sequence[int]) -> bytes:
    from onnx import TensorProto, helper

    kind = int(getattr(TensorProto, _KINDS[name]))
    inputs = [helper.make_tensor_value_info(key, kind, list(shape)) for key, shape in (("a", a), ("b", b))]
    output = helper.make_tensor_value_info("sum", kind, None)
    graph = helper.make_graph([helper.make_node("Add", ["a", "b"], ["sum"])], "add", inputs, [output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    serialized: bytes = model.SerializeToString()
    return serialized
