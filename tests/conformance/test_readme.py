"""The page beside the vectors: its reader runs, is short, and notices a wrong sum."""

import json
import re

import pytest

from addison.spec.elements import ELEMENTS


@pytest.fixture
def page(root):
    return (root / "vectors" / "README.md").read_text()


@pytest.fixture
def reader(page):
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    return code


def test_the_reader_is_short_and_runs(reader, root, monkeypatch):
    monkeypatch.chdir(root)
    assert len([line for line in reader.splitlines() if line]) <= 10
    exec(compile(reader, "README.md", "exec"), {})


def test_the_reader_notices_a_wrong_sum(reader, root, tmp_path, monkeypatch):
    lines = (root / "vectors" / "sum.jsonl").read_text(encoding="ascii").splitlines()
    case = next(one for one in map(json.loads, lines) if one["id"] == "sum/u8/wrap")
    case["sum"] = "7b" + case["sum"][2:]
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "sum.jsonl").write_text(json.dumps(case) + "\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError) as seen:
        exec(compile(reader, "README.md", "exec"), {})
    assert case["says"] in str(seen.value)


def test_the_nans_it_names_are_the_ones_that_sums_hold(page):
    named = {kind: int(code, 16) for code, kind in re.findall(r"`([0-9a-f]+)`\s\((\w+)\)", page)}
    assert named == {kind: element.nan for kind, element in ELEMENTS.items() if element.nan is not None}


def test_it_names_every_key(page, root):
    lines = [line for path in (root / "vectors").glob("*.jsonl") for line in path.read_text().splitlines()]
    assert {key for line in lines for key in json.loads(line) if f"`{key}`" not in page} == set()
