"""Layers, edges, bodies and the model around them, made straight from the parser's events."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from addison.clipping import quoted
from addison.ir import codes, spelling
from addison.ir.drafts import Draft, Frame, Inner
from addison.ir.events import IGNORED, Context, Enter
from addison.ir.linking import link
from addison.ir.metadata import Notes
from addison.ir.model import (
    Body,
    Constant,
    Graph,
    Model,
    Note,
    Operation,
    Parameter,
    Result,
    make_edge,
    make_layer,
)
from addison.ir.numbers import Numbers, missing, no_number
from addison.ir.operations import KNOWN_TYPES, OPAQUE, make_site, operation
from addison.ir.ports import Ports
from addison.ir.report import Report
from addison.ir.silences import Silences
from addison.ir.weights import Weights

VERSIONS = (10, 11)
_EDGE = ("from-layer", "from-port", "to-layer", "to-port")


class Assembly:
    """The contexts of an IR file, and what their elements become: a stack of layers, a stack of graphs."""

    def __init__(self, report: Report, weights: Weights | None, swap_nibbles: bool) -> None:
        self.report = report
        self.weights = weights
        self.swap_nibbles = swap_nibbles
        self.texts: list[str] = []
        self.root: dict[str, str] | None = None
        self.version = 0
        self.frames = [Frame()]
        self.drafts: list[Draft] = []
        self.numbers = Numbers()
        self.without_weights: list[int] = []
        self.silences = Silences()
        self.here: Callable[[], int] = int

        ports = Ports(report, self.numbers, self.drafts, self.texts, self._note)
        back_edges = Context({"edge": self._back_edge})
        edges = self._once("edges", Context({"edge": self._edge}))
        layers = self._once("layers", Context({"layer": self._layer}))
        in_body: dict[str, Enter | Context] = {"layers": layers, "edges": edges, "rt_info": self._enter_rt_info}
        bodies = {f"{name}body": self._enter_body(f"{name}body", in_body) for name in ("", "then_", "else_")}
        maps = {f"{name}port_map": self._enter_port_map(f"{name}body") for name in ("", "then_", "else_")}
        self._in_layer = Context(
            {
                "data": self._data,
                "input": Context({"port": ports.input_port}),
                "output": Context({"port": ports.output_port}),
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
                f"the IR version is {quoted(written)}, which is {age}",
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
            f"the root is <{quoted(tag)[1:-1]}>, not <net>",
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
        self.drafts.append(Draft(attributes, byte))
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
                    missing(self.report, wanted, "layer", draft.at)
            name, kind, version = attributes.get("name", ""), attributes.get("type", ""), "opset1"
        if number is None:
            no_number(self.report, self.numbers, attributes, ("id",), draft.at, "layer")
            return
        what: Operation = OPAQUE
        if kind in KNOWN_TYPES or kind.lower() in KNOWN_TYPES:
            site = make_site((self.report, self.weights, self.swap_nibbles, draft.at, draft.data_at, name))
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

    # -- edges

    def _edge(self, attributes: dict[str, str], byte: int) -> Context:
        get, numbers = attributes.get, self.numbers
        a, b = numbers[get("from-layer")], numbers[get("from-port")]
        c, d = numbers[get("to-layer")], numbers[get("to-port")]
        if a is None or b is None or c is None or d is None:
            no_number(self.report, self.numbers, attributes, _EDGE, byte, "edge")
        else:
            self.frames[-1].edges.append(make_edge((a, b, c, d, byte)))
        return IGNORED

    # -- bodies of TensorIterator, Loop and If

    def _enter_body(self, name: str, children: Mapping[str, Enter | Context]) -> Enter:
        inside = Context(children, self._close_body)

        def enter(attributes: dict[str, str], byte: int) -> Context:
            if any(frame.name == name for frame in self.drafts[-1].inside().bodies):
                return self._repeated(name, byte)
            self.frames.append(Frame(name))
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

    def _bodies(self, inner: Inner) -> tuple[Body, ...]:
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

    def _graph(self, frame: Frame) -> Graph:
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
        if self.version == 10:
            self._boundary(graph)
        return Model(
            self.root.get("name", ""),
            self.version,
            graph,
            self.report.source,
            self.weights,
            self.frames[0].metadata.entries,
            () if self.report.failed else self.report.sorted(),
            tuple(self.silences.found),
        )

    def _boundary(self, graph: Graph) -> None:
        """OpenVINO converts at the boundary of a v10 model; this package keeps the file's own types, and says so."""
        inputs, outputs = ([graph.layers[i] for i in graph.of_kind(kind)] for kind in (Parameter, Result))
        ends = [(layer, layer.outputs[:1], False) for layer in inputs]
        ends += [(layer, layer.inputs[:1], True) for layer in outputs]
        for layer, ports, out in ends:
            written = ports[0].element_type.name if ports else "dynamic"
            if written not in ("f32", "i32", "dynamic") if out else written == "f16":
                self.report.add(
                    codes.V10_BOUNDARY,
                    layer.at,
                    f"OpenVINO gives {quoted(layer.name)} of this v10 model "
                    f"another type than {written} at the boundary; here it stays {written}",
                    layer=layer.name,
                    element_type=written,
                )
