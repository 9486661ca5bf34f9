"""``addison shapes``: inferred shapes of a model's layers, or of two shapes axis by axis."""

from __future__ import annotations

import sys

import click

from addison.cli.verb import Command, assignments, output_options, style, warn
from addison.diagnostics import Severity
from addison.runtime.shapes import layer_rows, pair
from addison.spec.broadcast import Clash
from addison.spec.shapes import Shape


@click.command("shapes", cls=Command)
@click.argument("what", nargs=-1, required=True, metavar="MODEL.xml | A B")
@click.option(
    "--auto-broadcast", metavar="none|numpy|pdpd", default="numpy", show_default=True, help="The rule for two shapes."
)
@click.option("--axis", type=int, default=-1, show_default=True, help="Where b starts in a, under pdpd.")
@click.option("--set", "settings", multiple=True, metavar="NAME=SHAPE", help="The shape of a model's input.")
@click.option(
    "--all", "every", is_flag=True, help="Show every layer of a model, not only Parameters, Adds and Results."
)
@click.option("--weights", metavar="FILE.bin", help="A model's weights, when they are not beside it.")
@output_options
def command(
    what: tuple[str, ...],
    auto_broadcast: str,
    axis: int,
    settings: tuple[str, ...],
    every: bool,
    weights: str | None,
    form: str,
    quiet: bool,
) -> int:
    """Infer shapes. A shape is written 8,1,6,1 or ?,1..8,3 or -1,3 or ... (unknown rank); a scalar is [].

    Exit code 1 when shapes clash.
    """
    if len(what) == 2:
        if settings or every or weights:
            raise click.UsageError("--set, --all and --weights go with a model")
        return _pair(what[0], what[1], auto_broadcast, axis, form)
    if len(what) != 1:
        raise click.UsageError("give one model, or two shapes")
    if auto_broadcast != "numpy" or axis != -1:
        raise click.UsageError("--auto-broadcast and --axis go with two shapes; a model says its own")
    return _model(what[0], weights, settings, every, form, quiet)


def _pair(a: str, b: str, auto_broadcast: str, axis: int, form: str) -> int:
    found = pair(a, b, auto_broadcast, axis)
    if form == "json":
        from addison.report import json

        print(json.dumps(json.merged(found)))
    else:
        from addison.report import text

        print(text.merged(found))
    return int(isinstance(found.outcome, Clash))


def _model(path: str, weights: str | None, settings: tuple[str, ...], every: bool, form: str, quiet: bool) -> int:
    from addison.ir.reader import read_model
    from addison.report import json, text

    model = read_model(path, weights)
    known = {name for one in model.inputs for name in (one.name, *(n for port in one.outputs for n in port.names))}
    chosen = assignments(settings, "--set", "SHAPE", known)
    shapes = {name: Shape.parse(spelled) for name, spelled in chosen.items()}
    rows, found = layer_rows(model, shapes, every)
    findings = (*model.findings, *found)
    if form == "json":
        print(json.dumps(json.layers(path, rows, findings)))
    else:
        print(text.layers(rows))
        warn(text.findings(findings, style(sys.stderr)), quiet)
    return int(any(one.severity is Severity.ERROR for one in findings))
