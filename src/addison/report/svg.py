"""A picture as SVG: one file that stands alone, ASCII, the same bytes for the same model."""

from __future__ import annotations

from collections.abc import Sequence

from addison.diagnostics import Diagnostic
from addison.report.boxes import Scene, columns, scene, worst
from addison.report.layout import Box, Drawing, Pass, draw
from addison.report.markup import brief, clipped, markup
from addison.report.page import asset
from addison.report.picture import Joint, Picture, Shown

_LONGEST_TITLE = 600
_CAPTION = 30.0


def svg(picture: Picture, findings: Sequence[Diagnostic], *, label: str = "", alone: bool = True) -> str:
    """The drawing. ``alone`` puts the style sheet in it, and says above it what part of the model it is; a page that
    has its own style and says that itself leaves it out."""
    made = scene(picture, findings)
    drawing = draw(made.boxes, made.wires)
    caption = _caption(picture, made) if alone else ""
    top = _CAPTION if caption else 0.0
    width = max(drawing.width, columns(caption) * 7.0 + 40)
    height = drawing.height + top
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="addison" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{markup(clipped(label, _LONGEST_TITLE))}">',
    ]
    if alone:
        lines += [f"<title>{markup(clipped(label, _LONGEST_TITLE))}</title>", f"<style>{asset('drawing.css')}</style>"]
        lines.append(f'<rect class="paper" width="{width:g}" height="{height:g}"/>')
    if caption:
        lines.append(f'<text class="said" x="24" y="24">{markup(caption)}</text>')
    lines.append(f'<g class="scene" transform="translate(0 {top:g})">')
    lines += _wires(picture, made, drawing, findings)
    lines += _boxes(picture, made, drawing, findings)
    lines += _labels(picture, made, drawing, findings)
    return "\n".join([*lines, "</g>", "</svg>", ""])


def left_out(picture: Picture, drawn: int) -> str:
    """How many edges are not drawn, when there are too many."""
    missing = len(picture.edges) - drawn
    return f"{missing:,} of {len(picture.edges):,} edges are not drawn" if missing else ""


def _caption(picture: Picture, made: Scene) -> str:
    parts = [brief(picture.said, 300), left_out(picture, len(made.drawn))]
    return "; ".join(part for part in parts if part)


def _wires(picture: Picture, made: Scene, drawing: Drawing, findings: Sequence[Diagnostic]) -> list[str]:
    number = {layer.index: at for at, layer in enumerate(picture.layers)}
    lines = []
    for k, way in zip(made.drawn, drawing.ways, strict=True):
        edge = picture.edges[k]
        a, b = number[edge.source], number[edge.target]
        kind = f"wire {worst(edge.findings, findings)}".rstrip()
        lines.append(
            f'<g class="{kind}" data-a="{a}" data-b="{b}"><title>{_edge_title(picture, edge, number, findings)}</title>'
            f'<path d="{_path(way)}"/><path class="head" d="{_head(way[-1])}"/></g>'
        )
    return lines


def _path(way: Sequence[Pass]) -> str:
    """Straight down where a way passes a row, a curve between two rows; a loop for a wire back to its own box."""
    first, last = way[0], way[-1]
    if len(way) == 2 and last.top <= first.bottom:
        side = abs(last.x - first.x) + 90
        return (
            f"M{first.x:g} {first.bottom:g}C{first.x + side:g} {first.bottom + 60:g} {last.x + side:g} "
            f"{last.top - 60:g} {last.x:g} {last.top - 5:g}"
        )
    parts = [f"M{first.x:g} {first.bottom:g}"]
    x, y = first.x, first.bottom
    for k, one in enumerate(way[1:], 1):
        top = one.top - 5 if k == len(way) - 1 else one.top
        if one.x == x:
            parts.append(f"V{top:g}")
        else:
            middle = (y + top) / 2
            parts.append(f"C{x:g} {middle:g} {one.x:g} {middle:g} {one.x:g} {top:g}")
        if one.bottom != one.top:
            parts.append(f"V{one.bottom:g}")
        x, y = one.x, one.bottom
    return "".join(parts)


def _head(end: Pass) -> str:
    return f"M{end.x:g} {end.top:g}l-4 -7h8z"


def _edge_title(picture: Picture, edge: Joint, number: dict[int, int], findings: Sequence[Diagnostic]) -> str:
    a, b = picture.layers[number[edge.source]], picture.layers[number[edge.target]]
    said = [f"{_named(a)} output {edge.output} to {_named(b)} input {edge.input}", str(edge.fact)]
    said += [str(findings[one]) for one in edge.findings[:5]]
    return "\n".join(markup(clipped(one, _LONGEST_TITLE)) for one in said)


def _named(layer: Shown) -> str:
    return clipped(layer.layer.name or f"layer {layer.layer.id}", 80)


def _boxes(picture: Picture, made: Scene, drawing: Drawing, findings: Sequence[Diagnostic]) -> list[str]:
    lines = []
    for at, layer in enumerate(picture.layers):
        box, spot = made.boxes[at], drawing.boxes[at]
        kinds = ["node", layer.kind, worst(layer.findings, findings)]
        kinds += ["bodied"] if layer.bodies else []
        kinds += ["centre"] if picture.around and picture.around.centre == layer.index else []
        place = f"translate({spot.x - box.width / 2:g} {spot.y:g})"
        lines.append(f'<g class="{" ".join(filter(None, kinds))}" data-n="{at}" transform="{place}">')
        lines.append(f"<title>{_layer_title(layer, findings)}</title>")
        lines.append(f'<rect width="{box.width:g}" height="{box.height:g}" rx="{_corner(layer, box):g}"/>')
        y = (15.0 if layer.kind == "constant" else 18.0) + 1
        for line in made.lines[at]:
            lines.append(f'<text class="{line.role}" x="11" y="{y:g}">{markup(line.text)}</text>')
            y += 15
        if layer.kind == "add":
            lines.append(_plus(box.width - 15))
        lines += [*_stubs(layer, box), "</g>"]
    return lines


def _corner(layer: Shown, box: Box) -> float:
    return box.height / 2 if layer.kind in ("input", "output") else 5


def _plus(x: float) -> str:
    return f'<circle cx="{x:g}" cy="14" r="8"/><path class="plus" d="M{x - 4:g} 14h8M{x:g} 10v8"/>'


def _stubs(layer: Shown, box: Box) -> list[str]:
    """Short dashed ends for edges from and to layers that are not shown."""
    lines = []
    before, after = layer.unseen
    if before:
        says = f"{before:,} input{'s' if before > 1 else ''} from layers that are not shown"
        x = box.width * 0.12
        lines.append(f'<g class="stub"><title>{says}</title><path d="M{x:g} -16V0"/></g>')
    if after:
        says = f"{after:,} edge{'s' if after > 1 else ''} to layers that are not shown"
        x = box.width * 0.12
        lines.append(f'<g class="stub"><title>{says}</title><path d="M{x:g} {box.height:g}v16"/></g>')
    return lines


def _layer_title(layer: Shown, findings: Sequence[Diagnostic]) -> str:
    said = [f"{layer.layer.type} {_named(layer)} (id {layer.layer.id})"]
    said += [f"input {k}: {fact}" for k, fact in enumerate(layer.inputs[:8])]
    said += [f"output {k}: {fact}" for k, fact in enumerate(layer.outputs[:8])]
    said += [f"addison show --body {one}" for one in layer.bodies]
    said += [str(findings[one]) for one in layer.findings[:5]]
    return "\n".join(markup(clipped(one, _LONGEST_TITLE)) for one in said)


def _labels(picture: Picture, made: Scene, drawing: Drawing, findings: Sequence[Diagnostic]) -> list[str]:
    """The type and shape of what leaves each layer, beside its foot; in red when an edge from there is wrong."""
    wrong: dict[tuple[int, int], list[int]] = {}
    for edge in picture.edges:
        wrong.setdefault((edge.source, edge.output), []).extend(edge.findings)
    lines = []
    for at, layer in enumerate(picture.layers):
        foot = drawing.boxes[at].y + made.boxes[at].height
        for output, label in made.labels[at].items():
            kind = f"fact {worst(wrong.get((layer.index, output), ()), findings)}".rstrip()
            x = drawing.boxes[at].x + label.leaves + 6
            lines.append(f'<text class="{kind}" x="{x:g}" y="{foot + 14:g}">{markup(label.text)}</text>')
    return lines
