"""Dead layers and unreachable results, in the model's graph and in bodies."""

import pytest

from addison import check
from tests.ir.build import add, layer, net, parameter, port, result, sum_of


def relu(number, name):
    return layer(number, name, "ReLU", inputs=[port(0)], outputs=[port(1)])


def in_body(inner, kind="TensorIterator", body="body"):
    """A model whose middle layer has this model as its body."""
    inside = inner[inner.index("<layers>") :].replace("</net>", "")
    outer = layer(1, "loop", kind, inputs=[port(0)], outputs=[port(1)], tail=f"<{body}>{inside}</{body}>")
    return net([parameter(), outer, result()], [(0, 0, 1, 0), (1, 1, 3, 0)])


def found(text, *codes):
    return [(one.code, one.fields["layer"]) for one in check(text.encode()) if one.code in codes]


CHAIN = [(0, 0, 1, 0), (1, 1, 2, 0), (2, 1, 3, 0)]
LAYERS = [parameter(), relu(1, "x"), relu(2, "y"), result()]
BODIES = [("TensorIterator", "body"), ("Loop", "body"), ("If", "then_body"), ("If", "else_body")]


class TestDeadLayers:
    def test_what_no_result_depends_on(self):
        assert found(net(LAYERS, [(0, 0, 1, 0), (1, 1, 2, 0), (0, 0, 3, 0)]), "G112") == [("G112", "x"), ("G112", "y")]
        assert found(net(LAYERS, CHAIN), "G112") == []

    def test_a_parameter_without_use_is_an_input_all_the_same(self):
        assert found(sum_of(more=[parameter(9, "unused")]), "G112") == []

    def test_a_graph_without_results_says_so_by_itself(self):
        assert found(net(LAYERS[:3], CHAIN[:2]), "G112") == []

    def test_an_assign_is_an_end(self):
        assign = layer(3, "keep", "Assign", inputs=[port(0)], outputs=[port(1)])
        assert found(net([*LAYERS[:3], assign], CHAIN), "G112") == []
        assert found(net([*LAYERS[:3], assign], [*CHAIN[:1], (0, 0, 2, 0), (2, 1, 3, 0)]), "G112") == [("G112", "x")]

    @pytest.mark.parametrize(("kind", "body"), BODIES)
    def test_in_bodies(self, kind, body):
        dead = net(LAYERS, [(0, 0, 1, 0), (0, 0, 2, 0), (2, 1, 3, 0)])
        assert found(in_body(dead, kind, body), "G112") == [("G112", "x")]
        assert found(in_body(net(LAYERS, CHAIN), kind, body), "G112") == []


class TestUnreachableResults:
    def test_below_a_layer_without_inputs(self):
        assert found(net(LAYERS, CHAIN[1:]), "G113", "G106") == [("G106", "x"), ("G113", "r")]
        assert found(net(LAYERS, CHAIN), "G113", "G106") == []

    def test_behind_a_cycle(self):
        cycle = [parameter(), add(1, "x"), relu(2, "y"), result()]
        assert found(net(cycle, [(1, 2, 1, 0), (1, 2, 1, 1), (1, 2, 2, 0), (2, 1, 3, 0)]), "G113") == [("G113", "r")]

    def test_one_that_is_not_connected_is_said_to_be_that(self):
        assert found(net(LAYERS, CHAIN[:2]), "G113", "G106") == [("G106", "r")]

    def test_one_input_that_is_fed_is_enough(self):
        layers = [parameter(), add(1, "x"), result()]
        assert found(net(layers, [(0, 0, 1, 0), (1, 2, 3, 0)]), "G113", "G106") == [("G106", "x")]

    def test_a_layer_without_inputs_is_a_source(self):
        source = layer(0, "v", "ReadValue", version="opset6", outputs=[port(0)])
        assert found(net([source, result()], [(0, 0, 3, 0)]), "G113") == []

    @pytest.mark.parametrize(("kind", "body"), BODIES)
    def test_in_bodies(self, kind, body):
        assert found(in_body(net(LAYERS, CHAIN[1:]), kind, body), "G113") == [("G113", "r")]
        assert found(in_body(net(LAYERS, CHAIN), kind, body), "G113") == []


@pytest.mark.parametrize("wires", [CHAIN[1:], [*CHAIN[:2], (2, 5, 3, 0)], [*CHAIN[:2], (0, 0, 3, 0), (2, 1, 99, 0)]])
def test_layers_that_are_dead_because_of_a_broken_edge_are_not_said_too(wires):
    assert found(net(LAYERS, wires), "G112") == []
