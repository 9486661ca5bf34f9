"""The golden vectors: what is in them, and that their answers are right by other means than the code that made them."""

import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from addison import ElementType, Shape, Tensor
from addison.conformance import classes, vector_files
from addison.conformance.cases import every_pair
from addison.conformance.layouts import INTERVALS
from addison.conformance.vectors import answer, from_line, made, to_line
from addison.conformance.verify import operands, wanted
from tests.same_bits import DTYPES, NAMES, SMALL, assert_same_codes

SUMS = [one for one in made() if one.kind == "sum"]
BY_ID = {one.id: one for one in made()}
TABLE = [
    json.loads(line) for line in (Path(__file__).parents[1] / "spec" / "pdpd_table.jsonl").read_text().splitlines()
]
IEEE = ("f16", "f32", "f64")


def names_of(element_type):
    return {one.id.split("/")[2] for one in SUMS if one.id.startswith(f"sum/{element_type}/")}


def test_ids_are_there_once():
    assert len(BY_ID) == len(made()) > 900


@pytest.mark.parametrize("name", NAMES)
def test_every_type_has_its_classes_under_every_rule(name):
    found = names_of(name)
    assert {"exact", "rank-0", "zero-size", "none", "numpy", "pdpd"} <= found
    assert {one.auto_broadcast for one in SUMS if one.element_type == name} == {"none", "numpy", "pdpd"}
    if name[0] in "iu":
        assert "wrap" in found
    elif name == "nf4":  # no pair of levels has a sum halfway between two levels
        assert {"rounded-up", "rounded-down", "overflow"} <= found
    elif name == "f8e8m0":  # a sum of two powers is one, or halfway to the next, or less
        assert {"tie", "rounded-down", "overflow", "nan"} <= found
    else:
        assert {"tie", "rounded-up", "rounded-down", "overflow", "largest", "subnormal", "signed-zero"} <= found
        assert ("nan" in found) == (name != "f4e2m1")
        assert ("infinity" in found) == (name not in ("f4e2m1", "f8e4m3"))
    whole_bytes = ElementType.parse(name).bits >= 8
    assert any(one.startswith("partial-") for one in found) != whole_bytes


def values(name, data, count):
    """Exact values of packed integers or floats, by NumPy alone."""
    return np.frombuffer(data, np.dtype(DTYPES[name]).newbyteorder("<"), count)


@pytest.mark.parametrize("name", [name for name in DTYPES if name[0] in "iu" and ElementType.parse(name).bits >= 8])
def test_integers_by_python(name):
    bits = ElementType.parse(name).bits
    for one in SUMS:
        if one.element_type == name and one.a_shape == one.b_shape:
            a, b, total = (values(name, data, one.shape.elements).tolist() for data in (one.a, one.b, one.sum))
            assert all((x + y - z) % 2**bits == 0 for x, y, z in zip(a, b, total, strict=True)), one.id


@pytest.mark.parametrize("name", IEEE)
def test_floats_by_the_processor(name):
    for one in SUMS:
        if one.element_type == name and one.a_shape == one.b_shape:
            a, b, total = (values(name, data, one.shape.elements) for data in (one.a, one.b, one.sum))
            with np.errstate(all="ignore"):
                assert_same_codes(name, (a + b).view(f"u{a.itemsize}"), total.view(f"u{a.itemsize}"))


def nearest(name, exact):
    """The distance from an exact value to the nearest finite number of a small type, by looking at all of them."""
    everything = np.arange(2 ** ElementType.parse(name).bits, dtype=np.uint8).view(DTYPES[name]).astype(np.float64)
    return min(abs(Fraction(float(one)) - exact) for one in everything if np.isfinite(one))


@pytest.mark.parametrize("name", ["f8e4m3", "f8e5m2", "f4e2m1"])
def test_small_floats_by_looking_at_every_number(name):
    tried = 0
    for kind in ("exact", "tie", "rounded-up", "rounded-down", "largest", "subnormal"):
        one = BY_ID[f"sum/{name}/{kind}"]
        a, b = (np.asarray(side, np.float64) for side in operands(one))
        total = wanted(one).to_numpy()
        for x, y, z in zip(a, b, total, strict=True):
            exact = Fraction(float(x)) + Fraction(float(y))
            assert abs(Fraction(float(z)) - exact) == nearest(name, exact)
            tried += 1
    assert tried > 60


@pytest.mark.parametrize("name", ["bf16", "f16", "f32", "f64", "f8e4m3", "f8e5m2", "f4e2m1", "f8e8m0"])
def test_a_tie_is_one_and_goes_to_the_even_code(name):
    one = BY_ID[f"sum/{name}/tie"]
    element = ElementType.parse(name)
    a, b = (np.asarray(side, np.float64) for side in operands(one))
    below = 1 << (element.bits - 1)
    for x, y, code in zip(a, b, wanted(one).codes().tolist(), strict=True):
        exact = Fraction(float(x)) + Fraction(float(y))
        beside = Tensor.from_codes(name, [code, *(c for c in (code - 1, code + 1) if 0 <= c < 2 * below)]).tolist()
        apart = [abs(Fraction(v) - exact) for v in beside if np.isfinite(v)]
        assert apart[0] == min(apart[1:]) > 0
        assert code % 2 == 0


def test_broadcasting_by_numpy():
    for one in SUMS:
        if one.id.startswith("rule/numpy"):
            a, b = operands(one)
            np.testing.assert_array_equal(wanted(one).to_numpy(), a + b)
            assert one.shape.sizes == np.broadcast_shapes(a.shape, b.shape)


def test_pdpd_has_every_row_of_the_table():
    rows = {(tuple(row["A"]), tuple(row["B"]), row["axis"]): row["spec"] for row in TABLE}
    mine = {(one.a_shape.sizes, one.b_shape.sizes, one.axis): one for one in made() if one.id.startswith("rule/pdpd")}
    assert mine.keys() == rows.keys()
    for key, spec in rows.items():
        assert mine[key].kind == ("error" if spec is None else "sum")
        assert spec is None or mine[key].shape == Shape(*spec)


def test_pdpd_values_by_indexing():
    for one in SUMS:
        if one.auto_broadcast == "pdpd" and one.element_type == "f32":
            a, b = operands(one)
            start = a.ndim - b.ndim if one.axis == -1 else one.axis
            total = wanted(one).to_numpy()
            for index in np.ndindex(a.shape):
                under = tuple(
                    0 if size == 1 else i for i, size in zip((*index, 0, 0, 0, 0)[start:], b.shape, strict=False)
                )
                assert total[index] == a[index] + b[under], one.id


def within(text):
    """The sizes up to 12 of an interval; bounds are at most 8, so what is unbounded shows."""
    dim = Shape.parse(text)[0]
    return [size for size in range(13) if size in dim]


@pytest.mark.parametrize("rule", ["none", "numpy", "pdpd"])
def test_intervals_by_trying_every_size(rule):
    for left, right in itertools.product(INTERVALS, INTERVALS):
        results = set()
        for a, b in itertools.product(within(left), within(right)):
            if a == b or (b == 1 and rule != "none"):
                results.add(a)
            elif a == 1 and rule == "numpy":
                results.add(b)
        one = BY_ID[f"shape/{rule}/{left}+{right}"]
        if not results:
            assert (one.kind, one.error, len(one.axes)) == ("error", "clash", 1)
        else:
            assert (within(str(one.shape[0]))[0], within(str(one.shape[0]))[-1]) == (min(results), max(results)), one.id


def test_errors_say_what_they_are_about():
    about = {name: one.error for name, one in BY_ID.items() if name.startswith("error/")}
    assert about["error/numpy/two-axes"] == about["error/none/sizes"] == "clash"
    assert about["error/none/ranks"] == "rank"
    assert about["error/axis/numpy"] == about["error/axis/none"] == "axis"
    assert about["error/rule/bidirectional"] == "rule"
    assert about["error/types/f32+f16"] == "types"
    assert about["error/type/boolean"] == about["error/type/string"] == "type"
    assert BY_ID["error/numpy/two-axes"].axes == ((-1, Shape(4)[0], Shape(2)[0]), (-3, Shape(2)[0], Shape(5)[0]))


@pytest.mark.parametrize("one", [one for one in made() if one.kind != "shape"][::9], ids=lambda one: one.id)
def test_a_line_is_read_back_as_it_was(one):
    line = to_line(one)
    assert from_line(line) == one
    assert "\n" not in line
    assert line.isascii()


@pytest.mark.parametrize("name", [name for name in SMALL if ElementType.parse(name).bits <= 4])
def test_every_pair_has_every_pair(name):
    one = answer(every_pair(ElementType.parse(name)))
    count = 2 ** ElementType.parse(name).bits
    assert one.shape == Shape(count, count)
    if name[0] == "u":
        assert wanted(one).tolist() == [[(a + b) % count for b in range(count)] for a in range(count)]


def test_a_class_holds_only_what_belongs():
    for name in ("u8", "i32"):
        element = ElementType.parse(name)
        by_name = {one.name: one.pairs for one in classes.classes(element)}
        least, most = (-(2**31), 2**31 - 1) if name == "i32" else (0, 255)
        for kind, inside in (("exact", True), ("wrap", False)):
            for pair in by_name[kind]:
                a, b = Tensor.from_codes(name, list(pair)).tolist()
                assert (least <= a + b <= most) is inside


def test_two_runs_give_the_same_bytes_and_they_are_the_committed_ones(root, tmp_path):
    files = vector_files.write(str(tmp_path / "one"), made())
    made.cache_clear()
    assert vector_files.write(str(tmp_path / "two"), made()) == files
    for name in files:
        once = (tmp_path / "one" / name).read_bytes()
        assert once == (tmp_path / "two" / name).read_bytes()
        assert once == (root / "vectors" / name).read_bytes(), f"vectors/{name}: run addison vectors make vectors"
    assert sum(path.stat().st_size for path in (root / "vectors").iterdir()) < 1_000_000
