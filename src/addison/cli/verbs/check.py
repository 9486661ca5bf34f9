"""``addison check``: everything that is wrong with IR files."""

from __future__ import annotations

import sys
from typing import Literal

import click

from addison.checker.check import check
from addison.cli.progress import Bar
from addison.cli.verb import USE, Command, output_options, style
from addison.diagnostics import Diagnostic, Severity
from addison.errors import AddisonError


@click.command("check", cls=Command)
@click.argument("models", nargs=-1, required=True, metavar="MODEL.xml ...")
@click.option("--weights", metavar="FILE.bin", help="The weights, when they are not beside the model.")
@click.option(
    "--nibbles",
    type=click.Choice(["low-first", "high-first"]),
    default="low-first",
    show_default=True,
    help="Which nibble of a byte holds the first i4 or u4; high-first for files from before 2024.0.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info"]),
    default="error",
    show_default=True,
    help="The severity from which on the exit code is 1.",
)
@output_options
def command(
    models: tuple[str, ...],
    weights: str | None,
    nibbles: Literal["low-first", "high-first"],
    fail_on: str,
    form: str,
    quiet: bool,
) -> int:
    """Say everything that is wrong with OpenVINO IR files, with place, numbers and remedy.

    Exit code 0 when nothing is an error, 1 when something is, 2 when a file cannot be opened.
    """
    if weights is not None and len(models) > 1:
        raise click.UsageError("--weights goes with one model")
    checked: list[tuple[str, list[Diagnostic]]] = []
    unreadable: list[AddisonError] = []
    with Bar("checking", quiet) as bar:
        for number, path in enumerate(models):
            bar(number, len(models))
            try:
                checked.append((path, check(path, weights, nibbles=nibbles)))
            except AddisonError as fault:
                unreadable.append(fault)
    _print(checked, form, quiet)
    from addison.report import text

    for one in unreadable:
        print(text.error(one, style(sys.stderr)), file=sys.stderr)
    if unreadable:
        return USE
    level = Severity[fail_on.upper()]
    return int(any(one.severity >= level for _, found in checked for one in found))


def _print(checked: list[tuple[str, list[Diagnostic]]], form: str, quiet: bool) -> None:
    if form == "json":
        from addison.report import json

        print(json.dumps(json.check(checked)))
        return
    from addison.report import text

    every = [one for _, found in checked for one in found]
    if every:
        print(text.findings(every, style(sys.stdout)))
    if not quiet and checked:
        print(text.summary(every, [path for path, _ in checked]))
