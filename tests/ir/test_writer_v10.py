"""save_model of version 10: its layers' names are tensor names too, and as version 11 OpenVINO finds the same ones."""

from addison.ir.reader import read_model
from addison.ir.writer import save_model
from tests.ir.again import CORE
from tests.ir.build import add, const, data, layer, net, parameter, port, result, sum_of
from tests.ir.changed import rewritten, summed


def names(file):
    model = CORE.read_model(file)
    ends = [
        [
            (
                one.get_node().get_friendly_name(),
                sorted(one.get_names()),
                str(one.get_partial_shape()),
                one.get_element_type().get_type_name(),
            )
            for one in side
        ]
        for side in (model.inputs, model.outputs)
    ]
    return ends, {
        op.get_friendly_name(): [sorted(one.get_names()) for one in op.outputs()]
        for op in model.get_ops()
        if op.get_type_name() != "Constant"
    }


def same(text, tmp_path):
    (tmp_path / "old.xml").write_text(text)
    (tmp_path / "old.bin").write_bytes(bytes(8))
    save_model(read_model(tmp_path / "old.xml"), tmp_path / "new.xml")
    assert 'version="11"' in (tmp_path / "new.xml").read_text()
    assert names(tmp_path / "new.xml") == names(tmp_path / "old.xml")
    return names(tmp_path / "new.xml")


def test_layers_names_are_tensor_names(tmp_path):
    (inputs, outputs), _ = same(
        sum_of(
            a=parameter(outputs=[port(0, names="in,ä")]),
            add_layer=add(outputs=[port(2, names="sum,p\\,q")]),
            r=result(output_names="is not read"),
            version=10,
        ),
        tmp_path,
    )
    assert [one[1] for one in inputs] == [["a", "in", "ä"], ["b"]]
    assert [one[1] for one in outputs] == [["add", "p,q", "sum"]]


def test_outputs_of_one_layer_have_numbers(tmp_path):
    split = layer(
        2,
        "split",
        "Split",
        inside=data(num_splits=2),
        inputs=[port(0), port(1)],
        outputs=[port(2, names="first"), port(3)],
    )
    axis = const(1, "i64", "", 0, 8)
    text = net(
        [parameter(shape="2,4"), axis, split, result(3), result(4, "s"), result(5, "t"), result(6, "u")],
        [(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (2, 3, 4, 0), (2, 3, 5, 0), (0, 0, 6, 0)],
        version=10,
    )
    (_, outputs), _ = same(text, tmp_path)
    assert [one[1] for one in outputs] == [["first", "split.0"], ["split.1"], ["split.1"], ["a"]]


def test_what_version_10_does_not_have_is_left_out(tmp_path):
    about = '<rt_info><attribute name="fused_names" version="0" value="x"/><user_data name="k" value="v"/></rt_info>'
    text = sum_of(
        add_layer=add(tail=about),
        r=result(output_names="not read"),
        version=10,
        tail='<rt_info><k value="v"/></rt_info>',
    )
    written, model = rewritten(read_model(text.encode()), tmp_path)
    assert model.rt_info == {"k": "v"}
    assert (model.layers[2].rt_info, model.layers[2].notes, model.layers[3].output_names) == ((), (), ())
    assert model.layers[2].outputs[0].names == ("add",)
    assert "not read" not in written


def test_a_layer_without_a_name_gives_none(tmp_path):
    _, model = rewritten(summed(add_layer=add(name=""), version=10), tmp_path)
    assert model.layers[2].outputs[0].names == ()
