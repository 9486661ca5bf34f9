"""W106: a constant with NaN or infinity that feeds an Add. W109: constants that were not looked through."""

from collections.abc import Iterator

from addison.checker.finite import first_not_finite, has_infinite_codes
from addison.checker.rule import Finding, rule
from addison.checker.scope import AddSite, Scope
from addison.clipping import quoted
from addison.diagnostics import Severity
from addison.ir.model import Constant, Layer
from addison.spec.bits import Special, decode

MOST_BYTES = 64 << 20
"""Bytes of constants that are looked through in one model; W109 says so when there are more."""


@rule("W106", "not-finite", Severity.WARNING)
def not_finite(scope: Scope) -> Iterator[Finding]:
    left = MOST_BYTES
    for add, layer, constant in _operands(scope):
        data = constant.data[: left - left % 8]
        left -= len(data)
        at = first_not_finite(constant.element_type, data)
        if at is not None:
            what = _word(constant, data, at)
            yield Finding(
                scope.place(layer.at),
                f"element {at} of the constant {quoted(layer.name)} is {what}, "
                f"and feeds the Add {quoted(add.layer.name)}",
                help="every sum with it is NaN or infinite: is the .bin the one of this file?",
                fields={"layer": layer.name, "add": add.layer.name, "index": at, "found": what},
            )


@rule("W109", "not-looked-through", Severity.INFO)
def not_looked_through(scope: Scope) -> Iterator[Finding]:
    total = 0
    first: Layer | None = None
    for _, layer, constant in _operands(scope):
        total += constant.nbytes
        if total > MOST_BYTES and first is None:
            first = layer
    if first is not None:
        yield Finding(
            scope.place(first.at),
            f"{total} bytes of constants feed Adds, and the first {MOST_BYTES} are looked through for NaN and infinity",
            label="what lies past them begins in this constant",
            fields={"layer": first.name, "found": total, "limit": MOST_BYTES},
        )


def _operands(scope: Scope) -> Iterator[tuple[AddSite, Layer, Constant]]:
    """Each constant that feeds an Add and may hold NaN or infinity, once, with the first such Add."""
    seen: set[Layer] = set()
    for add in scope.adds():
        for position in (0, 1):
            found = add.constant(position)
            if found is not None and found[0] not in seen and has_infinite_codes(found[1].element_type):
                seen.add(found[0])
                yield add, *found


def _word(constant: Constant, data: memoryview, index: int) -> str:
    width = constant.element_type.bits // 8
    code = int.from_bytes(data[index * width : (index + 1) * width], "little")
    return "NaN" if decode(constant.element_type, code) is Special.NAN else "an infinity"
