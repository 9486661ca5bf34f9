"""``addison bench``: how fast this machine adds, beside the libraries that are installed."""

from __future__ import annotations

import sys

import click

from addison.cli.progress import Bar
from addison.cli.verb import Command, output_options, style, warn


def _number(ctx: click.Context, option: click.Parameter, value: float) -> float:
    if value != value:  # which no range refuses
        raise click.BadParameter("nan is no number of seconds", ctx, option)
    return value


@click.command("bench", cls=Command)
@click.option(
    "--patterns",
    metavar="LIST",
    help="Of same scalar row column outer channels rgb transposed; all of them unless given.",
)
@click.option("--types", default="f32,f16,bf16,i8", show_default=True, metavar="LIST", help="Element types.")
@click.option("--sizes", "numbers", default="1k,1M", show_default=True, metavar="LIST", help="Elements of the result.")
@click.option(
    "--modes", default="fresh,out", show_default=True, metavar="LIST", help="A new result, one that is there, or both."
)
@click.option(
    "--peers",
    "names",
    metavar="LIST",
    help="Of numpy torch openvino onnxruntime numexpr jax; what is installed unless given.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, max=86400),
    default=20.0,
    callback=_number,
    show_default=True,
    help="About how long to measure in all.",
)
@click.option("--plot", metavar="FILE.svg", help="Also draw the ratios (needs the plot extra).")
@output_options
def command(
    patterns: str | None,
    types: str,
    numbers: str,
    modes: str,
    names: str | None,
    seconds: float,
    plot: str | None,
    form: str,
    quiet: bool,
) -> int:
    """Time addison.add beside the libraries installed here, on the same memory.

    A ratio is the best peer's time over addison's. Sums are compared with NumPy's before they are timed; exit code 1
    says that some differ.

    \b
    addison bench
    addison bench --types f32,nf4 --sizes 500,64k --modes out --peers numpy --seconds 5
    addison bench --plot ratios.svg --format json
    """
    from addison.benchmark import cases, peers
    from addison.benchmark.measure import bench
    from addison.engines import native
    from addison.report import bench_json, bench_plot, bench_text, json
    from addison.spec.elements import ELEMENTS

    todo = cases.cases(
        cases.chosen(patterns, cases.PATTERNS, "pattern") if patterns is not None else cases.PATTERNS,
        cases.chosen(types, ELEMENTS, "element type"),
        cases.sizes(numbers),
    )
    ways = cases.chosen(modes, cases.MODES, "mode")
    beside = cases.chosen(names, peers.PEERS, "peer") if names is not None else peers.installed()
    peers.need(beside)
    if plot is not None:
        bench_plot.check(plot)
    machine, versions = native.info(), {peer: peers.version(peer) for peer in beside}
    warn(bench_text.missing(machine), quiet)
    with Bar("measuring", quiet) as bar:
        rows = bench(todo, ways, beside, seconds, bar)
    if form == "json":
        print(json.dumps(bench_json.document(rows, machine, versions, seconds)))
    else:
        print(bench_text.text(rows, machine, versions, style(sys.stdout)))
    if plot is not None:
        bench_plot.save(bench_plot.marks(rows), plot, bench_text.core(machine))
    return int(any(row.differing for row in rows))
