"""A picture as one HTML page: the drawing, a panel about the layer that is looked at, a search box, zoom."""

from __future__ import annotations

import shlex
from pathlib import PurePath
from typing import Any

from addison.report import show_json
from addison.report.boxes import MOST_WIRES
from addison.report.markup import clipped, markup
from addison.report.page import asset, page
from addison.report.picture import Album, Picture
from addison.report.show_rows import headline
from addison.report.svg import left_out, svg

_LONGEST = 2_000
_MOST_PORTS = 200
_MOST_FINDINGS = 1_000
_MOST_ENTRIES = 100

_TOOLS = """\
<form role="search"><input id="search" type="search" placeholder="Search layers" aria-label="Search layers by name, \
type, id or tensor name" autocomplete="off" spellcheck="false"><output id="count" for="search"></output></form>
<div class="tools" role="group" aria-label="Zoom"><button type="button" id="out" aria-label="Zoom out">&minus;</button>\
<button type="button" id="scale" title="To 100 %">100%</button>\
<button type="button" id="in" aria-label="Zoom in">+</button><button type="button" id="fit">Fit</button></div>"""

_KEYS = """\
<h2>Keys</h2>
<p class="keys"><kbd>/</kbd> search, <kbd>Enter</kbd> next match; <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> zoom and fit; \
arrows, wheel or dragging move, <kbd>Ctrl</kbd>+wheel zooms; <kbd>Tab</kbd> goes from layer to layer, <kbd>Enter</kbd> \
opens one, <kbd>Esc</kbd> closes it.</p>"""


def html(album: Album, picture: Picture) -> str:
    """The page."""
    name = PurePath(album.file).name
    body = [
        f'\n<header><h1>{markup(clipped(name, 120))}</h1><span class="facts">{markup(headline(album, picture))}</span>',
        f"{_TOOLS}</header>",
        _note(album, picture),
        f'<main><div id="view" tabindex="0" role="region" aria-label="The drawing">{_drawing(album, picture)}</div>',
        f'<aside id="side"><section id="details" hidden></section><section id="summary"></section>\n{_KEYS}</aside>',
        "</main>",
    ]
    return page(
        f"{clipped(name, 120)} - addison show",
        "\n".join(body),
        style=asset("drawing.css") + asset("show.css"),
        script=asset("show.js"),
        data=_data(album, picture),
    )


def _note(album: Album, picture: Picture) -> str:
    """That something is not drawn, and how to draw it; an empty paragraph keeps the page's rows."""
    parts = []
    if picture.around is not None:
        command = f"addison show {shlex.quote(album.file)} --around NAME --depth N"
        parts.append(f"Drawn: {clipped(picture.said, 300)}. {clipped(command, 200)} draws others.")
    missing = left_out(picture, min(len(picture.edges), MOST_WIRES))
    parts += [f"{missing}."] if missing else []
    return f'<p class="note"{"" if parts else " hidden"}>{markup(" ".join(parts))}</p>'


def _drawing(album: Album, picture: Picture) -> str:
    return svg(picture, album.findings, label=album.file, alone=False)


def _data(album: Album, picture: Picture) -> dict[str, Any]:
    """What the script reads: the document of ``--format json``, cut to what a page can show."""
    document = show_json.document(album, [picture])
    graph = document["graphs"][0]
    for layer in graph["layers"]:
        layer["more"] = []
        for ports in ("inputs", "outputs"):
            if len(layer[ports]) > _MOST_PORTS:
                layer["more"].append(f"{len(layer[ports]) - _MOST_PORTS:,} more {ports}")
                layer[ports] = layer[ports][:_MOST_PORTS]
        for port in layer["outputs"]:
            port["names"] = port["names"][:_MOST_PORTS]
        layer["findings"] = [one for one in layer["findings"] if one < _MOST_FINDINGS]
    shown = {path for layer in graph["layers"] for path in layer["bodies"]}
    data = {
        "graph": graph,
        "findings": document["findings"][:_MOST_FINDINGS],
        "found": len(document["findings"]),
        "rt_info": dict(list(document["rt_info"].items())[:_MOST_ENTRIES]),
        "commands": {
            path: f"addison show {shlex.quote(album.file)} --body {shlex.quote(path)}" for path in sorted(shown)
        },
    }
    cut: dict[str, Any] = _cut(data)
    return cut


def _cut(value: Any) -> Any:
    if isinstance(value, str):
        return clipped(value, _LONGEST)
    if isinstance(value, dict):
        return {clipped(key, _LONGEST): _cut(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_cut(one) for one in value]
    return value
