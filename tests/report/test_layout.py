"""Boxes and wires to coordinates: what must hold of any drawing, and a few drawings one would make by hand."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison.report.layout import Box, Wire, draw, lanes
from addison.report.layout.lanes import weave
from addison.report.layout.order import arrange, crossings
from addison.report.layout.ranks import ranks

BOX = Box(100, 40)


def wires(*pairs):
    return [Wire(a, 0, b, 0) for a, b in pairs]


@st.composite
def graphs(draw_, acyclic=False):
    """Up to 14 boxes of any size, and wires between them."""
    count = draw_(st.integers(1, 14))
    boxes = [
        Box(draw_(st.integers(20, 300)), draw_(st.integers(20, 90)), draw_(st.integers(0, 250)), draw_(st.booleans()))
        for _ in range(count)
    ]
    pairs = draw_(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=30))
    if acyclic:
        pairs = [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]]
    return boxes, [Wire(a, draw_(st.integers(-9, 9)), b, draw_(st.integers(-9, 9))) for a, b in pairs]


@given(graphs())
def test_boxes_and_their_labels_do_not_overlap_and_lie_within_the_drawing(graph):
    boxes, ties = graph
    made = draw(boxes, ties)
    frames = [
        (at.x - box.width / 2, at.x + max(box.width / 2, box.right), at.y, at.y + box.height)
        for box, at in zip(boxes, made.boxes, strict=True)
    ]
    for left, right, top, bottom in frames:
        assert 0 <= left < right <= made.width + 0.1
        assert 0 <= top < bottom <= made.height + 0.1
    for one, other in combinations(frames, 2):
        apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
        assert apart


@given(graphs(acyclic=True))
def test_every_wire_runs_down_from_its_source_to_its_target(graph):
    boxes, ties = graph
    made = draw(boxes, ties)
    for wire, way in zip(ties, made.ways, strict=True):
        start, stop = made.boxes[wire.source], made.boxes[wire.target]
        assert (way[0].x, way[0].top) == (
            pytest.approx(start.x + wire.leaves, abs=0.2),
            pytest.approx(start.y + boxes[wire.source].height, abs=0.2),
        )
        assert (way[-1].x, way[-1].bottom) == (pytest.approx(stop.x + wire.enters, abs=0.2), stop.y)
        heights = [y for one in way for y in (one.top, one.bottom)]
        assert heights == sorted(heights)
        assert heights[0] < heights[-1]


@given(graphs(acyclic=True))
def test_no_wire_runs_through_a_box_where_it_passes_a_row(graph):
    boxes, ties = graph
    made = draw(boxes, ties)
    for way in made.ways:
        for one in way[1:-1]:
            for box, at in zip(boxes, made.boxes, strict=True):
                if at.y < one.bottom and one.top < at.y + box.height:
                    assert abs(at.x - one.x) >= box.width / 2


@given(graphs(acyclic=True))
def test_rows_are_longest_paths(graph):
    boxes, ties = graph
    pairs = [(wire.source, wire.target) for wire in ties]
    longest = [0] * len(boxes)
    for _ in boxes:
        for a, b in pairs:
            longest[b] = max(longest[b], longest[a] + 1)
    assert ranks(len(boxes), pairs, [False] * len(boxes)) == (longest, set())
    late = [box.late for box in boxes]
    found, _ = ranks(len(boxes), pairs, late)
    for node, row in enumerate(found):
        below = [found[b] for a, b in pairs if a == node]
        assert row == (min(below) - 1 if late[node] and below else longest[node])


@given(graphs())
def test_without_the_turned_edges_there_is_no_cycle(graph):
    boxes, ties = graph
    pairs = [(wire.source, wire.target) for wire in ties]
    rows, turned = ranks(len(boxes), pairs, [False] * len(boxes))
    for k, (a, b) in enumerate(pairs):
        assert (rows[a] < rows[b]) == (k not in turned)


@given(graphs(acyclic=True), st.randoms(use_true_random=False))
def test_crossings_are_counted_right(graph, random):
    boxes, ties = graph
    pairs = [(wire.source, wire.target) for wire in ties]
    rows, turned = ranks(len(boxes), pairs, [box.late for box in boxes])
    woven = weave(boxes, ties, rows, turned)
    position = [0] * len(woven.rank)
    for row in woven.rows:
        for place, node in enumerate(random.sample(row, len(row))):
            position[node] = place
    ends = [
        (woven.rank[one.upper], position[one.upper] + one.leaves / 1000, position[one.lower] + one.enters / 1000)
        for one in woven.links
    ]
    crossed = sum(
        one[0] == other[0] and (one[1] - other[1]) * (one[2] - other[2]) < 0 for one, other in combinations(ends, 2)
    )
    assert crossings(woven, position) == crossed


def test_what_can_be_drawn_without_crossings_is():
    boxes = [BOX] * 6
    ties = wires((0, 5), (1, 4), (2, 3))
    woven = weave(boxes, ties, *ranks(6, [(0, 5), (1, 4), (2, 3)], [False] * 6))
    position = [0] * 6
    for row in arrange(woven):
        for place, node in enumerate(row):
            position[node] = place
    assert crossings(woven, position) == 0


def test_a_chain_is_a_straight_line_with_constants_at_its_side():
    layers, boxes, ties = 12, [], []
    for step in range(layers):
        boxes += [Box(120, 40), Box(150, 30, 90, late=True), Box(90, 40, 0, late=True)]
        ties += [Wire(3 * step + 1, 0, 3 * step + 2, 0)]
        if step:
            ties += [Wire(3 * (step - 1), 0, 3 * step, 0), Wire(3 * step - 1, 0, 3 * step, 50)]
    made = draw(boxes, ties)
    middle = [made.boxes[3 * step].x for step in range(layers)]
    assert max(middle) - min(middle) < 25
    for step in range(layers - 1):
        assert made.boxes[3 * step + 2].x > made.boxes[3 * step + 3].x
        assert made.boxes[3 * step + 2].y < made.boxes[3 * step + 3].y
    assert made.width < 900  # 450 wide below the unused constants of the last step


def test_a_wire_past_a_box_goes_around_it():
    made = draw([BOX, BOX, BOX], wires((0, 1), (1, 2), (0, 2)))
    around = made.ways[2]
    assert len(around) == 3
    assert abs(around[1].x - made.boxes[1].x) > 50
    assert len(made.ways[0]) == len(made.ways[1]) == 2


def test_wires_from_one_place_share_their_way():
    made = draw([BOX] * 5, wires((0, 1), (1, 2), (2, 3), (3, 4), (0, 3), (0, 4)))
    short, long = made.ways[4], made.ways[5]
    assert short[:-1] == long[: len(short) - 1]


def test_cycles_and_wires_to_themselves_are_drawn():
    made = draw([BOX] * 3, wires((0, 1), (1, 2), (2, 0), (1, 1)))
    assert [at.y for at in made.boxes] == sorted(at.y for at in made.boxes)
    back, loop = made.ways[2], made.ways[3]
    assert back[0].top > back[-1].top
    assert (loop[0].top, loop[-1].top) == (made.boxes[1].y + 40, made.boxes[1].y)


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_and_next_to_nothing(count):
    made = draw([BOX] * count, [])
    assert len(made.boxes) == count
    assert made.width > 0


def test_thousands_of_boxes_in_a_row_below_each_other():
    count = 3_000
    made = draw([BOX] * count, wires(*((k, k + 1) for k in range(count - 1))))
    assert len({at.x for at in made.boxes}) == 1
    assert [at.y for at in made.boxes] == sorted({at.y for at in made.boxes})


def test_wires_that_would_need_too_many_points_go_straight(monkeypatch):
    monkeypatch.setattr(lanes, "MOST_POINTS", 500)
    count = 60
    pairs = [(k, k + 1) for k in range(count - 1)] + [(k, count - 1) for k in range(count - 2)]
    rows, turned = ranks(count, pairs, [False] * count)
    woven = weave([BOX] * count, wires(*pairs), rows, turned)
    assert sum(range(count - 1)) > 500
    assert len(woven.rank) <= count + 500
    straight = [k for k, chain in enumerate(woven.chains) if chain is None]
    assert straight
    assert min(straight) >= count - 1  # those to the next row never need one
    made = draw([BOX] * count, wires(*pairs))
    assert all(len(made.ways[k]) == 2 for k in straight)


def test_the_same_graph_is_drawn_the_same():
    boxes = [Box(90 + k % 7, 40, 120, k % 3 == 0) for k in range(60)]
    ties = wires(*((k, (k * 7 + 3) % 60) for k in range(60)), *((k, k + 1) for k in range(59)))
    assert draw(boxes, ties) == draw(list(boxes), list(ties))
