"""IR files for tests, as text. Most tests take the model a + b and bend one part of it.

>>> tag("dim", {}, "3"), tag("net", {"version": 11, "name": None})
('<dim>3</dim>', '<net version="11"/>')
"""

import struct
from collections.abc import Iterable, Mapping
from xml.sax.saxutils import quoteattr

AXIS = "auto_broadcast.auto_broadcast_axis"
PROLOG = '<?xml version="1.0"?>'
PRECISION = {"f16": "FP16", "f32": "FP32", "f64": "FP64", "boolean": "BOOL", "u1": "BIN", "dynamic": "UNSPECIFIED"}
WIRES = ((0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0))  # a and b into the Add, the Add into the Result
FLOATS = struct.pack("<16f", *range(16))


def tag(name: str, attributes: Mapping[str, object], *inside: str) -> str:
    """An element; attributes that are None are left out."""
    written = "".join(f" {key}={quoteattr(str(value))}" for key, value in attributes.items() if value is not None)
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def port(number: object, dims: Iterable[object] = (), precision: str | None = "FP32", names: str | None = None) -> str:
    return tag(
        "port", {"id": number, "precision": precision, "names": names}, *(tag("dim", {}, str(dim)) for dim in dims)
    )


def data(**attributes: object) -> str:
    """A <data>; ``axis`` stands for the attribute that pdpd's axis is read from."""
    return tag("data", {AXIS if key == "axis" else key: value for key, value in attributes.items()})


def layer(
    number: object,
    name: str | None,
    kind: str | None,
    *,
    version: str | None = "opset1",
    inside: str = "",
    inputs: Iterable[str] = (),
    outputs: Iterable[str] = (),
    tail: str = "",
    **attributes: object,
) -> str:
    ins, outs = "".join(inputs), "".join(outputs)
    return tag(
        "layer",
        {"id": number, "name": name, "type": kind, "version": version, **attributes},
        inside,
        tag("input", {}, ins) if ins else "",
        tag("output", {}, outs) if outs else "",
        tail,
    )


def parameter(
    number: object = 0,
    name: str = "a",
    shape: str | None = "2,3",
    element_type: str | None = "f32",
    *,
    inside: str | None = None,
    outputs: Iterable[str] | None = None,
    version: str = "opset1",
) -> str:
    precision = PRECISION.get(element_type or "f32", (element_type or "f32").upper())
    return layer(
        number,
        name,
        "Parameter",
        version=version,
        inside=data(shape=shape, element_type=element_type) if inside is None else inside,
        outputs=[port(0, (), precision)] if outputs is None else outputs,
    )


def const(
    number: object = 1,
    element_type: str | None = "f32",
    shape: str | None = "2, 3",
    offset: object = 0,
    size: object = 24,
    *,
    name: str = "c",
    kind: str = "Const",
    inside: str | None = None,
    precision: str | None = None,
) -> str:
    if inside is None:
        inside = data(element_type=element_type, shape=shape, offset=offset, size=size)
    precision = precision or PRECISION.get(element_type or "f32", (element_type or "f32").upper())
    return layer(number, name, kind, inside=inside, outputs=[port(0, (), precision)])


def add(
    number: object = 2,
    name: str | None = "add",
    *,
    kind: str | None = "Add",
    version: str | None = "opset1",
    inside: str = '<data auto_broadcast="numpy"/>',
    inputs: Iterable[str] | None = None,
    outputs: Iterable[str] | None = None,
    tail: str = "",
    **attributes: object,
) -> str:
    return layer(
        number,
        name,
        kind,
        version=version,
        inside=inside,
        inputs=[port(0), port(1)] if inputs is None else inputs,
        outputs=[port(2)] if outputs is None else outputs,
        tail=tail,
        **attributes,
    )


def result(
    number: object = 3, name: str = "r", *, inputs: Iterable[str] | None = None, inside: str = "", **attributes: object
) -> str:
    return layer(number, name, "Result", inside=inside, inputs=[port(0)] if inputs is None else inputs, **attributes)


def edges(wires: Iterable[tuple[object, object, object, object]]) -> str:
    keys = ("from-layer", "from-port", "to-layer", "to-port")
    return tag("edges", {}, *(tag("edge", dict(zip(keys, wire, strict=True))) for wire in wires))


def net(
    layers: Iterable[str],
    wires: Iterable[tuple[object, object, object, object]] = (),
    *,
    version: object = 11,
    tail: str = "",
    name: str | None = "m",
    **attributes: object,
) -> str:
    return PROLOG + tag(
        "net", {"name": name, "version": version, **attributes}, tag("layers", {}, *layers), edges(wires), tail
    )


def sum_of(
    *,
    a: str | None = None,
    b: str | None = None,
    add_layer: str | None = None,
    r: str | None = None,
    more: Iterable[str] = (),
    wires: Iterable[tuple[object, object, object, object]] = WIRES,
    **how: object,
) -> str:
    """The model a + b, layers 0 to 3, with any of them given."""
    layers = [a or parameter(), b or parameter(1, "b"), add_layer or add(), r or result(), *more]
    return net(layers, wires, **how)


def bent(old: str, new: str, text: str | None = None) -> str:
    """The model a + b, or ``text``, with every ``old`` made ``new``; it must have one."""
    text = sum_of() if text is None else text
    assert old in text, f"{old!r} is not in the file"
    return text.replace(old, new)
