"""Every document against its schema, which is part of the package."""

import json as standard
from importlib import resources

import jsonschema
import pytest

from addison import InvalidInput, InvalidModel, check, read_model
from addison.report import json
from addison.runtime.session import run_files
from addison.runtime.shapes import layer_rows, pair
from tests.ir.build import parameter, sum_of
from tests.report.test_text import NET


def schema(name):
    folder = resources.files("addison.report") / "schemas"
    return standard.loads((folder / f"{name}.json").read_text())


def held(document, name):
    """The document as another program reads it, once it fits its schema."""
    read = standard.loads(json.dumps(document))
    jsonschema.Draft202012Validator(schema(name)).validate(read)
    assert read["schema"] == f"addison/{name.replace('-', '/')}"
    return read


@pytest.mark.parametrize("name", ["array-1", "check-1", "error-1", "run-1", "shapes-1"])
def test_the_schemas_are_schemas(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))


def test_a_document_that_does_not_fit_is_refused():
    with pytest.raises(jsonschema.ValidationError):
        held({"schema": "addison/check/1", "files": [{}], "counts": {}}, "check-1")


def test_check():
    read = held(json.check([("net.xml", check(NET.encode(), bytes(8))), ("x", check(b"hello"))]), "check-1")
    (clash,) = read["files"][0]["findings"]
    assert (clash["code"], clash["span"]["line"], clash["span"]["column"]) == ("A302", 9, 26)
    assert clash["fields"]["axes"] == [[-1, "3", "2"]]
    assert read["counts"] == {"info": 0, "warning": 0, "error": 2}


def test_error():
    with pytest.raises(InvalidInput) as caught:
        pair("2,,", "1", "numpy", -1)
    assert held(json.error(caught.value), "error-1")["fields"] == {"found": "2,,"}
    with pytest.raises(InvalidModel) as caught:
        read_model(b"<net/>")
    assert held(json.error(caught.value), "error-1")["findings"][0]["code"] == "F104"


def test_shapes():
    read = held(json.merged(pair("2,?", "...", "none", -1)), "shapes-1")
    assert (read["shape"], read["clash"], read["columns"]) == ("2,?", None, [])
    read = held(json.merged(pair("2", "3", "numpy", -1)), "shapes-1")
    assert read["columns"] == [{"axis": -1, "a": "2", "b": "3", "result": None}]
    model = read_model(sum_of(a=parameter(0, "a", "?,3"), b=parameter(1, "b", "...")).encode())
    read = held(json.layers("net.xml", *layer_rows(model, {}, every=False)), "shapes-1")
    assert [one["output"]["shape"] for one in read["layers"]] == [["?", 3], None, None, None]


def test_run(tmp_path):
    model = read_model(
        sum_of(a=parameter(0, "a", "2,1", "u3"), b=parameter(1, "b", "3", "u3"))
        .replace('precision="FP32"', 'precision="U3"')
        .encode()
    )
    read = held(json.run(run_files(model, {}, str(tmp_path))), "run-1")
    assert read["outputs"][0]["files"] == ["add.bin", "add.bin.json"]
    jsonschema.validate(standard.loads((tmp_path / "add.bin.json").read_text()), schema("array-1"))
    assert read["seed"] == 0
    assert [one["file"] for one in read["inputs"]] == [None, None]
