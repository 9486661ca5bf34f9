"""``addison compare`` and ``addison vectors`` as a user types them."""

import json

import numpy as np
import pytest

from addison.cli.main import _run
from addison.conformance.sides import KINDS
from tests.ir.build import add, data, sum_of

A = np.float32([[1, 2], [3, 4]])


@pytest.fixture
def addison(tmp_path, monkeypatch, capsys):
    """Runs a command in a folder with files; gives exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    np.save("a.npy", A)
    np.save("b.npy", A + np.float32([[0, 0], [0, 2**-21]]))
    np.save("sat.npy", np.uint8([255, 3]))
    np.save("wrap.npy", np.uint8([44, 3]))
    np.save("x.npy", np.uint8([200, 1]))
    np.save("y.npy", np.uint8([100, 2]))
    (tmp_path / "net.xml").write_text(sum_of())
    (tmp_path / "other.xml").write_text(sum_of(add_layer=add(inside=data(auto_broadcast="none"))))

    def call(*words):
        code = _run(list(words))
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        assert "fault of addison" not in said.err
        return code, said.out, said.err

    return call


class TestCompare:
    def test_the_same(self, addison):
        assert addison("compare", "a.npy", "a.npy") == (0, "4 elements of f32 the same, bit for bit\n", "")

    def test_a_difference(self, addison):
        code, out, err = addison("compare", "a.npy", "b.npy")
        assert (code, err) == (1, "")
        assert out.splitlines()[:2] == [
            "1 of 4 elements of f32 [2,2] differs",
            "  first at [1,1]: 4.0 (0x40800000), wanted 4.000000476837158 (0x40800001)",
        ]

    def test_a_tolerance_only_when_asked_for(self, addison):
        assert addison("compare", "a.npy", "b.npy", "--ulps", "1")[0] == 0
        assert addison("compare", "a.npy", "b.npy", "--ulps", "0")[0] == 1

    def test_operands_tell_classes_apart(self, addison):
        code, out, _ = addison("compare", "sat.npy", "wrap.npy", "--of", "x.npy", "y.npy")
        assert code == 1
        assert "1 saturated instead of wrapped" in out
        assert "knowing the operands would tell more" in addison("compare", "sat.npy", "wrap.npy")[1]

    def test_json(self, addison):
        code, out, _ = addison("compare", "a.npy", "b.npy", "--format", "json")
        assert (code, json.loads(out)["verdict"]["differing"]) == (1, 1)

    def test_models(self, addison):
        assert addison("compare", "net.xml", "net.xml")[0] == 0
        code, out, _ = addison("compare", "net.xml", "other.xml")
        assert code == 1
        assert "auto_broadcast" in out
        code, out, _ = addison("compare", "net.xml", "other.xml", "--format", "json")
        assert (code, json.loads(out)["differ"]) == (1, True)
        assert addison("compare", "net.xml", "other.xml", "--ulps", "1")[0] == 2
        assert addison("compare", "net.xml", "a.npy")[0] == 2

    def test_help_has_the_table(self, addison):
        code, out, _ = addison("compare", "--help")
        assert code == 0
        assert [kind for kind in KINDS if kind not in out] == []

    @pytest.mark.parametrize(
        "words",
        [
            ["compare"],
            ["compare", "a.npy"],
            ["compare", "a.npy", "nowhere.npy"],
            ["compare", "a.npy", "net.txt"],
            ["compare", "a.npy", "engine:oracle"],
            ["compare", "engine:orcale", "engine:oracle"],
            ["compare", "vectors:.", "vectors:."],
            ["compare", "a.npy", "b.npy", "--ulps", "-1"],
            ["compare", "a.npy", "b.npy", "--ulps", "many"],
            ["compare", "a.npy", "b.npy", "--of", "a.npy"],
            ["compare", "a.npy", "b.npy", "--of", "a.npy", "net.xml"],
            ["compare", "a.npy", "b.npy", "--of", "a.npy", "b.npy", "--auto-broadcast", "nupmy"],
            ["compare", "a.npy", "b.npy", "--of", "a.npy", "b.npy", "--axis", "1"],
            ["compare", "a.npy", "b.npy", "--element-type", "f33"],
            ["compare", "a.npy", "b.npy", "--shape", "2,,"],
            ["compare", "net.xml", "nowhere.xml"],
            ["compare", "\x1b[31m.npy", "\udcff.npy"],
            ["vectors"],
            ["vectors", "mkae", "x"],
            ["vectors", "make"],
            ["vectors", "make", "a.npy"],
            ["vectors", "make", "x", "--exhaustive", "--models"],
            ["vectors", "make", "x", "--only", "product/*"],
            ["vectors", "list", "product/*"],
            ["vectors", "list", "--vectors", "nowhere"],
            ["vectors", "verify", "--engine", "orcale"],
            ["vectors", "verify", "--vectors", "a.npy"],
            ["vectors", "verify", "--only", "["],
        ],
        ids=" ".join,
    )
    def test_nonsense(self, words, addison):
        code, out, err = addison(*words)
        assert (code, out) == (2, "")
        assert err
        assert "\x1b" not in err


class TestVectors:
    def test_verify(self, addison):
        code, out, err = addison("vectors", "verify", "--engine", "oracle")
        assert (code, err) == (0, "")
        assert out.splitlines()[0].startswith("oracle: ")
        assert out.splitlines()[-1] == "all as the specification has it"

    def test_verify_all_engines(self, addison):
        code, out, _ = addison("vectors", "verify", "--only", "sum/u8/*", "--format", "json")
        assert code == 0
        assert {one["name"] for one in json.loads(out)["reports"]} >= {"reference", "oracle"}

    def test_a_difference_exits_with_1(self, addison, tmp_path):
        assert addison("vectors", "make", "made")[0] == 0
        (tmp_path / "made" / "index.json").unlink()
        path = tmp_path / "made" / "sum.jsonl"
        path.write_text(path.read_text().replace('"sum": "00', '"sum": "01', 1))
        code, out, _ = addison("vectors", "verify", "--vectors", "made", "--engine", "reference")
        assert code == 1
        assert out.splitlines()[-1] == f"1 of {out.split()[1]} wrong"
        assert addison("compare", "engine:reference", "vectors:made")[0] == 1

    def test_make_and_list(self, addison, tmp_path):
        code, out, _ = addison("vectors", "make", "few", "--only", "sum/u?/wrap", "--only", "shape/none/*")
        assert (code, out) == (0, "few: 4 files\n")
        code, out, _ = addison("vectors", "list", "--vectors", "few", "sum/*")
        assert [line.split()[0] for line in out.splitlines()] == [f"sum/u{n}/wrap" for n in (1, 2, 3, 4, 6, 8)]
        code, out, _ = addison("vectors", "list", "sum/u8/wrap", "--format", "json")
        assert [one["id"] for one in json.loads(out)["vectors"]] == ["sum/u8/wrap"]

    def test_models(self, addison, tmp_path):
        code, out, _ = addison("vectors", "make", "models", "--models", "--only", "sum/bf16/tie", "--format", "json")
        assert (code, json.loads(out)["files"]) == (0, ["sum-bf16-tie"])
        folder = "models/sum-bf16-tie"
        words = ["run", f"{folder}/constant.xml", "-i", f"a={folder}/a.bin", "-o", "sums"]
        assert addison(*words)[0] == 0
        assert (
            addison("compare", "sums/sum.bin", f"{folder}/sum.bin", "--of", f"{folder}/a.bin", f"{folder}/b.bin")[0]
            == 0
        )
