"""G112: a layer that nothing needs."""

from collections.abc import Iterator

from addison.checker.rule import Finding, rule
from addison.checker.scope import Scope, View
from addison.clipping import quoted
from addison.diagnostics import Severity
from addison.ir.model import Parameter, Result


@rule("G112", "dead-layer", Severity.INFO)
def dead_layer(scope: Scope) -> Iterator[Finding]:
    for view in scope.views:
        if not _has_ends(view) or not _is_whole(view):
            continue
        for index, layer in enumerate(view.graph.layers):
            if index not in view.live and not isinstance(layer.operation, Parameter):
                yield Finding(
                    scope.place(layer.at),
                    f"no output depends on {quoted(layer.type)[1:-1]} {quoted(layer.name)}",
                    help="remove it, or connect it",
                    fields={"layer": layer.name, "type": layer.type},
                )


def _has_ends(view: View) -> bool:
    """A graph without outputs is dead as a whole, and says so by itself."""
    return any(isinstance(layer.operation, Result) or layer.type == "Assign" for layer in view.graph.layers)


def _is_whole(view: View) -> bool:
    """Whether every edge and every input is connected: where one is not, that has been said, and layers are dead for
    that reason alone."""
    inputs = [one for producers in view.graph.producers for one in producers]
    return None not in inputs and len(inputs) == len(view.graph.edges)
