"""Models that OpenVINO makes, for audits: each in files of its own."""

import numpy as np
import openvino
from openvino import opset1, opset8, opset13

T = openvino.Type


def saved(folder, model, name="net"):
    path = folder / f"{name}.xml"
    openvino.save_model(model, str(path), compress_to_fp16=False)
    return str(path)


def inputs(folder, **arrays):
    """The arrays as files: what ``given`` takes."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    return {name: str(folder / f"{name}.npy") for name in arrays}


def parameter(name, shape, element):
    one = opset1.parameter(shape, element, name=name)
    one.output(0).set_names({name})
    return one


def result(value, name="out"):
    one = opset1.result(value)
    value.output(0).set_names({name})
    one.set_friendly_name(f"{name}/result")
    return one


def added(a, b, name):
    """An Add of that name."""
    return opset1.add(a, b, name=name)


def sums(element, shape=(4,)):
    """out = second(first(a + b) + a): two Adds, one after the other."""
    a, b = parameter("a", list(shape), element), parameter("b", list(shape), element)
    first = added(a, b, "first")
    return openvino.Model([result(added(first, a, "second"))], [a, b], "sums")


def with_constant(element, values):
    a = parameter("a", [len(values)], element)
    constant = opset1.constant(np.array(values), element)
    return openvino.Model([result(added(a, constant, "add"))], [a], "constant")


def network():
    """Convolutions and what is around them, with dynamic sizes, a table that is looked up, and Adds between."""
    image = parameter("image", [1, 3, -1, -1], T.f32)
    rows = parameter("rows", [-1], T.i64)
    random = np.random.default_rng(3)
    kernel = opset1.constant(random.standard_normal((3, 3, 3, 3)).astype(np.float32))
    strides, pads = [1, 1], [1, 1]
    first = opset1.convolution(image, kernel, strides, pads, pads, [1, 1])
    bias = added(first, opset1.constant(random.standard_normal((1, 3, 1, 1)).astype(np.float32)), "bias")
    residual = added(opset1.relu(bias), image, "block/residual")
    table = opset1.constant(random.standard_normal((5, 3)).astype(np.float32))
    looked_up = opset8.gather(table, rows, opset1.constant(np.int64(0)))
    mean = opset1.reduce_mean(residual, opset1.constant(np.array([2, 3])), False)
    return openvino.Model([result(added(mean, looked_up, "head"))], [image, rows], "network")


def with_body():
    """An If whose bodies hold an Add each, and one Add outside."""
    condition, value = parameter("condition", [], T.boolean), parameter("value", [2], T.f32)

    def body(name):
        inner = opset1.parameter([2], T.f32)
        return inner, openvino.Model([opset1.result(added(inner, inner, name))], [inner], name)

    (then_inner, then_body), (else_inner, else_body) = body("then_add"), body("else_add")
    chosen = opset8.if_op(condition)
    chosen.set_friendly_name("If")
    chosen.set_then_body(then_body)
    chosen.set_else_body(else_body)
    chosen.set_input(value.output(0), then_inner, else_inner)
    out = chosen.set_output(then_body.results[0], else_body.results[0])
    total = opset1.add(out, value, name="outside")
    return openvino.Model([result(total)], [condition, value], "body")


def data_dependent():
    """The size of the sum is known only when the values are."""
    a = parameter("a", [6], T.f32)
    places = opset1.convert(opset1.transpose(opset13.non_zero(a), opset1.constant(np.array([1, 0]))), "f32")
    return openvino.Model([result(added(places, opset1.constant(np.float32([[1]])), "add"))], [a], "places")


def twins():
    """Two Adds of one name."""
    a = parameter("a", [2], T.f32)
    return openvino.Model([result(added(added(a, a, "twin"), a, "twin"))], [a], "twins")
