"""A304: none on shapes that are not known."""

from collections.abc import Iterator

from addison.checker.rule import Finding, rule
from addison.checker.scope import Scope
from addison.clipping import quoted
from addison.diagnostics import Severity


@rule("A304", "none-on-dynamic-shapes", Severity.INFO)
def none_dynamic(scope: Scope) -> Iterator[Finding]:
    for add in scope.adds():
        known = add.doubles or (add.a.shape.static and add.b.shape.static)
        if add.operation.auto_broadcast == "none" and not known:
            yield Finding(
                scope.model.place(add.layer, "auto_broadcast"),
                f"the Add {quoted(add.layer.name)} wants equal shapes, and whether {add.a.shape} and {add.b.shape} are "
                "equal is only known when it runs",
                help="write numpy if one of them may be stretched",
                fields={"layer": add.layer.name, "a": str(add.a.shape), "b": str(add.b.shape)},
            )
