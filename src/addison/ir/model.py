"""A model as a frozen value: layers, ports, edges, constants. Every layer of a real file is kept, known or not."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Literal, NamedTuple, cast

from addison.diagnostics import Diagnostic, Source, Span
from addison.errors import InvalidInput
from addison.ir import drawing, places
from addison.ir.silences import Silence
from addison.ir.spelling import port_precision
from addison.ir.weights import Weights
from addison.spec.elements import DYNAMIC, ElementType
from addison.spec.packing import bytes_needed
from addison.spec.shapes import Shape

LONGEST_PATH = 1000
"""Characters of a body's path in which layers are named; below that they are numbered, by their ids."""

_SWAP_NIBBLES = bytes((byte & 0xF) << 4 | byte >> 4 for byte in range(256))


class Port(NamedTuple):
    """One input or output of a layer as the file declares it. ``dims`` has -1 for an unknown size."""

    id: int
    precision: str
    dims: tuple[int, ...]
    names: tuple[str, ...]
    at: int

    @property
    def element_type(self) -> ElementType:
        """The declared type; dynamic when it is missing or unknown."""
        return port_precision(self.precision) or DYNAMIC

    @property
    def shape(self) -> Shape:
        """The declared shape. A port without dims is a scalar or of unknown rank: the file does not say which."""
        return _declared(self.dims)


@lru_cache(maxsize=4096)
def _declared(dims: tuple[int, ...]) -> Shape:
    return Shape(*dims) if dims else Shape.unknown()


class Edge(NamedTuple):
    """From an output port of one layer to an input port of another, all four as ids."""

    from_layer: int
    from_port: int
    to_layer: int
    to_port: int
    at: int


class Producer(NamedTuple):
    """Where an input comes from: the index of a layer in its graph, and which of its outputs."""

    layer: int
    output: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """An input of the graph."""

    element_type: ElementType
    shape: Shape


@dataclass(frozen=True, slots=True)
class Constant:
    """A value out of the weights: ``size`` bytes from ``offset`` on hold the elements, packed."""

    element_type: ElementType
    shape: Shape
    offset: int
    size: int
    weights: Weights | None = field(repr=False)
    swapped: bool = False

    @property
    def nbytes(self) -> int:
        """How many bytes the shape needs; for strings, which say themselves how long they are, all there are."""
        strings = self.element_type.name == "string"
        return self.size if strings else bytes_needed(self.element_type, self.shape.elements)

    @property
    def data(self) -> memoryview:
        """The packed bytes, as many as the shape needs. Not copied, unless nibbles have to be swapped."""
        needed = self.nbytes
        if needed == 0 or self.weights is None:
            return memoryview(b"")
        return self._today(self.weights.view(self.offset, needed))

    def pieces(self, size: int = 1 << 20) -> Iterator[memoryview]:
        """The same bytes, at most ``size`` at a time."""
        if self.weights is not None:
            needed = self.nbytes
            for start in range(0, needed, size):
                yield self._today(self.weights.view(self.offset + start, min(size, needed - start)))

    def _today(self, view: memoryview) -> memoryview:
        return memoryview(view.tobytes().translate(_SWAP_NIBBLES)) if self.swapped else view


@dataclass(frozen=True, slots=True)
class Convert:
    """A change of element type."""

    destination: ElementType


@dataclass(frozen=True, slots=True)
class Add:
    """Add-1."""

    auto_broadcast: str
    axis: int


@dataclass(frozen=True, slots=True)
class Result:
    """An output of the graph."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """An operation that is kept as it stands; its declared ports are all that is known of it."""


class Note(NamedTuple):
    """An element of a layer's rt_info that is no plain attribute of the layer, with the elements inside it.

    ``side`` and ``port``, a position, say which port of the layer it is about; without a side it is about the layer.
    """

    tag: str
    attributes: Mapping[str, str]
    inside: tuple[Note, ...] = ()
    side: Literal["", "input", "output"] = ""
    port: int = 0


# The reader makes tens of thousands of these. A named tuple's own constructor takes three times as long as tuple's.
make_port = cast(Callable[[tuple[int, str, tuple[int, ...], tuple[str, ...], int]], Port], partial(tuple.__new__, Port))
make_edge = cast(Callable[[tuple[int, int, int, int, int]], Edge], partial(tuple.__new__, Edge))
make_producer = cast(Callable[[tuple[int, int]], Producer], partial(tuple.__new__, Producer))

Operation = Parameter | Constant | Convert | Add | Result | Opaque


class Layer(NamedTuple):
    """One layer as it stands in the file. ``at`` is the byte where its tag starts, ``data_at`` that of its <data>.

    A tuple because thousands are made while reading; two layers are equal only when they are the same one.
    """

    id: int
    name: str
    type: str
    version: str
    operation: Operation
    data: Mapping[str, str]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    output_names: tuple[str, ...]
    bodies: tuple[Body, ...]
    rt_info: tuple[Mapping[str, str], ...]
    at: int
    data_at: int
    notes: tuple[Note, ...] = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"Layer({self.id}, {self.name!r}, {self.type})"


make_layer = cast(Callable[[tuple[object, ...]], Layer], partial(tuple.__new__, Layer))


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Layers in file order, and what feeds what. ``producers[i][k]`` feeds input k of layer i (None: nothing does);
    ``order`` lists the indices so that what feeds a layer comes before it."""

    layers: tuple[Layer, ...]
    edges: tuple[Edge, ...]
    producers: tuple[tuple[Producer | None, ...], ...]
    order: tuple[int, ...]

    def of_kind(self, kind: type[Operation]) -> list[int]:
        """The indices of all layers of one operation, in file order."""
        return [i for i, layer in enumerate(self.layers) if isinstance(layer.operation, kind)]


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A sub-graph of a TensorIterator, Loop or If: ``name`` is its element's name. The maps are kept as written."""

    name: str
    graph: Graph
    port_map: tuple[Mapping[str, str], ...]
    back_edges: tuple[Mapping[str, str], ...]
    rt_info: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """An OpenVINO IR file. ``findings`` are those that did not stop the reading: warnings and remarks. The keys of
    ``rt_info`` are paths, ``"conversion_parameters/framework"``; a ``/`` or ``\\`` of a name has a ``\\`` before it."""

    name: str
    version: int
    graph: Graph
    source: Source
    weights: Weights | None
    rt_info: Mapping[str, str]
    findings: tuple[Diagnostic, ...] = ()
    silences: tuple[Silence, ...] = ()

    @property
    def layers(self) -> tuple[Layer, ...]:
        return self.graph.layers

    @property
    def inputs(self) -> tuple[Layer, ...]:
        """The Parameters, in file order, connected or not."""
        return tuple(self.layers[i] for i in self.graph.of_kind(Parameter))

    @property
    def outputs(self) -> tuple[Layer, ...]:
        """The Results, in file order."""
        return tuple(self.layers[i] for i in self.graph.of_kind(Result))

    def graphs(self) -> Iterator[tuple[str, Graph]]:
        """The model's own graph (path ``""``), then every body's (``"If_9/then_body/"``); ids where names are long."""
        pending = deque([("", self.graph)])
        while pending:
            path, graph = pending.popleft()
            yield path, graph
            for layer in graph.layers:
                if layer.bodies:
                    step = layer.name if len(path) + len(layer.name) <= LONGEST_PATH else str(layer.id)
                    pending.extend((f"{path}{step}/{body.name}/", body.graph) for body in layer.bodies)

    def walk(self) -> Iterator[tuple[str, Graph, int]]:
        """Every layer, those in bodies too: its path (``"If_9/then_body/add"``), its graph, its index in it."""
        for path, graph in self.graphs():
            for index, layer in enumerate(graph.layers):
                yield path + layer.name, graph, index

    def find(self, key: str) -> tuple[str, Graph, int]:
        """The one layer with that path, name or id; InvalidInput when there is none, or more than one."""
        found = [hit for hit in self.walk() if hit[0] == key]
        found = found or [hit for hit in self.walk() if hit[1].layers[hit[2]].name == key]
        found = found or [(layer.name, self.graph, i) for i, layer in enumerate(self.layers) if str(layer.id) == key]
        if len(found) == 1:
            return found[0]
        if not found:
            raise InvalidInput(
                f"the model has no layer {key!r}", help="give a name, an id, or a path as in Loop_3/body/add", layer=key
            )
        raise InvalidInput(
            f"{len(found)} layers are called {key!r}",
            help="give its id, or its path: " + ", ".join(path for path, _, _ in found[:5]),
            layer=key,
            found=len(found),
        )

    def place(self, layer: Layer, attribute: str = "") -> Span:
        """Where a layer's tag stands; with ``attribute``, where that attribute of its <data> stands."""
        if attribute and layer.data_at >= 0:
            return places.attribute(self.source, layer.data_at, attribute)
        return places.tag(self.source, layer.at)

    def __repr__(self) -> str:
        return f"Model({self.name!r}, IR v{self.version}, {len(self.layers)} layers)"

    def _repr_html_(self) -> str:
        return drawing.drawn(self)
