"""Golden vectors: a case and its answer, and the line of JSON that holds both.

Answers come out of ``addison.spec`` alone: whole numbers and fractions, element by element. Every NaN of an answer is
its type's canonical one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from addison.conformance.cases import Case, cases
from addison.errors import AddisonError, InvalidInput
from addison.spec.addition import add_codes
from addison.spec.broadcast import Clash, aligned, check_rule, merge
from addison.spec.elements import ELEMENTS, NOT_NUMERIC, ElementType
from addison.spec.packing import bytes_needed, pack, unpack
from addison.spec.shapes import Dim, Shape

KINDS = ("sum", "shape", "error")
ERRORS = {
    "clash": "sizes do not go together; axes names each axis and both sizes",
    "rank": "ranks do not go together",
    "axis": "the axis is not one that this rule, or these shapes, can have",
    "rule": "auto_broadcast is no rule",
    "types": "the operands have two types",
    "type": "the type is not numeric",
}
"""What an error is about."""

Axes = tuple[tuple[int, Dim | None, Dim | None], ...]


@dataclass(frozen=True, slots=True)
class Vector:
    """One case and its answer: a ``shape``, with ``sum`` (packed bytes) when it is about values, or an ``error``.

    ``a`` and ``b`` are packed bytes, and None when the case is about shapes alone. ``axes`` are the clashing axes, each
    with both sizes, counted from the right, under pdpd from the left.

    >>> one = next(one for one in made() if one.id == "sum/u8/wrap")
    >>> one.a.hex()[:4], one.b.hex()[:4], one.sum.hex()[:4]
    ('0103', 'fffe', '0001')
    """

    id: str
    kind: str
    says: str
    a_shape: Shape
    b_shape: Shape
    auto_broadcast: str
    axis: int
    element_type: str | None = None
    b_element_type: str | None = None
    a: bytes | None = None
    b: bytes | None = None
    shape: Shape | None = None
    sum: bytes | None = None
    error: str | None = None
    axes: Axes = ()


@cache
def made() -> tuple[Vector, ...]:
    """All vectors, answered anew."""
    return tuple(answer(case) for case in cases())


def answer(case: Case) -> Vector:
    """The case with what the specification says to it."""
    asked: dict[str, Any] = {
        "id": case.id,
        "says": case.says,
        "a_shape": case.a_shape,
        "b_shape": case.b_shape,
        "auto_broadcast": case.auto_broadcast,
        "axis": case.axis,
        "element_type": case.element_type,
        "b_element_type": case.b_element_type,
    }
    if case.element_type is not None and case.b_element_type is not None:
        asked |= {"a": _packed(case.element_type, case.a), "b": _packed(case.b_element_type, case.b)}
    wrong = _refused(case)
    if wrong:
        return Vector(kind="error", error=wrong, **asked)
    merged = merge(case.a_shape, case.b_shape, case.auto_broadcast, case.axis)
    if isinstance(merged, Clash):
        axes = tuple((column.axis, column.a, column.b) for column in merged.columns)
        return Vector(kind="error", error="clash" if axes else _about(merged), axes=axes, **asked)
    if case.element_type is None:
        return Vector(kind="shape", shape=merged.shape, **asked)
    return Vector(kind="sum", shape=merged.shape, sum=_sum(case, merged.shape.sizes), **asked)


def _refused(case: Case) -> str | None:
    """What is wrong before the shapes are looked at."""
    try:
        check_rule(case.auto_broadcast, case.axis)
    except AddisonError as fault:
        return "axis" if "axis" in fault.fields else "rule"
    if case.element_type != case.b_element_type:
        return "types"
    return None if case.element_type is None or case.element_type in ELEMENTS else "type"


def _about(clash: Clash) -> str:
    a, b = clash.a.rank, clash.b.rank
    if clash.auto_broadcast == "pdpd" and (clash.axis < -1 or a is None or b is None or b <= a):
        return "axis"
    return "rank"


def _packed(name: str, codes: tuple[int, ...]) -> bytes:
    return pack(ELEMENTS[name], codes) if name in ELEMENTS else bytes(codes)


def _sum(case: Case, sizes: tuple[int, ...]) -> bytes:
    assert case.element_type is not None
    element = ELEMENTS[case.element_type]
    a, b = aligned(case.a_shape.sizes, case.b_shape.sizes, case.auto_broadcast, case.axis)
    pairs = zip(_walk(a, sizes), _walk(b, sizes), strict=True)
    return pack(element, [add_codes(element, case.a[i], case.b[j]) for i, j in pairs])


def _walk(own: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[int]:
    """Which element of an operand each element of the result is made from; a size of 1 gives one throughout."""
    steps = [0 if size == 1 else math.prod(own[i + 1 :]) for i, size in enumerate(own)]
    for index in product(*map(range, sizes)):
        yield sum(i * step for i, step in zip(index, steps, strict=True))


def to_line(vector: Vector) -> str:
    """One line of JSON, its keys in a fixed order.

    >>> print(to_line(next(one for one in made() if one.id == "shape/numpy/1..4+2..5")))
    {"id": "shape/numpy/1..4+2..5", "kind": "shape", "says": "Under numpy the result is the smallest interval that has \
every size which sizes within the operands' can give.", "auto_broadcast": "numpy", "axis": -1, "a_shape": ["1..4"], \
"b_shape": ["2..5"], "shape": ["2..5"]}
    """
    said: dict[str, Any] = {"id": vector.id, "kind": vector.kind, "says": vector.says}
    if vector.element_type is not None:
        said["element_type"] = vector.element_type
        if vector.b_element_type != vector.element_type:
            said["b_element_type"] = vector.b_element_type
    said |= {
        "auto_broadcast": vector.auto_broadcast,
        "axis": vector.axis,
        "a_shape": _sizes(vector.a_shape),
        "b_shape": _sizes(vector.b_shape),
    }
    if vector.a is not None and vector.b is not None:
        said |= {"a": vector.a.hex(), "b": vector.b.hex()}
    if vector.error is None:
        said["shape"] = _sizes(vector.shape)
        if vector.sum is not None:
            said["sum"] = vector.sum.hex()
    else:
        said["error"] = vector.error
        if vector.axes:
            said["axes"] = [[axis, _size(a), _size(b)] for axis, a, b in vector.axes]
    return json.dumps(said)


def _sizes(shape: Shape | None) -> list[int | str | None] | None:
    return None if shape is None or shape.dims is None else [_size(dim) for dim in shape.dims]


def _size(dim: Dim | None) -> int | str | None:
    return None if dim is None else dim.low if dim.static else str(dim)


def from_line(line: str | bytes) -> Vector:
    """The vector of one line; InvalidInput when it is none, saying what is wrong with it.

    >>> from_line('{"id": "x", "kind": "shape"}')
    Traceback (most recent call last):
    addison.errors.InvalidInput: 'says' is missing
    """
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise InvalidInput(f"not JSON: {str(fault)[:200]}") from None
    if not isinstance(said, dict):
        raise InvalidInput(f"JSON, but {type(said).__name__} and no object")
    kind = _one_of(said, "kind", KINDS)
    about_shapes = kind == "shape" or (kind == "error" and "a" not in said)
    element = None if about_shapes else _text(said, "element_type")
    vector: dict[str, Any] = {
        "id": _text(said, "id"),
        "kind": kind,
        "says": _text(said, "says"),
        "element_type": element,
        "b_element_type": _text(said, "b_element_type") if "b_element_type" in said else element,
        "auto_broadcast": _text(said, "auto_broadcast"),
        "axis": _whole(said.get("axis", -1), "axis"),
        "a_shape": _shape(said, "a_shape"),
        "b_shape": _shape(said, "b_shape"),
    }
    if not about_shapes:
        vector["a"] = _bytes(said, "a", vector["element_type"], vector["a_shape"])
        vector["b"] = _bytes(said, "b", vector["b_element_type"], vector["b_shape"])
    if kind == "error":
        vector |= {"error": _one_of(said, "error", tuple(ERRORS)), "axes": _axes(said)}
    else:
        vector["shape"] = _shape(said, "shape")
    if kind == "sum":
        vector["sum"] = _bytes(said, "sum", str(element), vector["shape"])
    return Vector(**vector)


def _text(said: dict[str, Any], key: str) -> str:
    if key not in said:
        raise InvalidInput(f"{key!r} is missing", key=key)
    if not isinstance(said[key], str):
        raise InvalidInput(f"{key!r} is {type(said[key]).__name__}, not a string", key=key)
    return str(said[key])


def _one_of(said: dict[str, Any], key: str, words: tuple[str, ...]) -> str:
    word = _text(said, key)
    if word not in words:
        raise InvalidInput(f"{key!r} is {word[:40]!r}, not one of {', '.join(words)}", key=key, found=word[:40])
    return word


def _whole(value: Any, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 1 << 63:
        raise InvalidInput(f"{key!r} holds {str(value)[:40]!r}, not a whole number of 64 bits", key=key)
    return value


def _shape(said: dict[str, Any], key: str) -> Shape:
    if key not in said:
        raise InvalidInput(f"{key!r} is missing", key=key)
    if said[key] is None:
        return Shape.unknown()
    if not isinstance(said[key], list):
        raise InvalidInput(f"{key!r} is {type(said[key]).__name__}, not a list of sizes", key=key)
    return Shape(*(_dim(size, key) for size in said[key]))


def _dim(size: Any, key: str) -> Dim:
    return Dim.parse(size) if isinstance(size, str) else Dim(_whole(size, key))


def _bytes(said: dict[str, Any], key: str, element: str, shape: Shape) -> bytes:
    try:
        data = bytes.fromhex(_text(said, key))
    except ValueError as fault:
        raise InvalidInput(f"{key!r} is not written in hex", key=key) from fault
    kind = ELEMENTS.get(element)
    if kind is None and (element not in NOT_NUMERIC or said["kind"] != "error"):
        raise InvalidInput(f"there is no element type {element[:40]!r}", key=key, element_type=element[:40])
    needed = bytes_needed(kind, shape.elements) if kind else shape.elements
    if len(data) != needed:
        raise InvalidInput(
            f"{key!r} has {len(data)} bytes; {element} {shape} takes {needed}", key=key, found=len(data), wanted=needed
        )
    if kind is not None and pack(kind, unpack(kind, data, shape.elements)) != data:
        raise InvalidInput(f"{key!r} has bits set that none of its elements owns", key=key)
    return data


def _axes(said: dict[str, Any]) -> Axes:
    listed = said.get("axes", [])
    if not isinstance(listed, list) or not all(isinstance(one, list) and len(one) == 3 for one in listed):
        raise InvalidInput("'axes' is no list of [axis, size, size]", key="axes")
    return tuple((_whole(axis, "axes"), _side(a), _side(b)) for axis, a, b in listed)


def _side(size: Any) -> Dim | None:
    return None if size is None else _dim(size, "axes")


def element_of(vector: Vector) -> ElementType:
    """The element type of a vector that is about values.

    >>> element_of(next(one for one in made() if one.kind == "sum")).name
    'bf16'
    """
    if vector.element_type is None:
        raise InvalidInput(f"{vector.id} is about shapes alone", id=vector.id)
    return ElementType.parse(vector.element_type)
