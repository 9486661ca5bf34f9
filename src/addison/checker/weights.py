"""The constants of a model in the order they lie in the weights."""

from __future__ import annotations

from addison.checker.scope import Scope
from addison.ir.model import Constant, Layer


def constants(scope: Scope) -> list[tuple[Layer, Constant]]:
    """Every constant that takes bytes, of every graph, by offset."""
    found = [
        (layer, layer.operation)
        for view in scope.views
        for layer in view.graph.layers
        if isinstance(layer.operation, Constant) and layer.operation.size
    ]
    return sorted(found, key=lambda one: (one[1].offset, one[1].size))
