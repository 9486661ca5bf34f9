"""One Add of a model as a model of its own, whatever surrounds it: constants stay, everything else becomes an input."""

from __future__ import annotations

from addison.errors import InvalidInput
from addison.inference.graph import Inference
from addison.inference.operations import Fact
from addison.ir.model import Add, Constant, Convert, Graph, Layer, Model, Parameter, Port, Producer, Result
from addison.ir.report import Report
from addison.ir.spelling import write_precision


def extract_add(model: Model, key: str) -> Model:
    """The model whose only output is the Add with that path, name or id.

    An input that is a constant, or a constant through Converts, comes along with its bytes. Any other becomes a
    Parameter with the shape and type that are inferred for it, named as the tensor it was.
    """
    path, graph, index = model.find(key)
    layer = graph.layers[index]
    if not isinstance(layer.operation, Add):
        raise InvalidInput(
            f"the layer {path!r} is a {layer.type}, not an Add", layer=path, found=layer.type, help=_adds(model)
        )
    facts = Inference(graph, Report(model.source))
    return _Extraction(model, graph, facts).build(index)


def _adds(model: Model) -> str:
    adds = [path for path, graph, i in model.walk() if isinstance(graph.layers[i].operation, Add)]
    return (
        "its Adds: " + ", ".join(repr(path) for path in adds[:10]) + (", ..." if len(adds) > 10 else "")
        if adds
        else "the model has no Add"
    )


class _Extraction:
    """Builds the small graph: layers in the order they are needed, each old layer at most once."""

    def __init__(self, model: Model, graph: Graph, facts: Inference) -> None:
        self.model = model
        self.graph = graph
        self.facts = facts
        self.layers: list[Layer] = []
        self.producers: list[tuple[Producer | None, ...]] = []
        self.made: dict[Producer, Producer] = {}

    def build(self, index: int) -> Model:
        add = self.graph.layers[index]
        operands = tuple(
            self._operand(one, add.inputs[position]) for position, one in enumerate(self.graph.producers[index])
        )
        total = self._append(add, operands)
        ports = (Port(0, "", (), (), add.at),)
        self._append(_layer(f"{add.name}/result", "Result", Result(), ports, (), add.at), (total,))
        graph = Graph(tuple(self.layers), (), tuple(self.producers), tuple(range(len(self.layers))))
        return Model(add.name, 11, graph, self.model.source, self.model.weights, {})

    def _append(self, layer: Layer, producers: tuple[Producer | None, ...]) -> Producer:
        self.layers.append(layer)
        self.producers.append(producers)
        return Producer(len(self.layers) - 1, 0)

    def _operand(self, producer: Producer | None, port: Port) -> Producer:
        if producer is None:
            return self._parameter(Fact(port.element_type, port.shape), (), f"input {port.id}", port.at)
        if producer not in self.made:
            self.made[producer] = self._constant(producer) or self._parameter(
                self.facts.output(producer), *self._names(producer)
            )
        return self.made[producer]

    def _constant(self, producer: Producer) -> Producer | None:
        """A constant, with the Converts between it and the Add; None when it is not one."""
        chain = [producer.layer]
        while isinstance(self.graph.layers[chain[-1]].operation, Convert):
            before = self.graph.producers[chain[-1]][0]
            if before is None:
                return None
            chain.append(before.layer)
        if not isinstance(self.graph.layers[chain[-1]].operation, Constant):
            return None
        made: Producer | None = None
        for old in reversed(chain):
            made = self._append(self.graph.layers[old], () if made is None else (made,))
        return made

    def _names(self, producer: Producer) -> tuple[tuple[str, ...], str, int]:
        layer = self.graph.layers[producer.layer]
        port = layer.outputs[producer.output]
        name = layer.name if len(layer.outputs) == 1 else f"{layer.name}:{producer.output}"
        return port.names, name, port.at

    def _parameter(self, fact: Fact, names: tuple[str, ...], name: str, at: int) -> Producer:
        port = Port(0, write_precision(fact.element_type), (), names, at)
        return self._append(_layer(name, "Parameter", Parameter(fact.element_type, fact.shape), (), (port,), at), ())


def _layer(
    name: str, kind: str, operation: Parameter | Result, inputs: tuple[Port, ...], outputs: tuple[Port, ...], at: int
) -> Layer:
    return Layer(0, name, kind, "opset1", operation, {}, inputs, outputs, (), (), (), at, -1)
