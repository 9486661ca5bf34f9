"""Adds whose answer on OpenVINO's CPU plugin is not the specification's: each kind, where it shows and just not."""

import struct

import pytest

from addison import InvalidInput, check
from addison.checker.rule import rules
from addison.deviations import departures, runtimes
from tests.ir.build import PRECISION, add, const, data, layer, net, parameter, port, result, sum_of

CPU = "openvino-cpu"
U4 = bytes([0x21])


def hazards(text, weights=None):
    """Code, layer and kind of what is found only because the runtime is asked about."""
    asked = check(text.encode(), weights, runtime=CPU)
    assert [str(one) for one in asked if one.code[0] != "H"] == [str(one) for one in check(text.encode(), weights)]
    return [(one.code, one.fields["kind"]) for one in asked if one.code[0] == "H"]


def of_type(name, **how):
    """A sum of two inputs of this type."""
    precision = PRECISION.get(name, name.upper())
    inputs = {"a": parameter(0, "a", "2,3", name), "b": parameter(1, "b", "2,3", name)}
    return sum_of(**inputs, add_layer=add(outputs=[port(2, (), precision)]), **how)


def with_constant(name, values, *, version="", tail="", size=None):
    """An input of this type plus a constant."""
    precision = PRECISION.get(name, name.upper())
    form = {"u32": "I", "u64": "Q", "i64": "q", "i32": "i", "f64": "d"}.get(name)
    weights = values if form is None else struct.pack(f"<{len(values)}{form}", *values)
    count = size or (len(weights) if form is None else len(values))
    text = sum_of(
        a=parameter(0, "a", str(count), name),
        b=const(1, name, str(count), 0, len(weights)),
        add_layer=add(outputs=[port(2, (), precision)]),
        tail=tail,
        **({"version": version} if version else {}),
    )
    return text, weights


class TestByTypeAlone:
    @pytest.mark.parametrize(
        ("name", "wanted"),
        [
            ("i8", [("H101", "saturates")]),
            ("u8", [("H101", "saturates")]),
            ("i64", [("H102", "narrows")]),
            ("u64", [("H102", "narrows")]),
            ("f64", [("H103", "narrows")]),
            ("bf16", [("H104", "flushes")]),
            *(
                (name, [("H105", "refuses")])
                for name in ("u1", "u2", "u3", "u6", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "nf4")
            ),
            *((name, []) for name in ("f16", "f32", "i4", "i16", "i32", "u4", "u16", "u32")),
        ],
    )
    def test_each_of_the_23(self, name, wanted):
        assert hazards(of_type(name)) == wanted

    def test_only_when_asked(self):
        assert check(of_type("u8").encode()) == []

    def test_the_finding_has_the_runtime_its_version_and_the_issues(self):
        (one,) = check(of_type("bf16").encode(), runtime=CPU)
        assert one.fields == {
            "layer": "add",
            "runtime": CPU,
            "versions": "2026.4.1",
            "cpu": "avx512_bf16",
            "kind": "flushes",
            "when": "values",
            "element_type": "bf16",
            "issue": (),
        }
        assert "avx512_bf16" in one.says
        assert "2026.4.1" in one.help
        (one,) = check(of_type("u8").encode(), runtime=CPU)
        assert "35651" in one.help

    def test_an_add_in_a_body_is_one_too(self):
        inner = of_type("u8")
        body = inner[inner.index("<layers>") :].replace("</net>", "")
        loop = layer(1, "l", "Loop", inputs=[port(0)], outputs=[port(1)], tail=f"<body>{body}</body>")
        assert hazards(net([parameter(), loop, result()], [(0, 0, 1, 0), (1, 1, 3, 0)])) == [("H101", "saturates")]


class TestDefaultAxis:
    @staticmethod
    def of(a, b, **rule):
        text = sum_of(a=parameter(shape=a), b=parameter(1, "b", b), add_layer=add(inside=data(**rule)))
        return hazards(text)

    @pytest.mark.parametrize(
        ("a", "b"),
        [("3,3", "3"), ("2,3,4", "3,4"), ("3,2", "3"), ("...", "3"), ("3,3", "..."), ("3,3", "?"), ("3,3,3", "3,1")],
    )
    def test_an_axis_that_is_missed(self, a, b):
        assert self.of(a, b, auto_broadcast="pdpd") == [("H106", "default-axis")]

    @pytest.mark.parametrize(
        ("a", "b"), [("2,3", "2,3"), ("2,3", ""), ("2,3", "1"), ("2,3,4", "1,1"), ("?,3", "?,3"), ("3", "2,3")]
    )
    def test_one_that_is_not(self, a, b):
        assert self.of(a, b, auto_broadcast="pdpd") == []

    def test_one_that_is_written(self):
        assert self.of("3,3", "3", auto_broadcast="pdpd", axis=-1) == []
        assert self.of("3,3", "3", auto_broadcast="numpy") == []


class TestBroadcastsUnderNone:
    @pytest.mark.parametrize(
        ("a", "b", "rule", "wanted"),
        [
            ("?", "3", "none", 1),
            ("1..3", "3", "none", 1),
            ("...", "3", "none", 1),
            ("?", "?", "explicit", 1),
            ("3", "3", "none", 0),
            ("?", "3", "numpy", 0),
        ],
    )
    def test_when_shapes_are_not_known(self, a, b, rule, wanted):
        text = sum_of(a=parameter(shape=a), b=parameter(1, "b", b), add_layer=add(inside=data(auto_broadcast=rule)))
        assert hazards(text) == [("H107", "broadcasts")] * wanted

    def test_a_tensor_and_itself(self):
        text = net(
            [parameter(shape="?"), add(inside=data(auto_broadcast="none")), result()],
            [(0, 0, 2, 0), (0, 0, 2, 1), (2, 2, 3, 0)],
        )
        assert hazards(text) == []


class TestVersion10:
    @pytest.mark.parametrize(
        ("name", "wanted"),
        [
            ("f16", ["v10-input", "v10-output"]),
            ("f32", []),
            ("i32", []),
            ("u32", ["v10-output"]),
            ("u16", ["v10-output"]),
            ("i4", ["v10-output"]),
            ("bf16", ["v10-output"]),
        ],
    )
    def test_at_the_boundary(self, name, wanted):
        found = check(of_type(name, version=10).encode(), runtime=CPU)
        assert [one.fields["when"] for one in found if one.code == "H108"] == wanted
        assert hazards(of_type(name, version=11)) == [
            one for one in hazards(of_type(name, version=10)) if one[0] != "H108"
        ]

    def test_in_the_middle_nothing_is_converted(self):
        abs_of = [
            layer(number, name, "Abs", inputs=[port(0)], outputs=[port(1, (), "U16")])
            for number, name in ((4, "p"), (5, "q"), (6, "s"))
        ]
        text = net(
            [
                parameter(0, "a", "2", "u16"),
                parameter(1, "b", "2", "u16"),
                *abs_of,
                add(outputs=[port(2, (), "U16")]),
                result(),
            ],
            [(0, 0, 4, 0), (1, 0, 5, 0), (4, 1, 2, 0), (5, 1, 2, 1), (2, 2, 6, 0), (6, 1, 3, 0)],
            version=10,
        )
        assert hazards(text) == []


class TestClampedConstants:
    @pytest.mark.parametrize(
        ("name", "value", "clamped"),
        [
            ("u32", 2**31, True),
            ("u32", 2**31 - 1, False),
            ("u64", 2**63, True),
            ("u64", 2**31 - 1, False),
            ("i64", 2**40, True),
            ("i64", 2**31, True),
            ("i64", 2**31 - 1, False),
            ("i64", -(2**31), False),
            ("i64", -(2**31) - 1, True),
            ("i32", 2**31 - 1, False),
            ("f64", 1e300, True),
            ("f64", -1e39, True),
            ("f64", float("inf"), True),
            ("f64", 3.4028234663852886e38, False),
            ("f64", float("nan"), False),
        ],
    )
    def test_past_what_the_plugin_holds(self, name, value, clamped):
        found = hazards(*with_constant(name, [0, value]))
        assert [one for one in found if one[0] == "H109"] == [("H109", "clamps")] * clamped

    def test_a_constant_of_two_adds_is_said_of_each(self):
        text, weights = with_constant("u32", [2**31])
        more = add(4, "more", outputs=[port(2, (), "U32")])
        text = text.replace("</layers>", more + "</layers>").replace(
            "</edges>",
            '<edge from-layer="0" from-port="0" to-layer="4" to-port="0"/>'
            '<edge from-layer="1" from-port="0" to-layer="4" to-port="1"/></edges>',
        )
        assert [one[0] for one in hazards(text, weights)] == ["H109", "H109"]

    def test_no_constants_no_finding(self):
        assert hazards(of_type("u32")) == []


def written(*entries):
    return f"<rt_info>{''.join(entries)}</rt_info>"


INFO = '<info name="OpenVINO Runtime" value="{}"/>'
RUNTIME = '<Runtime_version value="{}"/>'
CONVERTER = '<MO_version value="{}"/>'


class TestOldFiles:
    @pytest.mark.parametrize(
        ("name", "entries", "old"),
        [
            ("u4", [INFO.format("2023.3.0-13775-ceeafaf64f3-releases/2023/3")], True),
            ("i4", [RUNTIME.format("2023.2.0-13089-cfd42bd2cb0-HEAD")], True),
            ("u4", [CONVERTER.format("2022.1.0-7019-cdb9bec7210-releases/2022/1")], True),
            ("u4", [CONVERTER.format("2023.3.0"), RUNTIME.format("2024.0.0")], False),
            ("u4", [RUNTIME.format("2023.3.0"), CONVERTER.format("2024.0.0")], True),
            ("u4", [INFO.format("2024.0.0-14509-34caeefd078-releases/2024/0")], False),
            ("i4", [INFO.format("2026.4.1")], False),
            ("u4", [RUNTIME.format("custom_master_9e4a0ad")], False),
            ("u4", [RUNTIME.format("custom"), CONVERTER.format("2023.0.1")], True),
            ("u4", ['<other value="2023.3.0"/>'], False),
            ("u4", [], False),
            ("u8", [RUNTIME.format("2023.3.0")], False),
            ("u2", [RUNTIME.format("2025.2.0-19140")], True),
            ("u2", [RUNTIME.format("2025.3.0")], False),
            ("u2", [RUNTIME.format("2025.10.0")], False),
        ],
    )
    def test_by_what_wrote_them(self, name, entries, old):
        text, weights = with_constant(name, U4, tail=written(*entries), size=2 if name != "u8" else 1)
        assert [one for one in hazards(text, weights) if one[0] == "H110"] == [("H110", "reorders")] * old

    def test_inputs_are_not_written_in_the_file(self):
        assert hazards(of_type("u4", tail=written(RUNTIME.format("2023.3.0")))) == []


@pytest.mark.parametrize("name", ["bf16", "f16"])
def test_another_rounding(name):
    found = check(of_type(name).encode(), runtime="openvino-reference")
    assert [(one.code, one.fields["kind"]) for one in found] == [("H111", "rounds")] * (name == "bf16")


def test_every_departure_that_a_file_can_show_has_a_rule():
    every = [one for runtime in runtimes() for one in departures(runtime) if one.when != "setting"]
    kinds = {one.kind for one in every}
    tried = {
        "saturates",
        "narrows",
        "flushes",
        "refuses",
        "default-axis",
        "broadcasts",
        "converts",
        "clamps",
        "reorders",
        "rounds",
    }
    assert kinds == tried
    assert [one.code.code for one in rules() if one.runtime] == [f"H1{number:02}" for number in range(1, 12)]


def test_a_runtime_that_nothing_is_recorded_of():
    with pytest.raises(InvalidInput) as caught:
        check(of_type("u8").encode(), runtime="abacus")
    assert caught.value.fields == {"runtime": "abacus"}
    assert CPU in caught.value.help
    with pytest.raises(InvalidInput):
        check(b"<net", runtime="abacus")
