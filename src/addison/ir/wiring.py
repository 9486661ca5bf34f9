"""What a file says of a graph besides its layers: ids, the edges between them, names that version 10 implies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from addison.clipping import quoted
from addison.errors import InvalidInput
from addison.ir.model import Graph, Layer, Model, Parameter, Producer, Result

Implied = dict[Producer, str]
"""Tensor names by the output that has them besides those that are written there."""


class Wire(NamedTuple):
    """An edge, as ids."""

    from_layer: int
    from_port: int
    to_layer: int
    to_port: int


def numbers(graph: Graph, top: bool) -> Sequence[int]:
    """The id of each layer: its own, unless two are the same, which happens in models that no file was read into.

    The ports of a body are mapped by ids, so there they must be sound.
    """
    own = [layer.id for layer in graph.layers]
    if len(set(own)) == len(own):
        return own
    if not top:
        twice = next(one for one in own if own.count(one) > 1)
        raise InvalidInput(f"two layers of a body have the id {twice}", help="give each its own", id=twice)
    return range(len(own))


def wires(graph: Graph, ids: Sequence[int]) -> list[Wire]:
    """What feeds what, in the order of the graph's edges."""
    found = []
    for index, producers in enumerate(graph.producers):
        layer = graph.layers[index]
        if len(layer.inputs) != len(producers):
            raise InvalidInput(
                f"the layer {quoted(layer.name)} has {len(layer.inputs)} input ports, and {len(producers)} inputs",
                layer=layer.name,
                found=len(producers),
                wanted=len(layer.inputs),
            )
        for port, producer in zip(layer.inputs, producers, strict=True):
            if producer is not None:
                source = graph.layers[producer.layer].outputs[producer.output]
                found.append(Wire(ids[producer.layer], source.id, ids[index], port.id))
    order = {edge[:4]: position for position, edge in enumerate(graph.edges)}
    return sorted(found, key=lambda wire: order.get(wire, len(order)))


def implied_names(model: Model) -> Implied:
    """Version 10: the layers' names of inputs, and of what feeds outputs (with its number, when one of several)."""
    if model.version > 10:
        return {}
    graph = model.graph
    names = {Producer(index, 0): graph.layers[index].name for index in graph.of_kind(Parameter)}
    for index in graph.of_kind(Result):
        for producer in graph.producers[index]:
            if producer is not None:
                names[producer] = _output_name(graph.layers[producer.layer], producer.output)
    return {producer: name for producer, name in names.items() if name}


def _output_name(layer: Layer, output: int) -> str:
    return f"{layer.name}.{output}" if len(layer.outputs) > 1 and layer.name else layer.name
