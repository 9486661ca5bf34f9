"""W107: bytes that constants of different types share in part."""

from collections.abc import Iterator

from addison.checker.rule import Finding, rule
from addison.checker.scope import Scope
from addison.checker.weights import constants
from addison.clipping import quoted
from addison.diagnostics import Related, Severity


@rule("W107", "overlapping-constants", Severity.INFO)
def overlapping_constants(scope: Scope) -> Iterator[Finding]:
    last = None
    for layer, constant in constants(scope):
        if not constant.shape.elements:
            continue  # its one byte is written for it, and never read
        stop = constant.offset + constant.size
        if last is not None:
            before, other = last
            shared = min(other.offset + other.size, stop) - constant.offset
            same = (other.offset, other.size) == (constant.offset, constant.size)  # equal bytes are stored once
            if shared > 0 and not same and other.element_type != constant.element_type:
                yield Finding(
                    scope.model.place(layer, "offset"),
                    f"{shared} bytes belong to both {quoted(layer.name)} ({constant.element_type}, bytes "
                    f"{constant.offset} to {stop}) and {quoted(before.name)} ({other.element_type}, bytes "
                    f"{other.offset} to {other.offset + other.size})",
                    help="constants share bytes when all of them are equal, or not at all: are both offsets right?",
                    related=(Related(scope.model.place(before, "offset"), "the other constant"),),
                    fields={"layer": layer.name, "other": before.name, "offset": constant.offset, "bytes": shared},
                )
        if last is None or stop > last[1].offset + last[1].size:
            last = layer, constant
