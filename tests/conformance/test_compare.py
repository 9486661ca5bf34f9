"""``addison.compare`` on files, engines and folders of vectors."""

import json

import ml_dtypes
import numpy as np
import pytest

from addison import AddisonError, InvalidInput, Tensor, Unsupported, compare
from addison.conformance import compare as module
from addison.conformance import vector_files
from addison.conformance.vectors import made
from addison.engines import Engine
from tests.conformance.planted import FAULTS

A = np.arange(6, dtype=np.float32).reshape(2, 3)
B = A + np.float32([[0, 0, 0], [0, 0.5, 0]])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("a.npy", A)
    np.save("b.npy", B)
    np.savez("a.npz", x=A, y=A)
    np.savez("b.npz", x=A, y=B, z=A)
    np.savez("one.npz", whatever=A)
    (tmp_path / "u3.bin").write_bytes(bytes(3))
    (tmp_path / "u3.bin.json").write_text(
        json.dumps({"schema": "addison/array/1", "name": "x", "element_type": "u3", "shape": [5]})
    )
    (tmp_path / "raw.bin").write_bytes(A.tobytes())
    return tmp_path


def test_files(folder):
    assert compare("a.npy", "a.npy").same
    assert compare("a.npy", "b.npy").first == (1, 1)
    assert compare(folder / "a.npy", A).same
    assert compare("a.npy", "one.npz").same
    assert compare("u3.bin", Tensor("u3", (5,), bytes(3))).same
    assert compare("raw.bin", "a.npy", element_type="f32", shape=(2, 3)).same
    assert compare("a.npy", "b.npy", of=("a.npy", np.zeros((), np.float32))).operands_known


def test_named_arrays_one_by_one(folder):
    verdict = compare("a.npz", "b.npz")
    assert [(name, part.same) for name, part in verdict.parts] == [("x", True), ("y", False), ("z", False)]
    assert (verdict.same, verdict.differing, verdict.elements) == (False, 1, 12)
    assert verdict.parts[2][1].mismatch == "only b has an array 'z'"
    assert not compare("a.npy", "a.npz").same


def test_bf16_that_numpy_stored_as_raw_bytes(folder):
    np.save("bf16.npy", A.astype(ml_dtypes.bfloat16))
    assert compare("bf16.npy", A.astype(ml_dtypes.bfloat16), element_type="bf16").same
    with pytest.raises(Unsupported) as refused:
        compare("bf16.npy", "a.npy")
    assert refused.value.fields["path"] == "bf16.npy"


@pytest.mark.parametrize(
    "nonsense",
    ["", "a", "a.txt", "nothing.npy", "nothing.npz", "nothing.bin", "raw.bin", "a\0.npy", "engine:", "engine:orcale",
     "vectors:", "vectors:nowhere", "vectors:a\0", "vectors:a.npy", "x.xml", "npy.npz", "text.npy", ".npy"],
)  # fmt: skip
@pytest.mark.parametrize("side", [0, 1])
def test_nonsense_is_refused_by_name(nonsense, side, folder):
    (folder / "npy.npz").write_bytes((folder / "a.npy").read_bytes())
    (folder / "text.npy").write_text("hello")
    pair = [nonsense, "a.npy"] if side == 0 else ["a.npy", nonsense]
    with pytest.raises(AddisonError) as refused:
        compare(*pair)
    assert refused.value.fields


@pytest.mark.parametrize(
    "array", [np.float32(3), np.zeros((0, 4)), np.zeros((2, 0), np.int8), np.arange(6.0).reshape(2, 3).T]
)
def test_arrays_without_axes_or_elements_or_in_fortran_order(array, folder):
    np.save("c.npy", array)
    assert compare("c.npy", np.asarray(array)).same
    assert compare(np.float32(1), np.float32(2)).first == ()


def test_a_header_that_claims_more_than_there_is(folder):
    data = (folder / "a.npy").read_bytes()
    for name, spoilt in {
        "big": data.replace(b"(2, 3)", b"(2, 9)"),
        "huge": data.replace(b"(2, 3)", b"(2, 9999999999999)"),
    }.items():
        (folder / f"{name}.npy").write_bytes(spoilt)
        with pytest.raises(AddisonError) as refused:
            compare(f"{name}.npy", "a.npy")
        assert refused.value.fields["path"] == f"{name}.npy"


def test_nothing_is_unpickled(folder):
    np.save("o.npy", np.array([print], object), allow_pickle=True)
    with pytest.raises(Unsupported) as refused:
        compare("o.npy", "a.npy")
    assert refused.value.fields["path"] == "o.npy"


def test_what_does_not_go_together(folder):
    with pytest.raises(InvalidInput) as refused:
        compare("engine:oracle", "a.npy")
    assert refused.value.fields == {"a": "an engine", "b": "an array"}
    with pytest.raises(InvalidInput) as refused:
        compare("engine:oracle", "engine:oracle", of=(A, A))
    assert refused.value.fields == {"argument": "of"}
    with pytest.raises(InvalidInput) as refused:
        compare("a.npy", "b.npy", of=("a.npz", "a.npy"))
    assert refused.value.fields == {"argument": "of"}


def test_engines_and_vectors(root, tmp_path):
    assert compare("engine:reference", f"vectors:{root / 'vectors'}").same
    assert compare(f"vectors:{root / 'vectors'}", "engine:reference").same
    assert len(compare("engine:reference", "engine:reference").parts) > 500


@pytest.mark.parametrize("name", ["saturating u8", "bf16 truncated", "none broadcasts", "pdpd from axis 0"])
def test_an_engine_that_is_wrong(name, root, monkeypatch):
    add, element_type, kind = FAULTS[name]
    real = module.engines.get
    monkeypatch.setattr(module.engines, "get", lambda one: Engine(one, "", add) if one == "wrong" else real(one))
    verdict = compare("engine:wrong", "engine:reference")
    wrong = [(one, part) for one, part in verdict.parts if not part.same]
    assert wrong
    assert not verdict.same
    if kind == "accepted":
        assert any("only b refuses it" in part.mismatch for _, part in wrong)
        assert all("refuse" in part.mismatch for _, part in wrong)
    else:
        assert verdict.classes[kind]
        assert all(element_type in one or one.startswith(("rule/pdpd", "sum")) for one, _ in wrong)
    assert not compare("engine:wrong", f"vectors:{root / 'vectors'}").same
    if name == "bf16 truncated":
        assert compare("engine:wrong", "engine:reference", ulps=1).differing < verdict.differing


def test_folders_of_vectors(tmp_path):
    chosen = [one for one in made() if one.id in ("sum/u8/wrap", "sum/u8/exact", "shape/numpy/2+3")]
    vector_files.write(str(tmp_path / "a"), chosen)
    vector_files.write(str(tmp_path / "b"), chosen)
    a, b = f"vectors:{tmp_path / 'a'}", f"vectors:{tmp_path / 'b'}"
    assert compare(a, b).same
    (tmp_path / "b" / "index.json").unlink()
    path = tmp_path / "b" / "sum.jsonl"
    lines = path.read_text().splitlines()
    said = json.loads(lines[1])
    said["sum"] = "ff" + said["sum"][2:]
    path.write_text(json.dumps(said) + "\n")
    verdict = compare(a, b)
    parts = dict(verdict.parts)
    assert parts["sum/u8/wrap"].first == (0,)
    assert parts["sum/u8/exact"].mismatch == "only a has it"
    assert parts["shape/numpy/2+3"].same
    said["says"] = "something else"
    path.write_text(json.dumps(said) + "\n")
    assert "other says, sum" in dict(compare(a, b).parts)["sum/u8/wrap"].mismatch
