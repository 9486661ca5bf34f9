"""What a layer's <data> and ports say: what the file said, with the operation's own words where it has any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from addison.ir import spelling
from addison.ir.blobs import Extent
from addison.ir.model import Add, Constant, Convert, Layer, Operation, Parameter, Port
from addison.ir.operations import AXIS
from addison.spec.shapes import Shape

UNKNOWN = "UNSPECIFIED"
"""The precision of a port whose type is not known; OpenVINO reads no output port without one."""


def data(layer: Layer, extent: Extent) -> dict[str, object]:
    """The attributes of its <data>; ``extent`` is where its bytes lie, if it is a constant."""
    return {**layer.data, **_own(layer.operation, layer.data, extent)}


def _own(operation: Operation, said: Mapping[str, str], extent: Extent) -> dict[str, object]:
    match operation:
        case Parameter(element_type, shape):
            return {"shape": _spell(shape), "element_type": element_type.name}
        case Constant(element_type, shape):
            sizes = ", ".join(map(str, shape.sizes))
            return {"element_type": element_type.name, "shape": sizes, "offset": extent.offset, "size": extent.size}
        case Convert(destination):
            return {"destination_type": destination.name}
        case Add(rule, axis):
            unsaid = axis == -1 and AXIS not in said and said.get("auto_broadcast", "").lower() == "pdpd"
            return {"auto_broadcast": rule, **({AXIS: axis} if rule == "pdpd" and not unsaid else {})}
        case _:
            return {}


def port(layer: Layer, one: Port, out: bool, names: Iterable[str]) -> tuple[dict[str, object], tuple[int, ...]]:
    """The attributes of a port, and its dims. What it does not say is taken from the operation, if that knows."""
    precision, dims = one.precision or (UNKNOWN if out else ""), one.dims
    if isinstance(layer.operation, Parameter | Constant):
        precision = one.precision or spelling.write_precision(layer.operation.element_type)
        dims = one.dims or _dims(layer.operation.shape)
    said: dict[str, object] = {"id": one.id}
    if precision:
        said["precision"] = precision
    named = spelling.write_names(names)
    if named:
        said["names"] = named
    return said, dims


def _spell(shape: Shape) -> str:
    """As OpenVINO does: a size from 0 on is written without the 0."""
    if shape.dims is None:
        return shape.spell()
    return ",".join(str(dim).removeprefix("0") if dim.low == 0 and not dim.static else str(dim) for dim in shape.dims)


def _dims(shape: Shape) -> tuple[int, ...]:
    return tuple(dim.low if dim.static else -1 for dim in shape.dims or ())
