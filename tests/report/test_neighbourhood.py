"""Which layers are shown, and in which order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import read_model
from addison.report.neighbourhood import COMFORTABLE, neighbourhood, reading_order
from tests.report.models import album, wired


@st.composite
def graphs(draw):
    """A graph of layers in any file order, and its edges."""
    count = draw(st.integers(1, 12))
    pairs = draw(st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=20))
    place = draw(st.permutations(range(count)))
    return count, sorted((place[min(pair)], place[max(pair)]) for pair in pairs if pair[0] != pair[1])


def graph_of(count, pairs, constants=()):
    return read_model(wired(count, pairs, constants).encode(), bytes(24)).graph


@given(graphs())
def test_every_layer_once_and_after_what_feeds_it(graph):
    count, pairs = graph
    order = reading_order(graph_of(count, pairs))
    assert sorted(order) == list(range(count))
    for a, b in pairs:
        assert order.index(a) < order.index(b)


def test_constants_stand_just_before_they_are_used():
    pairs = [(0, 3), (1, 3), (3, 4), (2, 4)]
    assert reading_order(graph_of(6, pairs, {1, 2, 5})) == [0, 1, 3, 2, 4, 5]


def test_layers_in_a_cycle_have_an_order_too():
    made = album(wired(4, [(0, 1), (1, 2), (2, 1), (2, 3)]))
    assert [one.code for one in made.findings] == ["G105"]
    assert sorted(reading_order(made.graphs[0])) == [0, 1, 2, 3]


@given(graphs(), st.integers(0, 4), st.data())
def test_what_is_near_is_what_few_edges_lead_to(graph, depth, data):
    count, pairs = graph
    centre = data.draw(st.integers(0, count - 1))
    near = {centre}
    for _ in range(depth):
        near |= {a for a, b in pairs if b in near} | {b for a, b in pairs if a in near}
    found = neighbourhood(graph_of(count, pairs), centre, depth)
    assert found == (near, centre, depth, False)


def test_no_path_runs_through_a_constant_but_one_may_start_there():
    graph = graph_of(5, [(0, 2), (1, 2), (1, 3), (4, 3)], {1})
    assert neighbourhood(graph, 2, 9).layers == {0, 1, 2}
    assert neighbourhood(graph, 1, 1).layers == {1, 2, 3}


def test_too_many_are_cut_in_file_order_and_it_is_said():
    graph = graph_of(30, [(0, k) for k in range(1, 30)])
    found = neighbourhood(graph, 0, 3, most=10)
    assert (found.layers, found.depth, found.cut) == (set(range(10)), 1, True)
    assert not neighbourhood(graph, 0, 3, most=30).cut
    assert neighbourhood(graph, 0, None, most=10).cut


@pytest.mark.parametrize("count", [10, 200])
def test_without_a_depth_it_grows_to_a_page(count):
    found = neighbourhood(graph_of(count, [(k, k + 1) for k in range(count - 1)]), count // 2, None)
    assert len(found.layers) in (min(count, COMFORTABLE), min(count, COMFORTABLE - 1))
    assert not found.cut


def test_the_first_ring_is_shown_however_large_it_is():
    graph = graph_of(200, [(0, k) for k in range(1, 200)])
    assert len(neighbourhood(graph, 0, None).layers) == 200
