"""``addison bench`` as a user types it. No test depends on how long anything takes."""

import importlib.util
import json
from importlib import resources

import jsonschema
import pytest

from addison.benchmark import measure
from addison.cli.main import main
from addison.engines import native

QUICK = ("--seconds", "0", "--sizes", "50", "--peers", "numpy")
SCHEMA = json.loads((resources.files("addison.report") / "schemas" / "bench-1.json").read_text())


@pytest.fixture
def bench(capsys):
    """Runs a command line in this process: the exit code, what was printed, and what was complained of."""

    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main(["bench", *arguments])
        return left.value.code, *capsys.readouterr()

    return run


@pytest.fixture
def wrong(monkeypatch):
    """addison's sums are a here, whatever b is."""
    monkeypatch.setattr(measure, "_ours", lambda a, b, out, mode: lambda: a.copy())


def document(text):
    found = json.loads(text)
    jsonschema.validate(found, SCHEMA)
    return found


def test_json(bench):
    code, out, _ = bench(*QUICK, "--types", "f32,nf4", "--patterns", "same,outer", "--format", "json")
    found = document(out)
    assert code == 0
    assert [(row["pattern"], row["element_type"], row["mode"], row["best_peer"]) for row in found["rows"]] == [
        (pattern, name, mode, peer)
        for pattern in ("same", "outer")
        for name, peer in (("f32", "numpy"), ("nf4", None))
        for mode in ("fresh", "out")
    ]
    assert found["summary"]["ratios"] == 4
    assert found["machine"]["core"] == native.available()
    assert [peer["name"] for peer in found["peers"]] == ["numpy"]


def test_text(bench):
    code, out, _ = bench(*QUICK, "--types", "bf16", "--modes", "out")
    lines = out.splitlines()
    assert code == 0
    assert len(lines) == 13
    assert lines[1].startswith("peers: numpy ")
    assert lines[2].split()[:4] == ["pattern", "type", "elements", "mode"]
    assert lines[3].split()[:4] == ["same", "bf16", "50", "out"]
    assert lines[-2].startswith("roof: ")
    assert lines[-2].endswith("measured in this run")
    assert lines[-1].startswith("8 ratios of the best peer's time to addison's: geometric mean ")


def test_types_that_no_peer_has(bench):
    code, out, _ = bench(*QUICK, "--types", "u3,nf4", "--patterns", "same")
    assert (code, out.splitlines()[-1]) == (0, "no peer adds these types")


def test_level_and_threads_are_named(bench, monkeypatch):
    monkeypatch.setattr(native, "info", lambda: {"core": True, "missing": "", "level": "v3", "threads": 1})
    _, out, err = bench(*QUICK, "--patterns", "same")
    assert (out.splitlines()[0], err) == ("C++ core, level v3, threads 1", "")


def test_a_missing_core_is_a_warning(bench, monkeypatch):
    monkeypatch.setattr(native, "info", lambda: {"core": False, "missing": "no file", "level": "", "threads": 1})
    code, out, err = bench(*QUICK, "--patterns", "same")
    assert (code, out.splitlines()[0]) == (0, "no C++ core: NumPy adds")
    assert err.startswith("warning: the C++ core is not built here")
    assert bench(*QUICK, "--patterns", "same", "--quiet")[2] == ""


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--types", "f32,fp16", "there is no element type 'fp16'; did you mean f16?"),
        ("--patterns", "sames", "there is no pattern 'sames'; did you mean same?"),
        ("--modes", "frehs", "there is no mode 'frehs'; did you mean fresh?"),
        ("--peers", "numpi", "there is no peer 'numpi'; did you mean numpy?"),
        ("--sizes", "1e6", "'1e6' is no number of elements from 1 to 268435456; write 500, 64k or 1M"),
    ],
)
def test_wrong_names(bench, option, value, says):
    code, out, err = bench(option, value)
    assert (code, out) == (2, "")
    for part in says.split("; "):
        assert part in err


@pytest.mark.parametrize("seconds", ["-1", "inf", "nan", "soon"])
def test_wrong_budgets(bench, seconds):
    assert bench("--seconds", seconds)[0] == 2


def test_sums_that_differ_are_exit_code_1_and_not_timed(bench, wrong):
    code, out, _ = bench(*QUICK, "--types", "i8", "--patterns", "same", "--modes", "fresh")
    assert code == 1
    assert "elements differ from NumPy's" in out
    assert out.splitlines()[-1] == "1 of 1 differ from NumPy"
    code, out, _ = bench(*QUICK, "--types", "i8", "--patterns", "same", "--format", "json")
    found = document(out)
    assert code == 1
    assert found["summary"]["differing"] == 2
    assert [row["times"] for row in found["rows"]] == [[], []]


def test_interrupted(bench, monkeypatch):
    def interrupt(calls, end):
        raise KeyboardInterrupt

    monkeypatch.setattr(measure, "turns", interrupt)
    code, out, err = bench(*QUICK, "--quiet")
    assert (code, out, err.strip()) == (130, "", "interrupted")


def test_a_plot_without_matplotlib_names_the_extra_before_anything_is_timed(bench, monkeypatch):
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "matplotlib" else there(name))
    code, out, err = bench(*QUICK, "--plot", "ratios.svg")
    assert (code, out) == (2, "")
    assert "pip install 'addison[plot]'" in err


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_plot(bench, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "ratios.svg"
    assert bench(*QUICK, "--types", "f32,u3", "--patterns", "same,row", "--plot", str(path))[0] == 0
    assert "</svg>" in path.read_text()


def test_a_plot_that_cannot_be_written_is_refused_before_anything_is_timed(bench, tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "folder.svg").mkdir()
    for name, says in (
        ("nowhere/ratios.svg", f"cannot be written: there is no folder {tmp_path / 'nowhere'}"),
        ("folder.svg", "cannot be written"),
        ("ratios.png", "a plot is SVG\n  help: name it .svg"),
    ):
        code, out, err = bench(*QUICK, "--plot", str(tmp_path / name))
        assert (code, out) == (2, "")
        assert f"{name}: {says}" in err
