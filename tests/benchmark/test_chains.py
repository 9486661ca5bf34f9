"""The chains of ``bench/chains.py``: what is compared and how, not how long it takes."""

import importlib
from argparse import Namespace

import ml_dtypes
import numpy as np
import pytest

import addison
from tests.same_bits import DTYPES


@pytest.fixture
def chains(root, monkeypatch):
    """The module, which lies beside ``grid.py``."""
    monkeypatch.syspath_prepend(root / "bench")
    return importlib.import_module("chains")


@pytest.fixture
def asked():
    """What a command line for the smallest chain asks for."""
    return Namespace(patterns="chain3-tiny", types="bf16", peers="numpy", rounds=1)


def small(chains, pattern):
    """A chain with its sizes cut to 3."""
    chain = chains.CHAINS[pattern]
    return chains.Chain(tuple(tuple(min(size, 3) for size in shape) for shape in chain.shapes), chain.steps)


def test_the_order_of_additions(chains):
    assert small(chains, "chain4-l2").expression() == "(((x0 + x1) + x2) + x3)"
    assert small(chains, "tree8-1k").expression() == "(((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7)))"


def test_mixed_inputs_cycle_through_four_shapes(chains):
    assert chains.CHAINS["chain4-l2-mixed"].shapes == ((256, 256), (256,), (256, 1), (1,))
    assert chains.CHAINS["chain9-4k-mixed"].shapes[8] == (4096, 4096)


def test_every_model_adds_in_that_order(chains):
    random = np.random.default_rng(1)
    for pattern in chains.CHAINS:
        chain = small(chains, pattern)
        for name in chains.TYPES:
            arrays = [random.standard_normal(shape).astype("f4").astype(DTYPES[name]) for shape in chain.shapes]
            named = dict(zip(chain.names(), arrays, strict=True))
            program = addison.compile_model(addison.read_model(chains.model(chain, name)))
            wanted = eval(chain.expression(), {}, named)
            (found,) = program(arrays).values()
            assert chains.same_bits(found, wanted), (pattern, name)
            assert wanted.shape == chain.shapes[0]


@pytest.mark.parametrize("pattern", ["chain2-tiny", "chain9-l2-mixed", "tree8-1k"])
def test_sums_into_arrays_that_are_there(chains, pattern):
    chain = small(chains, pattern)
    arrays = [np.random.default_rng(i).random(shape, "f4") for i, shape in enumerate(chain.shapes)]
    kept, out = [x.copy() for x in arrays], np.zeros(chain.shapes[0], "f4")
    chains.into(chain, np.add, arrays, out, np.empty_like)()
    assert np.array_equal(out, chains.written_out(chain, arrays)())
    assert all(np.array_equal(x, was) for x, was in zip(arrays, kept, strict=True))


@pytest.mark.parametrize("dtype", ["f4", "f2", ml_dtypes.bfloat16])
def test_one_wrong_bit_is_seen_and_the_bits_of_a_nan_are_not(chains, dtype):
    wanted = np.array([1, np.nan, 0, 2], dtype)
    found = wanted.copy()
    bits = found.view(f"u{found.itemsize}")
    assert chains.same_bits(found, wanted)
    bits[1] ^= 1
    assert chains.same_bits(found, wanted)
    bits[2] ^= 1 << (8 * found.itemsize - 1)  # -0
    assert not chains.same_bits(found, wanted)
    assert not chains.same_bits(wanted.astype("f8"), wanted)
    assert not chains.same_bits(wanted[:3], wanted)


@pytest.mark.parametrize("place", [0, 1])
def test_nan_is_no_number(chains, place):
    pair = [np.float32([1, 2]), np.float32([1, 2])]
    pair[place][1] = np.nan
    assert not chains.same_bits(*pair)


def test_a_row(chains, asked):
    (row,) = chains.rows(asked)
    assert (row["pattern"], row["type"], row["mode"], row["peer"]) == ("chain3-tiny", "bf16", chains.MODE, "numpy")
    assert (row["other_bits"], row["wrong"]) == ([], "")
    assert row["ratio"] == row["peers"]["numpy"] / row["us"]


def test_wrong_sums_are_told_and_no_peer_is_timed(chains, asked, monkeypatch):
    monkeypatch.setattr(addison, "compile_model", lambda model: lambda arrays: {"sum": arrays[0]})
    (row,) = chains.rows(asked)
    assert row["wrong"].startswith("5 of 5 elements differ")
    assert (row["peers"], row["ratio"]) == ({}, None)
    assert "| wrong: 5 of 5" in chains.markdown([row])


def test_a_peer_with_other_bits_has_a_star(chains, asked, monkeypatch):
    monkeypatch.setitem(chains.PEERS, "numpy", lambda chain, arrays, name, out: {"out": lambda: out.fill(1)})
    (row,) = chains.rows(asked)
    assert row["other_bits"] == ["numpy"]
    assert f"| x{row['ratio']:.2f}* |" in chains.markdown([row])


def test_call_cost(chains):
    made = [{"pattern": f"chain{k}-tiny", "type": "f16", "us": us} for k, us in ((2, 1.0), (3, 1.1), (9, 1.7))]
    (told,) = chains.call_costs(made)
    assert (
        told
        == "a call on 5 elements of f16: 1 us with 2 inputs, 1.1 with 3, 1.7 with 9: 0.1 us an input past the second"
    )
    assert not list(chains.call_costs(made[:2]))
