"""``addison check``: everything that is wrong with IR files."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from addison.checker.batch import Asked, Job, jobs
from addison.cli.progress import Bar
from addison.cli.verb import USE, Command, output_forms, style, warn
from addison.diagnostics import Severity
from addison.errors import AddisonError
from addison.ir.reader import Nibbles
from addison.report.escape import escape
from addison.report.listing import FORMATS, Listing, listing


def _codes(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Codes between commas, the option given any number of times."""
    codes = tuple(code.strip() for text in texts for code in text.split(","))
    if "" in codes:
        raise click.BadParameter("a code is missing", context, option)
    return codes


@click.command("check", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="MODEL.xml|FOLDER ...")
@click.option("--weights", metavar="FILE.bin", help="The weights, when they are not beside the model.")
@click.option(
    "--nibbles",
    type=click.Choice(["low-first", "high-first"]),
    default="low-first",
    show_default=True,
    help="Which nibble of a byte holds the first i4 or u4; high-first for files from before 2024.0.",
)
@click.option("--select", multiple=True, callback=_codes, metavar="CODE[,CODE]", help="Report these only: A302, A3, W.")
@click.option("--ignore", multiple=True, callback=_codes, metavar="CODE[,CODE]", help="Do not report these.")
@click.option("--runtime", metavar="NAME", help="Report where this runtime departs: openvino-cpu.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info"]),
    help="The severity from which on the exit code is 1.  [default: error]",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@output_forms(*FORMATS)
def command(
    paths: tuple[str, ...],
    weights: str | None,
    nibbles: Nibbles,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    runtime: str | None,
    fail_on: str | None,
    exit_zero: bool,
    form: str,
    quiet: bool,
) -> int:
    """Say everything that is wrong with OpenVINO IR files, with place, numbers and remedy.

    Of a folder every IR file below it is checked. Exit code 0 when nothing is an error, 1 when something is, 2 when a
    file cannot be opened. [tool.addison] in a pyproject.toml has select, ignore, fail-on, runtime, and exclude.
    """
    asked = Asked(select, ignore, runtime, Severity[fail_on.upper()] if fail_on else None)
    todo = jobs(paths, asked, lambda folder: warn(f"no IR files below {escape(folder)}", quiet))
    if weights is not None and len(todo) != 1:
        raise click.UsageError("--weights goes with one model")
    listed = listing(form, style(sys.stdout), quiet)
    with Bar("checking", quiet) as bar:
        failed, unreadable = _check(todo, weights, nibbles, listed, bar)
    said = listed.end()
    if said:
        print(said)
    _explain(unreadable)
    return USE if unreadable else int(failed and not exit_zero)


def _check(
    todo: Sequence[Job], weights: str | None, nibbles: Nibbles, listed: Listing, bar: Bar
) -> tuple[bool, list[AddisonError]]:
    """Whether any file fails, and why some could not be opened."""
    failed = False
    unreadable = []
    for number, job in enumerate(todo):
        bar(number, len(todo))
        try:
            found = job.run(weights, nibbles)
        except AddisonError as fault:
            unreadable.append(fault)
            continue
        listed.add(job.path, found)
        failed = failed or job.asked.fails(found)
    return failed, unreadable


def _explain(faults: Sequence[AddisonError]) -> None:
    if faults:
        from addison.report import text

        for one in faults:
            print(text.error(one, style(sys.stderr)), file=sys.stderr)
