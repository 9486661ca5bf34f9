"""The command line, as a user types it: what is printed where, exit codes, nonsense in."""

import json
import os
import pty
import signal
import subprocess
import sys
import time

import ml_dtypes
import numpy as np
import pytest

from addison import __version__
from addison.cli.main import main
from addison.engines import native
from tests.ir.build import add, const, data, net, parameter, port, result, sum_of
from tests.runtime.test_program import chain

A = np.arange(6, dtype=np.float32).reshape(2, 3)


def addison(*arguments, cwd=None, **environment):
    return subprocess.run(
        [sys.executable, "-m", "addison", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        timeout=120,
        env={**os.environ, **environment},
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "net.xml").write_text(sum_of(b=parameter(1, "b", "3")))
    np.save(tmp_path / "a.npy", A)
    np.save(tmp_path / "b.npy", A[0])
    return tmp_path


class TestRun:
    def test_files_in_files_out(self, folder):
        done = addison("run", "net.xml", "-i", "a=a.npy", "-i", "b=b.npy", "-o", "out", cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
        np.testing.assert_array_equal(np.load(folder / "out" / "add.npy"), A + A[0])
        assert "out/add.npy" in done.stdout

    def test_without_inputs_it_says_that_they_are_made_up(self, folder):
        done = addison("run", "net.xml", "--seed", "3", cwd=folder)
        assert done.returncode == 0
        assert done.stdout.count("made from seed 3") == 2
        assert done.stdout == addison("run", "net.xml", "--seed", "3", cwd=folder).stdout
        assert done.stdout != addison("run", "net.xml", "--seed", "4", cwd=folder).stdout

    def test_json(self, folder):
        done = addison("run", "net.xml", "-i", "a=a.npy", "-i", "b=b.npy", "-o", "out", "--format", "json", cwd=folder)
        assert json.loads(done.stdout)["outputs"] == [
            {
                "name": "add",
                "names": ["add", "r"],
                "element_type": "f32",
                "shape": [2, 3],
                "folder": "out",
                "files": ["add.npy"],
            }
        ]

    def test_bf16_goes_round_in_every_form(self, folder):
        text = sum_of(
            a=parameter(0, "a", "2", "bf16"),
            b=parameter(1, "b", "2", "bf16"),
            add_layer=add(outputs=[port(2, (), "BF16")]),
        )
        (folder / "net.xml").write_text(text)
        values = np.array([1.5, -2], ml_dtypes.bfloat16)
        np.save(folder / "a.npy", values)
        (folder / "b.bin").write_bytes(values.tobytes())
        assert addison("run", "net.xml", "-i", "a=a.npy", "-i", "b=b.bin", "-o", "out", cwd=folder).returncode == 0
        assert (folder / "out" / "add.bin").read_bytes() == np.array([3, -4], ml_dtypes.bfloat16).tobytes()
        again = addison("run", "net.xml", "-i", "a=out/add.bin", "-i", "b=b.bin", "-o", "out2", cwd=folder)
        assert again.returncode == 0
        assert (folder / "out2" / "add.bin").read_bytes() == np.array([4.5, -6], ml_dtypes.bfloat16).tobytes()

    def test_dynamic_sizes_are_set(self, folder):
        (folder / "net.xml").write_text(sum_of(a=parameter(0, "a", "?,3"), b=parameter(1, "b", "3")))
        done = addison("run", "net.xml", cwd=folder)
        assert done.returncode == 2
        assert "--set a=1,3" in done.stderr
        done = addison("run", "net.xml", "--set", "a=4,3", cwd=folder)
        assert done.returncode == 0
        assert "f32 [4,3]" in done.stdout
        assert addison("run", "net.xml", "--set", "a=4,5", cwd=folder).returncode == 2
        assert addison("run", "net.xml", "--set", "a", cwd=folder).returncode == 2

    def test_one_layer_alone(self, folder):
        relu = (
            '<layer id="5" name="act" type="ReLU" version="opset1"><input><port id="0"/></input><output>'
            '<port id="1" precision="FP32"><dim>2</dim><dim>3</dim></port></output></layer>'
        )
        (folder / "net.xml").write_text(
            net(
                [parameter(), relu, const(1, "f32", "3", 0, 12), add(), result()],
                [(0, 0, 5, 0), (5, 1, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0)],
            )
        )
        (folder / "net.bin").write_bytes(np.array([1, 2, 3], "<f4").tobytes())
        refused = addison("run", "net.xml", cwd=folder)
        assert refused.returncode == 2
        assert "ReLU" in refused.stderr
        assert "net.xml:1:" in refused.stderr
        done = addison("run", "net.xml", "--layer", "add", "-i", "act=a.npy", "-o", "out", cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
        np.testing.assert_array_equal(np.load(folder / "out" / "add.npy"), A + np.array([1, 2, 3], np.float32))

    def test_names_of_layers_become_safe_file_names_and_json_has_both(self, folder):
        name = "../../up/\x7f:0"
        (folder / "net.xml").write_text(sum_of().replace('name="add"', f'name="{name}"').replace("\x7f", "&#127;"))
        done = addison("run", "net.xml", "-o", "out", "--format", "json", cwd=folder)
        (made,) = json.loads(done.stdout)["outputs"]
        assert made["name"] == name
        assert made["files"] == ["%2E.%2F..%2Fup%2F%7F%3A0.npy"]
        assert [path.name for path in (folder / "out").iterdir()] == made["files"]
        assert "\x7f" not in addison("run", "net.xml", cwd=folder).stdout

    def test_names_with_equals_signs(self, folder):
        (folder / "net.xml").write_text(sum_of(a=parameter(0, "a=b"), b=parameter(1, "b", "3")))
        (folder / "c=d.npy").write_bytes((folder / "a.npy").read_bytes())
        assert addison("run", "net.xml", "-i", "a=b=c=d.npy", "-i", "b=b.npy", cwd=folder).returncode == 0

    def test_a_limit_is_kept(self, folder):
        done = addison("run", "net.xml", "--memory", "8", cwd=folder)
        assert done.returncode == 2
        assert "the limit is 8" in done.stderr

    def test_the_oracle_agrees(self, folder):
        for engine in ("reference", "oracle"):
            addison("run", "net.xml", "--seed", "1", "--engine", engine, "-o", engine, cwd=folder)
        assert (folder / "oracle/add.npy").read_bytes() == (folder / "reference/add.npy").read_bytes()

    def test_remarks_go_to_standard_error_unless_quiet(self, folder):
        (folder / "net.xml").write_text(sum_of(add_layer=add(inside=data(auto_broadcast="pdpd"))))
        done = addison("run", "net.xml", cwd=folder)
        assert (done.returncode, "A105" in done.stderr, "A105" in done.stdout) == (0, True, False)
        assert addison("run", "net.xml", "-q", cwd=folder).stderr == ""


class TestShapes:
    def test_a_shape_may_begin_with_a_minus_sign(self):
        done = addison("shapes", "-1,3", "2,1", "--format", "json")
        assert json.loads(done.stdout)["shape"] == "2,3"
        done = addison("shapes", "2,3,4", "-1,4", "--auto-broadcast", "pdpd", "--axis", "1", "--format", "json")
        assert json.loads(done.stdout)["shape"] == "2,3,4"
        assert json.loads(addison("shapes", "--axis", "-1", "-1", "-1", "--format", "json").stdout)["shape"] == "?"

    def test_a_clash_is_exit_code_1(self):
        assert addison("shapes", "2,3", "2,4").returncode == 1

    @pytest.mark.parametrize(
        "arguments",
        [
            ("2,x", "3"),
            ("2",),
            ("1", "2", "3"),
            ("2", "3", "--auto-broadcast", "nump"),
            ("2", "3", "--axis", "1"),
            ("2", "3", "--axis", "x"),
            ("2", "3", "--set", "a=2"),
            ("net.xml",),
            ("-x", "2"),
            ("2,-3", "1"),
            ("9" * 5000, "1"),
            ("[", "1"),
            ("net.xml", "--axis", "0"),
        ],
    )
    def test_nonsense(self, arguments, tmp_path):
        done = addison("shapes", *arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stdout == ""
        assert "Traceback" not in done.stderr
        assert len(done.stderr) < 1500

    def test_a_model(self, folder):
        (folder / "net.xml").write_text(sum_of(a=parameter(0, "a", "?,3"), b=parameter(1, "b", "3")))
        done = addison("shapes", "net.xml", "--set", "a=7,3", cwd=folder)
        assert done.returncode == 0
        assert "f32 [7,3]  f32 [3]" in done.stdout
        (folder / "net.xml").write_text(sum_of(a=parameter(0, "a", "?,3"), b=parameter(1, "b", "4")))
        done = addison("shapes", "net.xml", cwd=folder)
        assert done.returncode == 1
        assert "A302" in done.stderr


class TestCheck:
    @pytest.mark.parametrize("form", ["json", "sarif", "github", "html"])
    def test_a_file_that_cannot_be_opened_is_in_every_list(self, folder, form):
        done = addison("check", "net.xml", "none.xml", "--format", form, cwd=folder)
        assert done.returncode == 2
        assert "F117" in done.stdout
        assert "none.xml" in done.stdout
        assert "none.xml" in done.stderr

    def test_exit_codes(self, folder):
        assert addison("check", "net.xml", cwd=folder).returncode == 0
        (folder / "bad.xml").write_text(sum_of(b=parameter(1, "b", "4")))
        assert addison("check", "bad.xml", cwd=folder).returncode == 1
        assert addison("check", "net.xml", "none.xml", "bad.xml", cwd=folder).returncode == 2
        (folder / "odd.xml").write_text(sum_of(add_layer=add(inside=data(auto_broadcast="pdpd"))))
        assert addison("check", "odd.xml", cwd=folder).returncode == 0
        assert addison("check", "odd.xml", "--fail-on", "warning", cwd=folder).returncode == 1

    def test_json_of_many_files(self, folder):
        (folder / "bad.xml").write_text(sum_of(b=parameter(1, "b", "4")))
        read = json.loads(addison("check", "net.xml", "bad.xml", "--format", "json", cwd=folder).stdout)
        assert [(one["file"], len(one["findings"])) for one in read["files"]] == [("net.xml", 0), ("bad.xml", 1)]


NONSENSE = {
    "empty": b"",
    "nul": bytes(1000),
    "text": b"hello\n",
    "cut": sum_of().encode()[:200],
    "root": b"<html></html>",
    "doctype": b'<!DOCTYPE net [<!ENTITY a "aaaa">]><net version="11">&a;</net>',
    "version": b'<net version="12"/>',
    "utf16": "<net version='9'/>".encode("utf-16"),
    "bom": b"\xef\xbb\xbf",
    "entity": b"<net version='11'>&a;</net>",
    "control": b'<net version="11" name="&#01;"/>',
    "bin": bytes(range(256)) * 50,
    "pickle": b"\x80\x04K\x01.",
}


@pytest.mark.parametrize("verb", ["run", "shapes", "check"])
@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_in_a_file(verb, kind, tmp_path):
    (tmp_path / "net.xml").write_bytes(NONSENSE[kind])
    done = addison(verb, "net.xml", cwd=tmp_path)
    assert done.returncode == (1 if verb == "check" else 2)
    assert "Traceback" not in done.stderr
    said = done.stdout if verb == "check" else done.stderr
    assert said.startswith("net.xml:1:1: error[F1") or "net.xml:1:" in said
    assert "help" in said or "XML is broken" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["run", "none.xml"],
        ["run", "."],
        ["run", "net.xml", "-i"],
        ["run", "net.xml", "-i", "a"],
        ["run", "net.xml", "-i", "=x"],
        ["run", "net.xml", "-i", "z=a.npy"],
        ["run", "net.xml", "-i", "a=a.npy"],
        ["run", "net.xml", "-i", "a=none.npy"],
        ["run", "net.xml", "-i", "a=net.xml"],
        ["run", "net.xml", "-i", "a=b.npy"],
        ["run", "net.xml", "-i", "a=a.npy", "-i", "a=a.npy"],
        ["run", "net.xml", "--engine", "fast"],
        ["run", "net.xml", "--layer", "nothing"],
        ["run", "net.xml", "--layer", "a"],
        ["run", "net.xml", "--only", "x"],
        ["run", "net.xml", "--seed", "-1"],
        ["run", "net.xml", "--memory", "lots"],
        ["run", "net.xml", "-o", "a.npy"],
        ["run", "net.xml", "--weights", "none.bin"],
        ["run", "net.xml", "--nibbles", "up"],
        ["check"],
        ["chekc", "net.xml"],
        ["check", "net.xml", "--format", "xml"],
        ["--nonsense"],
        ["run", "net.xml", "--set", "a=2,,3"],
    ],
)
def test_nonsense_on_the_command_line(arguments, folder):
    done = addison(*arguments, cwd=folder)
    assert done.returncode == 2
    assert "rror" in done.stderr
    assert "Traceback" not in done.stderr


def test_errors_as_json(folder):
    done = addison("run", "net.xml", "-i", "a=a.npy", "--format", "json", cwd=folder)
    assert done.returncode == 2
    read = json.loads(done.stdout)
    assert (read["schema"], read["error"], read["fields"]) == ("addison/error/1", "InvalidInput", {"name": "b"})


def test_the_version_names_the_engine_and_its_level():
    done = addison("--version")
    level = native.info()["level"]
    says = f"(engine native, level {level})" if native.available() else "(engine reference)"
    assert (done.returncode, done.stdout) == (0, f"addison {__version__} {says}\n")


@pytest.mark.skipif(not native.available(), reason="there is no core")
def test_the_version_where_the_level_is_wrong():
    assert "level portable)" in addison("--version", ADDISON_LEVEL="portable").stdout
    done = addison("--version", ADDISON_LEVEL="v7")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: ADDISON_LEVEL is 'v7', which is no level of this build" in done.stderr


class TestOwnFaults:
    """What no one foresaw: words and exit code 3, or with --debug the traceback."""

    @pytest.fixture(autouse=True)
    def _broken(self, monkeypatch):
        monkeypatch.setattr("addison.runtime.shapes.merge", lambda *_: 1 / 0)

    def test_in_words(self, capsys):
        with pytest.raises(SystemExit) as left:
            main(["shapes", "2", "2"])
        assert left.value.code == 3
        said = capsys.readouterr()
        assert (said.out, "ZeroDivisionError" in said.err, "addison --debug" in said.err) == ("", True, True)

    def test_with_the_traceback(self):
        with pytest.raises(ZeroDivisionError):
            main(["--debug", "shapes", "2", "2"])


def test_a_closed_pipe_is_no_error(folder):
    (folder / "net.xml").write_text(chain(3000))
    (folder / "net.bin").write_bytes(bytes(4))
    done = subprocess.run(
        f"{sys.executable} -m addison shapes net.xml --all | head -1",
        shell=True,
        text=True,
        cwd=folder,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_an_ascii_terminal_shows_other_scripts_written_out(folder):
    (folder / "net.xml").write_text(sum_of().replace('name="add"', 'name="größe"'))
    done = addison("run", "net.xml", cwd=folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert "gr\\xf6\\xdfe" in done.stdout


def test_colour_on_request_and_never_against_it(folder):
    (folder / "net.xml").write_text(sum_of(b=parameter(1, "b", "4")))
    assert "\x1b[1;31m" in addison("check", "net.xml", cwd=folder, FORCE_COLOR="1").stdout
    assert "\x1b" not in addison("check", "net.xml", cwd=folder).stdout
    assert "\x1b" not in addison("check", "net.xml", cwd=folder, FORCE_COLOR="1", NO_COLOR="1").stdout


def test_an_interrupt_leaves_nothing_half_written(folder):
    (folder / "net.xml").write_text(chain(20_000).replace('shape="2"', 'shape="200"'))
    (folder / "net.bin").write_bytes(bytes(4))
    asked = [sys.executable, "-m", "addison", "run", "net.xml", "--engine", "oracle", "-o", "out"]
    with subprocess.Popen(asked, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        time.sleep(3)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said.strip() == "interrupted"
    assert not (folder / "out").exists() or list((folder / "out").iterdir()) == []


def test_a_bar_appears_on_a_terminal_after_a_second_of_work(folder):
    (folder / "net.xml").write_text(chain(2_000).replace('shape="2"', 'shape="200"'))
    (folder / "net.bin").write_bytes(bytes(4))
    seen, terminal = pty.openpty()
    asked = [sys.executable, "-m", "addison", "run", "net.xml", "--engine", "oracle"]
    with subprocess.Popen(
        asked, cwd=folder, stdout=subprocess.DEVNULL, stderr=terminal, env={**os.environ, "TERM": "xterm"}
    ) as running:
        os.close(terminal)
        said = b""
        while b"running" not in said:
            try:
                piece = os.read(seen, 4096)
            except OSError:
                break
            said += piece
        running.kill()
    os.close(seen)
    assert b"running" in said
