"""A model as a piece of HTML for notebooks: a small one as a whole, a large one around what matters most in it."""

from __future__ import annotations

from pathlib import PurePath

from addison.checker.check import check
from addison.ir.drawing import fill
from addison.ir.model import Model
from addison.report.markup import clipped, markup
from addison.report.neighbourhood import COMFORTABLE
from addison.report.picture import Album
from addison.report.show_rows import headline
from addison.report.svg import svg


def html(model: Model) -> str:
    """The drawing with a line above it. No script; its style sheet reaches nothing but itself."""
    file = PurePath(model.source.path).name
    album = Album(model, check(model), file)
    large = len(model.layers) > COMFORTABLE
    picture = album.picture(0, album.near(0, album.centre(0), None) if large else None)
    line = markup(clipped(f"{file}: {headline(album, picture)}", 300))
    drawing = svg(picture, album.findings, label=file)
    return f'<div class="addison-model"><p>{line}</p>\n{drawing}</div>'


fill(html)
