"""One file read by this package as OpenVINO reads it, shapes and types inferred: plain facts to lay side by side."""

import re
from typing import NamedTuple

from addison.diagnostics import Diagnostic, Severity
from addison.inference.graph import Inference, infer_graphs
from addison.ir.linking import live_layers
from addison.ir.model import Add, Constant, Graph, Layer, Model, Parameter, Result
from addison.ir.reader import examine
from tests.ir.oddities import Case


class Reading(NamedTuple):
    """``facts`` is None when the file is refused."""

    facts: dict[str, object] | None
    findings: tuple[Diagnostic, ...]

    @property
    def verdict(self) -> str:
        return "refuses" if self.facts is None else "reads"

    @property
    def codes(self) -> set[str]:
        return {finding.code for finding in self.findings}

    @property
    def errors(self) -> set[str]:
        return {finding.code for finding in self.findings if finding.severity is Severity.ERROR}


def read_here(case: Case) -> Reading:
    """This package's reading; a file without weights is read as one whose .bin is not there."""
    model, findings = examine(case.xml, case.weights or None)
    if model is None:
        return Reading(None, findings)
    inferred, more = infer_graphs(model)
    reading = Reading(None, findings + more)
    return reading if reading.errors else Reading(_facts(model, inferred[0][1]), findings + more)


def _facts(model: Model, inferred: Inference) -> dict[str, object]:
    graph = model.graph
    live = [graph.layers[i] for i in sorted(live_layers(graph.layers, graph.producers))]
    return {
        "inputs": [
            [graph.layers[i].name, sorted(set(graph.layers[i].outputs[0].names)), *_tensor(inferred, i)]
            for i in graph.of_kind(Parameter)
        ],
        "outputs": [
            [graph.layers[i].name, _source(graph, i).name, sorted(set(_output_names(graph, i))), *_tensor(inferred, i)]
            for i in graph.of_kind(Result)
        ],
        "adds": sorted(
            [
                layer.name,
                layer.operation.auto_broadcast,
                layer.operation.axis if layer.operation.auto_broadcast == "pdpd" else None,
            ]
            for layer in live
            if isinstance(layer.operation, Add)
        ),
        "constants": sorted(
            [layer.name, str(layer.operation.shape), layer.operation.element_type.name, _bytes(layer.operation)]
            for layer in live
            if isinstance(layer.operation, Constant)
        ),
    }


def _tensor(inferred: Inference, index: int) -> tuple[str, str]:
    """Shape and type; OpenVINO prints 0..8 as ..8."""
    fact = inferred.of(index)
    return re.sub(r"(?<![\d.])0(?=\.\.\d)", "", str(fact.shape)), fact.element_type.name


def _bytes(constant: Constant) -> str:
    return "" if constant.element_type.name == "string" or len(constant.shape) > 64 else constant.data.hex()


def _source(graph: Graph, index: int) -> Layer:
    return graph.layers[graph.producers[index][0].layer]


def _output_names(graph: Graph, index: int) -> tuple[str, ...]:
    """The Result's own names, or those of the port that feeds it."""
    own = graph.layers[index].output_names
    return own or _source(graph, index).outputs[graph.producers[index][0].output].names


def differing(here: dict[str, object], there: dict[str, object]) -> list[str]:
    """Which facts two readings of one file do not share."""
    return [name for name in here if not _alike(name, here[name], there[name])]


def _alike(name: str, here: object, there: object) -> bool:
    if name != "constants" or len(here) != len(there):
        return here == there
    return all(
        mine[:3] == its[:3] and its[3].startswith(mine[3])  # of small types OpenVINO keeps the surplus bytes
        for mine, its in zip(here, there, strict=True)
    )
