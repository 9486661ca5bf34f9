"""An IR file to a Model: layers are made straight from the parser's events, and faults are collected, not raised.

``examine`` gives whatever could be made of a file and everything found in it; ``read_model`` raises when any of that
is an error.
"""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from addison.diagnostics import Diagnostic, Severity
from addison.errors import InvalidInput, InvalidModel, Unsupported
from addison.ir import codes, spelling
from addison.ir.events import IGNORED, Context, Enter, open_source, read_events
from addison.ir.linking import link
from addison.ir.metadata import Metadata, Notes
from addison.ir.model import (
    Body,
    Constant,
    Edge,
    Graph,
    Layer,
    Model,
    Note,
    Operation,
    Port,
    make_edge,
    make_layer,
    make_port,
)
from addison.ir.operations import KNOWN_TYPES, OPAQUE, Site, operation
from addison.ir.report import Report, clip
from addison.ir.silences import Silences
from addison.ir.weights import BytesLike, Weights
from addison.spec.shapes import LARGEST_RANK, LARGEST_SIZE

VERSIONS = (10, 11)
LARGEST_ID = 2**63 - 1

PathLike = str | os.PathLike[str]
Nibbles = Literal["low-first", "high-first"]


def read_model(
    xml: PathLike | bytes, weights: PathLike | BytesLike | None = None, *, nibbles: Nibbles = "low-first"
) -> Model:
    """Reads an OpenVINO IR, version 10 or 11, every layer of it.

    ``xml`` is a path, or the XML itself as bytes. ``weights`` is the ``.bin``, as a path or a buffer; left out, it is
    the file of the same stem beside the XML. ``nibbles="high-first"`` reads i4 and u4 constants of files written before
    2024.0. Raises InvalidModel, with every finding in its fields, when anything in the file is an error.

    >>> read_model(b'<net name="empty" version="11"></net>')
    Model('empty', IR v11, 0 layers)
    """
    model, findings = examine(xml, weights, nibbles=nibbles)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors or model is None:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise InvalidModel(f"{errors[0]}{more}", help=errors[0].help, findings=findings)
    return model


def examine(
    xml: PathLike | bytes, weights: PathLike | BytesLike | None = None, *, nibbles: Nibbles = "low-first"
) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model as far as it could be read, and all findings sorted by place. Raises only for files that cannot be
    opened, and for arguments that make no sense."""
    if nibbles not in ("low-first", "high-first"):
        raise InvalidInput(f"nibbles is {nibbles!r}", help='write "low-first" or "high-first"', nibbles=nibbles)
    if not isinstance(xml, str | bytes | os.PathLike):
        kind = type(xml).__name__
        raise Unsupported(f"the model is given as {kind}", help="give a path, or the XML as bytes", found=kind)
    path = xml if isinstance(xml, bytes) else os.fspath(xml)
    try:
        stream, source = open_source(path)
    except (OSError, ValueError) as fault:
        raise InvalidInput(f"the model {path!r} cannot be opened: {_reason(fault)}", path=path) from None
    report = Report(source)
    with stream, _no_collection():
        try:
            reader = _Reader(report, _find_weights(path, weights, report), nibbles == "high-first")
            whole = read_events(stream, source, report, reader.outermost, reader.texts, reader.comment)
        except OSError as fault:
            raise InvalidInput(f"the model {path!r} cannot be read: {_reason(fault)}", path=path) from None
        model = reader.finish(whole)
    return model, report.sorted()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keeps Python's cycle collector off: reading makes many objects and no cycles, and in a process that holds many
    others each pass over them all costs more than the reading (measured: a third of the time beside OpenVINO)."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _reason(fault: Exception) -> str:
    return fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)


def _find_weights(xml: str | bytes, weights: PathLike | BytesLike | None, report: Report) -> Weights | None:
    """The .bin that goes with the model; None when there is none, or it cannot be opened, which is a finding."""
    if weights is None:
        beside = None if isinstance(xml, bytes) else Path(xml).with_suffix(".bin")
        if beside is None or os.fspath(beside) == xml or not beside.exists():
            return None
        weights = beside
    try:
        return Weights.of(weights)
    except (OSError, ValueError) as fault:
        report.add(
            codes.NO_WEIGHTS,
            None,
            f"the weights {str(weights)!r} cannot be opened: {_reason(fault)}",
            path=str(weights),
        )
        return None
    except TypeError as fault:
        kind = type(weights).__name__
        raise Unsupported(
            f"the weights are given as {kind}: {fault}", help="give a path, or bytes in one piece", found=kind
        ) from None


class _Numbers(dict[Any, Any]):
    """Whole numbers by their text, each text read once; None for what is no number (and for a missing attribute)."""

    def __missing__(self, text: str | None) -> int | None:
        number = spelling.unsigned(text) if text is not None else None
        if number is None or number > LARGEST_ID:
            return None
        self[text] = number
        return number


class _Sizes(dict[str, int]):
    """Dimensions by their text, each text read once; ``read`` reports what is no size, which is not remembered."""

    def __init__(self, read: Callable[[str], tuple[int, bool]]) -> None:
        super().__init__()
        self.read = read

    def __missing__(self, text: str) -> int:
        size, sound = self.read(text)
        if sound:
            self[text] = size
        return size


class _Frame:
    """The graph that is being read: the model's own, or a body's."""

    __slots__ = ("edges", "layers", "metadata", "name", "seen")

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.seen: set[str] = set()
        self.layers: list[Layer] = []
        self.edges: list[Edge] = []
        self.metadata = Metadata()


class _Draft:
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
        self.inner: _Inner | None = None

    def inside(self) -> _Inner:
        """What a layer with bodies has besides, made when the first of it comes."""
        self.inner = self.inner or _Inner()
        return self.inner


_NO_DATA: dict[str, str] = {}


class _Inner:
    """The bodies of a layer, and how its ports map to theirs."""

    __slots__ = ("back_edges", "bodies", "port_map")

    def __init__(self) -> None:
        self.bodies: list[_Frame] = []
        self.back_edges: list[Mapping[str, str]] = []
        self.port_map: dict[str, list[Mapping[str, str]]] = {}


class _Reader:
    """The contexts of an IR file, and what their elements become: a stack of layers, a stack of graphs."""

    def __init__(self, report: Report, weights: Weights | None, swap_nibbles: bool) -> None:
        self.report = report
        self.weights = weights
        self.swap_nibbles = swap_nibbles
        self.texts: list[str] = []
        self.root: dict[str, str] | None = None
        self.version = 0
        self.frames = [_Frame()]
        self.drafts: list[_Draft] = []
        self.port: dict[str, str] = {}
        self.port_at = 0
        self.dims: list[int] = []
        self.numbers = _Numbers()
        self.sizes = _Sizes(self._read_dim)
        self.without_weights: list[int] = []
        self.silences = Silences()
        self.here: Callable[[], int] = int

        back_edges = Context({"edge": self._back_edge})
        edges = self._once("edges", Context({"edge": self._edge}))
        dim = Context({}, self._close_dim, self._inside_dim, text=True)
        self._in_input = Context({"dim": dim, "rt_info": Notes(self._note, "input").context()}, self._close_input)
        self._in_output = Context({"dim": dim, "rt_info": Notes(self._note, "output").context()}, self._close_output)
        layers = self._once("layers", Context({"layer": self._layer}))
        in_body: dict[str, Enter | Context] = {"layers": layers, "edges": edges, "rt_info": self._enter_rt_info}
        bodies = {f"{name}body": self._enter_body(f"{name}body", in_body) for name in ("", "then_", "else_")}
        maps = {f"{name}port_map": self._enter_port_map(f"{name}body") for name in ("", "then_", "else_")}
        self._in_layer = Context(
            {
                "data": self._data,
                "input": Context({"port": self._input_port}),
                "output": Context({"port": self._output_port}),
                "rt_info": Notes(self._note).context({"attribute": self._rt_attribute}),
                "back_edges": back_edges,
                **bodies,
                **maps,
            },
            self._close_layer,
        )
        self._in_net = Context(
            {"layers": layers, "edges": edges, "rt_info": self._enter_rt_info, "pre-process": self._pre_process}
        )
        self.outermost = Context({"net": self._root}, other=self._other_root)

    # -- the root

    def _root(self, attributes: dict[str, str], byte: int) -> Context:
        self.root = attributes
        written = attributes.get("version")
        version = spelling.unsigned(written) if written is not None else None
        if version in VERSIONS:
            self.version = version or 0
            return self._in_net
        if written is None:
            self.report.add(
                codes.IR_VERSION,
                byte,
                "the file does not say its IR version",
                help='versions 10 and 11 are read: version="11"',
                found=None,
                wanted=VERSIONS,
            )
        else:
            age = "older, laid out otherwise" if version is not None and version < VERSIONS[0] else "not known"
            self.report.add(
                codes.IR_VERSION,
                byte,
                f"the IR version is {clip(written)}, which is {age}",
                attribute="version",
                help="versions 10 and 11 are read",
                found=written,
                wanted=VERSIONS,
            )
        return IGNORED

    def _other_root(self, tag: str, attributes: dict[str, str], byte: int) -> Context:
        if tag.lower() == "net":
            return self._root(attributes, byte)
        self.report.add(
            codes.NOT_IR,
            byte,
            f"the root is <{clip(tag)[1:-1]}>, not <net>",
            help="give the .xml of an OpenVINO IR",
            found=tag,
            wanted="net",
        )
        return IGNORED

    def _pre_process(self, attributes: dict[str, str], byte: int) -> Context:
        self.report.add(
            codes.PRE_PROCESS,
            byte,
            "<pre-process> makes OpenVINO insert a subtraction that no layer shows",
            help="write the mean subtraction as layers of the graph",
            layer=attributes.get("reference-layer-name", ""),
        )
        return IGNORED

    def _once(self, tag: str, inside: Context) -> Enter:
        """An element that a graph has once."""

        def enter(attributes: dict[str, str], byte: int) -> Context:
            seen = self.frames[-1].seen
            if tag in seen:
                return self._repeated(tag, byte)
            seen.add(tag)
            return inside

        return enter

    def _repeated(self, tag: str, byte: int) -> Context:
        self.report.add(
            codes.REPEATED, byte, f"a second <{tag}>", help="OpenVINO reads only the first; make them one", found=tag
        )
        return IGNORED

    def comment(self, text: str, here: Callable[[], int]) -> None:
        """A comment, wherever it stands."""
        self.here = here
        self.silences.comment(text, here(), self.drafts[-1].at if self.drafts else None)

    # -- rt_info

    def _enter_rt_info(self, attributes: dict[str, str], byte: int) -> Context:
        return self.frames[-1].metadata.enter(attributes, byte)

    def _note(self, note: Note) -> None:
        draft = self.drafts[-1]
        before = {"input": draft.inputs, "output": draft.outputs}.get(note.side, [])
        draft.notes = draft.notes or []
        draft.notes.append(note._replace(port=len(before)))

    # -- layers

    def _layer(self, attributes: dict[str, str], byte: int) -> Context:
        self.drafts.append(_Draft(attributes, byte))
        return self._in_layer

    def _data(self, attributes: dict[str, str], byte: int) -> Context:
        draft = self.drafts[-1]
        if draft.data_at < 0:  # a second <data> is ignored
            draft.data, draft.data_at = attributes, byte
        return IGNORED

    def _close_layer(self) -> None:
        draft = self.drafts.pop()
        if self.silences.open:
            self.silences.close(draft.at, self.here)
        attributes = draft.attributes
        number = self.numbers[attributes.get("id")]
        try:
            name, kind, version = attributes["name"], attributes["type"], attributes["version"]
        except KeyError:
            for wanted in ("name", "type", "version"):
                if wanted not in attributes:
                    self._missing(wanted, "layer", draft.at)
            name, kind, version = attributes.get("name", ""), attributes.get("type", ""), "opset1"
        if number is None:
            self._no_number(attributes, ("id",), draft.at, "layer")
            return
        what: Operation = OPAQUE
        if kind in KNOWN_TYPES or kind.lower() in KNOWN_TYPES:
            site = Site(self.report, self.weights, self.swap_nibbles, draft.at, draft.data_at, name)
            what = operation(kind, version, draft.data, site)
            if self.weights is None and isinstance(what, Constant) and what.shape.elements:
                self.without_weights.append(draft.at)
        names = attributes.get("output_names")
        self.frames[-1].layers.append(
            make_layer(
                (
                    number,
                    name,
                    kind,
                    version,
                    what,
                    draft.data,
                    tuple(draft.inputs),
                    tuple(draft.outputs),
                    spelling.names(names) if names else (),
                    self._bodies(draft.inner) if draft.inner else (),
                    tuple(draft.rt_info) if draft.rt_info else (),
                    draft.at,
                    draft.data_at,
                    tuple(draft.notes) if draft.notes else (),
                )
            )
        )

    def _rt_attribute(self, attributes: dict[str, str], byte: int) -> Context:
        draft = self.drafts[-1]
        if draft.rt_info is None:
            draft.rt_info = []
        draft.rt_info.append(attributes)
        return IGNORED

    # -- ports

    def _input_port(self, attributes: dict[str, str], byte: int) -> Context:
        self.port, self.port_at, self.dims = attributes, byte, []
        return self._in_input

    def _output_port(self, attributes: dict[str, str], byte: int) -> Context:
        self.port, self.port_at, self.dims = attributes, byte, []
        return self._in_output

    def _close_input(self) -> None:
        self._close_port(self.drafts[-1].inputs)

    def _close_output(self) -> None:
        precision = self.port.get("precision")
        if not precision or spelling.port_precision(precision) is None:
            self._bad_precision(precision, self.port_at)
        self._close_port(self.drafts[-1].outputs)

    def _close_port(self, ports: list[Port]) -> None:
        get = self.port.get
        number, names, dims = self.numbers[get("id")], get("names"), tuple(self.dims)
        if number is None:
            self._no_number(self.port, ("id",), self.port_at, "port")
            return
        if len(dims) > LARGEST_RANK:
            self.report.add(
                codes.LIMIT,
                self.port_at,
                f"a port has {len(dims)} dimensions; at most {LARGEST_RANK} are read",
                limit=LARGEST_RANK,
                found=len(dims),
            )
            dims = ()
        ports.append(
            make_port((number, get("precision", ""), dims, spelling.names(names) if names else (), self.port_at))
        )

    def _bad_precision(self, precision: str | None, byte: int) -> None:
        if not precision:
            self.report.add(
                codes.NO_PRECISION,
                byte,
                "an output port without precision, which OpenVINO does not read",
                attribute="precision",
                help="write FP32, FP16, I64, ...",
                found=precision,
            )
        else:
            self.report.add(
                codes.BAD_TYPE,
                byte,
                f"precision is {clip(precision)}, which is no element type",
                attribute="precision",
                help="write FP32, FP16, I64, ...",
                found=precision,
            )

    def _close_dim(self) -> None:
        self.dims.append(self.sizes["".join(self.texts)])

    def _inside_dim(self, tag: str, attributes: dict[str, str], byte: int) -> Context:
        self.report.add(
            codes.BAD_DIM, byte, f"<{clip(tag)[1:-1]}> inside a <dim>", help="write a whole number, or -1", found=tag
        )
        return IGNORED

    def _read_dim(self, text: str) -> tuple[int, bool]:
        """A dimension, and whether it is written as one."""
        found = re.match(r"\s*([+-]?\d{1,25})(.*)", text, re.ASCII | re.DOTALL)
        size = int(found[1]) if found else None
        if found is None or size is None or not -1 <= size <= LARGEST_SIZE:
            self.report.add(
                codes.BAD_DIM,
                self.port_at,
                f"the dimension {clip(text)} is no size",
                help="write a whole number, or -1 when it is not known",
                found=text,
            )
            return -1, False
        if found[2].strip():
            self.report.add(
                codes.SLOPPY_DIM,
                self.port_at,
                f"the dimension {clip(text)} is read as {size}",
                help="write a whole number, or -1 when it is not known",
                found=text,
                read=size,
            )
        return size, not found[2].strip()

    # -- edges

    def _edge(self, attributes: dict[str, str], byte: int) -> Context:
        get, numbers = attributes.get, self.numbers
        a, b = numbers[get("from-layer")], numbers[get("from-port")]
        c, d = numbers[get("to-layer")], numbers[get("to-port")]
        if a is None or b is None or c is None or d is None:
            self._no_number(attributes, ("from-layer", "from-port", "to-layer", "to-port"), byte, "edge")
        else:
            self.frames[-1].edges.append(make_edge((a, b, c, d, byte)))
        return IGNORED

    # -- bodies of TensorIterator, Loop and If

    def _enter_body(self, name: str, children: Mapping[str, Enter | Context]) -> Enter:
        inside = Context(children, self._close_body)

        def enter(attributes: dict[str, str], byte: int) -> Context:
            if any(frame.name == name for frame in self.drafts[-1].inside().bodies):
                return self._repeated(name, byte)
            self.frames.append(_Frame(name))
            return inside

        return enter

    def _close_body(self) -> None:
        self.drafts[-1].inside().bodies.append(self.frames.pop())

    def _enter_port_map(self, body: str) -> Enter:
        def entry(kind: str) -> Enter:
            def add(attributes: dict[str, str], byte: int) -> Context:
                self.drafts[-1].inside().port_map.setdefault(body, []).append({"kind": kind, **attributes})
                return IGNORED

            return add

        inside = Context({"input": entry("input"), "output": entry("output")})
        return lambda attributes, byte: inside

    def _back_edge(self, attributes: dict[str, str], byte: int) -> Context:
        self.drafts[-1].inside().back_edges.append(attributes)
        return IGNORED

    def _bodies(self, inner: _Inner) -> tuple[Body, ...]:
        return tuple(
            Body(
                frame.name,
                self._graph(frame),
                tuple(inner.port_map.get(frame.name, ())),
                tuple(inner.back_edges),
                frame.metadata.entries,
            )
            for frame in inner.bodies
        )

    # -- the end

    def _graph(self, frame: _Frame) -> Graph:
        return link(frame.layers, frame.edges, self.report)

    def finish(self, whole: bool) -> Model | None:
        """The model, once the file has been read to its end; None when it was not, or is none."""
        if not whole or self.root is None or not self.version:
            return None
        if self.without_weights and all(one.code != codes.NO_WEIGHTS.code for one in self.report.findings):
            more = f", and so do {len(self.without_weights) - 1} more" if len(self.without_weights) > 1 else ""
            self.report.add(
                codes.NO_WEIGHTS,
                self.without_weights[0],
                "this constant lies in a .bin that is not there" + more,
                help="put the .bin beside the .xml, or name it",
                found=len(self.without_weights),
            )
        graph = self._graph(self.frames[0])
        model = Model(
            self.root.get("name", ""),
            self.version,
            graph,
            self.report.source,
            self.weights,
            self.frames[0].metadata.entries,
        )
        if self.version == 10:
            self._boundary(model)
        return Model(
            model.name,
            model.version,
            graph,
            model.source,
            model.weights,
            model.rt_info,
            () if self.report.failed else self.report.sorted(),
            tuple(self.silences.found),
        )

    def _boundary(self, model: Model) -> None:
        """OpenVINO converts at the boundary of a v10 model; this package keeps the file's own types, and says so."""
        ends = [(layer, layer.outputs[:1], False) for layer in model.inputs]
        ends += [(layer, layer.inputs[:1], True) for layer in model.outputs]
        for layer, ports, out in ends:
            written = ports[0].element_type.name if ports else "dynamic"
            if written not in ("f32", "i32", "dynamic") if out else written == "f16":
                self.report.add(
                    codes.V10_BOUNDARY,
                    layer.at,
                    f"OpenVINO gives {clip(layer.name)} of this v10 model "
                    f"another type than {written} at the boundary; here it stays {written}",
                    layer=layer.name,
                    element_type=written,
                )

    # -- attributes

    def _no_number(self, attributes: dict[str, str], names: tuple[str, ...], at: int, tag: str) -> None:
        """Reports which of these attributes is missing, or is no number."""
        for name in names:
            text = attributes.get(name)
            if text is None:
                self._missing(name, tag, at)
            elif self.numbers[text] is None:
                self.report.add(
                    codes.BAD_NUMBER,
                    at,
                    f"{name} is {clip(text)}, not a whole number from 0 to {LARGEST_ID}",
                    attribute=name,
                    found=text,
                )

    def _missing(self, name: str, tag: str, at: int) -> None:
        self.report.add(
            codes.MISSING_ATTRIBUTE,
            at,
            f"<{tag}> has no attribute {name}",
            help=f'write {name}="..."',
            found=None,
            wanted=name,
        )
