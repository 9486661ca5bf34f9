"""What is said of the weights: values that are not finite, bytes that are shared, bytes that nobody reads."""

import struct

import numpy as np
import openvino
import pytest
from openvino import opset13 as op

from addison import check
from addison.checker.rules import not_finite
from tests.ir.build import add, const, data, layer, net, parameter, port, result, sum_of

MIXED = struct.pack("<4f", 1, 2, float("inf"), float("nan"))


def found(text, weights, *codes):
    return [one for one in check(text.encode(), weights) if not codes or one.code in codes]


def two(first, second):
    """Two constants, each the output of the model."""
    return net([first, second, result(2, "p"), result(3, "q")], [(0, 0, 2, 0), (1, 0, 3, 0)])


class TestNotFinite:
    def test_the_first_such_element_is_named(self):
        (one,) = found(sum_of(a=parameter(shape="4"), b=const(shape="4", size=16)), MIXED)
        assert (one.code, one.fields) == ("W106", {"layer": "c", "add": "add", "index": 2, "found": "an infinity"})
        (one,) = found(sum_of(a=parameter(shape="1"), b=const(shape="1", offset=12, size=4)), MIXED, "W106")
        assert (one.fields["index"], one.fields["found"]) == (0, "NaN")

    def test_through_a_convert(self):
        half = const(1, "f16", "2", 0, 4)
        wide = layer(4, "w", "Convert", inside=data(destination_type="f32"), inputs=[port(0)], outputs=[port(1)])
        wires = [(0, 0, 2, 0), (1, 0, 4, 0), (4, 1, 2, 1), (2, 2, 3, 0)]
        text = net([parameter(shape="2"), half, add(), result(), wide], wires)
        (one,) = found(text, bytes.fromhex("003c 00fc"))
        assert (one.code, one.fields["index"]) == ("W106", 1)
        assert found(text, bytes.fromhex("003c fffb")) == []

    def test_a_constant_of_two_adds_is_said_once(self):
        text = sum_of(
            b=const(),
            more=[add(4, "more"), result(5, "s")],
            wires=[(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (0, 0, 4, 0), (1, 0, 4, 1), (4, 2, 5, 0)],
        )
        assert [one.fields["add"] for one in found(text, MIXED + bytes(8), "W106")] == ["add"]

    @pytest.mark.parametrize("name", ["boolean", "u8", "nf4", "f4e2m1", "string"])
    def test_types_without_such_values(self, name):
        text = sum_of(a=parameter(0, "a", "1", name), b=const(1, name, "1", 0, 1))
        assert found(text, b"\xff", "W106") == []

    def test_one_that_feeds_no_add_is_fine(self):
        text = net([const(1, shape="4", size=16), result()], [(1, 0, 3, 0)])
        assert found(text, MIXED) == []

    @pytest.mark.parametrize(
        ("limit", "wanted"),
        [(32, {"W106": 2}), (16, {"W106": 2, "W109": None}), (8, {"W109": None}), (11, {"W109": None})],
    )
    def test_past_a_limit_they_are_not_looked_for_and_that_is_said(self, limit, wanted, monkeypatch):
        monkeypatch.setattr(not_finite, "MOST_BYTES", limit)
        constants = [const(0, name="c", shape="4", size=16), const(1, name="d", shape="4", offset=16, size=16)]
        text = net([*constants, add(), result()], [(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0)])
        said = found(text, MIXED + bytes(16))
        assert {one.code: one.fields.get("index") for one in said} == wanted
        for one in said:
            if one.code == "W109":
                assert one.fields == {"layer": "d" if limit == 16 else "c", "found": 32, "limit": limit}


class TestShared:
    @pytest.mark.parametrize(
        ("first", "second", "shared"),
        [
            (const(0, "f32", "4", 0, 16, name="c"), const(1, "i32", "2", 12, 8, name="d"), 4),
            (const(0, "f32", "4", 0, 16, name="c"), const(1, "i8", "2", 5, 2, name="d"), 2),
            (const(0, "f32", "4", 0, 16, name="c"), const(1, "i32", "5", 0, 20, name="d"), 16),
        ],
    )
    def test_in_part_by_two_types(self, first, second, shared):
        (one,) = found(two(first, second), bytes(20), "W107")
        assert (one.fields["bytes"], {one.fields["layer"], one.fields["other"]}) == (shared, {"c", "d"})
        assert len(one.related) == 1

    @pytest.mark.parametrize(
        "second",
        [
            const(1, "f32", "2", 8, 8, name="d"),
            const(1, "i32", "4", 0, 16, name="d"),
            const(1, "i64", "2", 0, 16, name="d"),
            const(1, "i32", "1", 16, 4, name="d"),
            const(1, "i64", "0", 4, 1, name="d"),
        ],
        ids=["one type", "all of them", "all of them, of another shape", "none", "no elements"],
    )
    def test_otherwise_is_fine(self, second):
        assert found(two(const(0, "f32", "4", 0, 16), second), bytes(20), "W107") == []


class TestUnread:
    def test_gaps_and_the_rest(self):
        text = two(const(0, "f32", "1", 8, 4), const(1, "f32", "1", 24, 4))
        (one,) = found(text, bytes(30))
        assert (one.code, one.at) == ("W108", None)
        assert one.fields == {"bytes": 22, "found": 30, "gaps": ((0, 8), (12, 24), (28, 30))}

    def test_padding_before_a_constant_is_no_gap(self):
        text = two(const(0, "f32", "1", 0, 4), const(1, "f64", "1", 8, 8))
        assert found(text, bytes(16), "W108") == []

    def test_no_gaps(self):
        assert found(two(const(0, "f32", "1", 1, 4), const(1, "f32", "0", 0, 1)), bytes(5)) == []
        assert found(two(const(0, "f32", "2", 0, 8), const(1, "f32", "1", 4, 4)), bytes(8)) == []

    def test_a_model_without_constants_beside_a_bin(self):
        (one,) = found(sum_of(), bytes(3))
        assert one.fields["bytes"] == 3

    @pytest.mark.parametrize("broken", [const(1, size=20), const(1, shape="x"), const(1, kind="Constant")])
    def test_a_constant_that_could_not_be_read_has_its_own_fault(self, broken):
        assert found(sum_of(b=broken), bytes(24), "W108") == []

    def test_constants_of_bodies_read_too(self):
        inner = net([parameter(), const(), add(), result()], [(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0)])
        body = inner[inner.index("<layers>") :].replace("</net>", "")
        loop = layer(1, "loop", "TensorIterator", inputs=[port(0)], outputs=[port(1)], tail=f"<body>{body}</body>")
        text = net([parameter(), loop, result()], [(0, 0, 1, 0), (1, 1, 3, 0)])
        assert found(text, bytes(24)) == []


@pytest.mark.parametrize("half", [False, True])
def test_what_openvino_writes_is_fine(half, tmp_path):
    """Equal bytes of several types and shapes, odd offsets, constants without elements, halves and small integers."""
    floats = np.array([1.5, 2.5], np.float32)
    arrays = [
        floats,
        np.frombuffer(floats.tobytes(), np.int32),
        np.frombuffer(floats.tobytes(), np.int64),
        floats.reshape(2, 1),
        floats[:1],
        np.zeros(0, np.float32),
        np.zeros((3, 0), np.int64),
        np.arange(3, dtype=np.uint8),
        np.arange(5, dtype=np.float16),
        np.array(7, np.int64),
    ]
    results = [op.result(op.convert(op.constant(one), "f64")) for one in arrays]
    results.append(op.result(op.convert(op.constant(np.array([1, 2, 3]), dtype=openvino.Type.u4), "i32")))
    path = tmp_path / "net.xml"
    openvino.save_model(openvino.Model(results, [], "m"), path, compress_to_fp16=half)
    assert (tmp_path / "net.bin").stat().st_size > 30
    assert check(path) == []
