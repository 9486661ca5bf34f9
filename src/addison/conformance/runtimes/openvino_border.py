"""OpenVINO's side of the border: a model of one Add, and tensors as packed bytes.

Tensors are allocated by OpenVINO and filled, never laid over an array: one that is laid over borrows its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import openvino

from addison.spec.elements import ElementType
from addison.tensor import Tensor

_NET = """<net name="add" version="11"><layers>
<layer id="0" name="a" type="Parameter" version="opset1"><data shape="{a}" element_type="{element}"/>
<output><port id="0" precision="{precision}"/></output></layer>
<layer id="1" name="b" type="Parameter" version="opset1"><data shape="{b}" element_type="{element}"/>
<output><port id="0" precision="{precision}"/></output></layer>
<layer id="2" name="add" type="Add" version="opset1"><data auto_broadcast="{rule}"{axis}/>
<input><port id="0"/><port id="1"/></input><output><port id="2" precision="{precision}"/></output></layer>
<layer id="3" name="sum" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
</edges></net>"""
_PRECISIONS = {"u1": "BIN", "f16": "FP16", "f32": "FP32", "f64": "FP64"}


def model_of(element: ElementType, a: str, b: str, auto_broadcast: str, axis: int) -> Any:
    """The model that adds two inputs of these shapes, which are written as files write them."""
    written = f' auto_broadcast.auto_broadcast_axis="{axis}"' if auto_broadcast == "pdpd" else ""
    precision = _PRECISIONS.get(element.name, element.name.upper())
    text = _NET.format(element=element, precision=precision, a=a, b=b, rule=auto_broadcast, axis=written)
    return openvino.Core().read_model(text.encode(), b"")


def model_for(a: Tensor, b: Tensor, auto_broadcast: str, axis: int) -> Any:
    """The model that adds these two tensors."""
    return model_of(a.element_type, spell(a.shape), spell(b.shape), auto_broadcast, axis)


def spell(shape: Sequence[int]) -> str:
    """A static shape as a file has it."""
    return ",".join(map(str, shape))


def type_of(element: ElementType) -> Any:
    """OpenVINO's own name of the type."""
    return getattr(openvino.Type, element.name)


def given(tensor: Tensor) -> Any:
    """A tensor of OpenVINO's with these bytes."""
    made = openvino.Tensor(type_of(tensor.element_type), list(tensor.shape))
    raw_bytes(made)[:] = np.frombuffer(tensor.data, np.uint8)
    return made


def taken(tensor: Any) -> Tensor:
    """A copy of a tensor of OpenVINO's."""
    element = ElementType.parse(tensor.element_type.get_type_name())
    return Tensor(element, tuple(tensor.shape), raw_bytes(tensor).tobytes())


def raw_bytes(tensor: Any) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Its memory: types that NumPy lacks come as some other type of their width, small ones as packed bytes."""
    seen: np.ndarray[Any, np.dtype[np.uint8]] = tensor.data.reshape(-1).view(np.uint8)
    return seen


def inferred(a: str, b: str, auto_broadcast: str, axis: int) -> str:
    """The shape that OpenVINO infers for the sum of two shapes, all spelled as files spell them."""
    model = model_of(ElementType.parse("f32"), a, b, auto_broadcast, axis)
    return str(model.outputs[0].get_partial_shape()).strip("[]").replace(" ", "")
