"""``addison show`` as a user types it."""

import json
import os
import pty
import subprocess
import sys
from types import SimpleNamespace

import pytest

from addison.cli.main import main
from tests.cli.test_command_line import NONSENSE
from tests.cli.test_command_line import addison as addison_process
from tests.ir.build import add, net, parameter, port, result, sum_of
from tests.report.models import clashing, wired, with_bodies
from tests.runtime.test_program import chain


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "net.xml").write_text(sum_of(b=parameter(1, "b", "3")))
    (tmp_path / "clash.xml").write_text(clashing())
    (tmp_path / "bodies.xml").write_text(with_bodies())
    return tmp_path


@pytest.fixture
def addison(folder, monkeypatch, capsys):
    """Runs the command line in the folder, in this process."""
    monkeypatch.chdir(folder)

    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
        printed = capsys.readouterr()
        return SimpleNamespace(returncode=left.value.code, stdout=printed.out, stderr=printed.err)

    return run


def large(count=600):
    """So many layers in a row that a drawing does not hold them."""
    return wired(count, [(k, k + 1) for k in range(count - 1)])


def test_a_tree_is_printed(folder, addison):
    done = addison("show", "net.xml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "net.xml: m, IR v11, 4 layers, 1 Add, no findings"
    assert "+ add  Add        a + b  f32 [2,3]" in done.stdout


def test_an_error_in_the_model_is_shown_and_is_exit_code_1(folder, addison):
    for form in ("text", "json", "svg", "html"):
        done = addison("show", "clash.xml", "--format", form)
        assert (done.returncode, done.stderr) == (1, "")
        assert "A302" in done.stdout


def test_a_model_that_cannot_be_run_is_still_shown(folder, addison):
    (folder / "odd.xml").write_text(
        net([parameter(), add(2, outputs=[port(2, ("x",))]), result(), parameter(0, "c", "2,,3")], [(0, 0, 2, 0)])
    )
    done = addison("show", "odd.xml")
    assert done.returncode == 1
    for code in ("F109", "F112", "G101", "G106"):
        assert f"error[{code}]" in done.stdout
    assert "+ add" in done.stdout


@pytest.mark.parametrize("kind", NONSENSE)
def test_a_file_without_a_model_gives_its_findings_and_exit_code_2(kind, tmp_path, addison):
    (tmp_path / "net.xml").write_bytes(NONSENSE[kind])
    done = addison("show", "net.xml", "-o", "out.html")
    assert (done.returncode, done.stdout) == (2, "")
    assert "net.xml:1:" in done.stderr
    assert "error[F1" in done.stderr
    assert not (tmp_path / "out.html").exists()


@pytest.mark.parametrize(
    ("name", "starts"),
    [("m.svg", "<svg "), ("m.html", "<!DOCTYPE html>"), ("m.HTM", "<!DOCTYPE"), ("m.json", "{"), ("m", "net.xml: m")],
)
def test_the_name_of_the_file_says_what_it_is(name, starts, folder, addison):
    done = addison("show", "net.xml", "-o", name)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / name).read_text().startswith(starts)
    assert sorted(path.name for path in folder.iterdir()) == sorted(["net.xml", "clash.xml", "bodies.xml", name])


def test_the_option_outweighs_the_name(folder, addison):
    addison("show", "net.xml", "-o", "m.svg", "--format", "json")
    assert json.loads((folder / "m.svg").read_text())["schema"] == "addison/show/1"


def test_a_file_is_written_as_it_is_printed(folder, addison):
    for form in ("text", "json", "svg", "html"):
        printed = addison("show", "clash.xml", "--format", form).stdout
        addison("show", "clash.xml", "--format", form, "-o", "file")
        assert (folder / "file").read_text() == printed


def test_json_has_all_graphs_or_the_one_that_was_asked_for(folder, addison):
    read = json.loads(addison("show", "bodies.xml", "--format", "json").stdout)
    assert [one["path"] for one in read["graphs"]] == ["", "if/then_body", "if/else_body"]
    read = json.loads(addison("show", "bodies.xml", "--format", "json", "--body", "if/else_body").stdout)
    assert [one["path"] for one in read["graphs"]] == ["if/else_body"]


def test_a_large_model_is_drawn_around_something_and_it_is_said(folder, addison):
    (folder / "large.xml").write_text(large())
    done = addison("show", "large.xml", "-o", "large.svg")
    assert done.returncode == 0
    assert done.stderr.startswith("shown: ")
    assert "of 600 layers: those within" in done.stderr
    assert "of 600 layers: those within" in (folder / "large.svg").read_text()
    assert addison("show", "large.xml", "-o", "large.svg", "-q").stderr == ""
    assert addison("show", "large.xml").stdout.count("\n") == 601


def test_around_and_depth(folder, addison):
    (folder / "large.xml").write_text(large())
    for key in ("n300", "300"):
        done = addison("show", "large.xml", "--around", key, "--depth", "2")
        assert [line.split()[0] for line in done.stdout.splitlines()[1:-1]] == ["n298", "n299", "n300", "n301", "n302"]
        assert "shown: 5 of 600 layers: those within 2 edges of n300" in done.stdout
    done = addison("show", "bodies.xml", "--around", "if/then_body/add", "--depth", "0", "--format", "json")
    (graph,) = json.loads(done.stdout)["graphs"]
    assert (graph["path"], [one["path"] for one in graph["layers"]]) == ("if/then_body", ["if/then_body/add"])
    done = addison("show", "bodies.xml", "--body", "if/then_body", "--around", "add", "--depth", "0")
    assert "1 of 4 layers" in done.stdout
    assert "1 of 4 layers" in addison("show", "clash.xml", "--depth", "0").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["none.xml"],
        ["net.xml", "--around", "nothing"],
        ["net.xml", "--body", "a"],
        ["net.xml", "--depth", "-1"],
        ["net.xml", "--depth", "x"],
        ["net.xml", "--format", "png"],
        ["net.xml", "-o", "no/such/folder/m.svg"],
        ["net.xml", "-o", "."],
        ["net.xml", "--diff", "none.xml"],
        ["net.xml", "--diff", "clash.xml", "--format", "svg"],
        ["net.xml", "--diff", "clash.xml", "--around", "a"],
        ["net.xml", "--diff", "clash.xml", "-o", "m.html"],
        ["bodies.xml", "--around", "add"],
        ["bodies.xml", "--body", "if/then_body", "--around", "if"],
        ["net.xml", "--weights", "none.bin", "--diff"],
    ],
)
def test_nonsense(arguments, folder, addison):
    done = addison("show", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "rror" in done.stderr
    assert "Traceback" not in done.stderr


def test_weights_that_are_not_there_are_a_finding(folder, addison):
    done = addison("show", "net.xml", "--weights", "none.bin")
    assert done.returncode == 1
    assert "error[W101]" in done.stdout


class TestDiff:
    def test_no_difference(self, folder, addison):
        done = addison("show", "net.xml", "--diff", "net.xml")
        assert (done.returncode, done.stdout) == (0, "net.xml -> net.xml: no difference in 4 layers\n")

    def test_a_difference_is_exit_code_1(self, folder, addison):
        done = addison("show", "net.xml", "--diff", "clash.xml")
        assert (done.returncode, done.stderr) == (1, "")
        assert "    output 0: f32 [3] -> f32 [4]" in done.stdout

    def test_json_to_a_file(self, folder, addison):
        assert addison("show", "net.xml", "--diff", "clash.xml", "-o", "d.json").returncode == 1
        read = json.loads((folder / "d.json").read_text())
        assert (read["schema"], read["a"], read["b"]) == ("addison/show-diff/1", "net.xml", "clash.xml")

    def test_a_file_without_a_model(self, folder, addison):
        (folder / "none.xml").write_text("hello")
        done = addison("show", "net.xml", "--diff", "none.xml")
        assert (done.returncode, done.stdout) == (2, "")
        assert "none.xml:1:1: error[F105]" in done.stderr


def on_a_terminal(*arguments, cwd, **environment):
    """What a terminal of 60 columns shows."""
    seen, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "addison", *arguments],
        cwd=cwd, stdout=terminal, stderr=terminal, env={**os.environ, "TERM": "xterm", "COLUMNS": "60", **environment},
    ) as running:  # fmt: skip
        os.close(terminal)
        said = b""
        while True:
            try:
                piece = os.read(seen, 4096)
            except OSError:
                break
            if not piece:
                break
            said += piece
        running.wait()
    os.close(seen)
    return said.decode()


def test_a_terminal_gets_a_coloured_tree_of_its_width(folder):
    name = "a_name_that_does_not_fit_into_the_terminal_at_all"
    (folder / "net.xml").write_text(sum_of().replace('name="add"', f'name="{name}"'))
    shown = on_a_terminal("show", "net.xml", cwd=folder)
    assert "├─" in shown
    assert "\x1b[1;34m+ a_name" in shown
    assert name not in shown
    plain = on_a_terminal("show", "net.xml", cwd=folder, NO_COLOR="1")
    assert "├─" in plain
    assert "\x1b[1;34m" not in plain
    ascii_only = on_a_terminal("show", "net.xml", cwd=folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert "|- " in ascii_only
    assert "\\u" not in ascii_only


def test_colour_on_request(folder):
    shown = addison_process("show", "net.xml", cwd=folder, FORCE_COLOR="1").stdout
    assert "\x1b[" in shown
    assert "\x1b" not in addison_process("show", "net.xml", cwd=folder).stdout


def test_a_closed_pipe_is_no_error(folder):
    (folder / "net.xml").write_text(chain(3000))
    (folder / "net.bin").write_bytes(bytes(4))
    done = subprocess.run(
        f"{sys.executable} -m addison show net.xml | head -1",
        shell=True, text=True, cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_a_page_is_the_same_from_an_ascii_terminal(folder):
    (folder / "net.xml").write_text(sum_of().replace('name="add"', 'name="größe"'))
    asked = ("show", "net.xml", "--format", "html")
    done = addison_process(*asked, cwd=folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.stdout == addison_process(*asked, cwd=folder).stdout
