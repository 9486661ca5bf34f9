"""save_model: what is written is, to OpenVINO and to this package's reader, the model that was read."""

import numpy as np
import openvino.opset13 as opset
import pytest
from openvino import Model, PartialShape, Type

import addison
from addison.ir.model import Constant
from addison.ir.reader import read_model
from tests.ir import models
from tests.ir.again import CORE, again, both_files, original, saved
from tests.ir.models import results
from tests.ir.test_bodies import adding, named, placeholder


@pytest.fixture(params=models.BUILDERS, ids=lambda build: build.__name__)
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


@pytest.mark.parametrize("build", models.RUNNABLE, ids=lambda build: build.__name__)
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
    first = original(models.of_bytes_that_are_shared(), tmp_path)
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
