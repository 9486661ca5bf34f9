"""Rules about an Add that look at shapes which are not all known, and at what both its inputs are."""

import pytest

from addison import check
from tests.ir.build import AXIS, add, const, data, layer, net, parameter, port, result, sum_of

TWICE = [(0, 0, 2, 0), (0, 0, 2, 1), (2, 2, 3, 0)]


def found(a, b, *codes, **rule):
    text = sum_of(a=parameter(shape=a), b=parameter(1, "b", b), add_layer=add(inside=data(**rule)))
    return [one for one in check(text.encode()) if one.code in codes]


class TestReadersOfPdpd:
    """A303; what OpenVINO gives is measured, in tests/deviations."""

    @pytest.mark.parametrize(
        ("a", "b", "axis", "specification", "openvino"),
        [
            ("2,3,4,5", "5,1", 3, "[2,3,4,5]", None),
            ("0", "1", -1, "[0]", None),
            ("1,3", "0,3", -1, None, "[0,3]"),
            ("1", "2..8", 0, None, "[2..8]"),
            ("2,3,4", "3,4", None, "[2,3,4]", None),
            ("3,2", "3", None, None, "[3,2]"),
        ],
    )
    def test_where_they_part(self, a, b, axis, specification, openvino):
        rule = {"auto_broadcast": "pdpd"} | ({} if axis is None else {"axis": axis})
        (one,) = found(a, b, "A303", **rule)
        assert (one.fields["a"], one.fields["b"]) == (f"[{a}]", f"[{b}]")
        assert (one.fields["specification"], one.fields["openvino"]) == (specification, openvino)
        text = one.at.source.data[one.at.start : one.at.stop].decode()
        assert text == ('<data auto_broadcast="pdpd"/>' if axis is None else str(axis))

    @pytest.mark.parametrize(
        ("a", "b", "axis"),
        [
            ("2,3,4,5", "3,4", 1),
            ("2,3,4,5", "5", 3),
            ("2,3", "2,3", None),
            ("2,3", "", None),
            ("2,3", "4", -1),
            ("?", "5", 0),
            ("?,3", "?,3", -1),
            ("...", "3", -1),
            ("2,3", "...", -1),
            ("0..4,3", "1,3", -1),
            ("2..8", "?", 0),
        ],
    )
    def test_where_they_agree_or_one_only_knows_less(self, a, b, axis):
        rule = {"auto_broadcast": "pdpd"} | ({} if axis is None else {"axis": axis})
        assert found(a, b, "A303", **rule) == []

    @pytest.mark.parametrize("rule", ["none", "numpy"])
    def test_other_rules_are_read_alike(self, rule):
        assert found("?,3", "2,3", "A303", auto_broadcast=rule, **{AXIS: "7"}) == []


class TestNone:
    def test_shapes_that_may_differ(self):
        (one,) = found("?,3", "2,3", "A304", auto_broadcast="none")
        assert (one.fields["a"], one.fields["b"], one.fields["layer"]) == ("[?,3]", "[2,3]", "add")
        assert found("...", "...", "A304", auto_broadcast="none") != []

    def test_shapes_that_are_known_and_other_rules(self):
        assert found("2,3", "2,3", "A304", auto_broadcast="none") == []
        assert found("?,3", "2,3", "A304", auto_broadcast="numpy") == []

    def test_a_tensor_and_itself(self):
        text = net([parameter(shape="?"), add(inside=data(auto_broadcast="none")), result()], TWICE)
        assert check(text.encode()) == []


class TestTypes:
    def test_one_tensor_twice_is_one_fault_where_its_type_is_written(self):
        output = [port(2, (), "BOOL")]
        text = net([parameter(element_type="boolean"), add(outputs=output), result()], TWICE)
        (one,) = check(text.encode())
        assert (one.code, one.fields) == ("A202", {"layer": "add", "input": 0, "found": "boolean"})
        assert text[one.at.start : one.at.stop] == "boolean"
        assert [text[place.at.start :][:13] for place in one.related] == ['<layer id="2"']

    def test_of_a_convert_and_of_a_layer_that_is_not_known_the_place_is_found_too(self):
        wide = layer(
            4, "w", "Convert", inside=data(destination_type="f16"), inputs=[port(0)], outputs=[port(1, (), "FP16")]
        )
        text = sum_of(more=[wide], wires=[(0, 0, 2, 0), (1, 0, 4, 0), (4, 1, 2, 1), (2, 2, 3, 0)])
        (one,) = check(text.encode())
        assert [text[place.at.start : place.at.stop] for place in one.related] == ["f32", "f16"]
        relu = layer(4, "w", "ReLU", inputs=[port(0)], outputs=[port(1, (), "FP16")])
        text = sum_of(more=[relu], wires=[(0, 0, 2, 0), (1, 0, 4, 0), (4, 1, 2, 1), (2, 2, 3, 0)])
        (one,) = check(text.encode())
        assert [text[place.at.start : place.at.stop] for place in one.related] == ["f32", "FP16"]


def test_names_of_any_length_give_messages_that_have_an_end():
    name = "n" * 100_000
    text = sum_of(
        a=parameter(shape="?"),
        b=const(name=name, shape="2", size=8),
        add_layer=add(name=name, inside=data(auto_broadcast="none")),
        more=[layer(9, name, name, inputs=[port(0)], outputs=[port(1)])],
        wires=[(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (0, 0, 9, 0)],
    )
    found = check(text.encode(), bytes.fromhex("0000807f 0000807f 00"), runtime="openvino-cpu")
    assert {one.code for one in found} == {"W106", "W108", "G112", "A304", "H107"}
    assert max(len(one.says) for one in found) < 400
    assert max(len(value) for one in found for value in one.fields.values() if isinstance(value, str)) <= 1000


def test_more_findings_than_anyone_reads_have_an_end():
    dead = [layer(10 + i, "d", "X", outputs=[port(0)]) for i in range(10_050)]
    found = check(sum_of(more=dead).encode())
    assert [one.code for one in found[-2:]] == ["G112", "F199"]
    assert len(found) == 10_001
    assert found[-1].fields == {"limit": 10_000}
