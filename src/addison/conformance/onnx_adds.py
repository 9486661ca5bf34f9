"""The Adds of an ONNX model, and how those of an IR that was made from it stand to them.

Needs the package onnx, which is imported when a model is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from addison.conformance.judge import judge
from addison.conformance.runtimes.offer import Package
from addison.conformance.sites import Site, sites
from addison.errors import InvalidInput, Unsupported
from addison.ir.model import Model
from addison.runtime.feeding import Value, fact_of
from addison.spec.shapes import Dim, Shape
from addison.tensor import Tensor
from addison.tensor.dtypes import Array

_PACKAGE = Package("onnx", "onnx")
_TYPES = {
    "FLOAT": "f32", "DOUBLE": "f64", "FLOAT16": "f16", "BFLOAT16": "bf16", "INT8": "i8", "INT16": "i16", "INT32": "i32",
    "INT64": "i64", "UINT8": "u8", "UINT16": "u16", "UINT32": "u32", "UINT64": "u64",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OnnxOperand:
    """One operand or the result: what shape inference says of it, and its value when it is a constant."""

    element_type: str | None
    shape: Shape
    value: Array | None = None


@dataclass(frozen=True, slots=True)
class OnnxAdd:
    """One Add: the node's name, the name of the tensor it makes, and its attributes (none since opset 7)."""

    name: str
    tensor: str
    a: OnnxOperand
    b: OnnxOperand
    total: OnnxOperand
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two Adds of one name, and what they differ in, in words."""

    onnx: OnnxAdd
    site: Site
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversion:
    """Pairs in the order of the ONNX model, and the Adds that only one side has: conversion folds, splits and makes
    some, so that those are no fault."""

    pairs: tuple[Pair, ...]
    only_onnx: tuple[OnnxAdd, ...]
    only_ir: tuple[Site, ...]

    @property
    def same(self) -> bool:
        """Whether no pair differs, and there are pairs if either model has Adds."""
        compared = bool(self.pairs) or not (self.only_onnx or self.only_ir)
        return compared and not any(pair.differences for pair in self.pairs)


def compare_onnx(path: str, model: Model) -> Conversion:
    """Pairs Adds by the name of the tensor they make, else by their own."""
    here = list(sites(model, ""))
    by_name: dict[str, Site] = {}
    for site in here:
        layer = site.add.layer
        for name in (layer.name, *(layer.outputs[0].names if layer.outputs else ())):
            by_name.setdefault(name, site)
    pairs, lone = [], []
    for one in onnx_adds(path):
        found = by_name.get(one.tensor) or by_name.get(one.name)
        if found is None:
            lone.append(one)
        else:
            pairs.append(Pair(one, found, tuple(_differences(one, found))))
    taken = {id(pair.site) for pair in pairs}
    return Conversion(tuple(pairs), tuple(lone), tuple(site for site in here if id(site) not in taken))


def onnx_adds(path: str) -> tuple[OnnxAdd, ...]:
    """The Adds of the main graph. Unsupported, with the pip command, without the package; InvalidInput for a file that
    is no ONNX model."""
    if not _PACKAGE.installed:
        raise Unsupported("reading ONNX models needs onnx", help="pip install onnx", missing=("onnx",))
    import onnx
    from onnx import shape_inference

    try:
        model = onnx.load(path)
        model = shape_inference.infer_shapes(model)
    except OSError as fault:
        raise InvalidInput(f"{path!r} cannot be read: {fault.strerror or fault}", path=path) from None
    except Exception as fault:  # noqa: BLE001 - protobuf and onnx raise what they like
        raise InvalidInput(f"{path!r} is no ONNX model: {type(fault).__name__}", path=path) from None
    known = {one.name: one for one in (*model.graph.value_info, *model.graph.input, *model.graph.output)}
    constants = {one.name: one for one in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
            constants[node.output[0]] = node.attribute[0].t
    return tuple(
        _add(node, known, constants) for node in model.graph.node if node.op_type == "Add" and len(node.input) == 2
    )


def _add(node: Any, known: Mapping[str, Any], constants: Mapping[str, Any]) -> OnnxAdd:
    from onnx import helper

    a, b, total = (_operand(name, known, constants) for name in (*node.input, node.output[0]))
    attributes = {one.name: helper.get_attribute_value(one) for one in node.attribute}
    return OnnxAdd(node.name, node.output[0], a, b, total, attributes)


def _operand(name: str, known: Mapping[str, Any], constants: Mapping[str, Any]) -> OnnxOperand:
    import onnx
    from onnx import numpy_helper

    if name in constants:
        one = constants[name]
        element = _TYPES.get(onnx.TensorProto.DataType.Name(one.data_type))
        return OnnxOperand(element, Shape(*one.dims), numpy_helper.to_array(one))
    if name not in known:
        return OnnxOperand(None, Shape.unknown())
    kind = known[name].type.tensor_type
    element = _TYPES.get(onnx.TensorProto.DataType.Name(kind.elem_type))
    if not kind.HasField("shape"):
        return OnnxOperand(element, Shape.unknown())
    dims = (Dim(one.dim_value) if one.HasField("dim_value") else Dim(0, None) for one in kind.shape.dim)
    return OnnxOperand(element, Shape(*dims))


def _differences(one: OnnxAdd, site: Site) -> Iterator[str]:
    add = site.add
    if one.attributes:
        yield f"the ONNX node has attributes, {', '.join(sorted(one.attributes))}: it is older than opset 7"
    elif add.operation.auto_broadcast != "numpy":
        yield f"auto_broadcast is {add.operation.auto_broadcast}; ONNX broadcasts as numpy does"
    if one.total.element_type and site.element.numeric and one.total.element_type != site.element.name:
        yield f"the sum is {site.element}; in ONNX {one.total.element_type}"
    if not _overlap(add.total.shape, one.total.shape):
        yield f"the sum's shape is {add.total.shape}; in ONNX {one.total.shape}"
    sources = [site.source(position) for position in (0, 1)]
    values = [None if isinstance(source, int) else source for source in sources]
    theirs = [one.a.value, one.b.value]
    if (values[0] is None) != (theirs[0] is None) and (values[0] is None) == (theirs[1] is None):
        theirs.reverse()  # a sum may be written either way round
    for name, value, other in zip("ab", values, theirs, strict=True):
        if value is not None and other is not None:
            yield from _constants(name, value, other)


def _overlap(ours: Shape, theirs: Shape) -> bool:
    """Whether one tensor could have both shapes."""
    if ours.dims is None or theirs.dims is None:
        return True
    return len(ours.dims) == len(theirs.dims) and all(
        a.meet(b) is not None for a, b in zip(ours.dims, theirs.dims, strict=True)
    )


def _constants(name: str, value: Value, other: Array) -> Iterator[str]:
    array = value.to_numpy() if isinstance(value, Tensor) else value
    if array.dtype != other.dtype:
        yield f"the constant {name} is {fact_of(array).element_type}; in ONNX {other.dtype}"
        return
    if _stretched(array.shape) != _stretched(other.shape):
        yield f"the constant {name} has the shape {Shape(*array.shape)}; in ONNX {Shape(*other.shape)}"
        return
    verdict = judge(array.reshape(-1), other.reshape(-1))
    if not verdict.same:
        with np.errstate(all="ignore"):
            halved = other.dtype == np.float32 and np.array_equal(
                np.clip(other, -65504, 65504).astype(np.float16).astype(np.float32), array.reshape(other.shape)
            )
        yield f"the constant {name}: {'rounded to f16, ' if halved else ''}{verdict.says}"


def _stretched(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Without leading 1s, which change no sum's values."""
    while shape and shape[0] == 1:
        shape = shape[1:]
    return shape
