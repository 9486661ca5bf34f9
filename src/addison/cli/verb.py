"""What every verb shares: its output options, and what becomes of an AddisonError."""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable, Container, Iterable
from typing import Any

import click

from addison.errors import AddisonError
from addison.report.text import Style

USE = 2
"""The exit code for wrong use and unreadable input."""


class Command(click.Command):
    """A command whose positional arguments may begin with ``-1``, as shapes do."""

    _SHAPE = re.compile(r"-\d.*")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Hides such arguments from the option parser, unless they are the value of the option before them."""
        if "--" not in args:
            shapes = [arg for arg in args if self._SHAPE.fullmatch(arg)]
            takes = {
                name
                for option in self.params
                if isinstance(option, click.Option) and not option.is_flag
                for name in option.opts
            }
            moved = [
                arg for before, arg in zip(["", *args], args, strict=False) if arg in shapes and before not in takes
            ]
            if moved:
                return super().parse_args(ctx, self._protect(args, takes))
        return super().parse_args(ctx, args)

    def _protect(self, args: list[str], takes: set[str]) -> list[str]:
        """Options first, then ``--``, then the positional arguments in their order."""
        options: list[str] = []
        rest: list[str] = []
        waiting = False
        for arg in args:
            if waiting or (arg.startswith("-") and len(arg) > 1 and not self._SHAPE.fullmatch(arg)):
                options.append(arg)
                waiting = not waiting and arg in takes
            else:
                rest.append(arg)
        return [*options, "--", *rest]


def output_forms(*forms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds ``--format`` with these forms, the first being the default, and ``--quiet``; turns an AddisonError into
    words (or JSON) and exit code 2."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--format",
            "form",
            type=click.Choice(forms),
            default=forms[0],
            show_default=True,
            help="How to print the result.",
        )
        @click.option("-q", "--quiet", is_flag=True, help="Print nothing but the result and errors.")
        @functools.wraps(function)
        def wrapped(*args: Any, form: str, quiet: bool, **options: Any) -> int:
            try:
                code = function(*args, form=form, quiet=quiet, **options)
            except AddisonError as fault:
                fail(fault, form)
                return USE
            except MemoryError:
                fail(AddisonError("there is not enough memory for this", help="use smaller inputs"), form)
                return USE
            return code if isinstance(code, int) else 0

        return wrapped

    return decorated


output_options = output_forms("text", "json")
"""What most verbs print: words, or a document."""
weights_option = click.option("--weights", metavar="FILE.bin", help="The weights, when they are not beside the model.")
nibbles_option = click.option(
    "--nibbles",
    type=click.Choice(["low-first", "high-first"]),
    default="low-first",
    show_default=True,
    help="Which nibble of a byte holds the first i4 or u4; high-first for files from before 2024.0.",
)


def fail(fault: AddisonError, form: str) -> None:
    """Says what is wrong on standard error, and on standard output for ``json``."""
    if form == "json":
        from addison.report import json

        print(json.dumps(json.error(fault)))
    from addison.report import text

    print(text.error(fault, style(sys.stderr)), file=sys.stderr)


_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def bytes_option(ctx: click.Context, option: click.Parameter, value: str) -> int:
    """The callback of an option that takes a number of bytes: 1048576, 64M, 4GiB."""
    found = re.fullmatch(r"(\d{1,15})\s*([kmgt]?)(i?b)?", value.strip().lower())
    if found is None:
        raise click.BadParameter(f"{value!r} is no number of bytes; write 1048576, 64M or 4GiB", ctx, option)
    return int(found[1]) * _UNITS[found[2]]


def style(stream: Any) -> Style:
    """Colour on a terminal, unless NO_COLOR says no; FORCE_COLOR says yes anywhere."""
    if os.environ.get("NO_COLOR"):
        return Style(False)
    return Style(bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb"))


def warn(text: str, quiet: bool) -> None:
    """A remark on standard error."""
    if text and not quiet:
        print(text, file=sys.stderr)


def assignments(texts: Iterable[str], option: str, wanted: str, known: Container[str] = ()) -> dict[str, str]:
    """Each NAME=VALUE taken apart. Names and files may hold ``=`` themselves: the first part that is a known name
    counts, else what stands before the first ``=``."""
    taken: dict[str, str] = {}
    for text in texts:
        cuts = [i for i, character in enumerate(text) if character == "="]
        cut = next((i for i in cuts if text[:i] in known), cuts[0] if cuts else 0)
        name, value = text[:cut], text[cut + 1 :]
        if not name or not value:
            raise click.BadParameter(f"{text!r} is not NAME={wanted}", param_hint=option)
        if name in taken:
            raise click.BadParameter(f"{name!r} is given twice", param_hint=option)
        taken[name] = value
    return taken
