"""What is being read: a graph, a layer of it, and the bodies of that layer."""

from __future__ import annotations

from collections.abc import Mapping

from addison.ir.metadata import Metadata
from addison.ir.model import Edge, Layer, Note, Port


class Frame:
    """The graph that is being read: the model's own, or a body's."""

    __slots__ = ("edges", "layers", "metadata", "name", "seen")

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.seen: set[str] = set()
        self.layers: list[Layer] = []
        self.edges: list[Edge] = []
        self.metadata = Metadata()


class Draft:
    """The layer that is being read."""

    __slots__ = ("at", "attributes", "data", "data_at", "inner", "inputs", "notes", "outputs", "rt_info")

    def __init__(self, attributes: dict[str, str], at: int) -> None:
        self.attributes = attributes
        self.at = at
        self.data = _NO_DATA
        self.data_at = -1
        self.inputs: list[Port] = []
        self.outputs: list[Port] = []
        self.rt_info: list[Mapping[str, str]] | None = None
        self.notes: list[Note] | None = None
        self.inner: Inner | None = None

    def inside(self) -> Inner:
        """What a layer with bodies has besides, made when the first of it comes."""
        self.inner = self.inner or Inner()
        return self.inner


_NO_DATA: dict[str, str] = {}


class Inner:
    """The bodies of a layer, and how its ports map to theirs."""

    __slots__ = ("back_edges", "bodies", "port_map")

    def __init__(self) -> None:
        self.bodies: list[Frame] = []
        self.back_edges: list[Mapping[str, str]] = []
        self.port_map: dict[str, list[Mapping[str, str]]] = {}
