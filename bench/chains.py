"""Chains of additions through ``addison.compile_model``, beside the same chains in other libraries; for ``grid.py``.

Each library gets the same arrays and adds in the same order. Its time is that of its faster way: a new array for every
sum, or sums written into arrays that are there. Before anything is timed all sums are compared with NumPy's, rounded
after each addition; a peer whose bits are others is timed, and marked with a star. numexpr has no f16 or bf16, and
NumPy is timed only where a call costs more than the elements.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from timing import chosen, measure, row_of, table, values

import addison
from addison.benchmark.measure import traffic
from addison.benchmark.peers import Call, Calls, NotOffered, as_openvino, as_torch, usable

TYPES = ("f32", "f16", "bf16")
MODE = "chain"
"""What a row of a chain has as its mode."""
Steps = tuple[tuple[int, int], ...]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Chain:
    """Inputs of these shapes, and which two values each addition takes: the inputs count first, then the sums."""

    shapes: tuple[tuple[int, ...], ...]
    steps: Steps

    def run(self, inputs: Sequence[Value], add: Callable[[Value, Value], Value]) -> Value:
        """The last sum, by any way to add."""
        found = list(inputs)
        for a, b in self.steps:
            found.append(add(found[a], found[b]))
        return found[-1]

    def expression(self) -> str:
        """As Python has it: ``((x0 + x1) + x2)``."""
        return self.run(self.names(), "({} + {})".format)

    def names(self) -> list[str]:
        """Those of the inputs: x0, x1, ..."""
        return [f"x{i}" for i in range(len(self.shapes))]


def left(inputs: int) -> Steps:
    """``(((x0 + x1) + x2) + ...)``"""
    return ((0, 1), *((inputs + i, i + 2) for i in range(inputs - 2)))


def balanced(inputs: int) -> Steps:
    """``((x0 + x1) + (x2 + x3)) + ...``, for a power of two."""
    return tuple((2 * i, 2 * i + 1) for i in range(inputs - 1))


def _alike(inputs: int, *shape: int) -> Chain:
    return Chain((shape,) * inputs, left(inputs))


def _mixed(inputs: int, height: int, width: int) -> Chain:
    cycle = ((height, width), (width,), (height, 1), (1,))
    return Chain(tuple(cycle[i % 4] for i in range(inputs)), left(inputs))


PLACES = {"l2": 256, "1k": 1024, "4k": 4096}
CHAINS: dict[str, Chain] = {
    **{f"chain{k}-tiny": _alike(k, 5) for k in (2, 3, 9)},
    **{f"chain{k}-{place}": _alike(k, side, side) for place, side in PLACES.items() for k in (4, 9)},
    **{f"chain{k}-{place}-mixed": _mixed(k, side, side) for place, side in PLACES.items() for k in (4, 9)},
    "tree8-1k": Chain(((1024, 1024),) * 8, balanced(8)),
}
"""``l2`` is 256 x 256, ``tiny`` 5 elements. The first input of every chain has the shape of the sum."""
NUMPY_TO = 1000
"""The most elements for which NumPy is timed: its f16 takes seconds for large ones."""


def model(chain: Chain, name: str) -> bytes:
    """The chain as an IR file."""
    many, precision = len(chain.shapes), {"f16": "FP16", "f32": "FP32"}.get(name, name.upper())
    ranks = [_port(0, shape, precision) for shape in chain.shapes]
    full = chain.shapes[0]
    layers = [
        f'<layer id="{i}" name="x{i}" type="Parameter" version="opset1"><data element_type="{name}" '
        f'shape="{",".join(map(str, shape))}"/><output>{rank}</output></layer>'
        for i, (shape, rank) in enumerate(zip(chain.shapes, ranks, strict=True))
    ]
    edges, made = [], [*chain.shapes]
    for i, pair in enumerate(chain.steps, many):
        ins = "".join(_port(port, made[value], precision) for port, value in enumerate(pair))
        layers.append(
            f'<layer id="{i}" name="add{i}" type="Add" version="opset1"><data auto_broadcast="numpy"/>'
            f"<input>{ins}</input><output>{_port(2, full, precision)}</output></layer>"
        )
        made.append(full)
        edges += [_edge(value, 2 if value >= many else 0, i, port) for port, value in enumerate(pair)]
    last = many + len(chain.steps)
    layers.append(
        f'<layer id="{last}" name="sum" type="Result" version="opset1">'
        f"<input>{_port(0, full, precision)}</input></layer>"
    )
    edges.append(_edge(last - 1, 2, last, 0))
    return (
        f'<?xml version="1.0"?><net name="chain" version="11"><layers>{"".join(layers)}</layers>'
        f"<edges>{''.join(edges)}</edges></net>"
    ).encode()


def _port(number: int, shape: Sequence[int], precision: str) -> str:
    dims = "".join(f"<dim>{size}</dim>" for size in shape)
    return f'<port id="{number}" precision="{precision}">{dims}</port>'


def _edge(layer: int, port: int, to: int, to_port: int) -> str:
    return f'<edge from-layer="{layer}" from-port="{port}" to-layer="{to}" to-port="{to_port}"/>'


# -- who adds: the chain, its arrays, their type, and where the sum goes; calls as in addison.benchmark.peers


def numpy_(chain: Chain, arrays: list[Any], name: str, out: Any) -> Calls:
    if out.size > NUMPY_TO:
        raise NotOffered
    return {"fresh": written_out(chain, arrays), "out": into(chain, np.add, arrays, out, np.empty_like)}


def torch(chain: Chain, arrays: list[Any], name: str, out: Any) -> Calls:
    module = importlib.import_module("torch")
    tensors, total = [as_torch(x, name) for x in arrays], as_torch(out, name)
    return {"fresh": written_out(chain, tensors), "out": into(chain, module.add, tensors, total, module.empty_like)}


def openvino(chain: Chain, arrays: list[Any], name: str, out: Any) -> Calls:
    core = importlib.import_module("openvino").Core()
    compiled = core.compile_model(core.read_model(model(chain, name)), "CPU", {"INFERENCE_PRECISION_HINT": name})
    request = compiled.create_infer_request()
    tensors = [as_openvino(x, name) for x in (*arrays, out)]
    for i, tensor in enumerate(tensors[:-1]):
        request.set_input_tensor(i, tensor)
    request.set_output_tensor(0, tensors[-1])

    def infer(kept: Any = (core, compiled, tensors)) -> Any:  # the request does not keep alive what it reads from
        return request.infer(share_outputs=True)

    return {"out": infer}


def numexpr(chain: Chain, arrays: list[Any], name: str, out: Any) -> Calls:
    if name != "f32":
        raise NotOffered
    module, text = importlib.import_module("numexpr"), chain.expression()
    named = dict(zip(chain.names(), arrays, strict=True))
    return {
        "fresh": lambda: module.evaluate(text, local_dict=named),
        "out": lambda: module.evaluate(text, local_dict=named, out=out),
    }


PEERS = {"numpy": numpy_, "torch": torch, "openvino": openvino, "numexpr": numexpr}


def written_out(chain: Chain, operands: list[Any]) -> Call:
    """The chain as one line of Python."""
    call: Call = eval(f"lambda: {chain.expression()}", dict(zip(chain.names(), operands, strict=True)))
    return call


def into(chain: Chain, add: Callable[..., Any], operands: list[Any], out: Any, like: Callable[[Any], Any]) -> Call:
    """Each addition into an array that is there: the left operand if that is a sum, so that the last is ``out``."""
    found, steps = list(operands), list[tuple[Any, Any, Any]]()
    for a, b in chain.steps:
        room = found[a] if a >= len(operands) else like(out) if steps else out
        steps.append((found[a], found[b], room))
        found.append(room)
    assert found[-1] is out

    def call() -> Any:
        for a, b, room in steps:
            add(a, b, out=room)

    return call


# -- the rows


def rows(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A row for each chain and type that is wanted; ``wrong`` says how our sums differ, and then no peer is timed."""
    names = arguments.peers.split(",") if arguments.peers else PEERS
    for pattern, chain in CHAINS.items():
        for name in TYPES:
            if chosen(pattern, arguments.patterns) and chosen(name, arguments.types):
                yield _row(pattern, chain, name, [peer for peer in PEERS if peer in names], arguments.rounds)


def _row(pattern: str, chain: Chain, name: str, peers: list[str], rounds: int) -> dict[str, Any]:
    arrays = [values(shape, name, seed) for seed, shape in enumerate(chain.shapes)]
    wanted = chain.run(arrays, np.add)
    program = addison.compile_model(addison.read_model(model(chain, name)))
    (ours,) = program(arrays).values()
    wrong = "" if same_bits(ours, wanted) else addison.compare(ours, wanted).says
    outs = {} if wrong else {peer: np.zeros_like(wanted) for peer in peers}
    found = usable({peer: partial(PEERS[peer], chain, arrays, name, out) for peer, out in outs.items()})
    other_bits = [peer for peer in found if not same_bits(outs[peer], wanted)]
    calls = {(peer, way): call for peer, ways in found.items() for way, call in ways.items()}
    times: dict[str, tuple[float, float]] = {}
    for (who, _), took in measure({("addison", ""): lambda: program(arrays)} | calls, rounds).items():
        times[who] = min(took, times.get(who, took))
    return row_of(pattern, name, MODE, traffic(*arrays, wanted), times) | {"other_bits": other_bits, "wrong": wrong}


def same_bits(found: Any, wanted: Any) -> bool:
    """Whether these arrays do not differ, any NaN being as good as another."""
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return False
    bits = f"u{wanted.itemsize}"
    unlike = found.view(bits) != wanted.view(bits)
    one, other = found[unlike], wanted[unlike]
    return bool(np.all((one != one) & (other != other)))


def call_costs(found: list[dict[str, Any]]) -> Iterator[str]:
    """What a call on 5 elements costs, and each input past the second."""
    cost = {(one["pattern"], one["type"]): one["us"] for one in found}
    for name in TYPES:
        two, three, nine = (cost.get((f"chain{k}-tiny", name)) for k in (2, 3, 9))
        if two and three and nine:
            yield f"a call on 5 elements of {name}: {two:.3g} us with 2 inputs, {three:.3g} with 3, {nine:.3g} with " \
                  f"9: {(nine - two) / 7:.3g} us an input past the second"  # fmt: skip


def markdown(found: list[dict[str, Any]]) -> str:
    """One row a chain and type: our time, and each peer's over ours."""
    body = []
    for one in found:
        ours, stars = one["us"], dict.fromkeys(one["other_bits"], "*")
        told = {peer: f"x{took / ours:.2f}{stars.get(peer, '')}" for peer, took in one["peers"].items()}
        mine = f"wrong: {one['wrong']}" if one["wrong"] else f"{ours:.3g} us"
        body.append([one["pattern"], one["type"], mine, *(told.get(peer, "") for peer in PEERS)])
    costs = "".join(f"* {line}\n" for line in call_costs(found))
    return (
        table(("chain", "type", "addison", *PEERS), body)
        + "\n\\* other bits than rounding after each addition\n\n"
        + costs
    )
