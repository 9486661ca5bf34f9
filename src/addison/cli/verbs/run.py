"""``addison run``: a model on arrays in files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from addison.cli.progress import Bar
from addison.cli.verb import (
    Command,
    assignments,
    bytes_option,
    nibbles_option,
    output_options,
    style,
    warn,
    weights_option,
)
from addison.spec.shapes import Shape

if TYPE_CHECKING:
    from addison.ir.reader import Nibbles


@click.command("run", cls=Command)
@click.argument("path", metavar="MODEL.xml")
@click.option(
    "-i",
    "--input",
    "inputs",
    multiple=True,
    metavar="NAME=FILE",
    help="An input's values: .npy, .npz, or raw .bin. Without any, values are made from the seed.",
)
@click.option("-o", "--out", "folder", metavar="DIR", help="Where to write the outputs.")
@click.option("--only", "wanted", multiple=True, metavar="NAME", help="Compute this output only (may be repeated).")
@click.option("--layer", metavar="NAME|ID|PATH", help="Run this one Add alone, whatever surrounds it.")
@click.option("--set", "settings", multiple=True, metavar="NAME=SHAPE", help="The shape of an input that is not known.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="What made-up inputs come from.")
@click.option("--engine", metavar="NAME", help="reference (the default) or oracle.")
@weights_option
@nibbles_option
@click.option(
    "--memory",
    callback=bytes_option,
    default="4GiB",
    show_default=True,
    metavar="BYTES",
    help="The most bytes a run may take at once.",
)
@output_options
def command(
    path: str,
    inputs: tuple[str, ...],
    folder: str | None,
    wanted: tuple[str, ...],
    layer: str | None,
    settings: tuple[str, ...],
    seed: int,
    engine: str | None,
    weights: str | None,
    nibbles: Nibbles,
    memory: int,
    form: str,
    quiet: bool,
) -> int:
    """Run an OpenVINO IR of Parameters, constants, value-preserving Converts, Adds and Results, exactly.

    \b
    addison run net.xml                              inputs made from a seed
    addison run net.xml -i a=a.npy -i b=b.npy -o out
    addison run big.xml --layer encoder/add_3        one Add of any model
    """
    from addison.ir.reader import read_model
    from addison.report import json, text
    from addison.runtime import names
    from addison.runtime.extract import extract_add
    from addison.runtime.session import run_files

    model = read_model(path, weights, nibbles=nibbles)
    warn(text.findings(model.findings, style(sys.stderr)), quiet)
    if layer is not None:
        model = extract_add(model, layer)
    known = {name for one in names.inputs(model) for name in one.names}
    chosen = assignments(settings, "--set", "SHAPE", known)
    shapes = {name: Shape.parse(spelled) for name, spelled in chosen.items()}
    given = assignments(inputs, "-i", "FILE", known)
    with Bar("running", quiet) as bar:
        account = run_files(
            model,
            given,
            folder,
            shapes=shapes,
            seed=seed,
            engine=engine,
            limit=memory,
            outputs=wanted or None,
            progress=bar,
        )
    print(json.dumps(json.run(account)) if form == "json" else text.run(account))
    return 0
