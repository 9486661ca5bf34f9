"""W107: bytes that constants of different types share."""

from collections.abc import Iterator

from addison.checker.rule import Finding, rule
from addison.checker.scope import Scope
from addison.checker.weights import constants
from addison.diagnostics import Related, Severity


@rule("W107", "overlapping-constants", Severity.INFO)
def overlapping_constants(scope: Scope) -> Iterator[Finding]:
    last = None
    for layer, constant in constants(scope):
        if last is not None:
            before, other = last
            shared = min(other.offset + other.size, constant.offset + constant.size) - constant.offset
            if shared > 0 and other.element_type != constant.element_type:
                yield Finding(
                    scope.model.place(layer, "offset"),
                    f"{layer.name!r} ({constant.element_type}) and {before.name!r} ({other.element_type}) share "
                    f"{shared} bytes from {constant.offset} on",
                    help="equal bytes are often stored once; is it meant here?",
                    related=(Related(scope.model.place(before, "offset"), "the other constant"),),
                    fields={"layer": layer.name, "other": before.name, "offset": constant.offset, "bytes": shared},
                )
        if last is None or constant.offset + constant.size > last[1].offset + last[1].size:
            last = layer, constant
