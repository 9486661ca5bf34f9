"""A whole model in OpenVINO's CPU plugin, with operands and results of its Adds as further outputs.

This is the part that lives in the plugin's process; see ``audit`` for who asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import openvino
from openvino import opset1, opset3

from addison.conformance.runtimes import openvino_border as border
from addison.spec.elements import ElementType
from addison.tensor import Tensor

Tap = tuple[str, int]
"""The name of an Add, and which of its tensors: 0 and 1 are the operands, 2 the result."""


def open_model(path: str, weights: str | None, settings: Mapping[str, str]) -> Callable[..., Any]:
    """Reads the model; what is given back answers commands: its name first, then its arguments."""
    session = _Session(path, weights, settings)
    commands: dict[str, Callable[..., Any]] = {
        "inputs": session.inputs,
        "adds": session.adds,
        "sizes": session.sizes,
        "run": session.run,
        "tap": session.tap,
        "output": session.output,
    }
    return lambda command, *arguments: commands[command](*arguments)


class _Session:
    def __init__(self, path: str, weights: str | None, settings: Mapping[str, str]) -> None:
        self.core = openvino.Core()
        self.model = self.core.read_model(path, *([weights] if weights else []))
        self.settings = dict(settings)
        self.request: Any = None
        self.tapped = 0

    def inputs(self) -> list[str]:
        """The element types of the model's inputs, as the plugin takes them."""
        return [str(one.get_element_type().get_type_name()) for one in self.model.inputs]

    def adds(self) -> dict[str, int]:
        """How many Adds answer to each name. Those that no output needs are not there."""
        named: dict[str, int] = {}
        for node in self.model.get_ops():
            if node.get_type_name() == "Add":
                named[node.get_friendly_name()] = named.get(node.get_friendly_name(), 0) + 1
        return named

    def sizes(self, inputs: Sequence[Tensor], taps: Sequence[Tap]) -> list[tuple[int, ...]]:
        """The shape of each tensor: inferred from the inputs', and where that does not tell, asked of a run that keeps
        shapes alone."""
        known = [port.get_partial_shape() for port in _ports(self._reshaped(inputs), taps)]
        unknown = [tap for tap, shape in zip(taps, known, strict=True) if shape.is_dynamic]
        measured: dict[Tap, tuple[int, ...]] = {}
        if unknown:
            self._infer(inputs, unknown, lambda port: opset3.shape_of(port))
            for number, tap in enumerate(unknown):
                measured[tap] = tuple(int(size) for size in self._tensor(number).data)
        return [
            measured[tap] if shape.is_dynamic else tuple(shape.to_shape())
            for tap, shape in zip(taps, known, strict=True)
        ]

    def _reshaped(self, inputs: Sequence[Tensor]) -> Any:
        model = self.model.clone()
        if any(one.get_partial_shape().is_dynamic for one in model.inputs):
            model.reshape({number: list(value.shape) for number, value in enumerate(inputs)})
        return model

    def run(self, inputs: Sequence[Tensor], taps: Sequence[Tap]) -> tuple[int, dict[str, str]]:
        """Runs the model with these taps. Gives how many outputs it has of its own, and in which precision each layer
        was computed, as far as the plugin says."""
        compiled = self._infer(inputs, taps, lambda port: port)
        return len(self.model.outputs), _precisions(compiled)

    def tap(self, number: int) -> Tensor:
        """The tensor of a tap of the last run."""
        return border.taken(self._tensor(number))

    def output(self, number: int) -> Tensor | None:
        """An output of the model's own, of the last run; booleans as u8, and nothing for strings."""
        tensor = self.request.get_output_tensor(number)
        name = tensor.element_type.get_type_name()
        if name == "boolean":
            return Tensor("u8", tuple(tensor.shape), border.raw_bytes(tensor).tobytes())
        return None if name == "string" else border.taken(tensor)

    def _infer(self, inputs: Sequence[Tensor], taps: Sequence[Tap], made: Callable[[Any], Any]) -> Any:
        self.request = None  # before anything new is allocated
        model = self.model.clone()
        ports = _ports(model, taps)
        model.add_results([opset1.result(made(port)) for port in ports])
        self.tapped = len(self.model.outputs)
        compiled = self.core.compile_model(model, "CPU", self.settings)
        request = compiled.create_infer_request()
        for number, value in enumerate(inputs):
            request.set_input_tensor(number, _given(value, self.model.inputs[number].get_element_type()))
        request.infer()
        self.request = request
        return compiled

    def _tensor(self, number: int) -> Any:
        return self.request.get_output_tensor(self.tapped + number)


def _ports(model: Any, taps: Sequence[Tap]) -> list[Any]:
    nodes = {node.get_friendly_name(): node for node in model.get_ops() if node.get_type_name() == "Add"}
    return [nodes[name].output(0) if slot == 2 else nodes[name].input_value(slot) for name, slot in taps]


def _given(value: Tensor, wanted: Any) -> Any:
    """The value as an input; its bytes are those of the wanted type, or of u8 where that is boolean."""
    tensor = openvino.Tensor(wanted, list(value.shape))
    border.raw_bytes(tensor)[:] = np.frombuffer(value.data, np.uint8)
    return tensor


def _precisions(compiled: Any) -> dict[str, str]:
    """The execution precision of each layer of the model, out of what the plugin tells of its own graph."""
    found: dict[str, str] = {}
    for node in compiled.get_runtime_model().get_ops():
        info = node.get_rt_info()
        if "originalLayersNames" in info and "runtimePrecision" in info:
            precision = info["runtimePrecision"].astype(str)
            for name in info["originalLayersNames"].astype(str).split(","):
                found[name] = precision if precision in _FLOATS else ""
    return found


_FLOATS = tuple(name for name in ("bf16", "f16", "f32", "f64") if ElementType.parse(name))
