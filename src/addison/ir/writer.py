"""A Model to an IR file, version 11: layers, ports and edges in the order that the model has them, and a .bin."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from addison.clipping import quoted
from addison.errors import InvalidInput, Unsupported
from addison.ir import attributes, spelling
from addison.ir.aside import aside
from addison.ir.blobs import Blobs, Extent, length
from addison.ir.markup import Markup, Unsayable
from addison.ir.metadata import branches
from addison.ir.model import Body, Constant, Graph, Layer, Model, Note, Port, Producer
from addison.ir.wiring import Implied, implied_names, numbers, wires

PathLike = str | os.PathLike[str]
VERSION = 11


def save_model(model: Model, xml: PathLike, weights: PathLike | None = None) -> None:
    """Writes a model as OpenVINO IR, version 11: ``xml``, and a ``.bin`` with the bytes of its constants.

    ``weights`` is the ``.bin``; left out, it is the file of the same stem beside the XML. Both are written aside and
    then renamed, so they may be the files that the model was read from, and nothing is left of a save that fails. One
    model gives the same bytes every time. A model of version 10 keeps its meaning: layers' names become tensor names of
    inputs and outputs, as OpenVINO has it, and rt_info of layers, which it does not read there, is left out.
    Raises InvalidInput for what a file cannot hold, and where it cannot be written.

    >>> import addison, pathlib, tempfile
    >>> model = addison.read_model("examples/broadcast.xml")
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "same.xml"
    >>> addison.save_model(model, path)
    >>> [layer.name for layer in addison.read_model(path).layers] == [layer.name for layer in model.layers]
    True
    """
    if not isinstance(model, Model):
        kind = type(model).__name__
        raise Unsupported(f"the model is given as {kind}", help="read it with addison.read_model", found=kind)
    path = _path(xml, "the XML")
    beside = os.fspath(Path(path).with_suffix(".bin")) if weights is None else _path(weights, "the .bin")
    operations = [layer.operation for _, graph in model.graphs() for layer in graph.layers]
    lengths = [length(one) for one in operations if isinstance(one, Constant)]
    with aside(beside, path) as (bin_file, xml_file):
        _Writer(model, xml_file, Blobs(bin_file, lengths)).write()


def _path(given: object, what: str) -> str:
    path = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(path, str):
        kind = type(given).__name__
        raise Unsupported(f"where to write {what} is given as {kind}", help="give a path", found=kind)
    if not Path(path).name:
        raise InvalidInput(f"{path!r} is no file's name", path=path)
    return path


class _Element(Protocol):
    """What rt_info consists of."""

    @property
    def tag(self) -> str: ...
    @property
    def attributes(self) -> Mapping[str, str]: ...
    @property
    def inside(self) -> Sequence[_Element]: ...


class _Writer:
    """Writes the XML, and the bytes of each constant when its layer comes."""

    def __init__(self, model: Model, file: BinaryIO, blobs: Blobs) -> None:
        self.model = model
        self.old = model.version < VERSION
        self.xml = Markup(file)
        self.blobs = blobs

    def write(self) -> None:
        model = self.model
        try:
            self.xml.open("net", {**({"name": model.name} if model.name else {}), "version": VERSION})
            pending = [self._graph(model.graph, implied_names(model), model.rt_info)]
            while pending:  # a graph that comes upon a body waits until the body is written
                body = next(pending[-1], None)
                if body is None:
                    pending.pop()
                else:
                    pending.append(self._graph(body.graph, {}, body.rt_info))
            self.xml.close()
        except Unsayable as fault:
            raise _unsayable(fault, f"the model {quoted(model.name)}") from None

    def _graph(self, graph: Graph, implied: Implied, rt_info: Mapping[str, str]) -> Iterator[Body]:
        ids = numbers(graph, top=graph is self.model.graph)
        self.xml.open("layers")
        for index, layer in enumerate(graph.layers):
            names = [implied.get(Producer(index, output), "") for output in range(len(layer.outputs))]
            try:
                yield from self._layer(layer, ids[index], names)
            except Unsayable as fault:
                raise _unsayable(fault, f"the layer {quoted(layer.name)}", layer=layer.name) from None
        self.xml.close()
        self.xml.open("edges")
        for a, output, b, position in wires(graph, ids):
            self.xml.empty("edge", {"from-layer": a, "from-port": output, "to-layer": b, "to-port": position})
        self.xml.close()
        if rt_info:
            self._elements("rt_info", branches(rt_info))
        else:  # without one OpenVINO looks for what old versions had in its place, and finds an empty "optimization"
            self.xml.empty("rt_info", {})

    def _layer(self, layer: Layer, number: int, implied: list[str]) -> Iterator[Body]:
        own = spelling.write_names(layer.output_names) if not self.old else ""
        said = {"id": number, "name": layer.name, "type": layer.type, "version": layer.version}
        self.xml.open("layer", {**said, **({"output_names": own} if own else {})})
        data = attributes.data(layer, self._extent(layer))
        if data:
            self.xml.empty("data", data)
        plain = [Note("attribute", written) for written in layer.rt_info]
        self._rt_info([*plain, *(note for note in layer.notes if not note.side)])
        self._ports(layer, "input", layer.inputs, [""] * len(layer.inputs))
        self._ports(layer, "output", layer.outputs, implied)
        yield from self._bodies(layer)
        self.xml.close()

    def _extent(self, layer: Layer) -> Extent:
        """Writes the bytes, if the layer is a constant."""
        constant = layer.operation
        if not isinstance(constant, Constant):
            if layer.type.lower() == "const":
                raise InvalidInput(f"the value of the constant {quoted(layer.name)} was not read", layer=layer.name)
            return Extent(0, 0)
        if constant.weights is None and constant.shape.elements:
            raise InvalidInput(
                f"the bytes of the constant {quoted(layer.name)} are not there",
                help="read the model together with its .bin",
                layer=layer.name,
            )
        try:
            return self.blobs.put(constant)
        except InvalidInput as fault:
            says = f"the constant {quoted(layer.name)}: {fault.says}"
            raise InvalidInput(says, help=fault.help, **{**fault.fields, "layer": layer.name}) from None

    def _ports(self, layer: Layer, side: str, ports: tuple[Port, ...], implied: list[str]) -> None:
        if not ports:
            return
        ids = [port.id for port in ports]
        if len(set(ids)) < len(ids):
            twice = next(one for one in ids if ids.count(one) > 1)
            says = f"two {side} ports of {quoted(layer.name)} have the id {twice}"
            raise InvalidInput(says, help="give each its own", layer=layer.name, id=twice)
        notes: dict[int, list[Note]] = {}
        for note in layer.notes:
            if note.side == side:
                notes.setdefault(note.port, []).append(note)
        self.xml.open(side)
        for position, port in enumerate(ports):
            names = (*port.names, implied[position])
            said, dims = attributes.port(layer, port, side == "output", names)
            self._port(said, dims, notes.get(position, []))
        self.xml.close()

    def _port(self, said: Mapping[str, object], dims: tuple[int, ...], notes: list[Note]) -> None:
        if not dims and not notes:
            self.xml.empty("port", said)
            return
        self.xml.open("port", said)
        for dim in dims:
            self.xml.text("dim", dim)
        self._rt_info(notes)
        self.xml.close()

    def _bodies(self, layer: Layer) -> Iterator[Body]:
        for body in layer.bodies:
            maps = [Note(entry["kind"], {key: entry[key] for key in entry if key != "kind"}) for entry in body.port_map]
            self._elements(f"{body.name.removesuffix('body')}port_map", maps)
        if layer.bodies:
            self._elements("back_edges", [Note("edge", entry) for entry in layer.bodies[0].back_edges])
        for body in layer.bodies:
            self.xml.open(body.name)
            yield body
            self.xml.close()

    def _rt_info(self, notes: list[Note]) -> None:
        if not self.old:
            self._elements("rt_info", notes)

    def _elements(self, tag: str, inside: Sequence[_Element]) -> None:
        """An element with others in it, and what is in those; nothing when there are none."""
        if not inside:
            return
        self.xml.open(tag)
        pending = [iter(inside)]
        while pending:
            one = next(pending[-1], None)
            if one is None:
                pending.pop()
                self.xml.close()
            elif one.inside:
                self.xml.open(one.tag, one.attributes)
                pending.append(iter(one.inside))
            else:
                self.xml.empty(one.tag, one.attributes)


def _unsayable(fault: Unsayable, where: str, **fields: str) -> InvalidInput:
    return InvalidInput(
        f"{where} says {quoted(fault.text)}, and no IR file can hold {fault.found}",
        help="rename it",
        **fields,
        text=fault.text,
        found=fault.found,
    )
