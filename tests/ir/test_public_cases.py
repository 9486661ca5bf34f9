"""Cases from public bug reports that concern reading a file, by their id; openvinotoolkit/openvino unless said."""

import struct

import numpy as np
import pytest

from addison.errors import InvalidModel
from addison.ir.model import Add
from addison.ir.reader import examine, read_model
from addison.spec.packing import unpack
from tests.ir.build import FLOATS, PROLOG, add, const, layer, net, parameter, port, result, sum_of


def refusal(xml, weights=None):
    """The error's text and its findings."""
    with pytest.raises(InvalidModel) as caught:
        read_model(xml if isinstance(xml, bytes) else xml.encode(), weights)
    return str(caught.value), caught.value.fields["findings"]


@pytest.mark.parametrize("length", [0, 1, 20, 23])
def test_p51_a_bin_cut_short_of_what_a_const_asks(length):
    """#679, also #11760 and openvino_notebooks#745."""
    text, [finding] = refusal(sum_of(b=const(name="weights_of_fc1")), FLOATS[:length])
    assert (finding.code, finding.fields) == (
        "W102",
        {"layer": "weights_of_fc1", "offset": 0, "size": 24, "found": length, "wanted": 24},
    )
    assert "24" in text
    assert str(length) in text


def test_p53_the_bin_given_in_place_of_the_xml(tmp_path):
    """#3242."""
    (tmp_path / "net.bin").write_bytes(np.linspace(-3, 3, 5000, dtype=np.float32).tobytes())
    (tmp_path / "net.xml").write_text(sum_of(b=const()))
    with pytest.raises(InvalidModel) as caught:
        read_model(tmp_path / "net.bin", tmp_path / "net.xml")
    assert "not XML" in str(caught.value)
    assert ".xml" in caught.value.help
    assert [one.code for one in caught.value.fields["findings"]] == ["F105"]


@pytest.mark.parametrize("lacking", ["offset", "size", "shape", "element_type"])
def test_p55_a_const_without_an_attribute(lacking):
    """PR#37611."""
    text, [finding] = refusal(sum_of(b=const(**{lacking: None}, precision="FP32")), FLOATS)
    assert (finding.code, finding.fields["wanted"]) == ("F107", lacking)
    assert lacking in text


@pytest.mark.parametrize("shape", ["4294967296, 4294967296, 2", ", ".join(["65536"] * 5), "9223372036854775806, 3"])
def test_p57_a_const_whose_sizes_have_a_product_past_2_to_the_64(shape):
    """#34335."""
    _, [finding] = refusal(sum_of(b=const(shape=shape, size=24)), FLOATS)
    assert (finding.code, finding.fields["layer"]) == ("F112", "c")


def test_p57_a_parameter_whose_sizes_have_a_product_past_2_to_the_64():
    """It is read, and has the shape that is written; nothing of that size is made."""
    model = read_model(net([parameter(shape="4294967296,4294967296,2"), result(1)], [(0, 0, 1, 0)]).encode())
    assert model.inputs[0].operation.shape.elements == 2**65


@pytest.mark.parametrize("xml", [sum_of()[:-40], sum_of()[: sum_of().index("port") + 2], "", "<", "\0" * 40])
def test_p59_an_xml_cut_in_a_tag_an_empty_one_and_zero_bytes(xml):
    """PR#36510."""
    text, [finding] = refusal(xml)
    assert finding.code in ("F101", "F105")
    assert len(text) > 20


def test_p61_a_tag_that_starts_with_a_digit():
    """#23192."""
    xml = sum_of(tail='<rt_info>\n<runtime>\n<2nd_pass value="x"/></runtime></rt_info>')
    model, [finding] = examine(xml.encode())
    assert model is None
    assert (finding.code, finding.at.line, finding.at.column) == ("F101", 3, 2)


def test_p63_a_name_that_holds_a_comma():
    """PR#28595."""
    model = read_model(sum_of(add_layer=add(outputs=[port(2, names=r"p\,q,z")])).encode())
    assert model.layers[2].outputs[0].names == ("p,q", "z")


@pytest.mark.parametrize("precision", [None, ""])
def test_p65_an_add_without_auto_broadcast_in_v10_and_ports_without_precision(precision):
    """PR#3613."""
    bare = [port(i, [2, 3], precision) for i in range(3)]
    xml = sum_of(
        a=parameter(outputs=bare[:1]),
        b=parameter(1, "b", outputs=bare[:1]),
        add_layer=add(inside="", inputs=bare[:2], outputs=bare[2:]),
        r=result(inputs=bare[:1]),
        version=10,
    )
    model = read_model(xml.encode())
    assert model.layers[2].operation == Add("numpy", -1)
    assert {one.code for one in model.findings} == {"F115"}  # what OpenVINO does not read is said


def test_p65_an_add_without_data_and_inputs_without_precision():
    """As version 10 was written: only outputs have a precision."""
    xml = sum_of(add_layer=add(inside="", inputs=[port(0, [2, 3], None), port(1, [2, 3], None)]), version=10)
    model = read_model(xml.encode())
    assert (model.layers[2].operation, model.findings) == (Add("numpy", -1), ())


@pytest.mark.parametrize(
    ("name", "count", "size", "data", "codes"),
    [
        ("u4", 3, 2, "21f3", [1, 2, 3]),
        ("i4", 4, 2, "21f3", [1, 2, 3, 15]),
        ("u2", 5, 2, "e402", [0, 1, 2, 3, 2]),
        ("u4", 3, 3, "21f3aa", [1, 2, 3]),
    ],
)
def test_p69_small_types_are_rounded_up_to_bytes(name, count, size, data, codes):
    """lutzroeder/netron PR#1173, also PR#31006."""
    model = read_model(
        net([const(0, name, str(count), 0, size), result(1)], [(0, 0, 1, 0)]).encode(), bytes.fromhex(data)
    )
    constant = model.layers[0].operation
    assert unpack(constant.element_type, constant.data, count) == codes
    assert [(one.code, one.fields["found"], one.fields["wanted"]) for one in model.findings] == (
        [("W105", 3, 2)] if size == 3 else []
    )


def test_p71_offsets_that_are_not_multiples_of_the_element():
    """#36732."""
    weights = b"\x01" + struct.pack("<i", -7) + struct.pack("<q", 2**40 + 3)
    constants = [const(0, "boolean", "1", 0, 1), const(1, "i32", "1", 1, 4), const(2, "i64", "1", 5, 8)]
    model = read_model(net(constants).encode(), weights)
    assert [bytes(one.operation.data) for one in model.layers] == [weights[:1], weights[1:5], weights[5:]]
    assert struct.unpack("<q", model.layers[2].operation.data) == (2**40 + 3,)


def test_p73_a_version_yet_to_come():
    """openvinotoolkit/model_server#4461."""
    text, [finding] = refusal(PROLOG + '<net name="m" version="12"><tensors><tensor id="0"/></tensors></net>')
    assert (finding.code, finding.fields) == ("F104", {"found": "12", "wanted": (10, 11)})
    assert "12" in text


def test_the_files_before_version_10_are_named_as_old():
    text, [finding] = refusal(
        f'<net name="m" version="7" precision="FP32"><layers>{layer(0, "a", "Input")}</layers></net>'
    )
    assert (finding.code, finding.fields["found"]) == ("F104", "7")
    assert "older" in text
