"""``addison check`` on many files: options, exit codes, formats, folders, the project's settings."""

import json
import os
import pty
import subprocess
import sys
from contextlib import suppress

import pytest

from tests.cli.test_command_line import addison
from tests.ir.build import add, data, parameter, port, sum_of

ODD = add(inside=data(auto_broadcast="pdpd"))
FILES = {
    "fine.xml": sum_of(),
    "clash.xml": sum_of(b=parameter(1, "b", "4")),
    "sub/odd.xml": sum_of(add_layer=ODD),
    "sub/page.xml": "<html/>",
}
BYTES = {
    "a": parameter(0, "a", "2", "u8"),
    "b": parameter(1, "b", "2", "u8"),
    "add_layer": add(outputs=[port(2, (), "U8")]),
}


@pytest.fixture
def tree(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def found(done):
    return {one["file"]: [each["code"] for each in one["findings"]] for one in json.loads(done.stdout)["files"]}


def test_a_folder_has_every_ir_file_below_it(tree):
    done = addison("check", ".", "--format", "json", cwd=tree)
    assert (done.returncode, done.stderr) == (1, "")
    assert found(done) == {"clash.xml": ["A302"], "fine.xml": [], "sub/odd.xml": ["A105"]}


def test_a_file_that_is_named_is_checked_whatever_it_is(tree):
    done = addison("check", "sub/page.xml", "sub", "--format", "json", cwd=tree)
    assert found(done) == {"sub/page.xml": ["F105"], "sub/odd.xml": ["A105"]}


def test_a_folder_without_any(tree):
    (tree / "none").mkdir()
    done = addison("check", "none", cwd=tree)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "no IR files below none\n")
    assert addison("check", "none", "-q", cwd=tree).stderr == ""


def test_select_and_ignore(tree):
    both = ["check", "clash.xml", "sub", "--format", "json"]
    assert found(addison(*both, "--select", "A1", cwd=tree)) == {"clash.xml": [], "sub/odd.xml": ["A105"]}
    assert found(addison(*both, "--ignore", "W,A302", "--ignore", "A105", cwd=tree)) == {
        "clash.xml": [],
        "sub/odd.xml": [],
    }
    done = addison(*both, "--select", "A302, A105", "--ignore", "A3", cwd=tree)
    assert (done.returncode, found(done)) == (1, {"clash.xml": ["A302"], "sub/odd.xml": ["A105"]})


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 1),
        (["--exit-zero"], 0),
        (["--select", "A1"], 0),
        (["--select", "A1", "--fail-on", "warning"], 1),
        (["--select", "A1", "--fail-on", "info", "--exit-zero"], 0),
        (["gone.xml", "--exit-zero"], 2),
    ],
)
def test_exit_codes(options, code, tree):
    assert addison("check", "clash.xml", "sub/odd.xml", "-q", *options, cwd=tree).returncode == code


def test_a_runtime(tree):
    (tree / "bytes.xml").write_text(sum_of(**BYTES))
    assert found(addison("check", "bytes.xml", "--format", "json", cwd=tree)) == {"bytes.xml": []}
    done = addison("check", "bytes.xml", "--format", "json", "--runtime", "openvino-cpu", cwd=tree)
    assert (done.returncode, found(done)) == (0, {"bytes.xml": ["H101"]})


@pytest.mark.parametrize(
    "options",
    [
        ["--select", "A9"],
        ["--ignore", "a302"],
        ["--select", ""],
        ["--select", "A1,"],
        ["--runtime", "abacus"],
        ["--fail-on", "never"],
        ["--format", "xml"],
        ["--weights", "fine.bin"],
    ],
)
def test_wrong_use(options, tree):
    done = addison("check", "fine.xml", "clash.xml", *options, cwd=tree)
    assert (done.returncode, done.stdout) == (2, "")
    assert "rror" in done.stderr


def test_what_the_project_says(tree):
    (tree / "pyproject.toml").write_text(
        '[tool.addison]\nignore = ["A302"]\nfail-on = "warning"\nexclude = ["fine.xml"]'
    )
    done = addison("check", ".", "--format", "json", cwd=tree)
    assert (done.returncode, found(done)) == (1, {"clash.xml": [], "sub/odd.xml": ["A105"]})
    done = addison("check", ".", "--fail-on", "error", "--select", "A302", "--format", "json", cwd=tree)
    assert (done.returncode, found(done)) == (1, {"clash.xml": ["A302"], "sub/odd.xml": []})
    (tree / "pyproject.toml").write_text('[tool.addison]\nignroe = ["A302"]')
    done = addison("check", "fine.xml", cwd=tree)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pyproject.toml: tool.addison.ignroe is not known" in done.stderr
    assert "did you mean ignore?" in done.stderr


@pytest.mark.parametrize("path", ["n" * 300 + ".xml", "d" * 300 + "/net.xml", "x/" * 3000 + "net.xml"])
def test_names_that_no_file_can_have(path, tree):
    for options in ([], ["--fix"]):
        done = addison("check", path, *options, cwd=tree)
        assert (done.returncode, done.stdout) == (2, "")
        assert "cannot be opened" in done.stderr


def test_sarif_github_and_html(tree):
    log = json.loads(addison("check", ".", "--format", "sarif", cwd=tree).stdout)
    assert [one["ruleId"] for one in log["runs"][0]["results"]] == ["A302", "A105"]
    lines = addison("check", ".", "--format", "github", cwd=tree).stdout.splitlines()
    assert [line[:28] for line in lines] == ["::error file=clash.xml,line=", "::warning file=sub/odd.xml,l"]
    done = addison("check", ".", "--format", "html", cwd=tree)
    assert done.returncode == 1
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert done.stdout.count("<article>") == 2


ODD = {
    "name.xml": sum_of(add_layer=add(inside='<data auto_brodcast="none"/>')).replace("><", ">\n<"),
    "dims.xml": sum_of(add_layer=add(outputs=[port(2, [2, 4])]), b=parameter(1, "b", "3")).replace("><", ">\n<"),
    "both.xml": sum_of(
        add_layer=add(inside='<data auto_broadcast="none" auto_brodcast="none"/>', outputs=[port(2, [2, 4])])
    ),
}
WANTED = {
    "name.xml": ODD["name.xml"].replace("brod", "broad"),
    "dims.xml": ODD["dims.xml"].replace(">4<", ">3<"),
    "both.xml": ODD["both.xml"].replace(">4<", ">3<"),
}


class TestFix:
    @pytest.fixture
    def odd(self, tmp_path):
        for name, text in ODD.items():
            (tmp_path / name).write_text(text)
        return tmp_path

    def test_files_are_corrected_and_what_is_left_is_said(self, odd):
        done = addison("check", ".", "--fix", "--format", "json", cwd=odd)
        assert found(done) == {"both.xml": ["A103"], "dims.xml": [], "name.xml": []}
        assert done.returncode == 0
        assert {name: (odd / name).read_text() for name in WANTED} == WANTED
        column = ODD["both.xml"].index("auto_brodcast") + 1
        assert done.stderr.splitlines() == [
            f"both.xml:1:{column}: A103 is not fixed: the tag has auto_broadcast already",
            "fixed 3 findings in 3 files",
        ]
        again = addison("check", ".", "--fix", "-q", "--fail-on", "warning", cwd=odd)
        assert (again.returncode, again.stderr) == (1, "")

    def test_a_diff_changes_nothing_and_is_what_would_change(self, odd):
        done = addison("check", "name.xml", "dims.xml", "--diff", cwd=odd)
        assert {name: (odd / name).read_text() for name in ODD} == ODD
        assert (done.returncode, done.stderr) == (1, "would fix 2 findings in 2 files\n")
        marked = [line for line in done.stdout.splitlines() if line[0] in "-+"]
        assert marked == [
            "--- name.xml",
            "+++ name.xml",
            '-<data auto_brodcast="none"/>',
            '+<data auto_broadcast="none"/>',
            "--- dims.xml",
            "+++ dims.xml",
            "-<dim>4</dim>",
            "+<dim>3</dim>",
        ]

    def test_a_diff_of_nothing(self, tree):
        done = addison("check", "fine.xml", "--diff", "--fix", cwd=tree)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert addison("check", "clash.xml", "--diff", cwd=tree).returncode == 1
        assert addison("check", "gone.xml", "--diff", cwd=tree).returncode == 2
        assert addison("check", "fine.xml", "--diff", "--format", "json", cwd=tree).returncode == 2

    def test_a_diff_on_a_terminal_does_not_steer_it(self, odd):
        (odd / "name.xml").write_text(ODD["name.xml"].replace('name="add"', 'name="\x9b31m\u202e"'))
        seen, terminal = pty.openpty()
        asked = [sys.executable, "-m", "addison", "check", "name.xml", "--diff", "-q"]
        with subprocess.Popen(asked, cwd=odd, stdout=terminal, stderr=subprocess.DEVNULL) as running:
            os.close(terminal)
            said = b""
            with suppress(OSError):  # the end, on Linux
                while piece := os.read(seen, 4096):
                    said += piece
        os.close(seen)
        assert running.returncode == 1
        assert "\\x9b31m\\u202e" in said.decode()
        assert "\x9b" not in said.decode()


def test_the_hook_runs_what_there_is(root):
    hook = (root / ".pre-commit-hooks.yaml").read_text()
    read = dict(line.lstrip("- ").split(": ", 1) for line in hook.splitlines())
    assert (read["id"], read["language"], read["files"]) == ("addison-check", "python", r"\.xml$")
    program, *verb = read["entry"].split()
    assert program in (root / "pyproject.toml").read_text().split("[project.scripts]")[1]
    assert addison(*verb, "examples/broadcast.xml", cwd=root).returncode == 0


def test_a_silence_in_the_file(tree):
    text = FILES["clash.xml"].replace("<data", "<!-- addison: ignore A302 --><data", 1)
    (tree / "clash.xml").write_text(text)
    done = addison("check", "clash.xml", cwd=tree)
    assert (done.returncode, done.stdout) == (0, "clash.xml: no findings\n")
