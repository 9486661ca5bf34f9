"""One Add out of any model."""

import numpy as np
import openvino
import pytest

from addison import InvalidInput, compile_model, read_model
from addison.runtime.extract import extract_add
from tests.ir.build import add, const, data, layer, net, parameter, port, result


def surrounded():
    """relu(a) + convert(const f16), and the sum doubled."""
    return net(
        [
            parameter(0, "a", "?,3"),
            layer(1, "relu", "ReLU", inputs=[port(0)], outputs=[port(1, (-1, 3), "FP32", "act")]),
            const(2, "f16", "3", 0, 6, name="bias_compressed"),
            layer(
                3,
                "bias",
                "Convert",
                inside=data(destination_type="f32"),
                inputs=[port(0, (), "FP16")],
                outputs=[port(1, (3,))],
            ),
            add(4, "biased"),
            add(5, "twice"),
            result(6),
        ],
        [(0, 0, 1, 0), (1, 1, 4, 0), (2, 0, 3, 0), (3, 1, 4, 1), (4, 2, 5, 0), (4, 2, 5, 1), (5, 2, 6, 0)],
    )


BIAS = np.array([1, -2, 0.5], "<f2")


@pytest.mark.parametrize("key", ["biased", "4"])
def test_the_constant_comes_along_and_the_rest_becomes_an_input(key):
    program = compile_model(extract_add(read_model(surrounded().encode(), BIAS.tobytes()), key))
    assert [(one.key, one.names) for one in program.inputs] == [("act", ("act", "relu"))]
    x = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(program({"act": x})["biased"], x + BIAS)


def test_both_operands_from_one_tensor_are_one_input():
    program = compile_model(extract_add(read_model(surrounded().encode(), BIAS.tobytes()), "twice"))
    assert len(program.inputs) == 1
    x = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(program([x])["twice"], x + x)


def test_a_layer_that_is_no_add_or_not_there():
    model = read_model(surrounded().encode(), BIAS.tobytes())
    with pytest.raises(InvalidInput) as caught:
        extract_add(model, "relu")
    assert (caught.value.fields["layer"], caught.value.fields["found"]) == ("relu", "ReLU")
    with pytest.raises(InvalidInput) as caught:
        extract_add(model, "nothing")
    assert caught.value.fields["layer"] == "nothing"


def test_an_add_in_a_body_by_its_path(tmp_path):
    op = openvino.opset13
    inner_x = op.parameter([1, 3], openvino.Type.f32)
    inner = op.add(inner_x, op.constant(np.array([[1, 2, 3]], np.float32)), name="inner")
    body = openvino.Model([op.result(inner)], [inner_x])
    x = op.parameter([4, 3], openvino.Type.f32)
    loop = op.tensor_iterator()
    loop.set_friendly_name("loop")
    loop.set_body(body)
    loop.set_sliced_input(inner_x, x.output(0), 0, 1, 1, -1, 0)
    total = loop.get_concatenated_slices(body.get_results()[0].output(0), 0, 1, 1, -1, 0)
    openvino.save_model(openvino.Model([op.result(total)], [x]), tmp_path / "loop.xml", compress_to_fp16=False)
    model = read_model(tmp_path / "loop.xml")
    program = compile_model(extract_add(model, "loop/body/inner"))
    (found,) = program([np.zeros((1, 3), np.float32)]).values()
    assert found.tolist() == [[1, 2, 3]]
    assert extract_add(model, "inner").name == "inner"
