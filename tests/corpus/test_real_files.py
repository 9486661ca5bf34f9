"""Real networks, converted by OpenVINO: read, checked, inferred and run Add by Add.

Deselected by default: name a folder of .xml and .bin in ADDISON_CORPUS, and run ``pytest -m corpus``.
"""

import os
from pathlib import Path

import openvino
import pytest

from addison import Severity, Shape, check, compile_model, read_model, save_model
from addison.inference.graph import infer_graphs
from addison.ir.model import Add
from addison.runtime.extract import extract_add

pytestmark = pytest.mark.corpus

FILES = sorted(Path(os.environ.get("ADDISON_CORPUS", "none")).glob("*.xml"))


def test_there_is_a_corpus():
    assert FILES, "ADDISON_CORPUS names no folder with .xml files"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
class TestEachFile:
    def test_it_reads_and_checks_without_an_error(self, path):
        assert [str(one) for one in check(path) if one.severity is Severity.ERROR] == []

    def test_every_adds_shape_holds_openvinos(self, path):
        theirs = {
            one.get_friendly_name(): Shape.parse(str(one.output(0).get_partial_shape()))
            for one in openvino.Core().read_model(path).get_ops()
            if one.get_type_name() == "Add"
        }
        model = read_model(path)
        (_, facts), *_ = infer_graphs(model)[0]
        for index in model.graph.of_kind(Add):
            name, ours = model.layers[index].name, facts.of(index).shape
            assert theirs[name].within(ours), name
            if all(fact.shape.static for fact in facts.inputs(index)):
                assert theirs[name] == ours, name

    def test_every_add_can_be_taken_out(self, path):
        model = read_model(path)
        adds = [where for where, graph, i in model.walk() if isinstance(graph.layers[i].operation, Add)]
        assert adds
        for where in adds:
            compile_model(extract_add(model, where))

    def test_it_is_saved_and_read_back(self, path, tmp_path):
        save_model(read_model(path), tmp_path / "again.xml")
        again = read_model(tmp_path / "again.xml")
        assert [(one.name, one.type) for one in again.layers] == [
            (one.name, one.type) for one in read_model(path).layers
        ]
        openvino.Core().read_model(tmp_path / "again.xml")
