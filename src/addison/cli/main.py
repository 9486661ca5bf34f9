"""``addison``: finds the verb, and turns whatever happens into an exit code.

0 fine, 1 findings or a difference, 2 wrong use or unreadable input, 3 a fault of this package, 130 interrupted,
141 when whoever reads the output has stopped.
"""

from __future__ import annotations

import importlib
import io
import os
import sys

import click

import addison
from addison.errors import AddisonError

VERBS = {
    "run": "run a model on arrays, or on made-up ones",
    "check": "say everything that is wrong with an IR file",
    "shapes": "infer shapes: of a model's layers, or of two shapes",
    "explain": "say why: a finding, a type, a rule, two shapes, or the sum of two values",
    "show": "show a model as a tree, a drawing or a page, and what two models differ in",
    "compare": "compare arrays, engines, vectors or models, bit for bit",
    "vectors": "golden vectors: make them, list them, put them to engines",
    "bench": "time addition here, beside the libraries installed",
}
USE, OWN_FAULT, INTERRUPTED, CLOSED = 2, 3, 130, 141


class _Closed(Exception):
    """Whoever read standard output has stopped."""


class _Verbs(click.Group):
    """Knows the verbs' names and one-line helps; imports a verb when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"addison.cli.verbs.{cmd_name}").command
        return command

    def resolve_command(
        self,
        ctx: click.Context,
        args: list[str],
    ) -> tuple[str | None, click.Command | None, list[str]]:
        import difflib

        if args and args[0] not in VERBS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], VERBS, 1)
            ctx.fail(
                f"there is no verb {args[0]!r}; "
                + (f"did you mean {near[0]}?" if near else "use one of " + ", ".join(VERBS))
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Runs the verb. click itself would make exit code 1, which means findings, of a pipe that was closed."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as closed:
            raise _Closed from closed

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def _version(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from addison.engines import native

    level = native.info()["level"]
    print(f"addison {addison.__version__} (engine {addison.engines.DEFAULT}{level and f', level {level}'})")
    ctx.exit()


def _debug(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    """Said to ``_run`` by way of ``obj``, for a fault that comes later."""
    ctx.ensure_object(dict)["debug"] = value


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    callback=_version,
    expose_value=False,
    is_eager=True,
    help="Show the version, the engine and its instruction-set level, and exit.",
)
@click.option("--debug", is_flag=True, callback=_debug, expose_value=False, help="Show Python tracebacks.")
def group() -> None:
    """OpenVINO's Add-1, exact in all 23 element types: run, check and explain IR files."""


def main(arguments: list[str] | None = None) -> None:
    """The entry point: never lets a traceback out, unless --debug asks for it."""
    arguments = sys.argv[1:] if arguments is None else arguments
    sys.stdout = sys.stdout or io.StringIO()  # None when the file is closed
    sys.stderr = sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_run(arguments))


def _show(fault: click.UsageError) -> None:
    """click's own words, which quote what was typed, and a shell may have taken that from a folder."""
    from addison.report.escape import escape

    shown = io.StringIO()
    fault.show(shown)
    print("\n".join(escape(line.expandtabs()) for line in shown.getvalue().splitlines()), file=sys.stderr)


def _forget_output() -> None:
    """Points standard output at nothing, so that the last flush fails in silence."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    asked: dict[str, bool] = {}
    try:
        code = group.main(arguments, prog_name="addison", standalone_mode=False, obj=asked)
        sys.stdout.flush()
    except click.UsageError as fault:
        _show(fault)
        return fault.exit_code
    except click.exceptions.Exit as left:
        return left.exit_code
    except (click.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except (_Closed, BrokenPipeError):
        _forget_output()
        return CLOSED  # what a shell says of a program that its reader left: neither fine nor a finding
    except AddisonError as fault:  # outside of a verb: --version, where the environment asks for a wrong level
        from addison.cli.verb import fail

        fail(fault, "text")
        return USE
    except OSError as fault:
        _forget_output()
        print(f"error: the output cannot be written: {fault.strerror or fault}", file=sys.stderr)
        return USE
    except Exception as fault:
        if asked.get("debug"):
            raise
        from addison.report.escape import escape

        said = escape(f"{type(fault).__name__}: {fault}")
        print(
            f"addison failed: {said}\n  this is a fault of addison itself; addison --debug ... shows the traceback",
            file=sys.stderr,
        )
        return OWN_FAULT
    return code if isinstance(code, int) else 0
