"""Adds whose answer on a runtime is not the specification's: what is recorded in ``deviations``, found in a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from addison.checker.rule import Finding
from addison.checker.scope import AddSite, Scope
from addison.clipping import quoted
from addison.deviations import Departure, departures
from addison.ir.model import Constant, Parameter, Result
from addison.ir.operations import AXIS
from addison.spec.broadcast import ONE
from addison.spec.elements import ElementType
from addison.spec.shapes import Shape

MOST_ELEMENTS = 1 << 22
"""Elements of one constant that are looked at for values out of range."""


def departing(scope: Scope, kind: str, types: Callable[[ElementType], bool]) -> Iterator[Finding]:
    """A finding for each Add that a departure of this kind concerns, among element types that ``types`` takes."""
    if scope.runtime is None:
        return
    recorded = [one for one in departures(scope.runtime) if one.kind == kind and one.when != "setting"]
    sizes: dict[Constant, bool] = {}
    for add in scope.adds():
        for one in recorded:
            if types(add.total.element_type) and _concerns(one, add, scope, sizes):
                yield _finding(one, add, scope)


def _finding(one: Departure, add: AddSite, scope: Scope) -> Finding:
    element = add.total.element_type.name
    condition = f", when {one.condition}" if one.when == "values" else ""
    cpu = "" if one.cpu == "any" else f", on processors with {one.cpu}"
    return Finding(
        scope.place(add.layer.at),
        f"Add {quoted(add.layer.name)} in {element}: {one.runtime} {one.does}{condition}{cpu}",
        label=one.why,
        help=f"measured on {one.versions}" + (f"; openvino issues {', '.join(one.issue)}" if one.issue else ""),
        fields={
            "layer": add.layer.name,
            "runtime": one.runtime,
            "versions": one.versions,
            "cpu": one.cpu,
            "kind": one.kind,
            "when": one.when,
            "element_type": element,
            "issue": one.issue,
        },
    )


def _concerns(one: Departure, add: AddSite, scope: Scope, sizes: dict[Constant, bool]) -> bool:
    """Whether what is recorded shows in this Add; ``sizes`` remembers which constants are out of range."""
    if one.rule not in ("any", add.operation.auto_broadcast):
        return False
    if one.when == "written":  # how a constant lies in the file, whatever it is converted to before it is added
        held = [found[1].element_type.name for found in map(add.constant, (0, 1)) if found]
        return bool(set(held) & set(one.types)) and _written_before(scope, one.before)
    if add.total.element_type.name not in one.types:
        return False
    match one.when:
        case "constant":
            found = [one[1] for one in map(add.constant, (0, 1)) if one]
            sizes.update({one: _out_of_range(one) for one in found if one not in sizes})
            return any(sizes[one] for one in found)
        case "no-axis":
            return AXIS not in add.layer.data and _axis_matters(add.a.shape, add.b.shape)
        case "dynamic":
            return not (add.doubles or (add.a.shape.static and add.b.shape.static))
        case "v10-input":
            return scope.model.version == 10 and _takes_a_parameter(add)
        case "v10-output":
            return scope.model.version == 10 and _feeds_a_result(add)
        case _:
            return True


def _axis_matters(a: Shape, b: Shape) -> bool:
    """Whether b laid over a from axis 0 on is another sum than b laid over a's last axes."""
    if a.dims is None or b.dims is None:
        return True
    return 0 < len(b.dims) < len(a.dims) and not all(dim == ONE for dim in b.dims)


def _takes_a_parameter(add: AddSite) -> bool:
    layers, producers = add.view.graph.layers, add.view.graph.producers[add.index]
    return any(one is not None and isinstance(layers[one.layer].operation, Parameter) for one in producers)


def _feeds_a_result(add: AddSite) -> bool:
    graph = add.view.graph
    return any(
        one is not None and one.layer == add.index for index in graph.of_kind(Result) for one in graph.producers[index]
    )


def _out_of_range(constant: Constant) -> bool:
    """Whether a value is past what the plugin computes in: 32-bit integers, or f32."""
    data = constant.data[: MOST_ELEMENTS * constant.element_type.bits // 8]
    match constant.element_type.name:
        case "f64":
            return any(abs(value) > _LARGEST_F32 for value in data.cast("d"))
        case "i64" | "u64" | "u32" as name if data:
            values = data.cast("q") if name == "i64" else data.cast("Q") if name == "u64" else data.cast("I")
            return max(values) > 2**31 - 1 or min(values) < -(2**31)
        case _:
            return False


_LARGEST_F32 = (2 - 2**-23) * 2.0**127


def _written_before(scope: Scope, version: str) -> bool:
    """Whether the file says that it was written by a version before this one; a file that says nothing was not."""
    for key in _WRITERS:
        found = re.match(r"(\d{4})\.(\d{1,4})", scope.model.rt_info.get(key, ""), re.ASCII)
        if found:
            year, number = version.split(".")
            return (int(found[1]), int(found[2])) < (int(year), int(number))
    return False


_WRITERS = ("Runtime_version", "OpenVINO Runtime", "MO_version")
"""The entries of a file's rt_info that say what wrote it; the first that is there counts."""
