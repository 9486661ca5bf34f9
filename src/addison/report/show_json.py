"""Schema addison/show/1: a model, or what is shown of it, for programs and for the script of the HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from addison.report import json
from addison.report.picture import Album, Joint, Picture, Shown


def document(album: Album, pictures: Sequence[Picture]) -> dict[str, Any]:
    """These pictures, with the model's findings."""
    model = album.model
    return {
        "schema": "addison/show/1",
        "model": album.file,
        "name": model.name,
        "version": model.version,
        "rt_info": dict(model.rt_info),
        "graphs": [_graph(album, one) for one in pictures],
        "findings": [json.diagnostic(one) for one in album.findings],
    }


def _graph(album: Album, picture: Picture) -> dict[str, Any]:
    around = picture.around
    return {
        "path": picture.path.rstrip("/"),
        "total": picture.total,
        "around": {"layer": around.centre, "depth": around.depth, "cut": around.cut} if around else None,
        "layers": [_layer(album, one) for one in picture.layers],
        "edges": [_edge(one) for one in picture.edges],
    }


def _layer(album: Album, shown: Shown) -> dict[str, Any]:
    layer = shown.layer
    return {
        "index": shown.index,
        "id": layer.id,
        "name": layer.name,
        "path": shown.path,
        "type": layer.type,
        "version": layer.version,
        "kind": shown.kind,
        "line": album.model.source.place(layer.at)[0],
        "attributes": dict(layer.data),
        "rt_info": [dict(one) for one in layer.rt_info],
        "inputs": [
            {
                "port": port.id,
                **json.fact(fact),
                "source": {"layer": source.layer, "output": source.output} if source else None,
            }
            for port, fact, source in zip(layer.inputs, shown.inputs, shown.sources, strict=True)
        ],
        "outputs": [
            {"port": port.id, **json.fact(fact), "names": list(port.names)}
            for port, fact in zip(layer.outputs, shown.outputs, strict=True)
        ],
        "bodies": list(shown.bodies),
        "findings": list(shown.findings),
        "unseen": {"inputs": shown.unseen[0], "outputs": shown.unseen[1]},
    }


def _edge(edge: Joint) -> dict[str, Any]:
    return {
        "source": {"layer": edge.source, "output": edge.output},
        "target": {"layer": edge.target, "input": edge.input},
        **json.fact(edge.fact),
        "findings": list(edge.findings),
    }
