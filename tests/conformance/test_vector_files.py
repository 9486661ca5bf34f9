"""Vectors in files: compressed sets, models, and files that hold anything but vectors."""

import gzip
import json
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import AddisonError, InvalidInput, LimitExceeded, compile_model, read_model
from addison.conformance import vector_files, vector_models
from addison.conformance.cases import every_pair
from addison.conformance.vectors import answer, from_line, made, to_line
from addison.conformance.verify import operands, wanted
from addison.spec.elements import ELEMENTS
from tests.same_bits import assert_same_bits

GOOD = to_line(next(one for one in made() if one.id == "sum/u4/partial-3"))


def bent(**changes):
    """A good line with some of its keys made other, or taken away (None)."""
    said = json.loads(GOOD) | changes
    return json.dumps({key: value for key, value in said.items() if value != "gone"})


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("", {}),
        ("[]", {}),
        ("3", {}),
        ("[" * 100_000, {}),
        ('{"a": ' + "9" * 5000 + "}", {}),
        (bent(id="gone"), {"key": "id"}),
        (bent(says=3), {"key": "says"}),
        (bent(kind="product"), {"key": "kind", "found": "product"}),
        (bent(element_type="gone"), {"key": "element_type"}),
        (bent(element_type="u5"), {"element_type": "u5"}),
        (bent(element_type="boolean"), {"element_type": "boolean"}),
        (bent(a="0z"), {"key": "a"}),
        (bent(a="00"), {"key": "a", "found": 1, "wanted": 2}),
        (bent(a="000000"), {"key": "a", "found": 3, "wanted": 2}),
        (bent(a="00f0"), {"key": "a"}),
        (bent(sum="gone"), {"key": "sum"}),
        (bent(shape="gone"), {"key": "shape"}),
        (bent(a_shape=7), {"key": "a_shape"}),
        (bent(a_shape=[True]), {"key": "a_shape"}),
        (bent(a_shape=[-1]), {}),
        (bent(a_shape=[2**62, 2**62, 2**62]), {"key": "a", "found": 2}),
        (bent(a_shape=[1] * 2000), {}),
        (bent(a_shape=None), {}),
        (bent(a_shape=["1..3"]), {}),
        (bent(axis=1.5), {"key": "axis"}),
        (bent(axis=10**30), {"key": "axis"}),
        (bent(kind="error"), {"key": "error"}),
        (bent(kind="error", error="clash", axes=[1]), {"key": "axes"}),
        (bent(kind="error", error="clash", axes=[["x", 1, 2]]), {"key": "axes"}),
    ],
    ids=range(29),
)
def test_what_is_no_vector_is_refused_by_name(line, fields, tmp_path):
    with pytest.raises(AddisonError) as refused:
        from_line(line)
    assert fields.items() <= dict(refused.value.fields).items()
    (tmp_path / "x.jsonl").write_text(f"{GOOD}\n{line or '?'}\n")
    with pytest.raises(InvalidInput) as refused:
        vector_files.read(str(tmp_path))
    assert (refused.value.fields["line"], refused.value.fields["path"]) == (2, str(tmp_path / "x.jsonl"))


KEYS = st.sampled_from([*json.loads(GOOD), "error", "axes", "b_element_type"])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["0", "ff", "error"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)


@given(st.dictionaries(KEYS, VALUES, max_size=3))
def test_nothing_but_our_own_errors_comes_out(changes):
    try:
        vector = from_line(json.dumps(json.loads(GOOD) | changes))
    except AddisonError:
        return
    assert from_line(to_line(vector)) == vector


@given(st.binary(max_size=200))
def test_bytes_of_any_kind(data):
    with pytest.raises(AddisonError):
        from_line(b"{" + data)


def test_a_folder_without_vectors(tmp_path):
    with pytest.raises(InvalidInput) as refused:
        vector_files.read(str(tmp_path))
    assert refused.value.fields == {"path": str(tmp_path)}
    with pytest.raises(InvalidInput) as refused:
        vector_files.read(str(tmp_path / "nowhere"))
    assert refused.value.fields == {"path": str(tmp_path / "nowhere")}


def test_an_id_twice(tmp_path):
    (tmp_path / "x.jsonl").write_text(f"{GOOD}\n\n{GOOD}\n")
    with pytest.raises(InvalidInput) as refused:
        vector_files.read(str(tmp_path))
    assert refused.value.fields["id"] == "sum/u4/partial-3"


def test_a_file_that_was_cut_short_or_changed_is_seen(tmp_path):
    vector_files.write(str(tmp_path), made()[:9])
    path = tmp_path / "sum.jsonl"
    whole = path.read_text()
    path.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    with pytest.raises(InvalidInput) as refused:
        vector_files.read(str(tmp_path))
    assert (refused.value.fields["found"], refused.value.fields["wanted"]) == (8, 9)
    path.write_text(whole.replace("neighbour", "neighbor"))
    with pytest.raises(InvalidInput) as refused:
        vector_files.read(str(tmp_path))
    assert refused.value.fields["path"] == str(path)
    path.unlink()
    with pytest.raises(InvalidInput):
        vector_files.read(str(tmp_path))


@pytest.mark.parametrize("text", ["", "[]", '{"schema": "x"}', '{"schema": "addison/vectors/1", "files": {"a": 3}}'])
def test_an_index_that_is_none(text, tmp_path):
    (tmp_path / "x.jsonl").write_text(f"{GOOD}\n")
    (tmp_path / "index.json").write_text(text)
    with pytest.raises(InvalidInput) as refused:
        vector_files.read(str(tmp_path))
    assert refused.value.fields["path"] == str(tmp_path / "index.json")


def test_a_gzip_file_that_swells_is_stopped(tmp_path):
    with gzip.open(tmp_path / "x.jsonl.gz", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    tracemalloc.start()
    with pytest.raises(LimitExceeded) as refused:
        vector_files.read(str(tmp_path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused.value.fields["limit"] == vector_files.LARGEST_LINE
    assert peak < 8 << 20


def test_the_files_of_a_folder_have_a_limit_together(tmp_path, monkeypatch):
    monkeypatch.setattr(vector_files, "LARGEST_TOTAL", 3 * len(GOOD))
    for name in "abc":
        (tmp_path / f"{name}.jsonl").write_text(GOOD.replace("partial-3", f"partial-3{name}") + "\n")
    with pytest.raises(LimitExceeded) as refused:
        vector_files.read(str(tmp_path))
    assert (refused.value.fields["limit"], refused.value.fields["found"] > 3 * len(GOOD)) == (3 * len(GOOD), True)
    (tmp_path / "c.jsonl").unlink()
    assert len(vector_files.read(str(tmp_path))) == 2


@pytest.mark.parametrize("data", [b"no gzip", gzip.compress(GOOD.encode())[:-9]])
def test_a_gzip_file_that_is_none(data, tmp_path):
    (tmp_path / "x.jsonl.gz").write_bytes(data)
    with pytest.raises(InvalidInput) as refused:
        vector_files.read(str(tmp_path))
    assert refused.value.fields["path"] == str(tmp_path / "x.jsonl.gz")


def test_exhaustive_sets_are_vectors_too(tmp_path, monkeypatch):
    few = {name: ELEMENTS[name] for name in ("u1", "u3", "nf4", "f4e2m1")}
    monkeypatch.setattr(vector_files, "ELEMENTS", few)
    files = vector_files.write_exhaustive(str(tmp_path / "a"))
    assert files[:-1] == tuple(f"every-pair-{name}.jsonl.gz" for name in few)
    assert vector_files.write_exhaustive(str(tmp_path / "b")) == files
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    read = {one.id: one for one in vector_files.read(str(tmp_path / "a"))}
    assert read["every-pair/u3"] == answer(every_pair(ELEMENTS["u3"]))


@pytest.mark.parametrize(
    "name", ["sum/u3/numpy", "sum/bf16/pdpd", "sum/nf4/rank-0", "sum/i4/partial-3", "sum/f64/zero-size", "sum/u1/none"]
)
def test_models_give_the_expected_sums(name, tmp_path, engine):
    vector = next(one for one in made() if one.id == name)
    (folder,) = vector_models.write_models(str(tmp_path), [vector])
    a, b = operands(vector)
    right = wanted(vector)
    for stem, inputs in (("parameters", [a, b]), ("constant", [a])):
        path = tmp_path / folder / f"{stem}.xml"
        if stem == "constant" and not vector.b:
            assert not path.exists()
            continue
        (total,) = compile_model(read_model(path), engine.name)(inputs).values()
        assert_same_bits(total, right if not isinstance(total, np.ndarray) else right.to_numpy())
    assert (tmp_path / folder / "sum.bin").read_bytes() == vector.sum
    assert json.loads((tmp_path / folder / "sum.bin.json").read_text())["element_type"] == vector.element_type
