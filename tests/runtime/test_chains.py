"""Chains and trees of sums in one pass: the bits of separate sums, in the order of the graph."""

import threading
import tracemalloc
from collections import UserDict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addison import InvalidInput, LimitExceeded, Unsupported, compile_model, engines
from addison.engines import native
from addison.runtime.prepared import MOST_READY
from tests.engines.native.conftest import LOWERED, thresholds
from tests.runtime.graphs import NAMES, graphs, left, mixed_graphs, mixed_model, model_of, values_of
from tests.same_bits import DTYPES, array_of, assert_same_bits, code_dtype


def check(name, inputs, sums, outputs, other="reference", constants=(), change=lambda array: array):
    arrays = [change(values_of(name, shape, i)) for i, shape in enumerate(inputs)]
    model = model_of(name, inputs, sums, outputs, {i: arrays[i] for i in constants})
    fed = {f"x{i}": array for i, array in enumerate(arrays) if i not in constants}
    program = compile_model(model)
    if native.available():
        program._stepwise.run = None  # a wrong recipe is not to be made good layer by layer
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
    with thresholds(**LOWERED) if native.available() else thresholds():
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
        [(9, 1100), (1100,), (9, 1), (), (9, 1100)],
        [(3, 5, 77), (77,), (5, 1), (3, 1, 1), (3, 5, 77)],
        [(6, 128)] + [(128,), (6, 1), (1, 1)] * 4,
        MIXED,
    ],
)
def test_operands_of_every_form(name, inputs):
    for blocks in ({}, {"block": 512}, LOWERED):
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


@pytest.mark.parametrize("name", ["f16", "f32", "i8"])
@pytest.mark.parametrize("lowered", [{}, LOWERED])
def test_wide_trees(name, lowered):
    sums, values = [], list(range(64))
    while len(values) > 1:
        pairs = [(values[i], values[i + 1]) for i in range(0, len(values), 2)]
        values = [64 + len(sums) + i for i in range(len(pairs))]
        sums += pairs
    with thresholds(**lowered) if native.available() else thresholds():
        check(name, [(700,)] * 64, sums, [values[0]])


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


@pytest.mark.parametrize("engine", engines.names())
def test_every_output_is_an_array_of_its_own(engine):
    x, c = values_of("f16", (3,), 1), values_of("f16", (3,), 2)
    model = mixed_model(
        [("f16", (3,)), ("f16", (3,))], [(0, "f32"), (0, 1), (1, "f32")], [0, 0, 1, 1, 2, 2, 3, 3, 4], constants={1: c}
    )
    found = list(compile_model(model, engine)([x]).values())
    for i, one in enumerate(found):
        assert one.flags.writeable
        assert not any(np.may_share_memory(one, other) for other in (x, c, *found[:i]))


@settings(max_examples=100)
@given(graph=mixed_graphs(), data=st.data())
def test_any_graph_with_converts(graph, data):
    inputs, nodes, outputs = graph
    constants = data.draw(st.sets(st.integers(0, len(inputs) - 1)))
    arrays = [values_of(name, shape, i) for i, (name, shape) in enumerate(inputs)]
    model = mixed_model(inputs, nodes, outputs, {i: arrays[i] for i in constants})
    fed = {f"x{i}": array for i, array in enumerate(arrays) if i not in constants}
    program = compile_model(model)
    if native.available():
        program._stepwise.run = None
    wanted = compile_model(model, "oracle")(fed)
    for _ in range(2):
        told = []
        found = program(fed, progress=lambda *at, told=told: told.append(at))
        assert list(found) == list(wanted)
        assert told == [(done, len(told)) for done in range(len(told))]
        for key, value in found.items():
            assert_same_bits(value, wanted[key])
    assert len(program._prepared.runs) == native.available()


@pytest.mark.parametrize("order", [("f32", "f16"), ("f16", "f32")])
@pytest.mark.parametrize("nodes", [[(0, "f32"), (2, 1)], [(0, "f32"), (2, 1), (3, 2)]])
def test_a_convert_that_is_one_only_for_some_inputs(order, nodes):
    model = mixed_model(
        [("f32", (5,)), ("f32", (5,))], nodes, [len(nodes) + 1, 2], declared=["dynamic", "f32"]
    )  # the Convert is to f32
    program = compile_model(model)
    b = np.ones(5, np.float32)
    for name in (*order, *order):
        x = np.arange(5).astype(DTYPES[name])
        found = program([x, b])
        wide = x.astype(np.float32)
        assert_same_bits(found["y1"], wide)
        assert_same_bits(found["y0"], wide + b if len(nodes) == 2 else (wide + b) + wide)
        assert not np.may_share_memory(found["y1"], x)


@pytest.mark.parametrize("source", ["i4", "u4", "u2", "u1", "f4e2m1", "bf16"])
def test_converts_of_rank_0(source):
    target = "f32"
    value = array_of(source, np.array(1, code_dtype(source)))
    for constants in ({}, {0: value}):
        model = mixed_model([(source, ()), ("f32", (2,))], [(0, target), (2, 1)], [3], constants)
        program = compile_model(model)
        fed = {"x1": np.ones(2, np.float32)} | ({} if constants else {"x0": value})
        wanted = compile_model(model, "oracle")(fed)["y0"]
        for _ in range(2):
            assert_same_bits(program(fed)["y0"], wanted)
        assert len(program._prepared.runs) == native.available()


def test_an_input_that_nothing_needs_may_be_what_no_array_is():
    model = model_of("f32", [(2,), (2,), (1,) * 65], [(0, 1), (2, 2)], [3, 4])
    program = compile_model(model, outputs=["y0"])
    x = np.ones(2, np.float32)
    for _ in range(2):
        assert program({"x0": x, "x1": x})["y0"].tolist() == [2, 2]


@pytest.mark.skipif(not native.available(), reason="only the core prepares")
class TestReady:
    def test_arrays_out_of_the_ordinary_prepare_nothing_more(self):
        program = compile_model(model_of("f32", [(4, 6)] * 3, [*left(3), (0, 1)], [4, 5]))
        a = np.ones((4, 6), np.float32)
        for odd in (a, np.asfortranarray(a), a.astype(">f4"), a[::-1], np.broadcast_to(np.float32(1), (4, 6))):
            for _ in range(3):
                assert program([odd, a, odd])["y0"].tolist() == np.full((4, 6), 3).tolist()
        assert program(UserDict(x0=a, x1=a, x2=a))["y1"][0, 0] == 2
        assert len(program._prepared.runs) == 1

    def test_progress_is_told_once_of_each_step(self):
        nodes = [(0, "f32"), (2, 1), (3, 1)]
        program = compile_model(mixed_model([("f16", (3, 4)), ("f32", (3, 4))], nodes, [4]))
        a, b = np.ones((3, 4), np.float16), np.asfortranarray(np.ones((3, 4), np.float32))
        for _ in range(12):
            told = []
            program([a, b], progress=lambda *at, told=told: told.append(at))
            assert told == [(0, 2), (1, 2)]

    def test_so_many_shapes_are_kept(self):
        program = compile_model(model_of("f32", [(1,)] * 2, [(0, 1)], [2], declared=["?", "?"]))
        for _ in range(2):
            for size in range(1, MOST_READY + 10):
                a = np.arange(size, dtype=np.float32)
                assert_same_bits(program([a, a])["y0"], a + a)
        assert len(program._prepared.runs) == MOST_READY

    def test_a_shape_used_now_and_then_stays(self):
        program = compile_model(model_of("f32", [(1,)] * 2, [(0, 1)], [2], declared=["?", "?"]))
        often = np.ones(7, np.float32)
        program([often, often])
        (run,) = program._prepared.runs
        for size in range(100, 100 + 2 * MOST_READY):
            program([np.ones(size, np.float32)] * 2)
            program([often, often])
        assert run in program._prepared.runs

    def test_a_few_shapes_in_turn_are_not_put_in_order_at_each_call(self):
        program = compile_model(model_of("f32", [(1,)] * 2, [(0, 1)], [2], declared=["?", "?"]))
        arrays = [np.arange(size, dtype=np.float32) for size in range(1, 9)]
        for a in arrays:
            program([a, a])
        runs = program._prepared.runs
        for a in [*arrays[3:], *arrays[3:]]:
            assert_same_bits(program([a, a])["y0"], a + a)
        assert program._prepared.runs is runs
        program([arrays[0], arrays[0]])
        assert program._prepared.runs == (runs[-1], *runs[:-1])

    def test_large_models_keep_fewer(self, monkeypatch):
        monkeypatch.setattr("addison.runtime.prepared.MOST_STEPS_READY", 15)
        program = compile_model(model_of("f32", [(1,)] * 2, [(0, 1)], [2], declared=["?", "?"]))  # four steps
        for size in range(1, 9):
            program([np.ones(size, np.float32)] * 2)
        assert len(program._prepared.runs) == 3

    def test_what_is_known_is_computed_once_as_far_as_there_is_room(self, monkeypatch):
        shapes = [("i4", (100,)), ("i4", (100,)), ("i8", (100,))]
        nodes = [(0, "i8"), (1, "i8"), (3, 4), (5, 2)]
        constants = {i: values_of("i4", (100,), i) for i in (0, 1)}
        x = values_of("i8", (100,), 2)
        wanted = compile_model(mixed_model(shapes, nodes, [6], constants), "oracle")([x])["y0"]
        for room, kept in ((1000, {5}), (350, {3, 1}), (199, set())):  # both unpacked take 200, each Convert 100 more
            monkeypatch.setattr("addison.runtime.constants.LARGEST_FOLDED", room)
            program = compile_model(mixed_model(shapes, nodes, [6], constants))
            assert_same_bits(program([x])["y0"], wanted)
            assert len(program._prepared.runs) == bool(kept)
            if kept:
                assert set(program._prepared._constants.values) == kept

    def test_memory_order_does_not_depend_on_what_came_before(self):
        program = compile_model(model_of("f32", [(4, 6)] * 2, [(0, 1)], [2]))
        a = np.asfortranarray(np.ones((4, 6), np.float32))
        assert all(program([a, a])["y0"].flags.f_contiguous for _ in range(3))

    def test_copies_count(self):
        model = model_of("f32", [(100, 10)] * 3, left(3), [4])
        a = np.asfortranarray(np.ones((100, 10), np.float32))
        compile_model(model, limit=20_000)([a, a, a])
        with pytest.raises(LimitExceeded) as caught:
            compile_model(model, limit=19_999)([a, a, a])
        assert (caught.value.fields["found"], caught.value.fields["name"]) == (20_000, "x0")
        model, a = model_of("f32", [(1000,)] * 2, [(0, 1)], [2, 2, 0]), np.ones(1000, np.float32)
        for engine in engines.names():  # an input, the sum, and a copy of each
            compile_model(model, engine, limit=16_000)([a, a])
            with pytest.raises(LimitExceeded) as caught:
                compile_model(model, engine, limit=15_999)([a, a])
            assert caught.value.fields["found"] == 16_000

    @pytest.mark.parametrize("change", [{"shape": (1, 50)}, {"dtype": np.uint8}])
    def test_an_array_changed_under_way_is_looked_at_again(self, change):
        x = np.ones((50, 1), np.float32)
        program = compile_model(model_of("f32", [(50, 1), (50, 1), (50, 50), (50, 50)], [(0, 1), (4, 2), (5, 3)], [6]))
        full = np.ones((50, 50), np.float32)

        def meddle(done, total):
            for name, value in change.items():
                setattr(x, name, value)

        program([x.copy(), x, full, full])
        with pytest.raises((InvalidInput, Unsupported)):
            program([np.ones((50, 1), np.float32), x, full, full], progress=meddle)

    def test_what_a_chain_reads_is_looked_at_again(self):
        full, small = np.ones((50, 50), np.float32), np.ones((50, 1), np.float32)
        program = compile_model(model_of("f32", [(50, 1), (50, 1), (50, 50), (50, 50)], [(0, 1), (4, 2), (5, 3)], [6]))
        program([small, small, full, full])

        def meddle(done, total):
            if done == 1:  # the sum of its own is made, the chain comes next
                full.shape = (2500, 1)

        with pytest.raises(InvalidInput):
            program([small, small, full, np.ones((50, 50), np.float32)], progress=meddle)


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
