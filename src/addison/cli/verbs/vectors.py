"""``addison vectors``: golden vectors made, listed, and put to engines."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import click

from addison import engines
from addison.cli.progress import Bar
from addison.cli.verb import Command, output_options, style

if TYPE_CHECKING:
    from addison.conformance.vectors import Vector

_only = click.option(
    "--only", "only", multiple=True, metavar="PATTERN", help="Only vectors whose id is like this, as sum/bf16/*."
)
_from = click.option("--vectors", "path", metavar="DIR", help="Vectors from files, not this package's own.")


@click.group("vectors")
def command() -> None:
    """Golden vectors for Add-1: cases chosen by class, with the answers of the specification.

    \b
    addison vectors list 'sum/bf16/*'
    addison vectors make vectors
    addison vectors verify --engine reference
    """


@command.command("make", cls=Command)
@click.argument("folder", metavar="DIR")
@click.option("--exhaustive", is_flag=True, help="Every pair of values of every type of up to 8 bits, compressed.")
@click.option("--models", is_flag=True, help="Each sum as IR files, with its operands and the sum beside them.")
@_only
@output_options
def make(folder: str, exhaustive: bool, models: bool, only: tuple[str, ...], form: str, quiet: bool) -> int:
    """Write the vectors as JSON lines. The same version writes the same bytes."""
    from addison.conformance import vector_files, vector_models
    from addison.report import json, verdicts_json
    from addison.report.escape import escape

    if exhaustive and (models or only):
        raise click.UsageError("--exhaustive goes without --models and --only")
    with Bar("making", quiet) as bar:
        if exhaustive:
            files = vector_files.write_exhaustive(folder, bar)
        elif models:
            files = vector_models.write_models(folder, _chosen(None, only), bar)
        else:
            files = vector_files.write(folder, _chosen(None, only))
    if form == "json":
        print(json.dumps(verdicts_json.written(folder, files)))
    else:
        kind = "folders of models" if models else "files"
        print(f"{escape(folder)}: {len(files)} {kind}")
    return 0


@command.command("list", cls=Command)
@click.argument("only", nargs=-1, metavar="[PATTERN]...")
@_from
@output_options
def listing(only: tuple[str, ...], path: str | None, form: str, quiet: bool) -> int:
    """List ids and the sentences they stand for. A pattern is like sum/*/tie."""
    from addison.report import json, verdicts, verdicts_json

    listed = _chosen(path, only)
    print(json.dumps(verdicts_json.listing(listed)) if form == "json" else verdicts.vectors(listed))
    return 0


@command.command("verify", cls=Command)
@click.option("--engine", "names", multiple=True, metavar="NAME", help="The engine; all of them unless given.")
@click.option(
    "--runtime", "runtimes", multiple=True, metavar="NAME", help="Somebody else's runtime instead, as openvino-cpu."
)
@click.option("--page", metavar="FILE.md", help="With --runtime: also write the page that docs/conformance.md is.")
@_from
@_only
@output_options
def verify(
    names: tuple[str, ...],
    runtimes: tuple[str, ...],
    page: str | None,
    path: str | None,
    only: tuple[str, ...],
    form: str,
    quiet: bool,
) -> int:
    """Put the vectors to engines or runtimes, and show a table of types and rules.

    Exit code 1 when anything is not as the specification has it; of a runtime, when its differences are not those
    that are recorded of that version.
    """
    if runtimes:
        from addison.cli import standing

        if names:
            raise click.UsageError("--engine and --runtime do not go together")
        return standing.verify(runtimes, _chosen(path, only) if path or only else None, page, form, quiet)
    if page is not None:
        raise click.UsageError("--page goes with --runtime")
    from addison.conformance.verify import verify as put
    from addison.report import json, verdicts, verdicts_json
    from addison.spec.broadcast import infer_shape

    chosen = [engines.get(name) for name in names or engines.names()]
    listed = _chosen(path, only)
    reports = []
    for engine in chosen:
        with Bar(f"verifying {engine.name}", quiet) as bar:
            reports.append(put(engine.add, listed, name=engine.name, infer_shape=infer_shape, progress=bar))
    if form == "json":
        print(json.dumps(verdicts_json.verify(reports)))
    else:
        print("\n\n".join(verdicts.verification(report, style(sys.stdout)) for report in reports))
    return int(not all(report.right for report in reports))


def _chosen(path: str | None, only: tuple[str, ...]) -> list[Vector]:
    """The vectors, this package's or those in files, whose ids are like one of the patterns."""
    from addison.conformance import vector_files
    from addison.conformance.vectors import made
    from addison.errors import InvalidInput

    listed = made() if path is None else vector_files.read(path)
    kept = [one for one in listed if not only or any(fnmatchcase(one.id, pattern) for pattern in only)]
    if not kept:
        raise InvalidInput(
            f"no vector is like {', '.join(map(repr, only))}",
            help="addison vectors list shows their ids",
            patterns=tuple(only),
        )
    return kept
