"""From a layer's type and <data> attributes to a typed operation. One function a type; faults go to the report."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, NamedTuple, cast

from addison.clipping import quoted, shortened
from addison.diagnostics import Code
from addison.errors import AddisonError
from addison.ir import codes, spelling
from addison.ir.model import Add, Constant, Convert, Opaque, Operation, Parameter, Result
from addison.ir.report import Report
from addison.ir.weights import Weights
from addison.spec.elements import DYNAMIC, ElementType
from addison.spec.packing import bytes_needed
from addison.spec.shapes import LARGEST_SHAPE_RANK, LARGEST_SIZE, Shape

OPSETS = tuple(f"opset{n}" for n in range(1, 17))
"""The operation sets that have Add-1, and Parameter, Const, Convert and Result beside it."""
_ALSO_IN_OPSET17 = ("parameter", "convert")

AXIS = "auto_broadcast.auto_broadcast_axis"
"""The one attribute that readers take pdpd's axis from."""

_RULES = {"none": "none", "explicit": "none", "numpy": "numpy", "pdpd": "pdpd"}
_ADD_ATTRIBUTES = ("auto_broadcast", AXIS)
_LARGEST_OFFSET = 2**64 - 1
_REMEMBERED = 1000  # characters of a shape that is worth keeping: a file may hold many that have a million
OPAQUE = Opaque()


class Site(NamedTuple):
    """What the functions below need besides the attributes: where to report, and what the constants lie in."""

    report: Report
    weights: Weights | None
    swap_nibbles: bool
    at: int
    data_at: int
    name: str

    def fault(
        self, code: Code, says: str, attribute: str = "", help: str = "", *, named: bool = False, **fields: Any
    ) -> None:
        """A finding about the <data>, or the value of one of its attributes; ``named``: about the attribute's name."""
        tag = self.data_at if self.data_at >= 0 else self.at
        at = self.report.name(tag, attribute) if named else tag
        self.report.add(code, at, says, attribute=attribute, help=help, layer=self.name, **fields)

    def missing(self, attribute: str) -> None:
        self.fault(
            codes.MISSING_ATTRIBUTE, f"<data> has no {attribute}", attribute=attribute, found=None, wanted=attribute
        )


make_site = cast(Callable[[tuple[Report, Weights | None, bool, int, int, str]], Site], partial(tuple.__new__, Site))


def operation(kind: str, version: str, data: Mapping[str, str], site: Site) -> Operation:
    """The operation of a layer of this type; Opaque for every type that is not one of the five, and after a fault."""
    read = _READERS.get(kind.lower())
    if read is None:
        return OPAQUE
    if version not in OPSETS and not (version == "opset17" and kind.lower() in _ALSO_IN_OPSET17):
        site.report.add(
            codes.WRONG_OPSET,
            site.at,
            f"{quoted(version)} has no operation {kind}",
            attribute="version",
            help="write opset1; opset1 to opset16 have it",
            layer=site.name,
            found=version,
            wanted=OPSETS,
        )
    return read(data, site) or OPAQUE


def _parameter(data: Mapping[str, str], site: Site) -> Operation | None:
    if site.data_at < 0:
        site.fault(codes.MISSING_ATTRIBUTE, "a Parameter without <data>", help="write its shape and element_type there")
        return None
    element = _element(data["element_type"], "element_type", site) if "element_type" in data else DYNAMIC
    try:
        shape = Shape.parse(data.get("shape", ""))
    except AddisonError as fault:
        site.fault(codes.BAD_SHAPE, fault.says, "shape", help=fault.help, found=data["shape"])
        return None
    return Parameter(element, shape) if element else None


def _constant(data: Mapping[str, str], site: Site) -> Operation | None:
    try:
        shape = data["shape"]
        known = (_layout if len(shape) < _REMEMBERED else _layout.__wrapped__)(data["element_type"], shape)
        offset, size = spelling.unsigned(data["offset"]), spelling.unsigned(data["size"])
    except KeyError:
        known = offset = size = None
    if known is None or offset is None or size is None or "value" in data or offset > _LARGEST_OFFSET:
        _report_constant(data, site)
        return None
    return _ranged(*known, offset, size, site)


@lru_cache(maxsize=1024)
def _layout(element_type: str, shape: str) -> tuple[ElementType, Shape, int, int] | None:
    """Type, shape, elements and bytes of a constant as it is written; None when any of it cannot be read."""
    element = spelling.element_type(element_type)
    sizes = _sizes(shape)
    if element is None or element is DYNAMIC or sizes is None:
        return None
    elements = math.prod(sizes)
    if elements > LARGEST_SIZE:
        return None
    return element, Shape(*sizes), elements, 0 if element.name == "string" else bytes_needed(element, elements)


def _sizes(text: str) -> tuple[int, ...] | None:
    """A plain list of sizes, as in ``2, 3``; nothing is a scalar, and a trailing comma is read by OpenVINO too."""
    fields = text.split(",")
    if not fields[-1].strip():
        fields.pop()
    if len(fields) > LARGEST_SHAPE_RANK:
        return None
    sizes = [spelling.unsigned(field) if field[:1] != "+" else None for field in map(str.strip, fields)]
    known = tuple(size for size in sizes if size is not None and size <= LARGEST_SIZE)
    return known if len(known) == len(sizes) else None


def _report_constant(data: Mapping[str, str], site: Site) -> None:
    """Says everything that is wrong with a constant's attributes."""
    if "value" in data:
        site.fault(
            codes.INLINE_VALUE,
            "the constant's value stands in the attribute value, which OpenVINO reads past its end",
            "value",
            help="put it in the .bin, and give offset and size",
        )
        return
    for name in ("element_type", "shape", "offset", "size"):
        if name not in data:
            site.missing(name)
    if "element_type" in data and _element(data["element_type"], "element_type", site) is DYNAMIC:
        site.fault(codes.BAD_TYPE, "a constant of type dynamic", "element_type", found="dynamic")
    if "shape" in data:
        _report_sizes(data["shape"], site)
    for name in ("offset", "size"):
        number = spelling.unsigned(data[name]) if name in data else 0
        if number is None or number > _LARGEST_OFFSET:
            site.fault(
                codes.BAD_NUMBER,
                f"{name} is {quoted(data[name])}, not a whole number of bytes up to {_LARGEST_OFFSET}",
                name,
                found=data[name],
            )


def _report_sizes(text: str, site: Site) -> None:
    sizes = _sizes(text)
    if sizes is None and text.count(",") >= LARGEST_SHAPE_RANK:
        site.fault(
            codes.BAD_SHAPE,
            f"{text.count(',') + 1} dimensions; at most {LARGEST_SHAPE_RANK} are read",
            "shape",
            found=text.count(",") + 1,
            limit=LARGEST_SHAPE_RANK,
        )
    elif sizes is None:
        site.fault(
            codes.BAD_SHAPE,
            f"the constant's shape {quoted(text)} is no list of sizes",
            "shape",
            help='write whole numbers between commas, as in "2, 3"',
            found=text,
        )
    elif math.prod(sizes) > LARGEST_SIZE:
        product = shortened(math.prod(sizes))
        site.fault(
            codes.BAD_SHAPE,
            f"the product of the sizes, {product}, is past the largest, {LARGEST_SIZE}",
            "shape",
            found=product,
            limit=LARGEST_SIZE,
        )


def _ranged(
    element: ElementType,
    shape: Shape,
    elements: int,
    needed: int,
    offset: int,
    size: int,
    site: Site,
) -> Constant | None:
    """The constant, once its bytes are known to be enough, and to lie in the weights."""
    swapped = site.swap_nibbles and element.name in ("i4", "u4")
    constant = Constant(element, shape, offset, size, site.weights, swapped)
    if size < needed:
        site.fault(
            codes.TOO_SMALL,
            f"{element} {shape} takes {needed} bytes, and size is {size}",
            "size",
            help=f'write size="{needed}"',
            found=size,
            wanted=needed,
        )
        return None
    if size > needed and elements and element.name != "string":
        site.fault(
            codes.LARGER,
            f"{element} {shape} takes {needed} bytes, and size is {size}",
            "size",
            found=size,
            wanted=needed,
        )
    if elements and site.weights is not None and offset + size > len(site.weights):
        site.fault(
            codes.OUT_OF_RANGE,
            f"bytes {offset} to {offset + size} of a .bin that has {len(site.weights)}",
            "offset",
            help="is the .bin complete, and the one of this file?",
            offset=offset,
            size=size,
            found=len(site.weights),
            wanted=offset + size,
        )
        return None
    return constant


def _convert(data: Mapping[str, str], site: Site) -> Operation | None:
    if "destination_type" not in data:
        site.missing("destination_type")
        return None
    element = _element(data["destination_type"], "destination_type", site)
    return Convert(element) if element else None


def _add(data: Mapping[str, str], site: Site) -> Operation | None:
    written = data.get("auto_broadcast", "numpy")
    rule = _RULES.get(written.lower())
    if rule is None:
        near = difflib.get_close_matches(written[:60].lower().strip(), _RULES, 1)
        site.fault(
            codes.UNKNOWN_RULE,
            f"auto_broadcast is {quoted(written)}, which is no rule",
            "auto_broadcast",
            help=f"did you mean {near[0]}?" if near else "write none, numpy or pdpd",
            found=written,
            wanted=tuple(_RULES),
        )
        return None
    _strange_attributes(data, rule, site)
    if rule != "pdpd":
        return Add(rule, -1)
    if AXIS not in data:
        site.fault(
            codes.NO_AXIS,
            "pdpd without an axis: the specification's default is -1, OpenVINO reads 0",
            "auto_broadcast",
            help=f'write {AXIS}="-1", or the axis that is meant',
            wanted=AXIS,
        )
        return Add(rule, -1)
    axis = re.fullmatch(r"\s*(-?\d{1,9})\s*", data[AXIS], re.ASCII)
    if axis is None:
        site.fault(codes.BAD_AXIS, f"the axis is {quoted(data[AXIS])}, not a whole number", AXIS, found=data[AXIS])
        return None
    return Add(rule, int(axis[1]))


def _strange_attributes(data: Mapping[str, str], rule: str, site: Site) -> None:
    for name in data:
        if name in _ADD_ATTRIBUTES:
            continue
        if name in ("axis", "auto_broadcast_axis", "auto_broadcast.axis") and rule == "pdpd":
            site.fault(
                codes.IGNORED_AXIS,
                f"{name} is ignored by readers",
                name,
                help=f"the axis is read from {AXIS}",
                named=True,
                found=name,
                wanted=AXIS,
            )
            continue
        near = difflib.get_close_matches(name.lower(), _ADD_ATTRIBUTES, 1, 0.8) if len(name) < 60 else []
        if near:
            site.fault(
                codes.MISSPELT,
                f"{quoted(name)} is not an attribute of Add, and is ignored",
                name,
                help=f"did you mean {near[0]}?",
                named=True,
                found=name,
                wanted=near[0],
            )


def _result(data: Mapping[str, str], site: Site) -> Operation:
    return Result()


def _refused_constant(data: Mapping[str, str], site: Site) -> None:
    site.report.add(
        codes.CONSTANT_TYPE,
        site.at,
        "the type is Constant, which OpenVINO reads as uninitialised memory",
        attribute="type",
        help='write type="Const"',
        layer=site.name,
        found="Constant",
        wanted="Const",
    )


_READERS: dict[str, Callable[[Mapping[str, str], Site], Operation | None]] = {
    "parameter": _parameter,
    "const": _constant,
    "convert": _convert,
    "add": _add,
    "result": _result,
    "constant": _refused_constant,
}
KNOWN_TYPES = frozenset(_READERS) | {"Parameter", "Const", "Convert", "Add", "Result", "Constant"}
"""In lower case, and as files write them."""


def _element(text: str, attribute: str, site: Site) -> ElementType | None:
    found = spelling.element_type(text)
    if found is None:
        near = spelling.port_precision(text) or spelling.port_precision(text.strip().upper())
        site.fault(
            codes.BAD_TYPE,
            f"{attribute} is {quoted(text)}, which is no element type",
            attribute,
            help=f"did you mean {near}?" if near and text else "write f32, i8, ...",
            found=text,
        )
    return found
