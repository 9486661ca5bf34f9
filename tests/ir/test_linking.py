"""Layers and edges to a graph: ids, ports, order, cycles, what is live."""

import random
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison.ir.linking import live_layers
from addison.ir.model import Producer
from addison.ir.reader import examine, read_model
from tests.ir.build import WIRES, add, bent, const, layer, net, parameter, port, result, sum_of

LENGTH = 20_000


def chain(length, layers_backwards=False):
    """a + a + a ...: one Parameter, so many Adds, a Result."""
    layers = [parameter(), *(add(i, f"add{i}") for i in range(1, length + 1)), result(length + 1)]
    wires = [wire for i in range(1, length + 1) for wire in ((i - 1, 2 if i > 1 else 0, i, 0), (0, 0, i, 1))]
    return net(layers[::-1] if layers_backwards else layers, [*wires, (length, 2, length + 1, 0)]).encode()


@pytest.fixture
def little_stack():
    """Room for some eighty calls more than pytest needs."""
    before, frame, depth = sys.getrecursionlimit(), sys._getframe(), 0
    while frame:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth + 80)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.usefixtures("little_stack")
@pytest.mark.parametrize("backwards", [False, True])
def test_a_long_chain_is_read_without_recursion(backwards):
    model = read_model(chain(LENGTH, backwards))
    order = [model.layers[i].id for i in model.graph.order]
    assert order == list(range(LENGTH + 2))


@pytest.mark.usefixtures("little_stack")
def test_a_long_cycle_is_found_without_recursion_and_named_in_short():
    text = chain(LENGTH).replace(
        b'from-layer="0" from-port="0" to-layer="1" to-port="1"',
        f'from-layer="{LENGTH}" from-port="2" to-layer="1" to-port="1"'.encode(),
    )
    _, [finding] = examine(text)
    assert (finding.code, finding.fields["layers"]) == ("G105", tuple(range(1, LENGTH + 1)))
    assert "'add1' -> 'add2'" in finding.says
    assert f"'add{LENGTH}' -> 'add1'" in finding.says
    assert len(finding.says) < 300


@pytest.mark.parametrize(("length", "shown"), [(2, 2), (8, 8), (9, 7), (50, 7)])
def test_a_ring_of_up_to_eight_is_named_whole(length, shown):
    wires = [(i, 2, (i + 1) % length, position) for i in range(length) for position in range(2)]
    _, [finding] = examine(net([add(i, f"a{i}") for i in range(length)], wires).encode())
    assert finding.says.count("'a") == shown + 1  # the first again, at the end
    assert f"cycle of {length} layers" in finding.says
    assert finding.fields["layers"] == tuple(range(length))


@pytest.mark.usefixtures("little_stack")
def test_many_layers_of_one_cycle_are_one_finding():
    """A ring with a long tail: only the ring is named."""
    length = 500
    wires = [
        (0, 0, 1, 0),
        (3, 2, 1, 1),
        *((i, 2, i + 1, 0) for i in range(1, length)),
        *((i, 2, i + 1, 1) for i in range(1, length)),
    ]
    text = net(
        [parameter(), *(add(i, f"add{i}") for i in range(1, length + 1)), result(length + 1)],
        [*wires, (length, 2, length + 1, 0)],
    )
    _, [finding] = examine(text.encode())
    assert finding.fields == {"layers": (1, 2, 3)}
    assert "'add1' -> 'add2' -> 'add3' -> 'add1'" in finding.says


def test_a_layer_that_feeds_itself():
    _, [finding] = examine(sum_of(wires=[(2, 2, 2, 0), *WIRES[1:]]).encode())
    assert (finding.code, finding.fields) == ("G105", {"layers": (2,)})
    assert "'add' -> 'add'" in finding.says


@st.composite
def graphs(draw):
    """Adds that take what stands before them, written in any order: the ids, and the pairs of ids that feed each."""
    ids = draw(st.lists(st.integers(0, 2**63 - 1), min_size=2, max_size=30, unique=True))
    feeds = {ids[i]: [draw(st.sampled_from(ids[:i])) for _ in range(2)] for i in range(1, len(ids))}
    return ids, feeds, draw(st.permutations(ids))


@given(graphs())
def test_what_feeds_a_layer_comes_before_it(case):
    ids, feeds, written = case
    layers = {ids[0]: parameter(ids[0], outputs=[port(2)])} | {i: add(i, f"n{i}") for i in feeds}
    wires = [(source, 2, i, position) for i, sources in feeds.items() for position, source in enumerate(sources)]
    graph = read_model(net([layers[i] for i in written], random.Random(0).sample(wires, len(wires))).encode()).graph
    assert sorted(graph.order) == list(range(len(ids)))
    place = {index: k for k, index in enumerate(graph.order)}
    for index, inputs in enumerate(graph.producers):
        assert [graph.layers[one.layer].id for one in inputs] == feeds.get(graph.layers[index].id, [])
        assert all(place[one.layer] < place[index] for one in inputs)


@pytest.mark.parametrize("numbers", [(0, 1, 2, 3), (10, 20, 7, 99), (3, 2, 1, 0), (2**63 - 1, 2**62, 2**32, 0)])
def test_ids_are_labels(numbers):
    a, b, s, r = numbers
    graph = read_model(
        net([parameter(a), parameter(b, "b"), add(s), result(r)], [(a, 0, s, 0), (b, 0, s, 1), (s, 2, r, 0)]).encode()
    ).graph
    assert [one.id for one in graph.layers] == list(numbers)
    assert graph.producers == ((), (), (Producer(0, 0), Producer(1, 0)), (Producer(2, 0),))


@pytest.mark.parametrize(("ins", "out"), [((0, 1), 2), ((5, 7), 9), ((1, 0), 0), ((2**63 - 1, 16), 15), ((0, 1), 0)])
def test_port_ids_are_labels_and_their_order_is_the_arguments(ins, out):
    text = sum_of(
        add_layer=add(inputs=[port(ins[0]), port(ins[1])], outputs=[port(out)]),
        wires=[(0, 0, 2, ins[0]), (1, 0, 2, ins[1]), (2, out, 3, 0)],
    )
    assert read_model(text.encode()).graph.producers[2] == (Producer(0, 0), Producer(1, 0))
    crossed = sum_of(
        add_layer=add(inputs=[port(ins[0]), port(ins[1])], outputs=[port(out)]),
        wires=[(0, 0, 2, ins[1]), (1, 0, 2, ins[0]), (2, out, 3, 0)],
    )
    assert read_model(crossed.encode()).graph.producers[2] == (Producer(1, 0), Producer(0, 0))


def test_the_output_an_edge_leaves_from_is_kept():
    split = layer(1, "split", "Split", inputs=[port(0)], outputs=[port(4), port(2), port(9)])
    graph = read_model(
        net([parameter(), split, add(), result()], [(0, 0, 1, 0), (1, 9, 2, 0), (1, 2, 2, 1), (2, 2, 3, 0)]).encode()
    ).graph
    assert graph.producers[2] == (Producer(1, 2), Producer(1, 1))


def test_one_tensor_may_be_both_operands():
    text = net([parameter(), add(), result()], [(0, 0, 2, 0), (0, 0, 2, 1), (2, 2, 3, 0)])
    assert read_model(text.encode()).graph.producers[1] == (Producer(0, 0), Producer(0, 0))


def test_edges_are_kept_as_written():
    model = read_model(sum_of().encode())
    assert [(one.from_layer, one.from_port, one.to_layer, one.to_port) for one in model.graph.edges] == list(WIRES)


@pytest.mark.parametrize("name", ["from-layer", "from-port", "to-layer", "to-port"])
def test_an_edge_needs_each_attribute(name):
    whole = '<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>'
    written = whole[whole.index(name) :].split(" ")[0].rstrip("/>")
    _, findings = examine(bent(whole, whole.replace(written, "")).encode())
    assert [(one.code, one.fields) for one in findings if one.code[0] == "F"] == [
        ("F107", {"found": None, "wanted": name})
    ]
    _, findings = examine(bent(whole, whole.replace(written, f'{name}="x"')).encode())
    assert [(one.code, one.fields) for one in findings if one.code[0] == "F"] == [("F108", {"found": "x"})]


def test_an_edge_with_two_faults_has_two_findings():
    _, findings = examine(sum_of(wires=[*WIRES, (8, 0, 9, 0)]).encode())
    assert [(one.code, one.fields) for one in findings] == [("G102", {"id": 8}), ("G102", {"id": 9})]
    _, findings = examine(sum_of(wires=[*WIRES, (0, 7, 2, 8)]).encode())
    assert [(one.code, one.fields["found"]) for one in findings] == [("G103", 7), ("G103", 8)]


def test_the_second_edge_into_a_port_does_not_win():
    model, [finding] = examine(sum_of(wires=[*WIRES, (1, 0, 2, 0)]).encode())
    assert finding.code == "G104"
    assert model.graph.producers[2] == (Producer(0, 0), Producer(1, 0))


def test_edges_find_the_first_layer_with_an_id():
    model, [finding] = examine(sum_of(more=[add(2, "again")]).encode())
    assert (finding.code, finding.fields) == ("G101", {"id": 2, "layer": "again"})
    assert model.graph.producers[2] == (Producer(0, 0), Producer(1, 0))
    assert model.graph.producers[4] == (None, None)


@pytest.mark.parametrize(
    ("wires", "code", "fields"),
    [
        ([(9, 0, 2, 0), *WIRES[1:]], "G102", {"id": 9}),
        ([(0, 7, 2, 0), *WIRES[1:]], "G103", {"layer": "a", "found": 7, "wanted": (0,)}),
    ],
)
def test_an_edge_that_comes_from_nowhere_is_one_fault(wires, code, fields):
    model, [finding] = examine(sum_of(wires=wires).encode())
    assert (finding.code, finding.fields) == (code, fields)
    assert model.graph.producers[2] == (None, Producer(1, 0))


class TestLive:
    """What no Result and no Assign depends on is dead; a fault of its wiring is a warning."""

    @staticmethod
    def of(text):
        graph = read_model(text.encode()).graph
        return {graph.layers[i].name for i in live_layers(graph.layers, graph.producers)}

    def test_results_make_live(self):
        assert self.of(
            sum_of(more=[add(4, "dead"), parameter(5, "unused")], wires=[*WIRES, (0, 0, 4, 0), (1, 0, 4, 1)])
        ) == {"a", "b", "add", "r"}

    def test_an_assign_makes_live(self):
        read = layer(
            1,
            "read",
            "ReadValue",
            version="opset6",
            outputs=[port(1)],
            inputs=[port(0)],
            inside='<data variable_id="v" variable_type="f32" variable_shape="2,3"/>',
        )
        assign = layer(
            3,
            "assign",
            "Assign",
            version="opset6",
            inputs=[port(0)],
            outputs=[port(1)],
            inside='<data variable_id="v"/>',
        )
        text = net([parameter(), read, add(), assign], [(0, 0, 1, 0), (1, 1, 2, 0), (0, 0, 2, 1), (2, 2, 3, 0)])
        assert self.of(text) == {"a", "read", "add", "assign"}
        text = net([parameter(), read, add(), assign], [(0, 0, 1, 0), (1, 1, 2, 0), (2, 2, 3, 0)])
        _, [finding] = examine(text.encode())
        assert (finding.code, finding.fields) == ("G106", {"layer": "add", "input": 1})

    def test_a_model_without_results_has_no_live_layers(self):
        assert self.of(net([parameter(), parameter(1, "b"), add()], WIRES[:2])) == set()

    @pytest.mark.parametrize(
        ("wires", "found"),
        [
            ([WIRES[0], WIRES[2]], [("G106", "add", 1)]),
            ([WIRES[2]], [("G106", "add", 0), ("G106", "add", 1)]),
            ([WIRES[0]], [("G107", "add", 1), ("G106", "r", 0)]),
            ([WIRES[0], (0, 0, 3, 0)], [("G107", "add", 1)]),
        ],
    )
    def test_an_input_without_an_edge(self, wires, found):
        _, findings = examine(sum_of(wires=wires).encode())
        assert [(one.code, one.fields["layer"], one.fields["input"]) for one in findings] == found


@pytest.mark.parametrize(
    ("kind", "text", "found", "wanted"),
    [
        ("A106", sum_of(add_layer=add(inputs=[])), 0, 2),
        ("A106", sum_of(add_layer=add(inputs=[port(0)])), 1, 2),
        ("A106", sum_of(add_layer=add(inputs=[port(i) for i in range(3)])), 3, 2),
        ("G111", sum_of(add_layer=add(outputs=[])), 0, 1),
        ("G111", sum_of(add_layer=add(outputs=[port(2), port(3)])), 2, 1),
        ("G111", sum_of(a=parameter(outputs=[])), 0, 1),
        ("G111", sum_of(r=result(inputs=[])), 0, 1),
        ("G111", sum_of(r=result(inputs=[port(0), port(1)])), 2, 1),
        ("G111", sum_of(b=bent("</output>", port(9) + "</output>", const(shape="0", size=0))), 2, 1),
    ],
)
def test_known_operations_have_so_many_ports(kind, text, found, wanted):
    _, findings = examine(text.encode())
    assert [(one.fields["found"], one.fields["wanted"]) for one in findings if one.code == kind] == [(found, wanted)]


def test_unknown_operations_have_any_number_of_ports():
    text = net(
        [
            layer(0, "x", "Whatever", outputs=[port(i) for i in range(50)]),
            layer(1, "y", "Whatever", inputs=[port(i) for i in range(50)]),
        ],
        [(0, i, 1, i) for i in range(50)],
    )
    assert len(read_model(text.encode()).graph.producers[1]) == 50
