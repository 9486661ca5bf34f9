"""Chains and trees of sums in one pass: the bits of separate sums, in the order of the graph."""

import threading
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addison import InvalidInput, LimitExceeded, compile_model, engines
from addison.engines import native
from tests.engines.native.conftest import LOWERED, thresholds
from tests.runtime.graphs import NAMES, graphs, left, model_of, values_of
from tests.same_bits import DTYPES, assert_same_bits

TINY_BLOCKS = {**LOWERED, "block": 256}


def check(name, inputs, sums, outputs, other="reference", constants=(), change=lambda array: array):
    arrays = [change(values_of(name, shape, i)) for i, shape in enumerate(inputs)]
    model = model_of(name, inputs, sums, outputs, {i: arrays[i] for i in constants})
    fed = {f"x{i}": array for i, array in enumerate(arrays) if i not in constants}
    program = compile_model(model)
    first = program(fed)
    again = program(fed)  # the first call prepares, the second one is ready
    with np.errstate(all="ignore"):
        wanted = compile_model(model, other)(fed)
    assert list(first) == list(again) == list(wanted)
    for key, value in wanted.items():
        assert_same_bits(first[key], value)
        assert_same_bits(again[key], value)
    return program


@settings(max_examples=60)
@given(name=st.sampled_from(NAMES), graph=graphs(largest_size=3, most_sums=8), data=st.data())
def test_any_graph_gives_the_oracles_bits(name, graph, data):
    inputs, sums, outputs = graph
    constants = data.draw(st.sets(st.integers(0, len(inputs) - 1)))
    check(name, inputs, sums, outputs, "oracle", constants if name not in ("i4", "u4", "u1", "u2", "f4e2m1") else ())


@settings(max_examples=150)
@given(name=st.sampled_from(NAMES), graph=graphs(largest_size=40, largest_rank=3), order=st.sampled_from("CF"))
def test_any_graph_in_many_blocks_and_threads(name, graph, order):
    with thresholds(**TINY_BLOCKS) if native.available() else thresholds():
        check(name, *graph, change=lambda array: np.asarray(array, order=order))


MIXED = [(32, 40), (40,), (32, 1), (1,), (32, 40)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "inputs",
    [
        [(2000,)] * 9,
        [(1030, 3), (3,), (1030, 1), (1030, 3)],
        [(7, 300, 5), (5,), (300, 1), (7, 1, 1), (7, 300, 5)],
        [(64, 1), (1, 33), (33,), (64, 1), ()],
        [(1,), (1, 1), (64, 33), (1, 33)],
        [(4, 3, 28, 28), (3, 1, 1), (28, 1), (28,), (4, 1, 1, 1)],
        MIXED,
    ],
)
def test_operands_of_every_form(name, inputs):
    for blocks in ({}, {"block": 512}):
        with thresholds(**blocks) if native.available() else thresholds():
            check(name, inputs, left(len(inputs)), [2 * len(inputs) - 2])


@pytest.mark.parametrize("name", ["f32", "f16", "bf16", "f8e4m3"])
def test_the_order_of_the_graph_counts(name):
    random = np.random.default_rng(5)
    arrays = [random.standard_normal(500).astype(DTYPES[name]) for _ in range(4)]
    chain, tree = (
        compile_model(model_of(name, [(500,)] * 4, [(0, 1), *rest], [6]))(arrays)["y0"]
        for rest in ([(4, 2), (5, 3)], [(2, 3), (4, 5)])
    )
    a, b, c, d = arrays
    assert_same_bits(chain, ((a + b) + c) + d)
    assert_same_bits(tree, (a + b) + (c + d))
    assert (chain != tree).any()


def test_sums_that_are_asked_for_are_kept_and_used():
    check("f32", MIXED, [(0, 1), (5, 2), (6, 5), (7, 7), (8, 4)], [9, 5, 7, 7, 5])


def test_a_chain_longer_than_a_pass():
    inputs = [(3, 50)] * 20 + [(50,)] * 20 + [(3, 1)] * 60
    check("f32", inputs, left(100), [198, 130])


def test_wide_trees():
    sums, values = [], list(range(64))
    while len(values) > 1:
        pairs = [(values[i], values[i + 1]) for i in range(0, len(values), 2)]
        values = [64 + len(sums) + i for i in range(len(pairs))]
        sums += pairs
    check("f16", [(700,)] * 64, sums, [values[0]])


def test_smaller_sums_inside_larger_ones():
    check("f32", [(5, 1), (1, 1), (5, 64), (64,), (64,)], [(0, 1), (3, 4), (5, 6), (7, 2)], [8])


def test_one_value_under_two_axes_of_pdpd():
    check("f32", [(6, 6, 6), (6,)], [(0, 1, "pdpd", 0), (2, 1, "pdpd", 1), (3, 1, "pdpd", -1)], [4])


@pytest.mark.parametrize("shape", [(0, 3), (), (1,), (1, 1, 1), (1, 0)])
def test_no_elements_and_one(shape):
    check("f32", [shape] * 3, left(3), [4, 3])


def test_constants_are_added_once():
    model = model_of(
        "f32", [(4,)] * 4, [(0, 1), (2, 3), (4, 5)], [6, 5], {i: values_of("f32", (4,), i) for i in (2, 3)}
    )
    program = compile_model(model)
    arrays = [values_of("f32", (4,), i) for i in range(4)]
    for _ in range(3):
        found = program(arrays[:2])
        with np.errstate(all="ignore"):
            assert_same_bits(found["y1"], arrays[2] + arrays[3])
        found["y1"][...] = 0  # the caller's own
        found["y0"][...] = 0


def test_shapes_in_turn_and_shapes_unlike_any_before():
    program = compile_model(model_of("f32", [(2, 3), (3,), (1, 1)], left(3), [4], declared=["?,?", "?", "?,1"]))
    for _ in range(2):
        for rows in range(1, 12):
            arrays = [values_of("f32", shape, rows) for shape in ((rows, 3), (3,), (rows, 1))]
            with np.errstate(all="ignore"):
                assert_same_bits(program(arrays)["y0"], arrays[0] + arrays[1] + arrays[2])
    with pytest.raises(InvalidInput) as caught:
        program([np.ones((2, 3), np.float32), np.ones(4, np.float32), np.ones((1, 1), np.float32)])
    assert caught.value.fields["axes"] == ((-1, "3", "4"),)


@pytest.mark.parametrize(
    "change",
    [
        lambda array: np.asfortranarray(array),
        lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
        lambda array: array[::-1, ::-1].copy()[::-1, ::-1],
        lambda array: array.astype(array.dtype.newbyteorder(">")),
        lambda array: np.frombuffer(b"x" + array.tobytes(), np.uint8)[1:].view(array.dtype).reshape(array.shape),
        lambda array: array.view(type("Sub", (np.ndarray,), {})),
    ],
)
@pytest.mark.parametrize("sums", [left(3), [(0, 1)]])
def test_arrays_out_of_the_ordinary(change, sums):
    inputs = [(20, 30)] * (len(sums) + 1)
    check("f32", inputs, sums, [len(inputs) + len(sums) - 1], change=change)


def test_what_is_ready_refuses_what_was_refused_before():
    program = compile_model(model_of("f32", [(2, 3)] * 3, left(3), [4]))
    arrays = [values_of("f32", (2, 3), i) for i in range(3)]
    program(arrays)
    for bad in ([*arrays, arrays[0]], arrays[:2], {"x0": arrays[0], "x1": arrays[1]}, 3, [a[:1] for a in arrays]):
        with pytest.raises(InvalidInput):
            program(bad)
    with pytest.raises(InvalidInput) as caught:
        program({"x0": arrays[0], "x1": arrays[1], "x2": arrays[2], "spare": arrays[0]})
    assert caught.value.fields["name"] == "spare"


@pytest.mark.skipif(not native.available(), reason="only the core fuses")
class TestMemory:
    def test_sums_that_are_passed_on_take_none(self):
        program = compile_model(model_of("f32", [(40_000,)] * 9, left(9), [16]))
        arrays = [np.ones(40_000, np.float32)] * 9
        program(arrays)
        tracemalloc.start()
        program(arrays)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert 160_000 <= peak < 200_000

    def test_the_limit_counts_what_is_taken(self):
        inputs, sums = [(1000,)] * 9, left(9)
        model, arrays = model_of("f32", inputs, sums, [16]), [np.ones(1000, np.float32)] * 9
        compile_model(model, limit=40_000)(arrays)
        with pytest.raises(LimitExceeded) as caught:
            compile_model(model, limit=39_999)(arrays)
        assert (caught.value.fields["found"], caught.value.fields["layer"]) == (40_000, "sum7")


def test_many_threads_at_once():
    inputs = [(300, 700), (700,), (300, 1), (300, 700)]
    program = compile_model(model_of("f32", inputs, left(4), [6]))
    arrays = [values_of("f32", shape, i) for i, shape in enumerate(inputs)]
    with np.errstate(all="ignore"):
        wanted = ((arrays[0] + arrays[1]) + arrays[2]) + arrays[3]
    found = []

    def run():
        for _ in range(30):
            found.append(program(arrays)["y0"])

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 240
    for one in found[::7]:
        assert_same_bits(one, wanted)


def test_a_fault_in_progress_ends_the_run():
    program = compile_model(model_of("f32", [(3,)] * 3, left(3), [4]))
    arrays = [np.ones(3, np.float32)] * 3
    program(arrays)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        program(arrays, progress=stop)


def test_engines_without_a_program_run_layer_by_layer():
    assert (engines.get("oracle").program, engines.get("reference").program) == (None, None)
