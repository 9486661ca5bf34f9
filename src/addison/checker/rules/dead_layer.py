"""G112: a layer that nothing needs."""

from collections.abc import Iterator

from addison.checker.rule import Finding, rule
from addison.checker.scope import Scope
from addison.diagnostics import Severity
from addison.ir.model import Parameter, Result
from addison.ir.report import clip


@rule("G112", "dead-layer", Severity.INFO)
def dead_layer(scope: Scope) -> Iterator[Finding]:
    for view in scope.views:
        sinks = any(isinstance(layer.operation, Result) or layer.type == "Assign" for layer in view.graph.layers)
        if not sinks:
            continue  # a graph without outputs is dead as a whole, and says so by itself
        for index, layer in enumerate(view.graph.layers):
            if index not in view.live and not isinstance(layer.operation, Parameter):
                yield Finding(
                    scope.place(layer.at),
                    f"no output depends on {clip(layer.type)[1:-1]} {clip(layer.name)}",
                    help="remove it, or connect it",
                    fields={"layer": layer.name, "type": layer.type},
                )
