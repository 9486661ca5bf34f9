"""Models made with OpenVINO's Python API, one a function: what a file of them must carry."""

import numpy as np
import openvino
import openvino.opset13 as opset
from openvino import Layout, Model, PartialShape, Type
from openvino.utils.node_factory import NodeFactory

from addison.spec.elements import ELEMENTS
from addison.spec.packing import pack
from tests.ir.build import AXIS
from tests.ir.test_bodies import a_choice, a_loop, an_iterator, named, placeholder


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
RUNNABLE = [
    of_rules,
    of_several_outputs,
    of_variables,
    of_a_loop,
    of_an_iterator,
    of_a_choice,
    of_nested_bodies,
    of_bytes_that_are_shared,
]
"""Those that OpenVINO's CPU runs, with inputs of fixed shape."""
