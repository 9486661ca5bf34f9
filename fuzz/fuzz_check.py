"""Bytes taken for an IR file: checked, and shown in every form. Nothing but the AddisonError family may come out.

``python fuzz/fuzz_check.py fuzz/corpus`` searches until it is stopped; see README.md beside this.
"""

import sys
from collections.abc import Iterator

import atheris

with atheris.instrument_imports(include=["addison"]):
    from addison import check
    from addison.diagnostics import Diagnostic
    from addison.errors import AddisonError
    from addison.ir.model import Model
    from addison.ir.reader import examine
    from addison.report import github, json, sarif, show_html, show_json, show_text, svg, text
    from addison.report.picture import Album
    from addison.runtime import shapes

WEIGHTS = bytes(range(256))
STEERS = frozenset(
    map(chr, (*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)


def documents(model: Model | None, found: list[Diagnostic]) -> Iterator[str]:
    """Everything that this package prints about a file."""
    yield text.findings(found)
    yield json.dumps(json.check([("net.xml", found)]))
    yield json.dumps(sarif.sarif([("net.xml", found)]))
    yield github.github([("net.xml", found)])
    if model is None:
        return
    album = Album(model, found, "net.xml")
    for number in range(min(len(album.graphs), 3)):
        picture = album.picture(number)
        yield show_text.text(album, picture)
        yield json.dumps(show_json.document(album, [picture]))
        yield svg.svg(picture, found)
        yield show_html.html(album, picture)
    rows, more = shapes.layer_rows(model, {}, True)
    yield text.layers(rows)
    yield json.dumps(json.layers("net.xml", rows, more))


def one(data: bytes) -> None:
    """What is tried on each input."""
    try:
        found = check(data, WEIGHTS, runtime="openvino-cpu")
        model, _ = examine(data, WEIGHTS)
        shown = "".join(documents(model, found))
    except AddisonError:
        return
    steering = STEERS & set(shown)
    if steering:
        raise AssertionError(f"raw control characters: {sorted(map(ord, steering))}")


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
