"""``addison show``: a model as a tree, a drawing or a page, and what two models differ in."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from addison.cli.verb import Command, output_forms, style, warn, weights_option
from addison.report.show import SUFFIXES, album, chosen, write

if TYPE_CHECKING:
    from addison.report.picture import Album, Picture

_ALL = 10_000
"""Columns, when nobody says how wide the terminal is: nothing is cut."""


@click.command("show", cls=Command)
@click.argument("path", metavar="MODEL.xml")
@weights_option
@click.option("--around", metavar="NAME|ID|PATH", help="Show this layer and what is near it.")
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="How many edges away is near.")
@click.option("--body", metavar="PATH", help="Show a body of a TensorIterator, Loop or If, as If_9/then_body.")
@click.option("--diff", "other", metavar="OTHER.xml", help="Show what another model has otherwise.")
@click.option(
    "-o", "--out", "out", metavar="FILE", help="Write a file; .svg, .html and .json say what, unless --format does."
)
@output_forms("text", "json", "svg", "html")
@click.pass_context
def command(
    context: click.Context,
    path: str,
    weights: str | None,
    around: str | None,
    depth: int | None,
    body: str | None,
    other: str | None,
    out: str | None,
    form: str,
    quiet: bool,
) -> int:
    """Show a model: layers from inputs to outputs with types, shapes and findings.

    \b
    addison show net.xml                          a tree
    addison show net.xml -o net.html              a page to search and zoom in
    addison show net.xml -o add.svg --around add_3 --depth 4
    addison show old.xml --diff new.xml           what the second has otherwise

    Drawings of more than 500 layers show what is near the worst finding, the first Add, or --around. Exit code 1 when
    something in the model is an error, or models differ; 2 when there is no model in the file.
    """
    if out is not None and context.get_parameter_source("form") is click.core.ParameterSource.DEFAULT:
        suffix = PurePath(out).suffix.lower()
        if suffix not in (*SUFFIXES, "", ".txt"):
            raise click.UsageError(
                f"-o {out!r}: no form has the suffix {suffix}; use {', '.join(SUFFIXES)}, or --format"
            )
        form = SUFFIXES.get(suffix, form)
    if other is not None:
        if form not in ("text", "json") or around is not None or depth is not None or body is not None:
            raise click.UsageError("--diff gives text or JSON of two whole models")
        return _diff(path, weights, other, out, form, quiet)
    shown = album(path, weights)
    picture = chosen(shown, body=body, around=around, depth=depth, drawn=form in ("svg", "html"))
    if picture.around is not None and form != "text":
        from addison.report.markup import brief

        warn(f"shown: {brief(picture.said, 300)}", quiet)
    if out is not None:
        write(out, _form(shown, picture, form, body is not None) + "\n")
    elif form == "text" and (sys.stdout.isatty() or os.environ.get("FORCE_COLOR")):
        _terminal(shown, picture)
    else:
        print(_form(shown, picture, form, body is not None))
    return int(shown.failed)


def _form(album: Album, picture: Picture, form: str, of_body: bool) -> str:
    """The picture in one form. JSON of a whole model has all its graphs."""
    if form == "text":
        from addison.report.show_text import text

        return text(album, picture)
    if form == "json":
        from addison.report import json, show_json

        whole = picture.around is None and not of_body
        pictures = [album.picture(number) for number in range(len(album.graphs))] if whole else [picture]
        return json.dumps(show_json.document(album, pictures))
    if form == "svg":
        from addison.report.svg import svg

        return svg(picture, album.findings, label=album.file).rstrip("\n")
    from addison.report.show_html import html

    return html(album, picture).rstrip("\n")


def _terminal(album: Album, picture: Picture) -> None:
    from rich.console import Console

    from addison.report.show_terminal import ASCII, UNICODE, tree

    console = Console(force_terminal=style(sys.stdout).colour, no_color=not style(sys.stdout).colour, highlight=False)
    width = shutil.get_terminal_size((_ALL, 0)).columns if sys.stdout.isatty() else _ALL
    signs = UNICODE if console.encoding.startswith("utf") else ASCII
    for line in tree(album, picture, width, signs):
        console.print(line, soft_wrap=True)


def _diff(path: str, weights: str | None, other: str, out: str | None, form: str, quiet: bool) -> int:
    from addison.cli.progress import Bar
    from addison.report.diff import diff

    a, b = album(path, weights), album(other)
    with Bar("comparing", quiet) as bar:
        found = diff(a.model, b.model, (path, other), bar)
    if form == "json":
        from addison.report import diff_json, json

        shown = json.dumps(diff_json.document(found))
    else:
        from addison.report import diff_text
        from addison.report.text import PLAIN

        shown = diff_text.text(found, PLAIN if out else style(sys.stdout))
    if out is not None:
        write(out, shown + "\n")
    else:
        print(shown)
    return int(bool(found))
