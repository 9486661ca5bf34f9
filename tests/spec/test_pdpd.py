"""pdpd on static shapes: the decision table row by row, and every small shape against the rule said another way."""

import itertools
import json
from pathlib import Path

import pytest

from addison import InvalidInput, Shape, infer_shape
from addison.spec.broadcast import Merge, merge

TABLE = [json.loads(line) for line in (Path(__file__).parent / "pdpd_table.jsonl").read_text().splitlines()]


def test_the_table_is_whole():
    assert len(TABLE) == 78


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['A']}-{row['B']}-axis{row['axis']}")
def test_the_table_row_by_row(row):
    def result():
        return infer_shape(row["A"], row["B"], auto_broadcast="pdpd", axis=row["axis"])

    if row["spec"] is None:
        with pytest.raises(InvalidInput) as refused:
            result()
        assert refused.value.fields["a"] == Shape(*row["A"])
        assert refused.value.fields["b"] == Shape(*row["B"])
    else:
        assert result().sizes == tuple(row["spec"])


def fits(a, b, axis):
    """Whether b lies over a: said with a list of the sizes that b brings to each axis of a, 1 where it brings none."""
    if axis == -1:
        axis = len(a) - len(b)
    if axis < 0 or len(b) > len(a) or axis + bool(b) > len(a):
        return False
    brought = [1] * axis + list(b)
    brought += [1] * (len(a) - len(brought))
    over, beyond = brought[: len(a)], brought[len(a) :]
    return all(size == 1 for size in beyond) and all(size in (1, mine) for mine, size in zip(a, over, strict=True))


def test_every_pair_of_shapes_up_to_rank_3_and_every_axis():
    every = [sizes for rank in range(4) for sizes in itertools.product(range(4), repeat=rank)]
    shapes = {sizes: Shape(*sizes) for sizes in every}
    accepted = 0
    for a, b in itertools.product(every, every):
        for axis in range(-2, 5):
            found = merge(shapes[a], shapes[b], "pdpd", axis)
            if fits(a, b, axis):
                accepted += 1
                assert isinstance(found, Merge), (a, b, axis)
                assert found.shape == shapes[a], (a, b, axis)
            else:
                assert not isinstance(found, Merge), (a, b, axis)
    assert accepted > 1000
