"""Every odd file that this package reads, written: OpenVINO makes of it what it made of the odd one."""

import pytest

from addison.errors import InvalidModel
from addison.ir.reader import read_model
from addison.ir.writer import save_model
from tests.ir.again import both_files
from tests.ir.oddities import CASES, Case
from tests.ir.peer import ask

OLD = {"net/v10-f16", "net/v10-i64"}
"""Version 10, whose boundary OpenVINO converts: as version 11 the types are those that the file says."""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Each case that can be read, as it is written, and as it is written again after being read."""
    place = tmp_path_factory.mktemp("oddities") / "net.xml"
    found = {}
    for name, case in CASES.items():
        try:
            model = read_model(case.xml, case.weights or None)
        except InvalidModel:
            continue
        save_model(model, place)
        once = both_files(place)
        save_model(read_model(place), place)
        found[name] = Case(*once), Case(*both_files(place))
    return found


@pytest.fixture(scope="module")
def readings(written):
    """What OpenVINO makes of each case, and of what was written of it."""
    return ask({name: CASES[name] for name in written}), ask({name: once for name, (once, _) in written.items()})


def test_there_are_many(written):
    assert len(written) > 500


def test_reading_and_writing_again_changes_nothing(written):
    assert [name for name, (once, twice) in written.items() if once != twice] == []


def test_openvino_reads_the_same(readings):
    """But for odd files that it refuses, and that this package reads: what is written of those is no longer odd."""
    before, after = readings
    different = {name for name in before if plain(before[name]) != plain(after[name])} - OLD
    assert {name: after[name]["verdict"] for name in different} == dict.fromkeys(different, "reads")
    assert {name for name in different if before[name]["verdict"] == "reads"} == set()
    assert {"port/precision-missing", "const/string-of-none", "const/element_type='F32'"} <= different


@pytest.mark.parametrize("name", sorted(OLD))
def test_types_at_the_boundary_of_version_10(name, readings):
    kind = name.removeprefix("net/v10-")
    before, after = (reading[name] for reading in readings)
    assert {one[-1] for one in after["inputs"] + after["outputs"]} == {kind}
    assert without_types(before) == without_types(after)


def plain(reading):
    """Without the numbers that OpenVINO gives to operations in its messages, and the bytes after the last element."""
    said = {key: value for key, value in reading.items() if key != "message"}
    if "constants" in said:
        said["constants"] = [(*one[:3], one[3][: 2 * needed(*one[1:3])]) for one in said["constants"]]
    return said


def needed(shape, kind):
    """How many bytes the small types take; others have none too many."""
    count = 1
    for size in filter(None, shape.strip("[]").split(",")):
        count *= int(size)
    bits = {"u1": 1, "u2": 2, "u4": 4, "i4": 4, "nf4": 4, "f4e2m1": 4}.get(kind)
    if bits:
        return -(-count * bits // 8)
    return 3 * -(-count // {"u3": 8, "u6": 4}[kind]) if kind in ("u3", "u6") else 1 << 62


def without_types(reading):
    return {
        side: [[part for part in one if part not in ("f16", "f32", "i32", "i64")] for one in reading[side]]
        for side in ("inputs", "outputs")
    }


def test_a_difference_is_seen(readings):
    before, _ = readings
    reading = before["const/odd-offsets"]
    assert reading["constants"] == [["c", "[1]", "i32", "01020304"], ["d", "[1]", "i32", "05060708"]]
    for key, wrong in (
        ("constants", [["c", "[1]", "i32", "01020304"], ["d", "[1]", "i32", "05060709"]]),
        ("inputs", [["a", [], "[1]", "i32"]]),
        ("outputs", []),
        ("adds", []),
        ("verdict", "refuses"),
    ):
        assert plain({**reading, key: wrong}) != plain(reading)
    assert (
        plain({**reading, "constants": [["c", "[3]", "u4", "1122"]]})
        == plain({**reading, "constants": [["c", "[3]", "u4", "112233"]]})
        != plain({**reading, "constants": [["c", "[3]", "u4", "1123"]]})
    )
