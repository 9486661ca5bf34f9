"""One function per operation: facts about the inputs to the fact about the output."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from addison.clipping import quoted
from addison.diagnostics import Related, Span
from addison.ir import codes
from addison.ir.model import Add, Constant, Convert, Layer, Operation, Parameter, Result
from addison.ir.report import Report
from addison.spec.broadcast import Clash, merge
from addison.spec.elements import DYNAMIC, ElementType
from addison.spec.shapes import Shape


class Fact(NamedTuple):
    """What is known of a tensor: its element type (dynamic: not known) and its shape."""

    element_type: ElementType
    shape: Shape

    def __str__(self) -> str:
        return f"{self.element_type} {self.shape}"


class Site(Protocol):
    """Where a function reports, and how it finds the place an input's shape or type comes from."""

    report: Report

    def origin(self, layer: int, position: int, attribute: str) -> Span | None: ...


Infer = Callable[[int, Layer, tuple[Fact, ...], Site], Fact]


def parameter(index: int, layer: Layer, inputs: tuple[Fact, ...], site: Site) -> Fact:
    assert isinstance(layer.operation, Parameter)
    return Fact(layer.operation.element_type, layer.operation.shape)


def constant(index: int, layer: Layer, inputs: tuple[Fact, ...], site: Site) -> Fact:
    assert isinstance(layer.operation, Constant)
    return Fact(layer.operation.element_type, layer.operation.shape)


def convert(index: int, layer: Layer, inputs: tuple[Fact, ...], site: Site) -> Fact:
    assert isinstance(layer.operation, Convert)
    return Fact(layer.operation.destination, inputs[0].shape)


def result(index: int, layer: Layer, inputs: tuple[Fact, ...], site: Site) -> Fact:
    return inputs[0]


def add(index: int, layer: Layer, inputs: tuple[Fact, ...], site: Site) -> Fact:
    assert isinstance(layer.operation, Add)
    a, b = inputs
    element = _merge_types(index, layer, a, b, site)
    merged = merge(a.shape, b.shape, layer.operation.auto_broadcast, layer.operation.axis)
    if isinstance(merged, Clash):
        _report_clash(index, layer, merged, site)
        return Fact(element, Shape.unknown())
    return Fact(element, merged.shape)


def _merge_types(index: int, layer: Layer, a: Fact, b: Fact, site: Site) -> ElementType:
    _report_not_numeric(index, layer, (a, b), site)
    if a.element_type is DYNAMIC or a.element_type == b.element_type:
        return b.element_type
    if b.element_type is not DYNAMIC:
        site.report.add(
            codes.TYPES_DIFFER,
            layer.at,
            f"Add {quoted(layer.name)} has inputs of two types, {a.element_type} and {b.element_type}",
            help="put a Convert before one of them",
            label="both inputs must have one type",
            layer=layer.name,
            a=a.element_type.name,
            b=b.element_type.name,
            related=_related(
                (site.origin(index, 0, "element_type"), f"input 0 is {a.element_type}"),
                (site.origin(index, 1, "element_type"), f"input 1 is {b.element_type}"),
            ),
        )
    return a.element_type


def _report_not_numeric(index: int, layer: Layer, inputs: tuple[Fact, Fact], site: Site) -> None:
    """One finding for each tensor, at the place that gives it its type; both inputs may be the same one."""
    said: set[Span | None] = set()
    for position, fact in enumerate(inputs):
        if fact.element_type.numeric or fact.element_type is DYNAMIC:
            continue
        at = site.origin(index, position, "element_type")
        if at in said:
            continue
        said.add(at)
        site.report.add(
            codes.NOT_NUMERIC,
            at,
            f"input {position} of Add {quoted(layer.name)} is {fact.element_type}, which is not numeric",
            label=f"this is {fact.element_type}",
            help="Add takes the numeric types; put a Convert to one of them before it",
            layer=layer.name,
            input=position,
            found=fact.element_type.name,
            related=_related((site.report.span(layer.at), "the Add that takes it")),
        )


def _report_clash(index: int, layer: Layer, clash: Clash, site: Site) -> None:
    at = site.origin(index, 1, "shape")
    site.report.add(
        codes.SHAPES_CLASH,
        at,
        f'shapes clash under "{clash.auto_broadcast}" in Add {quoted(layer.name)}',
        label=clash.says,
        help=clash.help,
        layer=layer.name,
        auto_broadcast=clash.auto_broadcast,
        axis=clash.axis,
        a=str(clash.a),
        b=str(clash.b),
        axes=tuple((c.axis, str(c.a), str(c.b)) for c in clash.columns),
        related=_related(
            (site.origin(index, 0, "shape"), f"this side is {clash.a}"),
            (site.report.span(layer.at), "they meet in this Add"),
        ),
    )


def _related(*places: tuple[Span | None, str]) -> tuple[Related, ...]:
    return tuple(Related(at, says) for at, says in places if at is not None)


RULES: dict[type[Operation], Infer] = {
    Parameter: parameter,
    Constant: constant,
    Convert: convert,
    Add: add,
    Result: result,
}
