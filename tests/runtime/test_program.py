"""Models compiled and run on arrays."""

import ml_dtypes
import numpy as np
import openvino
import pytest

from addison import InvalidInput, InvalidModel, LimitExceeded, Tensor, Unsupported, compile_model, engines, read_model
from addison.spec.addition import add_codes
from addison.spec.elements import ELEMENTS
from tests.ir.build import AXIS, add, const, data, layer, net, parameter, port, result, sum_of
from tests.same_bits import NAMES, SMALL, assert_same_bits, codes_in, operand_of


def program_of(text, weights=None, **how):
    return compile_model(read_model(text.encode(), weights), **how)


A = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_a_mapping_or_a_list_goes_in_and_a_dict_comes_out():
    program = program_of(sum_of())
    np.testing.assert_array_equal(program({"a": A, "b": A})["add"], A + A)
    np.testing.assert_array_equal(program([A, A])["add"], A + A)


@pytest.mark.parametrize("name", NAMES)
def test_every_type_runs(name, engine):
    text = sum_of(
        a=parameter(0, "a", "4,1", name),
        b=parameter(1, "b", "3", name),
        add_layer=add(outputs=[port(2, (), precision_of(name))]),
    )
    codes = [3, 0, 1, 2] if name in ("u3", "u6", "nf4", "u2") else [1, 0, 1, 0]
    found = program_of(text, engine=engine.name)([operand_of(name, [[c] for c in codes]), operand_of(name, [1, 0, 1])])
    (total,) = found.values()
    wanted = [[add_codes(ELEMENTS[name], a, b) for b in (1, 0, 1)] for a in codes]
    assert_same_bits(total, operand_of(name, wanted))


def precision_of(name):
    return {"f16": "FP16", "f32": "FP32", "f64": "FP64", "u1": "BIN"}.get(name, name.upper())


def test_a_packed_tensor_is_taken_for_a_type_that_numpy_has():
    text = sum_of(
        a=parameter(0, "a", "3", "i4"), b=parameter(1, "b", "3", "i4"), add_layer=add(outputs=[port(2, (), "I4")])
    )
    found = program_of(text)([Tensor.from_codes("i4", [7, 8, 15]), Tensor.from_codes("i4", [1, 1, 1])])["add"]
    assert found.dtype == ml_dtypes.int4
    assert found.astype(int).tolist() == [-8, -7, 0]


def test_the_rule_and_the_axis_of_the_file_are_used():
    text = sum_of(
        a=parameter(0, "a", "2,3,4,5"),
        b=parameter(1, "b", "3,4"),
        add_layer=add(inside=f'<data auto_broadcast="pdpd" {AXIS}="1"/>'),
    )  # p27
    b = np.arange(12, dtype=np.float32).reshape(3, 4)
    found = program_of(text)([np.zeros((2, 3, 4, 5), np.float32), b])["add"]
    np.testing.assert_array_equal(found, np.broadcast_to(b[:, :, None], (2, 3, 4, 5)))


def test_dynamic_sizes_bind_when_it_runs():
    program = program_of(sum_of(a=parameter(0, "a", "?,3"), b=parameter(1, "b", "1..4,3")))
    for rows in (1, 2):
        assert program([np.ones((rows, 3), np.float32), np.ones((2, 3), np.float32)])["add"].shape == (2, 3)
    with pytest.raises(InvalidInput) as caught:
        program([np.ones((3, 3), np.float32), np.ones((2, 3), np.float32)])
    assert caught.value.fields["axes"] == ((-2, "3", "2"),)
    with pytest.raises(InvalidInput) as caught:
        program([np.ones((5, 3), np.float32), np.ones((5, 3), np.float32)])
    assert (caught.value.fields["found"], caught.value.fields["wanted"]) == ("[5,3]", "[1..4,3]")


def test_none_does_not_broadcast_dynamic_shapes():
    text = sum_of(a=parameter(0, "a", "?"), b=parameter(1, "b", "?"), add_layer=add(inside=data(auto_broadcast="none")))
    with pytest.raises(InvalidInput) as caught:
        program_of(text)([np.ones(1, np.float32), np.ones(3, np.float32)])
    assert caught.value.fields["axes"] == ((-1, "1", "3"),)


def test_constants_at_odd_offsets_and_shared():
    bytes_ = b"x" + np.array([1, 2, 3, 4], "<f4").tobytes()
    text = net(
        [const(0, "f32", "3", 1, 12), const(1, "f32", "3", 5, 12, name="d"), add(), result()],
        [(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0)],
    )
    assert program_of(text, bytes_)()["add"].tolist() == [3, 5, 7]


@pytest.mark.parametrize(("nibbles", "wanted"), [("low-first", [1, 2, 3]), ("high-first", [2, 1, 4])])
def test_nibbles_of_old_files(nibbles, wanted):
    text = net(
        [const(0, "u4", "3", 0, 2), const(1, "u4", "", 2, 1, name="zero"), add(outputs=[port(2, (), "U4")]), result()],
        [(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0)],
    )
    found = compile_model(read_model(text.encode(), b"\x21\x43\0", nibbles=nibbles))()["add"]
    assert found.astype(int).tolist() == wanted


def converting(source, target, weights_shape="3"):
    return net(
        [
            parameter(0, "a", weights_shape, source),
            layer(
                1,
                "wide",
                "Convert",
                inside=data(destination_type=target),
                inputs=[port(0, (), precision_of(source))],
                outputs=[port(1, (), precision_of(target))],
            ),
            add(outputs=[port(2, (), precision_of(target))]),
            result(),
        ],
        [(0, 0, 1, 0), (1, 1, 2, 0), (1, 1, 2, 1), (2, 2, 3, 0)],
    )


def test_what_compression_to_fp16_writes_runs():
    found = program_of(converting("f16", "f32"))([np.array([1.5, 65504, 2**-24], np.float16)])["add"]
    assert found.dtype == np.float32
    assert found.tolist() == [3, 131008, 2**-23]


@pytest.mark.parametrize(
    ("source", "target"),
    [("f32", "f16"), ("i64", "f64"), ("f16", "bf16"), ("i8", "u8"), ("f8e5m2", "f8e4m3"), ("nf4", "f16")],
)
def test_a_lossy_convert_is_refused_by_name(source, target):
    with pytest.raises(Unsupported) as caught:
        program_of(converting(source, target))
    assert {key: caught.value.fields[key] for key in ("layer", "source", "target")} == {
        "layer": "wide",
        "source": source,
        "target": target,
    }


def test_every_preserving_convert_gives_the_same_values():
    from addison.runtime.ops import convert
    from addison.spec.bits import Special, decode
    from addison.spec.conversion import preserves

    tried = 0
    for name in SMALL:
        source = ELEMENTS[name]
        codes = np.arange(1 << source.bits)
        for target in ELEMENTS.values():
            if target is source or not preserves(source, target):
                continue
            tried += 1
            found = codes_in(convert(operand_of(name, codes), target))
            assert found[0] == target.name
            for code, made in zip(codes.tolist(), found[1].tolist(), strict=True):
                before, after = decode(source, code), decode(target, made)
                assert before == after or (before is Special.NAN and after is Special.NAN), (name, target.name, code)
    assert tried > 100


def unknown_before_add():
    relu = layer(4, "act", "ReLU", inputs=[port(0)], outputs=[port(1, (2, 3))])
    return net(
        [parameter(), parameter(1, "b"), add(), result(), relu, result(5, "r2")],
        [(0, 0, 4, 0), (4, 1, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (1, 0, 5, 0)],
    )


def test_an_operation_that_is_not_implemented_is_refused_with_type_name_and_line():
    with pytest.raises(Unsupported) as caught:
        program_of(unknown_before_add())
    assert {key: caught.value.fields[key] for key in ("type", "layer", "line")} == {
        "type": "ReLU",
        "layer": "act",
        "line": 1,
    }


def test_unless_it_is_not_on_the_way_to_the_outputs_asked_for():
    found = program_of(unknown_before_add(), outputs=["r2"])({"b": A})
    np.testing.assert_array_equal(found["r2"], A)


def test_outputs_are_the_callers_own():
    program = program_of(net([parameter(), result()], [(0, 0, 3, 0)]))
    given = A.copy()
    (found,) = program([given]).values()
    found[...] = 7
    np.testing.assert_array_equal(given, A)
    text = net([const(0, "f32", "2", 0, 8), result()], [(0, 0, 3, 0)])
    (found,) = program_of(text, bytes(8))().values()
    found[...] = 1  # neither read-only nor the weights


class TestNames:
    def test_tensor_and_friendly_names_both_work(self):
        text = sum_of(a=parameter(0, "a", outputs=[port(0, (), "FP32", "x,y")]))
        for name in ("a", "x", "y"):
            assert program_of(text)({name: A, "b": A})["add"] is not None

    def test_outputs_have_the_results_names_first(self):
        text = sum_of(add_layer=add(outputs=[port(2, (), "FP32", "t")]), r=result(output_names="o"))
        (one,) = program_of(text).outputs
        assert (one.key, one.names) == ("o", ("o", "add", "r"))
        (one,) = program_of(sum_of(add_layer=add(outputs=[port(2, (), "FP32", "t")]))).outputs
        assert (one.key, one.names) == ("t", ("t", "add", "r"))

    def test_a_made_up_key_is_nobodys_name(self):
        text = sum_of(
            r=result(output_names="a"),
            more=[result(4, "output0", output_names="a,r")],
            wires=[(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (2, 2, 4, 0)],
        )
        assert len(program_of(text)([A, A])) == 2

    def test_v10_has_no_output_names(self):
        (one,) = program_of(sum_of(r=result(output_names="o"), version=10)).outputs
        assert one.names == ("add", "r")

    def test_a_name_that_two_inputs_answer_to_is_an_error(self):
        text = sum_of(a=parameter(0, "a", outputs=[port(0, (), "FP32", "b")]))
        with pytest.raises(InvalidInput) as caught:
            program_of(text)({"b": A})
        assert (caught.value.fields["name"], caught.value.fields["found"]) == ("b", 2)

    def test_two_results_of_one_add_have_two_keys(self):
        text = sum_of(more=[result(4, "r2")], wires=[(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (2, 2, 4, 0)])
        assert set(program_of(text)([A, A])) == {"r", "r2"}

    @pytest.mark.parametrize(
        ("inputs", "fields"),
        [
            ({"a": A, "c": A}, {"name": "c"}),
            ({"a": A}, {"name": "b"}),
            ([A], {"name": "b"}),
            ([A, A, A], {"found": 3, "wanted": 2}),
            ({"a": A, "b": A[:, :2]}, {"found": "[2,2]"}),
            (A, {}),
            ("ab", {}),
        ],
    )
    def test_inputs_that_do_not_fit(self, inputs, fields):
        with pytest.raises(InvalidInput) as caught:
            program_of(sum_of())(inputs)
        assert {key: caught.value.fields[key] for key in fields} == fields

    @pytest.mark.parametrize(
        "value", [1, 1.5, "x", None, [1, 2], np.ones((2, 3)), np.ones((2, 3), bool), np.ma.masked_array(A)]
    )
    def test_values_that_are_no_arrays_of_the_type(self, value):
        with pytest.raises(Unsupported):
            program_of(sum_of())({"a": value, "b": A})


def test_a_model_whose_shapes_clash_is_refused_when_compiled():
    with pytest.raises(InvalidModel) as caught:
        program_of(sum_of(b=parameter(1, "b", "4")))
    assert [one.code for one in caught.value.fields["findings"]] == ["A302"]


def test_bytes_are_counted_before_they_are_taken():
    text = sum_of(a=parameter(0, "a", "1000000,1"), b=parameter(1, "b", "1,1000000"))
    program = program_of(text)
    with pytest.raises(LimitExceeded) as caught:
        program([np.zeros((1000000, 1), np.float32), np.zeros((1, 1000000), np.float32)])
    assert (caught.value.fields["found"], caught.value.fields["limit"]) == (4 * 10**12 + 8 * 10**6, 4 << 30)


def chain(length):
    """x + 1 + 1 + ..., ``length`` times."""
    layers = [parameter(0, "x", "2"), const(1, "f32", "", 0, 4)]
    wires = []
    for i in range(length):
        layers.append(add(i + 2, f"add{i}"))
        wires += [(i + 1 if i else 0, 2 if i else 0, i + 2, 0), (1, 0, i + 2, 1)]
    return net([*layers, result(length + 2)], [*wires, (length + 1, 2, length + 2, 0)])


def test_a_chain_of_20000_adds_runs_in_the_bytes_of_a_few():
    program = program_of(chain(20_000), np.float32(1).tobytes(), limit=100)
    (found,) = program([np.array([0, 5], np.float32)]).values()
    assert found.tolist() == [20_000, 20_005]


def test_progress_is_told():
    told = []
    program_of(sum_of())([A, A], progress=lambda done, total: told.append((done, total)))
    assert told == [(done, len(told)) for done in range(len(told))] != []


def test_unneeded_inputs_may_be_left_out():
    text = sum_of(more=[parameter(7, "spare", "9")])
    np.testing.assert_array_equal(program_of(text)({"a": A, "b": A})["add"], A + A)


def test_files_that_openvino_saved_run(tmp_path):
    op = openvino.opset13
    x = op.parameter([2, 3], openvino.Type.f32, name="x")
    y = op.add(op.add(x, op.constant(np.array([0.5, 1.25, -2], np.float32))), x)
    openvino.save_model(openvino.Model([op.result(y)], [x], "net"), tmp_path / "net.xml")
    (found,) = compile_model(read_model(tmp_path / "net.xml"))([A]).values()
    np.testing.assert_array_equal(found, A + np.array([0.5, 1.25, -2], np.float32) + A)


def test_an_engine_that_is_not_there():
    with pytest.raises(InvalidInput) as caught:
        program_of(sum_of(), engine="orakle")
    assert caught.value.fields["engine"] == "orakle"
    assert "oracle" in caught.value.help
    assert engines.names()


@pytest.mark.parametrize("inputs", [3, None, iter([A, A]), {1: A}])
def test_inputs_that_are_no_mapping_and_no_list(inputs):
    with pytest.raises(InvalidInput):
        program_of(sum_of())(inputs)


def test_compiling_what_is_no_model_or_with_no_limit():
    with pytest.raises(Unsupported):
        compile_model("net.xml")
    with pytest.raises(InvalidInput) as caught:
        program_of(sum_of(), limit="8")
    assert caught.value.fields["limit"] == "8"


def test_arguments_of_another_kind():
    for wrong in ({"outputs": 5}, {"limit": -1}, {"limit": True}):
        with pytest.raises(InvalidInput):
            program_of(sum_of(), **wrong)
    with pytest.raises(InvalidInput):
        program_of(sum_of(), limit=np.int64(10**6))([A, A], progress=3)


@pytest.mark.parametrize("value", [None, "x", [1, 2], np.ones((2, 3), bool), np.ones((2, 3), object)])
def test_a_refused_value_is_named_and_no_number_is_asked_for(value):
    with pytest.raises(Unsupported) as caught:
        program_of(sum_of())([A, value])
    assert caught.value.fields["name"] == "b"
    assert "'b'" in caught.value.says
    assert "number" not in caught.value.help


def test_one_output_by_its_name():
    assert list(program_of(sum_of(), outputs="add")([A, A])) == ["add"]
