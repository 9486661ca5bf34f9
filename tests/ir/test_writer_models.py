"""save_model of models that no file said in this way: made or changed by hand, or deeper than files are."""

import dataclasses
import struct

import numpy as np
import pytest

from addison.ir.model import Add, Convert, Note, Parameter
from addison.ir.reader import read_model
from addison.ir.writer import save_model
from addison.runtime.extract import extract_add
from addison.spec.elements import ElementType
from addison.spec.shapes import Shape
from tests.ir.again import CORE
from tests.ir.build import AXIS, WIRES, add, const, data, layer, net, parameter, port, result, sum_of, tag
from tests.ir.changed import rewritten, summed, with_layer


class TestByHand:
    def test_an_add_that_was_taken_out_of_a_model(self, tmp_path):
        """Its layers have one id, and what feeds what is all that is said of edges."""
        whole = read_model(
            sum_of(
                a=parameter(outputs=[port(0, names="left")]),
                b=const(1, "f16", "2, 3", 2, 12, name="half"),
                more=[
                    layer(
                        4, "wide", "Convert", inside=data(destination_type="f32"), inputs=[port(0)], outputs=[port(1)]
                    )
                ],
                wires=[(0, 0, 2, 0), (1, 0, 4, 0), (4, 1, 2, 1), (2, 2, 3, 0)],
            ).encode(),
            b"??" + struct.pack("<6e", *range(6)),
        )
        taken = extract_add(whole, "add")
        assert {one.id for one in taken.layers} == {0, 1, 2, 4}
        _, model = rewritten(taken, tmp_path)
        assert [one.type for one in model.layers] == [one.type for one in taken.layers]
        assert model.graph.producers == taken.graph.producers
        compiled = CORE.compile_model(tmp_path / "net.xml", "CPU")
        [answer] = compiled([np.full((2, 3), 0.5, np.float32)]).values()
        assert answer.tolist() == [[0.5, 1.5, 2.5], [3.5, 4.5, 5.5]]

    def test_ids_stay_when_they_are_sound(self, tmp_path):
        text = sum_of(add_layer=add(9, outputs=[port(7)]), wires=[(0, 0, 9, 0), (1, 0, 9, 1), (9, 7, 3, 0)])
        _, model = rewritten(read_model(text.encode()), tmp_path)
        assert [one.id for one in model.layers] == [0, 1, 9, 3]
        assert [edge[:4] for edge in model.graph.edges] == [(0, 0, 9, 0), (1, 0, 9, 1), (9, 7, 3, 0)]

    def test_edges_stay_in_their_order(self, tmp_path):
        model = read_model(sum_of(wires=[WIRES[2], WIRES[1], WIRES[0]]).encode())
        assert [edge[:4] for edge in rewritten(model, tmp_path)[1].graph.edges] == [WIRES[2], WIRES[1], WIRES[0]]

    @pytest.mark.parametrize(("operation", "said", "wanted"), [
        (Add("none", -1), {"auto_broadcast": "numpy"}, {"auto_broadcast": "none"}),
        (Add("numpy", -1), {}, {"auto_broadcast": "numpy"}),
        (Add("none", -1), {"auto_broadcast": "EXPLICIT", "x": "1"}, {"auto_broadcast": "none", "x": "1"}),
        (Add("pdpd", 1), {"auto_broadcast": "pdpd", AXIS: "0"}, {"auto_broadcast": "pdpd", AXIS: "1"}),
        (Add("pdpd", -1), {"auto_broadcast": "pdpd"}, {"auto_broadcast": "pdpd"}),
        (Add("pdpd", -1), {}, {"auto_broadcast": "pdpd", AXIS: "-1"}),
        (Add("pdpd", 0), {"auto_broadcast": "pdpd"}, {"auto_broadcast": "pdpd", AXIS: "0"}),
    ])  # fmt: skip
    def test_the_operation_is_what_counts(self, tmp_path, operation, said, wanted):
        """A file that says pdpd without an axis means different things to different readers, and goes on to."""
        _, model = rewritten(with_layer(summed(), 2, operation=operation, data=said), tmp_path)
        assert model.layers[2].data == wanted
        assert model.layers[2].operation == operation

    def test_the_operation_of_a_parameter_and_of_a_convert(self, tmp_path):
        wide = layer(2, "wide", "Convert", inside=data(destination_type="f32"), inputs=[port(0)], outputs=[port(1)])
        model = read_model(net([parameter(), wide, result()], [(0, 0, 2, 0), (2, 1, 3, 0)]).encode())
        model = with_layer(model, 0, operation=Parameter(ElementType.parse("i8"), Shape.parse("?,0..4")))
        model = with_layer(model, 1, operation=Convert(ElementType.parse("f64")))
        text, again = rewritten(model, tmp_path)
        assert again.layers[0].operation == model.layers[0].operation
        assert again.layers[1].operation == model.layers[1].operation
        assert 'shape="?,..4"' in text

    def test_ports_say_what_the_operation_knows(self, tmp_path):
        model = summed(
            a=parameter(outputs=[port(0, precision=None)]),
            b=const(),
            add_layer=add(outputs=[port(2, precision=None)]),
            r=result(inputs=[port(0, precision=None)]),
        )
        _, again = rewritten(model, tmp_path)
        assert [(one.precision, one.dims) for layer in again.layers for one in layer.outputs] == [
            ("FP32", (2, 3)),
            ("FP32", (2, 3)),
            ("UNSPECIFIED", ()),
        ]
        assert again.layers[3].inputs[0].precision == ""
        assert CORE.read_model(tmp_path / "net.xml").output(0).get_partial_shape().to_string() == "[2,3]"

    def test_sizes_that_are_not_known(self, tmp_path):
        _, again = rewritten(summed(a=parameter(shape="1..8,3,?"), b=parameter(1, "b", shape="...")), tmp_path)
        assert [one.outputs[0].dims for one in again.inputs] == [(-1, 3, -1), ()]

    def test_rt_info_of_a_body(self, tmp_path):
        inner = tag("layers", {}, layer(0, "inner", "Whatever")) + '<rt_info><k value="inner"/></rt_info>'
        text = net(
            [layer(0, "loop", "Loop", inside=tag("body", {}, inner))], tail='<rt_info><k value="outer"/></rt_info>'
        )
        _, again = rewritten(read_model(text.encode()), tmp_path)
        assert (again.rt_info, again.layers[0].bodies[0].rt_info) == ({"k": "outer"}, {"k": "inner"})

    def test_nothing_at_all(self, tmp_path):
        _, model = rewritten(read_model(b'<net version="10"/>'), tmp_path)
        assert (model.name, model.version, model.layers, model.rt_info) == ("", 11, (), {})

    def test_names_that_end_in_a_backslash_stand_last(self, tmp_path):
        model = with_layer(summed(), 0, outputs=(summed().layers[0].outputs[0]._replace(names=("a\\", "b,", "c\\,d")),))
        _, again = rewritten(model, tmp_path)
        assert again.layers[0].outputs[0].names == ("b,", "c\\,d", "a\\")
        assert CORE.read_model(tmp_path / "net.xml").inputs[0].get_names() == {"b,", "c\\,d", "a\\"}

    def test_unconnected_inputs_of_dead_layers(self, tmp_path):
        model = summed(more=[add(7, "dead")])
        assert [finding.code for finding in model.findings] == ["G107", "G107"]
        _, again = rewritten(model, tmp_path)
        assert again.graph.producers == model.graph.producers


class TestDeep:
    def test_a_long_chain(self, tmp_path):
        count = 5000
        layers = [layer(i, f"n{i}", "ReLU", inputs=[port(0)], outputs=[port(1)]) for i in range(1, count)]
        wires = [(0, 0, 1, 0), *((i, 1, i + 1, 0) for i in range(1, count))]
        model = read_model(net([parameter(), *layers, result(count)], wires).encode())
        _, again = rewritten(model, tmp_path)
        assert again.graph.producers == model.graph.producers

    def test_bodies_in_bodies(self, tmp_path):
        """As deep as a file may be, and, made by hand, far deeper than Python calls go."""
        inside = ""
        for depth in range(80):
            inside = tag(
                "layers", {}, layer(depth, f"n{depth}", "Loop", inside=tag("body", {}, inside) if inside else "")
            )
        model = read_model(f'<net version="11">{inside}</net>'.encode())
        _, again = rewritten(model, tmp_path)
        paths = [path for path, _, _ in again.walk()]
        assert paths == [path for path, _, _ in model.walk()]
        assert len(paths) == 80
        graph = model.graph
        for _ in range(1200):
            [only] = graph.layers
            graph = dataclasses.replace(
                graph, layers=(only._replace(bodies=(dataclasses.replace(model.layers[0].bodies[0], graph=graph),)),)
            )
        save_model(dataclasses.replace(model, graph=graph), tmp_path / "deep.xml")
        assert (tmp_path / "deep.xml").read_text().count("<body>") == 1279

    def test_notes_in_notes(self, tmp_path):
        note = Note("k", {"name": "deepest"})
        for _ in range(3000):
            note = Note("k", {"a": "1"}, (note,))
        save_model(with_layer(summed(), 2, notes=(note,)), tmp_path / "net.xml")
        assert (tmp_path / "net.xml").read_text().count("<k ") == 3001
