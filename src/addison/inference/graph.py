"""Facts about every tensor of a graph, in topological order; what the file declares is held against them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from addison.clipping import quoted
from addison.diagnostics import Diagnostic, Span
from addison.inference.operations import RULES, Fact
from addison.ir import codes
from addison.ir.model import Constant, Convert, Graph, Layer, Model, Opaque, Parameter, Port, Producer
from addison.ir.report import Report
from addison.spec.elements import DYNAMIC
from addison.spec.shapes import Shape

UNKNOWN = Fact(DYNAMIC, Shape.unknown())


class Inference:
    """The facts of one graph. ``given`` overrides what a Parameter's layer says, by the layer's index; ``only`` names
    the layers to infer, producers first, when not all are wanted.

    An opaque layer's outputs are what its ports declare; they are looked up only when something asks.
    """

    def __init__(
        self, graph: Graph, report: Report, given: Mapping[int, Fact] | None = None, only: Sequence[int] | None = None
    ) -> None:
        self.graph = graph
        self.report = report
        self._facts: dict[int, Fact] = dict(given or {})
        for index in graph.order if only is None else only:
            layer = graph.layers[index]
            if not isinstance(layer.operation, Opaque) and index not in self._facts:
                self._facts[index] = self._infer(index, layer)

    def _infer(self, index: int, layer: Layer) -> Fact:
        inputs = self.inputs(index)
        rule = RULES[type(layer.operation)]
        if len(inputs) != _INPUTS.get(type(layer.operation), len(inputs)):
            return UNKNOWN  # the reader has said that the ports are wrong
        fact = rule(index, layer, inputs, self)
        if layer.outputs:
            self._hold(layer, layer.outputs[0], fact)
        return fact

    def __contains__(self, index: int) -> bool:
        """Whether a layer was inferred; opaque ones and those in a cycle were not."""
        return index in self._facts

    def output(self, producer: Producer) -> Fact:
        """The fact about one output of a layer."""
        if producer.layer in self._facts:
            return self._facts[producer.layer]
        port = self.graph.layers[producer.layer].outputs[producer.output]
        return Fact(port.element_type, port.shape)

    def of(self, index: int) -> Fact:
        """The fact about a layer's first output, or about what a Result hands out."""
        return self._facts.get(index) or self.output(Producer(index, 0))

    def inputs(self, index: int) -> tuple[Fact, ...]:
        """The facts about a layer's inputs; nothing is known of one that is not connected."""
        return tuple(self.output(one) if one is not None else UNKNOWN for one in self.graph.producers[index])

    def origin(self, index: int, position: int, attribute: str) -> Span | None:
        """Where the shape or type of an input is written: in the <data> or at the port of the layer it comes from."""
        producer = self.graph.producers[index][position]
        if producer is None:
            return self.report.span(self.graph.layers[index].inputs[position].at)
        layer = self.graph.layers[producer.layer]
        if isinstance(layer.operation, Parameter | Constant) and attribute in layer.data:
            return self.report.span(layer.data_at, attribute)
        if isinstance(layer.operation, Convert) and attribute == "element_type":
            return self.report.span(layer.data_at, "destination_type")
        port = layer.outputs[producer.output] if producer.output < len(layer.outputs) else None
        if port is None:
            return self.report.span(layer.at)
        return self.report.span(port.at, "precision" if attribute == "element_type" else "")

    def _hold(self, layer: Layer, port: Port, fact: Fact) -> None:
        """Reports declared dims or a declared precision that cannot be what the inputs give."""
        declared = port.element_type
        if declared is not DYNAMIC and fact.element_type is not DYNAMIC and declared != fact.element_type:
            self.report.add(
                codes.DECLARED_TYPE,
                port.at,
                f"{layer.type} {quoted(layer.name)} declares its output as {declared}, and it is {fact.element_type}",
                attribute="precision",
                layer=layer.name,
                found=declared.name,
                wanted=fact.element_type.name,
            )
        if port.dims and not agree(port.shape, fact.shape):
            self.report.add(
                codes.DECLARED_SHAPE,
                port.at,
                f"{layer.type} {quoted(layer.name)} declares its output as {port.shape}, and it is {fact.shape}",
                help="OpenVINO infers the shape and ignores the declared one; other tools show it",
                layer=layer.name,
                found=str(port.shape),
                wanted=str(fact.shape),
            )


_INPUTS = dict(zip(RULES, (0, 0, 1, 2, 1), strict=True))


def agree(a: Shape, b: Shape) -> bool:
    """Whether some static shape is both an ``a`` and a ``b``."""
    if a.dims is None or b.dims is None:
        return True
    return len(a.dims) == len(b.dims) and all(x.meet(y) is not None for x, y in zip(a.dims, b.dims, strict=True))


def infer_graphs(model: Model) -> tuple[list[tuple[str, Inference]], tuple[Diagnostic, ...]]:
    """Facts of the model's graph and of every body, each with its path, and what inference found."""
    report = Report(model.source)
    return [(path, Inference(graph, report)) for path, graph in model.graphs()], report.sorted()
