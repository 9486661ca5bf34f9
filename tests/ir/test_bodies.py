"""TensorIterator, Loop, If and variables: made and written by OpenVINO, read here, compared with what was made."""

import numpy as np
import openvino
import openvino.opset13 as opset
import pytest
from openvino import Model, PartialShape, Type

from addison.errors import InvalidInput
from addison.ir.model import Add, Constant, Opaque, Parameter, Result
from addison.ir.reader import examine, read_model
from tests.ir.build import add, layer, net, parameter, result, sum_of, tag


def named(node, name):
    node.set_friendly_name(name)
    return node


def placeholder(name, shape=(2, 3), kind=Type.f32):
    return opset.parameter(PartialShape(list(shape)), kind, name=name)


def adding(value, name="add", shape=(2, 3)):
    """A body that adds a constant: its parameter, its Add, its Result."""
    x = placeholder("x", shape)
    total = named(opset.add(x, named(opset.constant(np.full(shape, value, np.float32)), "addend")), name)
    return x, total, named(opset.result(total), "end")


def true(name):
    return named(opset.constant(np.bool_(True)), name)


def a_loop(inside=None):
    """Four times: x = inside(x), or x + 0.5."""
    outer = placeholder("outer")
    x, add_in_it, end = adding(0.5)
    total = add_in_it.output(0)
    if inside:
        total = inside(add_in_it)
        end = named(opset.result(total), "end")
    going_on = named(opset.result(true("true")), "going_on")
    loop = named(opset.loop(named(opset.constant(np.int64(4)), "times"), true("go")), "loop")
    loop.set_function(Model([going_on, end], [x], "body"))
    loop.set_special_body_ports([-1, 0])
    loop.set_merged_input(x, outer.output(0), total)
    out = loop.get_iter_value(total, -1)
    return Model([named(opset.result(out), "r")], [outer], "m"), loop


def an_iterator():
    """A slice of x after another, plus 0.25."""
    outer = placeholder("outer", (4, 3))
    x, total, end = adding(0.25, shape=(1, 3))
    iterator = named(opset.tensor_iterator(), "ti")
    iterator.set_body(Model([end], [x], "body"))
    iterator.set_sliced_input(x, outer.output(0), 0, 1, 1, -1, 0)
    out = iterator.get_concatenated_slices(total.output(0), 0, 1, 1, -1, 0)
    return Model([named(opset.result(out), "r")], [outer], "m"), iterator


def a_choice(source=None, name="if"):
    """x + 1 or x + 2."""
    outer = source or placeholder("outer")
    choice = named(opset.if_op(true("condition")), name)
    x, _, then_end = adding(1, "then_add")
    y, _, else_end = adding(2, "else_add")
    choice.set_then_body(Model([then_end], [x], "then"))
    choice.set_else_body(Model([else_end], [y], "else"))
    choice.set_input(outer.output(0), x, y)
    out = choice.set_output(then_end, else_end)
    return out, outer, choice


def written(model, tmp_path):
    openvino.serialize(model, tmp_path / "m.xml")
    return read_model(tmp_path / "m.xml")


def layers_of(graph):
    return sorted((one.name, one.type) for one in graph.layers)


def ops_of(body):
    return sorted(
        (op.get_friendly_name(), {"Constant": "Const"}.get(op.get_type_name(), op.get_type_name()))
        for op in body.get_ops()
    )


def value_of(graph, name):
    [constant] = [one.operation for one in graph.layers if one.name == name]
    return np.frombuffer(constant.data, np.float32).reshape(constant.shape.sizes).tolist()


def test_a_loop(tmp_path):
    made, loop = a_loop()
    model = written(made, tmp_path)
    assert layers_of(model.graph) == ops_of(made)
    [read] = [one for one in model.layers if one.type == "Loop"]
    [body] = read.bodies
    assert body.name == "body"
    assert layers_of(body.graph) == ops_of(loop.get_function())
    assert value_of(body.graph, "addend") == [[0.5] * 3] * 2
    assert isinstance(read.operation, Opaque)
    by_id = {one.id: one.name for one in body.graph.layers}
    assert [(one["kind"], by_id[int(one["internal_layer_id"])], one.get("purpose")) for one in body.port_map] == [
        ("input", "x", None),
        ("output", "end", None),
        ("output", "going_on", "execution_condition"),
    ]
    assert [{key: by_id[int(value)] for key, value in one.items()} for one in body.back_edges] == [
        {"from-layer": "end", "to-layer": "x"}
    ]


def test_an_iterator(tmp_path):
    made, iterator = an_iterator()
    model = written(made, tmp_path)
    assert layers_of(model.graph) == ops_of(made)
    [read] = [one for one in model.layers if one.type == "TensorIterator"]
    [body] = read.bodies
    assert layers_of(body.graph) == ops_of(iterator.get_body())
    assert value_of(body.graph, "addend") == [[0.25] * 3]
    assert [(one["kind"], one["axis"], one["stride"], one["part_size"]) for one in body.port_map] == [
        ("input", "0", "1", "1"),
        ("output", "0", "1", "1"),
    ]
    assert body.back_edges == ()


def test_a_choice(tmp_path):
    out, outer, choice = a_choice()
    made = Model([named(opset.result(out), "r")], [outer], "m")
    model = written(made, tmp_path)
    [read] = [one for one in model.layers if one.type == "If"]
    assert [body.name for body in read.bodies] == ["then_body", "else_body"]
    made_bodies = (choice.get_then_body(), choice.get_else_body())
    for body, of_the_peer, addend in zip(read.bodies, made_bodies, (1, 2), strict=True):
        assert layers_of(body.graph) == ops_of(of_the_peer)
        assert value_of(body.graph, "addend") == [[addend] * 3] * 2
        assert [one["kind"] for one in body.port_map] == ["input", "output"]


def test_bodies_in_bodies(tmp_path):
    made, _ = a_loop(inside=lambda total: a_choice(total, "inner")[0])
    model = written(made, tmp_path)
    paths = [path for path, _, _ in model.walk()]
    assert {"loop/body/inner/then_body/then_add", "loop/body/inner/else_body/else_add", "loop/body/add"} <= set(paths)
    path, graph, index = model.find("loop/body/inner/else_body/addend")
    assert path == "loop/body/inner/else_body/addend"
    assert np.frombuffer(graph.layers[index].operation.data, np.float32).tolist() == [2] * 6
    assert [path for path, _ in model.graphs()] == [
        "",
        "loop/body/",
        "loop/body/inner/then_body/",
        "loop/body/inner/else_body/",
    ]
    assert len(paths) == sum(len(graph.layers) for _, graph in model.graphs()) == len(set(paths))


def test_ids_of_a_body_are_its_own(tmp_path):
    model = written(a_loop()[0], tmp_path)
    body = next(one for one in model.layers if one.bodies).bodies[0]
    assert {one.id for one in body.graph.layers} & {one.id for one in model.layers}
    assert [type(body.graph.layers[i].operation) for i in body.graph.order][-1] in (Result, Add)
    assert {one.id for one in model.inputs} == {one.id for one in model.layers if isinstance(one.operation, Parameter)}


def test_variables(tmp_path):
    x = placeholder("x")
    read = named(opset.read_value(x, "v", Type.f32, PartialShape([2, 3])), "read")
    total = named(opset.add(read, x), "add")
    assign = named(opset.assign(total, "v"), "assign")
    model = written(Model([named(opset.result(total), "r")], [assign], [x], "m"), tmp_path)
    assert layers_of(model.graph) == [
        ("add", "Add"),
        ("assign", "Assign"),
        ("r", "Result"),
        ("read", "ReadValue"),
        ("x", "Parameter"),
    ]
    assert [one.name for one in model.outputs] == ["r"]
    assert next(one for one in model.layers if one.name == "read").data["variable_id"] == "v"


def body(*layers, edges=()):
    _, _, inside = net(layers, edges, version=None).partition('<net name="m">')
    return f"<body>{inside.removesuffix('</net>')}</body>"


class TestFaults:
    """What is wrong in a body is found as outside of it."""

    @pytest.mark.parametrize(
        ("inside", "code"),
        [
            (body(parameter(0, shape="2,,3")), "F112"),
            (body(parameter(), parameter(0, "b")), "G101"),
            (body(parameter(), edges=[(0, 0, 9, 0)]), "G102"),
            (body(add(), result(), edges=[(2, 2, 3, 0)]), "G106"),
            (body(add(), edges=[(2, 2, 2, 0), (2, 2, 2, 1)]), "G105"),
            (body() + body(), "F114"),
            ("<body><layers/><layers/></body>", "F114"),
            ("<body><edges/><edges/></body>", "F114"),
        ],
    )
    def test_in_a_body(self, inside, code):
        _, findings = examine(net([layer(0, "loop", "Loop", version="opset5", inside=inside)]).encode())
        assert code in [one.code for one in findings]
        assert all(one.at.start > 50 for one in findings)

    def test_a_layer_after_the_bodies_is_whole(self):
        text = net(
            [
                layer(
                    0,
                    "loop",
                    "Loop",
                    version="opset5",
                    inside=body(parameter(3, "inner")),
                    tail='<rt_info><attribute name="n" version="0"/></rt_info>',
                ),
                parameter(3, "outer"),
            ]
        )
        model = read_model(text.encode())
        assert [(one.id, one.name, len(one.bodies)) for one in model.layers] == [(0, "loop", 1), (3, "outer", 0)]
        assert model.layers[0].rt_info == ({"name": "n", "version": "0"},)
        assert [one.name for one in model.layers[0].bodies[0].graph.layers] == ["inner"]

    def test_a_second_body_is_left_out(self):
        text = net([layer(0, "loop", "Loop", inside=body(parameter()) + body(parameter(1, "b")))])
        model, [finding] = examine(text.encode())
        assert (finding.code, finding.fields) == ("F114", {"found": "body"})
        assert [one.name for one in model.layers[0].bodies[0].graph.layers] == ["a"]

    def test_maps_belong_to_their_bodies(self):
        maps = "".join(
            tag(f"{name}port_map", {}, f'<input external_port_id="{i}" internal_layer_id="0"/>')
            for i, name in enumerate(("then_", "else_"))
        )
        bodies = "<then_body><layers/></then_body><else_body><layers/></else_body>"
        for inside in (maps + bodies, bodies + maps):
            [read] = read_model(net([layer(0, "if", "If", inside=inside)]).encode()).layers
            assert [one.port_map[0]["external_port_id"] for one in read.bodies] == ["0", "1"]


class TestFind:
    MODEL = read_model(
        sum_of(
            more=[
                layer(7, "loop", "Loop", inside=body(parameter(0, "a"), layer(1, "inner", "Whatever"))),
                layer(8, "x/y", "Whatever"),
                layer(9, "7", "Whatever"),
                layer(10, "twin", "Whatever"),
                layer(11, "twin", "Whatever"),
            ]
        ).encode()
    )

    @pytest.mark.parametrize(
        ("key", "path", "number"),
        [
            ("add", "add", 2),
            ("loop/body/inner", "loop/body/inner", 1),
            ("inner", "loop/body/inner", 1),
            ("2", "add", 2),
            ("x/y", "x/y", 8),
            ("a", "a", 0),
            ("loop/body/a", "loop/body/a", 0),
            ("7", "7", 9),
            ("10", "twin", 10),
        ],
    )
    def test_by_path_then_name_then_id(self, key, path, number):
        found, graph, index = self.MODEL.find(key)
        assert (found, graph.layers[index].id) == (path, number)

    @pytest.mark.parametrize("key", ["nothing", "", "99", "loop/body/nothing"])
    def test_what_is_not_there(self, key):
        with pytest.raises(InvalidInput) as caught:
            self.MODEL.find(key)
        assert caught.value.fields == {"layer": key}

    def test_what_is_there_twice(self):
        with pytest.raises(InvalidInput) as caught:
            self.MODEL.find("twin")
        assert caught.value.fields == {"layer": "twin", "found": 2}


def test_constants_of_bodies_lie_in_the_same_weights(tmp_path):
    model = written(a_loop()[0], tmp_path)
    weights = {
        id(graph.layers[i].operation.weights)
        for _, graph, i in model.walk()
        if isinstance(graph.layers[i].operation, Constant)
    }
    assert weights == {id(model.weights)}
