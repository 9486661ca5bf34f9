"""W106: a constant with NaN or infinity that feeds an Add."""

import re
from collections.abc import Iterator

from addison.checker.rule import Finding, rule
from addison.checker.scope import AddSite, Scope
from addison.diagnostics import Severity
from addison.ir.model import Constant, Layer
from addison.spec.elements import ElementType, Float, Overflow

MOST_BYTES = 64 << 20
"""Bytes of constants that are looked through in one model; the finding says so when there were more."""

_SLICE = 1 << 20


@rule("W106", "not-finite", Severity.WARNING)
def not_finite(scope: Scope) -> Iterator[Finding]:
    left = MOST_BYTES
    seen: set[int] = set()
    for add in scope.adds():
        for layer, constant in _constants(add, seen):
            size = len(constant.data)
            if size > left:
                yield Finding(
                    scope.place(layer.at),
                    f"constants past the first {MOST_BYTES} bytes are not looked "
                    f"through for NaN and infinity; {layer.name!r} is the first of them",
                    fields={"layer": layer.name, "limit": MOST_BYTES, "found": None},
                )
                return
            left -= size
            found = first_not_finite(constant)
            if found is not None:
                what = "NaN" if found[1] else "an infinity"
                yield Finding(
                    scope.place(layer.at),
                    f"the constant {layer.name!r} has {what} at element {found[0]}, and "
                    f"feeds the Add {add.layer.name!r}",
                    help="every sum with it is NaN or infinite",
                    fields={"layer": layer.name, "add": add.layer.name, "index": found[0], "found": what},
                )


def _constants(add: AddSite, seen: set[int]) -> Iterator[tuple[Layer, Constant]]:
    for position in (0, 1):
        found = add.constant(position)
        if found is not None and id(found[0]) not in seen and _top_byte(found[1].element_type) is not None:
            seen.add(id(found[0]))
            yield found


def first_not_finite(constant: Constant) -> tuple[int, bool] | None:
    """The index of the first NaN or infinity, and whether it is a NaN.

    In most types an exponent of all ones shows in the top byte, so the top bytes of each slice are searched first, and
    only those that could be are looked at whole: plain Python over every element takes thirty times as long.
    """
    element = constant.element_type
    pattern = _top_byte(element)
    assert pattern is not None
    width = element.bits // 8
    data = constant.data
    for start in range(0, len(data), _SLICE * width):
        tops = bytes(data[start + width - 1 : start + _SLICE * width : width])
        for hit in pattern.finditer(tops):
            at = start + hit.start() * width
            code = int.from_bytes(data[at : at + width], "little")
            kind = _kind(element, code)
            if kind is not None:
                return at // width, kind
    return None


def _top_byte(element: ElementType) -> re.Pattern[bytes] | None:
    """The top bytes that a code which is not finite can have; None for types in which every code is finite."""
    form = element.format
    if element.name in ("f8e8m0", "f8e4m3"):
        return re.compile(b"\xff" if element.name == "f8e8m0" else b"[\x7f\xff]")
    if not isinstance(form, Float) or form.overflow is Overflow.SATURATE:
        return None
    ones = (1 << form.exponent) - 1  # of which the top byte holds seven at most
    low = ones << 7 - form.exponent if form.exponent < 7 else 0x7F
    return re.compile(f"[\\x{low:02x}-\\x7f\\x{low | 0x80:02x}-\\xff]".encode())


def _kind(element: ElementType, code: int) -> bool | None:
    """True for a NaN, False for an infinity, None for a finite number."""
    from addison.spec.bits import Special, decode

    value = decode(element, code)
    if value is Special.NAN:
        return True
    return False if value in (Special.PLUS_INFINITY, Special.MINUS_INFINITY) else None
