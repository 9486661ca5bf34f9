#!/usr/bin/env python3
"""How long reading an IR file takes, beside OpenVINO's own ``read_model`` and bare expat, in one process.

    python bench/reading.py [MODEL.xml] [--rounds N]

Without a model, one of some 3,700 layers and 1.5 MB of XML is made up. Prints medians and ratios to OpenVINO; the
readers take turns, so that a machine that slows down slows all of them.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from xml.parsers import expat

from addison.checker.check import check
from addison.ir.reader import read_model


def made_up(folder: Path, blocks: int = 615) -> Path:
    """A chain of Adds, each with a constant, a Convert and a ReLU: six layers a block, and dims as real files have."""
    dims = "".join(f"\n\t\t\t\t\t<dim>{d}</dim>" for d in (1, 64, 56, 56))
    layers = [_parameter(dims)]
    edges: list[str] = []
    last, output = 0, 0
    for block in range(blocks):
        base = 1 + 6 * block
        for k in range(2):
            layers.append(_constant(base + 3 * k))
            layers.append(_layer(base + 3 * k + 1, "Convert", '<data destination_type="f32" />', 1, ""))
            layers.append(_layer(base + 3 * k + 2, "Add", '<data auto_broadcast="numpy" />', 2, dims))
            edges += [
                _edge(base + 3 * k, 0, base + 3 * k + 1, 0),
                _edge(last, output, base + 3 * k + 2, 0),
                _edge(base + 3 * k + 1, 1, base + 3 * k + 2, 1),
            ]
            last, output = base + 3 * k + 2, 2
    layers.append(
        f'\t\t<layer id="{1 + 6 * blocks}" name="r" type="Result" version="opset1">\n\t\t\t<input>\n'
        f'\t\t\t\t<port id="0" precision="FP32">{dims}\n\t\t\t\t</port>\n\t\t\t</input>\n\t\t</layer>\n'
    )
    edges.append(_edge(last, output, 1 + 6 * blocks, 0))
    path = folder / "chain.xml"
    path.write_text(
        '<?xml version="1.0"?>\n<net name="chain" version="11">\n\t<layers>\n'
        + "".join(layers)
        + "\t</layers>\n\t<edges>\n"
        + "".join(edges)
        + "\t</edges>\n</net>\n"
    )
    path.with_suffix(".bin").write_bytes(bytes(2))
    return path


def _parameter(dims: str) -> str:
    return (
        '\t\t<layer id="0" name="x" type="Parameter" version="opset1">\n'
        '\t\t\t<data shape="1,64,56,56" element_type="f32" />\n\t\t\t<output>\n'
        f'\t\t\t\t<port id="0" precision="FP32" names="x">{dims}\n\t\t\t\t</port>\n\t\t\t</output>\n\t\t</layer>\n'
    )


def _constant(number: int) -> str:
    return (
        f'\t\t<layer id="{number}" name="c{number}" type="Const" version="opset1">\n'
        '\t\t\t<data element_type="f16" shape="" offset="0" size="2" />\n\t\t\t<output>\n'
        '\t\t\t\t<port id="0" precision="FP16" />\n\t\t\t</output>\n\t\t</layer>\n'
    )


def _layer(number: int, kind: str, data: str, inputs: int, dims: str) -> str:
    ports = "".join(
        f'\t\t\t\t<port id="{i}" precision="FP32">{dims if i == 0 else ""}\n\t\t\t\t</port>\n' for i in range(inputs)
    )
    return (
        f'\t\t<layer id="{number}" name="l{number}" type="{kind}" version="opset1">\n\t\t\t{data}\n\t\t\t<input>\n'
        f"{ports}\t\t\t</input>\n\t\t\t<output>\n"
        f'\t\t\t\t<port id="{inputs}" precision="FP32" names="l{number}">{dims}\n'
        "\t\t\t\t</port>\n\t\t\t</output>\n\t\t</layer>\n"
    )


def _edge(a: int, b: int, c: int, d: int) -> str:
    return f'\t\t<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}" />\n'


def bare_expat(path: Path) -> None:
    """The floor: every tag's byte position, and nothing made of it."""
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, attributes: parser.CurrentByteIndex
    parser.EndElementHandler = lambda tag: None
    with path.open("rb") as file:
        while piece := file.read(65536):
            parser.Parse(piece, False)
    parser.Parse(b"", True)


def measure(readers: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each reader, in turn, ``rounds`` times, after one round that does not count."""
    taken: dict[str, list[float]] = {name: [] for name in readers}
    for number in range(rounds + 1):
        for name, read in readers.items():
            start = time.perf_counter()
            read()
            if number:
                taken[name].append((time.perf_counter() - start) * 1e3)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path: Path = chosen.model or made_up(Path(folder))
        core = _openvino()
        readers: dict[str, Callable[[], object]] = {
            "openvino read_model": lambda: core.read_model(str(path)),
            "addison read_model": lambda: read_model(path),
            "addison check": lambda: check(path),
            "bare expat": lambda: bare_expat(path),
        }
        taken = measure(readers, chosen.rounds)
        print(
            f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {len(read_model(path).layers)} layers, "
            f"{chosen.rounds} rounds"
        )
    base = statistics.median(taken["openvino read_model"])
    for name, times in taken.items():
        middle = statistics.median(times)
        print(
            f"{name:<20} {middle:8.1f} ms   (lowest {min(times):.1f}, highest {max(times):.1f})   "
            f"{middle / base:5.2f} x openvino"
        )


def _openvino():  # type: ignore[no-untyped-def]
    try:
        import openvino
    except ImportError:
        raise SystemExit("this benchmark needs openvino: pip install 'addison[openvino]'") from None
    return openvino.Core()


if __name__ == "__main__":
    main()
