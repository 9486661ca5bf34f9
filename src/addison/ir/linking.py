"""Layers and edges to a graph: ids resolved, an order found, every fault of the wiring reported. No recursion."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from addison.clipping import quoted
from addison.diagnostics import Related
from addison.ir import codes
from addison.ir.model import (
    Add,
    Constant,
    Convert,
    Edge,
    Graph,
    Layer,
    Operation,
    Parameter,
    Port,
    Producer,
    Result,
    make_producer,
)
from addison.ir.report import Report

_PORTS: dict[type[Operation], tuple[int, int]] = {
    Parameter: (0, 1),
    Constant: (0, 1),
    Convert: (1, 1),
    Add: (2, 1),
    Result: (1, 0),
}
"""How many inputs and outputs the known operations have."""

_NOTHING: dict[int, int] = {}
_FIRST = {i: {i: 0} for i in range(16)}  # most layers have one output, and its port has a small number

Wiring = list[list[Producer | None]]


def link(layers: Sequence[Layer], edges: Sequence[Edge], report: Report) -> Graph:
    """The graph of these layers; faults are reported, and what they concern is left unconnected."""
    index = _by_id(layers, report)
    ins = [_positions(layer, layer.inputs, "input", report) if layer.inputs else _NOTHING for layer in layers]
    outs = [_positions(layer, layer.outputs, "output", report) if layer.outputs else _NOTHING for layer in layers]
    wiring: Wiring = [[None] * len(layer.inputs) for layer in layers]
    used: dict[tuple[int, int], Edge] = {}
    for edge in edges:
        _connect(edge, layers, index, ins, outs, wiring, used, report)
    for layer in layers:
        counts = _PORTS.get(type(layer.operation))
        if counts is not None and counts != (len(layer.inputs), len(layer.outputs)):
            _report_ports(layer, counts, report)
    order = _order(layers, wiring, report)
    _unconnected(layers, wiring, edges, report)
    return Graph(tuple(layers), tuple(edges), tuple(map(tuple, wiring)), order)


def _by_id(layers: Sequence[Layer], report: Report) -> dict[int, int]:
    index: dict[int, int] = {}
    for i, layer in enumerate(layers):
        first = index.setdefault(layer.id, i)
        if first != i:
            at = report.span(layers[first].at, "id")
            report.add(
                codes.DUPLICATE_ID,
                layer.at,
                f"the id {layer.id} is taken by the layer {quoted(layers[first].name)}",
                attribute="id",
                help="OpenVINO would drop the earlier layer; give each its own id",
                related=(Related(at, "the first layer with this id"),) if at else (),
                id=layer.id,
                layer=layer.name,
            )
    return index


def _positions(layer: Layer, ports: tuple[Port, ...], kind: str, report: Report) -> dict[int, int]:
    if len(ports) == 1:
        return _FIRST.get(ports[0].id) or {ports[0].id: 0}
    if not ports:
        return _NOTHING
    positions = {port.id: position for position, port in enumerate(ports)}
    if len(positions) < len(ports):
        seen: set[int] = set()
        for port in ports:
            if port.id in seen:
                report.add(
                    codes.DUPLICATE_PORT,
                    port.at,
                    f"two {kind} ports of {quoted(layer.name)} have the id {port.id}",
                    attribute="id",
                    layer=layer.name,
                    id=port.id,
                )
            seen.add(port.id)
    return positions


def _connect(
    edge: Edge,
    layers: Sequence[Layer],
    index: dict[int, int],
    ins: list[dict[int, int]],
    outs: list[dict[int, int]],
    wiring: Wiring,
    used: dict[tuple[int, int], Edge],
    report: Report,
) -> None:
    source, target = index.get(edge.from_layer), index.get(edge.to_layer)
    if source is None or target is None:
        for number, found, attribute in ((edge.from_layer, source, "from-layer"), (edge.to_layer, target, "to-layer")):
            if found is None:
                report.add(
                    codes.DANGLING_EDGE,
                    edge.at,
                    f"there is no layer with the id {number}",
                    attribute=attribute,
                    help="remove the edge, or correct the id",
                    id=number,
                )
        return
    output, position = outs[source].get(edge.from_port), ins[target].get(edge.to_port)
    if output is None:
        _no_port(edge, layers[source], edge.from_port, "from-port", "output", layers[source].outputs, report)
    if position is None:
        _no_port(edge, layers[target], edge.to_port, "to-port", "input", layers[target].inputs, report)
    if output is None or position is None:
        return
    first = used.setdefault((target, position), edge)
    if first is not edge:
        at = report.span(first.at)
        report.add(
            codes.DUPLICATE_EDGE,
            edge.at,
            f"input port {edge.to_port} of {quoted(layers[target].name)} already "
            f"has an edge, from layer {first.from_layer}",
            attribute="to-port",
            related=(Related(at, "the first edge into this port"),) if at else (),
            layer=layers[target].name,
            port=edge.to_port,
        )
        return
    wiring[target][position] = make_producer((source, output))


def _no_port(
    edge: Edge, layer: Layer, port: int, attribute: str, kind: str, ports: tuple[Port, ...], report: Report
) -> None:
    known = tuple(one.id for one in ports[:20])
    report.add(
        codes.UNKNOWN_PORT,
        edge.at,
        f"{quoted(layer.name)} has no {kind} port {port}",
        attribute=attribute,
        help=f"its {kind} ports: {', '.join(map(str, known)) or 'none'}",
        layer=layer.name,
        found=port,
        wanted=known,
    )


def _report_ports(layer: Layer, counts: tuple[int, int], report: Report) -> None:
    for ports, wanted, kind in ((layer.inputs, counts[0], "input"), (layer.outputs, counts[1], "output")):
        if len(ports) == wanted:
            continue
        code = codes.INPUT_COUNT if isinstance(layer.operation, Add) and kind == "input" else codes.PORT_COUNT
        plural = "" if len(ports) == 1 else "s"
        report.add(
            code,
            layer.at,
            f"{_called(layer)} has {len(ports)} {kind} port{plural}, and takes {wanted}",
            help=f"a layer of this type has {counts[0]} in its <input> and {counts[1]} in its <output>",
            layer=layer.name,
            found=len(ports),
            wanted=wanted,
        )


def _called(layer: Layer) -> str:
    return f"{quoted(layer.type)[1:-1]} {quoted(layer.name)}"


def _order(layers: Sequence[Layer], wiring: Wiring, report: Report) -> tuple[int, ...]:
    """Producers before consumers, otherwise in file order as far as that goes."""
    consumers: list[list[int]] = [[] for _ in layers]
    waiting = [0] * len(layers)
    for i, inputs in enumerate(wiring):
        for producer in inputs:
            if producer is not None:
                consumers[producer.layer].append(i)
                waiting[i] += 1
    ready = deque(i for i, count in enumerate(waiting) if count == 0)
    order = []
    while ready:
        i = ready.popleft()
        order.append(i)
        for consumer in consumers[i]:
            waiting[consumer] -= 1
            if waiting[consumer] == 0:
                ready.append(consumer)
    if len(order) < len(layers):
        _report_cycle(layers, wiring, waiting, report)
    return tuple(order)


def _report_cycle(layers: Sequence[Layer], wiring: Wiring, waiting: list[int], report: Report) -> None:
    """One cycle, found by walking back from a layer that still waits until a layer comes again."""
    at = next(i for i, count in enumerate(waiting) if count)
    trail: dict[int, int] = {}
    while at not in trail:
        trail[at] = len(trail)
        at = next(producer.layer for producer in wiring[at] if producer is not None and waiting[producer.layer])
    ring = list(trail)[trail[at] :][::-1]
    start = ring.index(min(ring))
    ring = ring[start:] + ring[:start]
    named = [quoted(layers[i].name) for i in ring]
    shown = named if len(named) <= 8 else [*named[:6], "...", named[-1]]
    report.add(
        codes.CYCLE,
        layers[ring[0]].at,
        f"a cycle of {len(ring)} layers: {' -> '.join([*shown, named[0]])}",
        help="a graph runs from Parameters to Results and never back",
        layers=tuple(layers[i].id for i in ring),
    )


def _unconnected(layers: Sequence[Layer], wiring: Wiring, edges: Sequence[Edge], report: Report) -> None:
    """Reports inputs that no edge leads to; of an edge that leads nowhere else it has been said already."""
    missing = [(i, position) for i, inputs in enumerate(wiring) for position, one in enumerate(inputs) if one is None]
    if not missing:
        return
    live = live_layers(layers, wiring)
    reached = {(edge.to_layer, edge.to_port) for edge in edges}
    for i, position in missing:
        layer = layers[i]
        if (layer.id, layer.inputs[position].id) in reached:
            continue
        code = codes.UNCONNECTED if i in live else codes.UNCONNECTED_DEAD
        report.add(
            code,
            layer.inputs[position].at,
            f"input {position} of {_called(layer)} is not connected",
            help=f'add an <edge to-layer="{layer.id}" to-port="{layer.inputs[position].id}" ...>',
            layer=layer.name,
            input=position,
        )


def live_layers(layers: Sequence[Layer], wiring: Sequence[Sequence[Producer | None]]) -> set[int]:
    """The layers that a Result, or an Assign (a sink without consumers), depends on."""
    pending = [i for i, layer in enumerate(layers) if isinstance(layer.operation, Result) or layer.type == "Assign"]
    live = set(pending)
    while pending:
        for producer in wiring[pending.pop()]:
            if producer is not None and producer.layer not in live:
                live.add(producer.layer)
                pending.append(producer.layer)
    return live
