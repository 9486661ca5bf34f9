"""``addison compare``: arrays, engines, vectors or models, one against another."""

from __future__ import annotations

import sys
from typing import Any

import click

from addison.cli.auditing import Auditing, audit_model, audit_options
from addison.cli.progress import Bar
from addison.cli.verb import Command, output_forms, style

EPILOG = """\b
What A and B can be; the prefix decides, else the extension:
  engine:NAME   an engine, on every golden vector (engine:oracle, engine:reference)
  vectors:DIR   golden vectors: a folder of them, or one file
  FILE.npy      one array
  FILE.npz      named arrays; two such files are compared name by name
  FILE.bin      raw packed elements; FILE.bin.json beside it says type and shape
  MODEL.xml     a model: layers, attributes, shapes, constants; nothing is run
  MODEL.onnx    as A, with the IR made from it as B: its Adds, by name

Elements are the same when their bits are; any NaN is as good as another. There is no tolerance but --ulps.
"""


@click.command("compare", cls=Command, epilog=EPILOG)
@click.argument("a", metavar="A")
@click.argument("b", metavar="[B]", required=False)
@click.option(
    "--ulps",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Let numbers be up to N units in the last place apart.",
)
@click.option(
    "--of",
    "of",
    nargs=2,
    metavar="FILE FILE",
    help="The operands that A claims to be the sum of; they tell saturation and the like apart.",
)
@click.option(
    "--auto-broadcast", metavar="none|numpy|pdpd", default="numpy", show_default=True, help="The rule of that sum."
)
@click.option("--axis", type=int, default=-1, show_default=True, help="Where its b starts in its a, under pdpd.")
@click.option("--element-type", metavar="TYPE", help="What raw files hold that do not say it themselves.")
@click.option("--shape", metavar="SHAPE", help="Their shape.")
@audit_options
@output_forms("text", "json", "html")
def command(
    a: str,
    b: str | None,
    ulps: int,
    of: tuple[str, str] | None,
    auto_broadcast: str,
    axis: int,
    element_type: str | None,
    shape: str | None,
    auditing: Auditing,
    form: str,
    quiet: bool,
) -> int:
    """Compare A, what was found, with B, what is wanted: equal bits, or how many differ, where first, how far apart,
    and in which way.

    \b
    addison compare sums/sum.npy right.npy
    addison compare sum.npy right.npy --of a.npy b.npy
    addison compare engine:reference engine:oracle
    addison compare old.xml new.xml
    addison compare net.xml --runtime openvino-cpu

    With --runtime the model A is run in that runtime, and every Add of it held against the specification, the worst
    first. Exit code 1 when they differ, or when an Add is wrong.
    """
    for_arrays = ulps or of or element_type or shape
    if auditing.runtime is not None:
        if b is not None or for_arrays:
            raise click.UsageError("--runtime goes with one model")
        return audit_model(a, auditing, form, quiet)
    if b is None:
        raise click.UsageError("compare takes A and B, or one model with --runtime")
    if form == "html":
        raise click.UsageError("--format html goes with --runtime")
    if a.lower().endswith(".onnx"):
        if not b.lower().endswith(".xml") or for_arrays:
            raise click.UsageError("an ONNX model is compared with an IR, MODEL.onnx MODEL.xml, and without tolerance")
        return _conversion(a, b, form)
    if a.lower().endswith(".xml") and b.lower().endswith(".xml"):
        if for_arrays:
            raise click.UsageError("--ulps, --of, --element-type and --shape go with arrays")
        return _models(a, b, form, quiet)
    how = {"ulps": ulps, "of": of, "auto_broadcast": auto_broadcast, "axis": axis}
    return _arrays(a, b, form, quiet, **how, element_type=element_type, shape=shape)


def _arrays(a: str, b: str, form: str, quiet: bool, **how: Any) -> int:
    """Whatever becomes arrays; ``how`` is what the options said."""
    from addison.conformance.compare import compare
    from addison.report import json, verdicts, verdicts_json

    with Bar("comparing", quiet) as bar:
        found = compare(a, b, **how, progress=bar)
    if form == "json":
        print(json.dumps(verdicts_json.compare(a, b, found)))
    else:
        print(verdicts.verdict(found, style(sys.stdout)))
    return int(not found.same)


def _models(a: str, b: str, form: str, quiet: bool) -> int:
    from addison.ir.reader import read_model
    from addison.report import diff_json, diff_text, json
    from addison.report.diff import diff

    models = read_model(a), read_model(b)
    with Bar("comparing", quiet) as bar:
        found = diff(*models, (a, b), bar)
    print(json.dumps(diff_json.document(found)) if form == "json" else diff_text.text(found, style(sys.stdout)))
    return int(bool(found))


def _conversion(a: str, b: str, form: str) -> int:
    from addison.conformance.onnx_adds import compare_onnx
    from addison.ir.reader import read_model
    from addison.report import conversion, json

    found = compare_onnx(a, read_model(b))
    print(json.dumps(conversion.document(a, b, found)) if form == "json" else conversion.text(found, style(sys.stdout)))
    return int(not found.same)
