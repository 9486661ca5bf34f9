"""``addison compare MODEL.xml --runtime NAME``: options and printing of an audit."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import click

from addison.cli.progress import Bar
from addison.cli.verb import assignments, bytes_option, style, warn
from addison.diagnostics import Severity
from addison.errors import InvalidInput, InvalidModel
from addison.ir.model import Add, Model
from addison.spec.shapes import Shape


@dataclass(frozen=True, slots=True)
class Auditing:
    """What the options of an audit said."""

    runtime: str | None
    inputs: tuple[str, ...]
    settings: tuple[str, ...]
    seed: int
    layers: str
    memory: int
    precision_hint: str
    weights: str | None


def audit_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options, and hands them over as one ``auditing``."""
    options = (
        click.option("--runtime", metavar="NAME", help="Audit the model A in this runtime: openvino-cpu."),
        click.option("-i", "--input", "inputs", multiple=True, metavar="NAME=FILE", help="An input of the audit."),
        click.option("--set", "settings", multiple=True, metavar="NAME=SHAPE", help="The shape of an input."),
        click.option("--seed", type=click.IntRange(min=0), default=0, help="What made-up inputs come from."),
        click.option("--layers", default="*", metavar="PATTERN", help="Audit these Adds only, as encoder/*."),
        click.option(
            "--memory",
            callback=bytes_option,
            default="1GiB",
            show_default=True,
            metavar="BYTES",
            help="The most that taps and comparisons of an audit may take.",
        ),
        click.option(
            "--precision-hint",
            type=click.Choice(["f32", "bf16", "f16", "default"]),
            default="f32",
            show_default=True,
            help="What the runtime may compute in; default is the runtime's own choice.",
        ),
        click.option("--weights", metavar="FILE.bin", help="The audited model's weights, when not beside it."),
    )
    names = tuple(Auditing.__dataclass_fields__)

    @functools.wraps(function)
    def wrapped(*args: Any, **given: Any) -> Any:
        return function(*args, auditing=Auditing(**{name: given.pop(name) for name in names}), **given)

    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def _refuse(path: str, model: Model, asked: Auditing) -> None:
    """What no runtime need be asked about: a model with errors, and a pattern that no Add has."""
    from addison.checker.check import check

    errors = tuple(one for one in check(model) if one.severity is Severity.ERROR)
    if errors:
        raise InvalidModel(f"{path!r} has errors, and is not run", help=errors[0].help, findings=errors)
    adds = [where for where, graph, i in model.walk() if isinstance(graph.layers[i].operation, Add)]
    if adds and not any(fnmatchcase(where, asked.layers) for where in adds):
        listed = ", ".join(map(repr, adds[:10]))
        raise InvalidInput(f"no Add is like {asked.layers!r}", help=f"its Adds: {listed}", layers=asked.layers)


def audit_model(path: str, asked: Auditing, form: str, quiet: bool) -> int:
    """Runs the audit and prints it; 1 when an Add is wrong."""
    from addison.conformance.audit import audit
    from addison.ir.reader import read_model
    from addison.report import audit as words
    from addison.report import audit_html, audit_json, json, text
    from addison.runtime import names

    assert asked.runtime is not None
    model = read_model(path, asked.weights)
    _refuse(path, model, asked)
    warn(text.findings(model.findings, style(sys.stderr)), quiet)
    known = {name for one in names.inputs(model) for name in one.names}
    hint = {} if asked.precision_hint == "default" else {"INFERENCE_PRECISION_HINT": asked.precision_hint}
    with Bar("auditing", quiet) as bar:
        found = audit(
            path,
            asked.runtime,
            weights=asked.weights,
            given=assignments(asked.inputs, "-i", "FILE", known),
            shapes={
                name: Shape.parse(one) for name, one in assignments(asked.settings, "--set", "SHAPE", known).items()
            },
            seed=asked.seed,
            layers=asked.layers,
            memory=asked.memory,
            settings=hint,
            progress=bar,
        )
    if form == "html":
        print(audit_html.html(found))
    else:
        print(json.dumps(audit_json.document(found)) if form == "json" else words.text(found, style(sys.stdout)))
    return int(not found.right)
