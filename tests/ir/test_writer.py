"""save_model: what is written is, to OpenVINO and to this package's reader, the model that was read."""

import numpy as np
import openvino
import openvino.opset13 as opset
import pytest
from openvino import Layout, Model, PartialShape, Type
from openvino.utils.node_factory import NodeFactory

import addison
from addison.ir.model import Constant
from addison.ir.reader import read_model
from addison.spec.elements import ELEMENTS
from addison.spec.packing import pack
from tests.ir.again import CORE, again, both_files, original, saved
from tests.ir.build import AXIS
from tests.ir.test_bodies import a_choice, a_loop, adding, an_iterator, named, placeholder


def bytes_of(name, count):
    if name == "boolean":
        return bytes(i % 2 for i in range(count))
    element = ELEMENTS[name]
    return pack(element, [(0x5A5A5A5A5A5A5A5A * (i + 3)) % (1 << element.bits) for i in range(count)])


def constant(name, kind, shape, data):
    """A constant of any type, from its packed bytes."""
    tensor = openvino.Tensor(getattr(Type, kind), openvino.Shape(list(shape)))
    tensor.data.reshape(-1).view(np.uint8)[:] = np.frombuffer(data, np.uint8)
    return named(opset.constant(tensor, shared_memory=False), name)


def results(*nodes):
    return [named(opset.result(node), f"r{i}") for i, node in enumerate(nodes)]


def of_every_type():
    kinds = [*ELEMENTS, "boolean"]
    return Model(
        results(
            *(
                constant(f"{kind}_{count}", kind, (count,), bytes_of(kind, count))
                for kind in kinds
                for count in (1, 3, 8, 11)
            )
        ),
        [],
        "types",
    )


def of_strings():
    tensors = [
        openvino.Tensor(np.array(["", "größe", "a" * 300])),
        openvino.Tensor(np.array([["x"], ["y"]])),
        openvino.Tensor(Type.string, openvino.Shape([0])),
    ]
    return Model(results(*(named(opset.constant(one), f"s{i}") for i, one in enumerate(tensors))), [], "strings")


def of_bytes_that_are_shared():
    values = [
        np.arange(6, dtype=np.float32),
        np.zeros((0, 3), np.float32),
        np.uint8([1]),
        np.float64([7]),
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.bool_([True]),
        np.zeros((4, 0), np.int64),
    ]
    return Model(results(*(named(opset.constant(one), f"c{i}") for i, one in enumerate(values))), [], "shared")


def of_names():
    odd = ["a,b", r"a\,b", "größe 和 😀", "a<b>&\"'c", "line\nbreak", "tab\t", " edges ", "]]>", "-->"]
    inputs = [placeholder(name) for name in odd]
    for one, name in zip(inputs, odd, strict=True):
        one.output(0).set_names({name, f"{name}!", "x" + name})
    sums = [named(opset.add(one, one), name + "+") for one, name in zip(inputs, odd, strict=True)]
    ends = results(*sums)
    for end, name in zip(ends, odd, strict=True):
        end.output(0).set_names({"out " + name, "also, " + name})
    return Model(ends, inputs, "näme <&>")


def of_dynamic_shapes():
    shapes = ["?,3", "1..8,3", "..8,3", "1..,3", "...", "0", "", "2,3"]
    inputs = [opset.parameter(PartialShape(shape), Type.f32, name=f"x{i}") for i, shape in enumerate(shapes)]
    inputs.append(opset.parameter(PartialShape.dynamic(), Type.dynamic, name="anything"))
    return Model(results(*inputs), inputs, "dynamic")


def of_rules():
    a, b, c = placeholder("a"), placeholder("b"), placeholder("c", (2,))
    adds = [
        NodeFactory("opset1").create("Add", [a.output(0), other.output(0)], said)
        for other, said in (
            (b, {"auto_broadcast": "none"}),
            (b, {"auto_broadcast": "numpy"}),
            (c, {"auto_broadcast": "pdpd", AXIS: 0}),
            (b, {"auto_broadcast": "pdpd", AXIS: -1}),
        )
    ]
    return Model(results(*(named(one, f"add{i}") for i, one in enumerate(adds))), [a, b, c], "rules")


def of_variables():
    x = placeholder("x")
    start = named(opset.constant(np.zeros((2, 3), np.float32)), "start")
    remembered = named(opset.read_value(start, "sum, ä", Type.f32, PartialShape([2, 3])), "read")
    total = named(opset.add(x, remembered), "total")
    assign = named(opset.assign(total, "sum, ä"), "assign")
    return Model(results(total), [assign], [x], "variables")


def of_rt_info():
    x = placeholder("x", (2, 3))
    x.set_layout(Layout("NC"))
    total = named(opset.add(x, x), "total")
    total.get_rt_info()["user_data a/b"] = "one"
    total.input(1).get_rt_info()["user_data"] = "is not kept"
    total.input(1).get_rt_info()["user_data_second"] = "two"
    total.output(0).get_rt_info()["user_data third"] = "three"
    model = Model(results(total), [x], "rt_info")
    for value, path in (("v", ["a/b"]), ("w", ["a", "b"]), ("x", ["deep", "x y", "1st", "info"]), ("", ["xml", "é"])):
        model.set_rt_info(value, path)
    return model


def of_several_outputs():
    x = placeholder("x", (4, 6))
    split = named(opset.split(x, named(opset.constant(np.int64(1)), "axis"), 3), "split")
    split.output(1).set_names({"middle"})
    twice = named(opset.concat([split.output(2), split.output(0), split.output(2)], 0), "concat")
    return Model(results(split.output(1), twice, split.output(1)), [x], "several")


def of_a_loop():
    return a_loop()[0]


def of_an_iterator():
    return an_iterator()[0]


def of_a_choice():
    out, outer, _ = a_choice()
    return Model(results(out), [outer], "choice")


def of_nested_bodies():
    """A loop whose body chooses; inner constants share their bytes with outer ones."""
    model, _ = a_loop(lambda source: a_choice(source, "inner")[0])
    return model


BUILDERS = [
    of_every_type,
    of_strings,
    of_bytes_that_are_shared,
    of_names,
    of_dynamic_shapes,
    of_rules,
    of_variables,
    of_rt_info,
    of_several_outputs,
    of_a_loop,
    of_an_iterator,
    of_a_choice,
    of_nested_bodies,
]


@pytest.fixture(params=BUILDERS, ids=lambda build: build.__name__)
def first(request, tmp_path):
    """A file that OpenVINO wrote."""
    return original(request.param(), tmp_path)


def test_openvino_reads_the_same_model(first):
    assert again(saved(first)) == again(first)


def test_this_package_reads_the_same_model(first):
    one, two = read_model(first), read_model(saved(first))
    assert facts(two) == facts(one)
    assert two.findings == ()


def facts(model):
    """Everything that a Model keeps, but for where things stood in the file."""
    return {
        "model": (model.name, model.rt_info),
        "layers": [
            (
                path,
                layer._replace(
                    operation=None,
                    data={},
                    bodies=(),
                    at=0,
                    data_at=0,
                    inputs=ports(layer.inputs),
                    outputs=ports(layer.outputs),
                )[:],
            )
            for path, layer in walk(model)
        ],
        "data": [
            {key: value for key, value in layer.data.items() if key not in ("offset", "size")}
            for _, layer in walk(model)
        ],
        "constants": [
            (path, bytes(layer.operation.data)) for path, layer in walk(model) if isinstance(layer.operation, Constant)
        ],
        "wiring": [(path, graph.producers, graph.order) for path, graph in model.graphs()],
        "bodies": [
            (body.name, body.port_map, body.back_edges, body.rt_info)
            for _, layer in walk(model)
            for body in layer.bodies
        ],
    }


def walk(model):
    return [(path, graph.layers[index]) for path, graph, index in model.walk()]


def ports(given):
    return tuple(port._replace(at=0) for port in given)


def test_a_difference_is_seen(tmp_path):
    """Of one name, one byte, one shape: in OpenVINO's reading, and in this package's where it keeps it."""

    def model(name="x", value=1.0, shape="2,3"):
        x = opset.parameter(PartialShape(shape), Type.f32, name="x")
        x.output(0).set_names({name})
        return Model(results(opset.add(x, named(opset.constant(np.float32([value])), "c"))), [x], "m")

    seen, known = [], []
    for i, how in enumerate(({}, {"name": "y"}, {"value": 2.0}, {"shape": "2,?"})):
        (tmp_path / str(i)).mkdir()
        file = original(model(**how), tmp_path / str(i))
        seen.append(again(file))
        known.append(facts(read_model(file)))
    assert len(set(seen)) == 4
    assert all(one != other for i, one in enumerate(known) for other in known[:i])


def test_the_same_model_gives_the_same_bytes(first):
    once, twice, third = saved(first), saved(first, "twice.xml"), saved(saved(first), "third.xml")
    assert both_files(once) == both_files(twice) == both_files(third)


def test_no_byte_of_the_file_moves_but_for_the_offsets(first):
    """OpenVINO writes ports, edges and their attributes in the same way, so its file and this one can be compared."""

    def lines(file):
        return sorted(
            line.replace("&gt;", ">").replace("&#09;", "&#9;")
            for line in file.read_text("utf-8").splitlines()
            if "offset=" not in line
        )

    assert lines(saved(first)) == lines(first)


@pytest.mark.parametrize(
    "build",
    [
        of_rules,
        of_several_outputs,
        of_variables,
        of_a_loop,
        of_an_iterator,
        of_a_choice,
        of_nested_bodies,
        of_bytes_that_are_shared,
    ],
)
def test_it_runs_to_the_same_outputs(build, tmp_path):
    first = original(build(), tmp_path)
    outputs = []
    for file in (first, saved(first)):
        compiled = CORE.compile_model(file, "CPU")
        fed = [np.arange(np.prod(one.shape), dtype=np.float32).reshape(one.shape) for one in compiled.inputs]
        request = compiled.create_infer_request()
        outputs.append([value.tobytes() for _ in range(2) for value in request.infer(fed).values()])
    assert outputs[0] == outputs[1]
    assert any(outputs[0])


def test_by_name_from_the_package(tmp_path):
    """``addison.save_model`` takes text and paths; the .bin can be named, and OpenVINO finds it there."""
    first = original(of_bytes_that_are_shared(), tmp_path)
    assert addison.save_model(read_model(first), str(tmp_path / "net.xml"), tmp_path / "elsewhere") is None
    assert not (tmp_path / "net.bin").exists()
    there = CORE.read_model(tmp_path / "net.xml", tmp_path / "elsewhere")
    assert {op.get_friendly_name(): op.data.tolist() for op in there.get_ops() if op.get_type_name() == "Constant"} == {
        "c0": [0, 1, 2, 3, 4, 5],
        "c1": [],
        "c2": [1],
        "c3": [7],
        "c4": [[0, 1, 2], [3, 4, 5]],
        "c5": [True],
        "c6": [[]] * 4,
    }


def test_a_body_that_adds_shares_bytes_with_what_is_outside(tmp_path):
    x, _, end = adding(0.5)
    outer = placeholder("outer")
    iterator = named(opset.tensor_iterator(), "ti")
    iterator.set_body(Model([end], [x], "body"))
    iterator.set_invariant_input(x, outer.output(0))
    out = iterator.get_iter_value(end.output(0), -1)
    twin = named(opset.constant(np.full((2, 3), 0.5, np.float32)), "twin")
    model = read_model(saved(original(Model(results(out, twin), [outer], "m"), tmp_path)))
    found = {path: layer.operation for path, layer in walk(model) if isinstance(layer.operation, Constant)}
    assert found["twin"].offset == found["ti/body/addend"].offset
    assert len(model.weights) == 24
