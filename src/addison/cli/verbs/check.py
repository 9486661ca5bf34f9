"""``addison check``: everything that is wrong with IR files."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from addison.checker.batch import Asked, Job, jobs
from addison.cli.progress import Bar
from addison.cli.verb import USE, Command, nibbles_option, output_forms, style, warn, weights_option
from addison.diagnostics import Severity
from addison.errors import AddisonError
from addison.ir.codes import UNREADABLE
from addison.ir.reader import Nibbles
from addison.report.escape import escape
from addison.report.listing import FORMATS, Listing, listing

if TYPE_CHECKING:
    from addison.checker.fix import Refusal


def _codes(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Codes between commas, the option given any number of times."""
    codes = tuple(code.strip() for text in texts for code in text.split(","))
    if "" in codes:
        raise click.BadParameter("a code is missing", context, option)
    return codes


@click.command("check", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="MODEL.xml|FOLDER ...")
@weights_option
@nibbles_option
@click.option("--select", multiple=True, callback=_codes, metavar="CODE[,CODE]", help="Report these only: A302, A3, W.")
@click.option("--ignore", multiple=True, callback=_codes, metavar="CODE[,CODE]", help="Do not report these.")
@click.option("--runtime", metavar="NAME", help="Report where this runtime departs: openvino-cpu.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info"]),
    help="The severity from which on the exit code is 1.  [default: error]",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option("--fix", "fixes", is_flag=True, help="Correct what is safe (A103, A301) in the files, then check them.")
@click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing.")
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
    fixes: bool,
    diff: bool,
    form: str,
    quiet: bool,
) -> int:
    """Say everything that is wrong with OpenVINO IR files, with place, numbers and remedy.

    Of a folder every IR file below it is checked. Exit code 0 when nothing is an error, 1 when something is, 2 when a
    file cannot be opened; with --diff 1 also when something would change. [tool.addison] in a pyproject.toml has
    select, ignore, fail-on, runtime, and exclude.
    """
    if diff and form != "text":
        raise click.UsageError("--diff prints a diff; leave out --format")
    asked = Asked(select, ignore, runtime, Severity[fail_on.upper()] if fail_on else None)
    todo = jobs(paths, asked, lambda folder: warn(f"no IR files below {escape(folder)}", quiet))
    if weights is not None and len(todo) != 1:
        raise click.UsageError("--weights goes with one model")
    done = _Done(listing(form, style(sys.stdout), quiet))
    with Bar("checking", quiet) as bar:
        for number, job in enumerate(todo):
            bar(number, len(todo))
            try:
                done.take(job, weights, nibbles, fixes, diff)
            except AddisonError as fault:
                done.unreadable.append(fault)
                if form != "text":
                    done.listed.add(job.path, [UNREADABLE(None, fault.says, help=fault.help, path=job.path)])
    _print(done, diff, quiet)
    return USE if done.unreadable else int(done.failed and not exit_zero)


class _Done:
    """What the files came to."""

    def __init__(self, listed: Listing) -> None:
        self.listed = listed
        self.failed = False
        self.unreadable: list[AddisonError] = []
        self.patches: list[bytes] = []
        self.fixed: Counter[str] = Counter()
        self.refused: list[tuple[str, Refusal]] = []

    def take(self, job: Job, weights: str | None, nibbles: Nibbles, fixes: bool, diff: bool) -> None:
        """Checks one file, or fixes it first, or says only what that would change."""
        if fixes or diff:
            made = job.fix(weights, nibbles)
            self.fixed.update({job.path: len(made.fixed)} if made.fixed else {})
            self.refused += [(job.path, one) for one in made.refused]
            if diff:
                from addison.report.patch import patch

                self.patches.append(patch(job.path, made.before, made.edits))
                self.failed = self.failed or bool(made.edits) or job.asked.fails(made.left)
                return
            job.write(made)
        found = job.run(weights, nibbles)
        self.listed.add(job.path, found)
        self.failed = self.failed or job.asked.fails(found)


def _print(done: _Done, diff: bool, quiet: bool) -> None:
    from addison.report import text

    said = done.listed.end()
    if diff:
        _print_patches(done.patches)
    elif said:
        print(said, flush=True)
    for path, refusal in done.refused:
        warn(text.refused(path, refusal), quiet)
    if done.fixed:
        warn(text.fixed(done.fixed.total(), len(done.fixed), diff), quiet)
    for one in done.unreadable:
        print(text.error(one, style(sys.stderr)), file=sys.stderr)


def _print_patches(patches: Sequence[bytes]) -> None:
    """The very bytes, for a tool that applies them; on a terminal without what could steer it."""
    if sys.stdout.isatty():
        for line in b"".join(patches).decode(errors="replace").split("\n")[:-1]:
            print(escape(line))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(b"".join(patches))
        sys.stdout.buffer.flush()
