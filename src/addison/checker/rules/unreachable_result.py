"""G113: an output that nothing flows into."""

from collections.abc import Iterator

from addison.checker.rule import Finding, rule
from addison.checker.scope import Scope, View
from addison.clipping import quoted
from addison.diagnostics import Severity
from addison.ir.model import Constant, Parameter, Result


@rule("G113", "unreachable-result", Severity.WARNING)
def unreachable_result(scope: Scope) -> Iterator[Finding]:
    for view in scope.views:
        fed = _fed(view)
        for index in view.graph.of_kind(Result):
            layer = view.graph.layers[index]
            connected = any(view.graph.producers[index])  # of one that is not, it has been said
            if connected and index not in fed:
                yield Finding(
                    scope.place(layer.at),
                    f"no Parameter, constant or variable reaches the Result {quoted(layer.name)}",
                    help="connect what should flow into it",
                    fields={"layer": layer.name},
                )


def _fed(view: View) -> set[int]:
    """The layers that values flow into: sources, and whatever takes an input from one of those."""
    fed: set[int] = set()
    for index in view.graph.order:
        layer = view.graph.layers[index]
        source = isinstance(layer.operation, Parameter | Constant) or not layer.inputs
        if source or any(one is not None and one.layer in fed for one in view.graph.producers[index]):
            fed.add(index)
    return fed
