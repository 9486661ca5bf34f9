"""The questions: which sums, shapes and errors are put to an implementation. Chosen by class, never at random.

Each has an id that stays, and the sentence of the specification that its answer stands for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from addison.conformance import classes, layouts
from addison.spec.elements import ELEMENTS, ElementType, Packing
from addison.spec.packing import group
from addison.spec.shapes import Shape


@dataclass(frozen=True, slots=True)
class Case:
    """One question. Without an element type it is about shapes alone; with one, ``a`` and ``b`` hold a code for each
    element. ``b_element_type`` is the same as ``element_type`` but where two types are what is asked about."""

    id: str
    says: str
    a_shape: Shape
    b_shape: Shape
    auto_broadcast: str = "numpy"
    axis: int = -1
    element_type: str | None = None
    b_element_type: str | None = None
    a: tuple[int, ...] = ()
    b: tuple[int, ...] = ()


def cases() -> Iterator[Case]:
    """Every case, in the order of the files: sums type by type, rules on one type, shapes, refusals.

    >>> next(one for one in cases() if one.id == "sum/i8/wrap").says
    "A sum past i8's range wraps modulo 2^8; it does not saturate."
    """
    for element in ELEMENTS.values():
        yield from _sums(element)
    yield from _rules()
    yield from _shapes()
    yield from _refusals()


def every_pair(element: ElementType) -> Case:
    """Every code of a type of up to 8 bits with every other, as a square.

    >>> every_pair(ElementType.parse("u2")).b_shape
    Shape(4)
    """
    codes = tuple(range(1 << element.bits))
    says = f"Every value of {element} added to every value."
    return Case(
        f"every-pair/{element}",
        says,
        Shape(len(codes), 1),
        Shape(len(codes)),
        element_type=element.name,
        b_element_type=element.name,
        a=codes,
        b=codes,
    )


def _sums(element: ElementType) -> Iterator[Case]:
    name = element.name
    for one in classes.classes(element):
        a, b = zip(*one.pairs, strict=True)
        yield _sum(f"sum/{name}/{one.name}", one.says, name, [len(a)], [len(b)], a=a, b=b)
    for layout in layouts.EVERY_TYPE:
        yield _sum(f"sum/{name}/{layout.name}", layout.says, name, layout.a, layout.b, layout.rule, layout.axis)
    if element.packing is not Packing.BYTES:
        whole = group(element).elements
        for count in sorted({1, whole - 1, whole + 1, 2 * whole + 1}):
            yield _sum(
                f"sum/{name}/partial-{count}",
                "Elements that leave a last byte partly empty are all there are; "
                "the bits that none of them owns are 0.",
                name,
                [count],
                [count],
            )


def _rules() -> Iterator[Case]:
    """Broadcasting on f32, a type that every implementation has; each element of an operand is another number."""
    for layout in layouts.RULES:
        yield _ramp(f"rule/{layout.rule}/{layout.name}", layout.says, layout.a, layout.b, layout.rule, layout.axis)
    for number, (a, b, axis, says) in enumerate(layouts.pdpd()):
        yield _ramp(f"rule/pdpd/{number:02}", says, a, b, "pdpd", axis)


def _shapes() -> Iterator[Case]:
    for rule, says in layouts.INTERVAL_RULES.items():
        for a in layouts.INTERVALS:
            for b in layouts.INTERVALS:
                yield Case(
                    f"shape/{rule}/{a}+{b}", says, Shape.parse(a), Shape.parse(b), rule, 0 if rule == "pdpd" else -1
                )
    for rule, a, b, axis, says in layouts.DYNAMIC:
        ending = f"@{axis}" if axis != -1 else ""
        yield Case(f"shape/{rule}/{a}+{b}{ending}", says, Shape.parse(a), Shape.parse(b), rule, axis)


def _refusals() -> Iterator[Case]:
    for layout in layouts.REFUSED:
        yield _ramp(f"error/{layout.name}", layout.says, layout.a, layout.b, layout.rule, layout.axis)
    says = "Both operands have one type; nothing is promoted."
    for left, right in (("f32", "f16"), ("i8", "u8"), ("i32", "i64"), ("f16", "bf16"), ("i32", "f32")):
        yield replace(
            _sum(f"error/types/{left}+{right}", says, left, [2], [2]),
            b_element_type=right,
            b=classes.ordinary(ElementType.parse(right))[:2],
        )
    says = "T is any numeric type: neither boolean nor string is one."
    yield Case(
        "error/type/boolean",
        says,
        Shape(2),
        Shape(2),
        element_type="boolean",
        b_element_type="boolean",
        a=(0, 1),
        b=(1, 1),
    )
    yield Case("error/type/string", says, Shape(0), Shape(0), element_type="string", b_element_type="string")


def _ramp(name: str, says: str, a_shape: Sequence[int], b_shape: Sequence[int], rule: str, axis: int) -> Case:
    """f32 with 0, 1, 2 … in a and 1000, 2000 … in b, so that each sum tells which two elements it is made of."""
    a = tuple(_f32(i) for i in range(math.prod(a_shape)))
    b = tuple(_f32(1000 * (i + 1)) for i in range(math.prod(b_shape)))
    return _sum(name, says, "f32", a_shape, b_shape, rule, axis, a=a, b=b)


def _f32(number: int) -> int:
    """The bits of a whole number of at most 24 bits as f32."""
    if number == 0:
        return 0
    exponent = number.bit_length() - 1
    return exponent + 127 << 23 | (number << 23 - exponent) - (1 << 23)


def _sum(
    name: str,
    says: str,
    element: str,
    a_shape: Sequence[int],
    b_shape: Sequence[int],
    rule: str = "numpy",
    axis: int = -1,
    *,
    a: Sequence[int] | None = None,
    b: Sequence[int] | None = None,
) -> Case:
    codes = classes.ordinary(ElementType.parse(element))
    if a is None:
        a = [codes[i % len(codes)] for i in range(math.prod(a_shape))]
    if b is None:
        b = [codes[(5 * i + 3) % len(codes)] for i in range(math.prod(b_shape))]
    return Case(name, says, Shape(*a_shape), Shape(*b_shape), rule, axis, element, element, tuple(a), tuple(b))
