"""Where the output goes, and what becomes of it."""

import subprocess
import sys

import numpy as np

from tests.cli.test_command_line import addison, folder
from tests.ir.build import parameter, result, sum_of

__all__ = ["folder"]


def test_a_pipe_that_nobody_reads_is_no_finding(folder):
    for verb in ("shapes", "check", "run"):
        done = subprocess.run(
            ["bash", "-c", f'"{sys.executable}" -m addison {verb} net.xml | true; echo ${{PIPESTATUS[0]}}'],
            capture_output=True,
            text=True,
            cwd=folder,
            check=False,
        )
        assert (done.stdout, done.stderr) in (("141\n", ""), ("0\n", ""))  # 0 when the reader was slower


def test_a_full_disk_is_said(folder):
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m addison run net.xml > /dev/full'],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: the output cannot be written")


def test_closed_streams(folder):
    for closing, code in ((">&-", 0), ("2>&-", 0)):
        done = subprocess.run(
            ["bash", "-c", f'"{sys.executable}" -m addison shapes 1 2 {closing}'],
            capture_output=True,
            text=True,
            cwd=folder,
            check=False,
        )
        assert done.returncode == code
        assert "Traceback" not in done.stderr


def test_outputs_appear_together_or_not_at_all(folder):
    (folder / "net.xml").write_text(
        sum_of(more=[result(4, "other")], wires=[(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (0, 0, 4, 0)])
    )
    (folder / "out" / "other.npy").mkdir(parents=True)
    (folder / "out" / "add.npy").write_text("old")
    done = addison("run", "net.xml", "--only", "add", "--only", "other", "-o", "out", cwd=folder)
    assert done.returncode == 2
    assert "other.npy" in done.stderr
    assert (folder / "out" / "add.npy").read_text() == "old"
    assert sorted(one.name for one in (folder / "out").iterdir()) == ["add.npy", "other.npy"]


def test_a_folder_without_a_name(folder):
    assert addison("run", "net.xml", "-o", "", cwd=folder).returncode == 2


def test_what_no_array_can_be(folder):
    for shape in (",".join(["1"] * 65), "0,4611686018427387904"):
        (folder / "net.xml").write_text(sum_of(a=parameter(0, "a", shape), b=parameter(1, "b", "")))
        done = addison("run", "net.xml", cwd=folder)
        assert done.returncode == 2
        assert "limit" in done.stderr or "at most" in done.stderr or "can have" in done.stderr


def test_the_limit_counts_inputs(folder):
    (folder / "net.xml").write_text(sum_of(a=parameter(0, "a", "1000"), b=parameter(1, "b", "1000")))
    np.save(folder / "a.npy", np.zeros(1000, np.float32))
    given = ("-i", "a=a.npy", "-i", "b=a.npy")
    assert addison("run", "net.xml", *given, "--memory", "11999", cwd=folder).returncode == 2
    assert addison("run", "net.xml", *given, "--memory", "12000", cwd=folder).returncode == 0


def test_names_with_equals_signs_are_set(folder):
    (folder / "net.xml").write_text(sum_of(a=parameter(0, "y=z", "?,3"), b=parameter(1, "b", "3")))
    for verb in ("shapes", "run"):
        assert addison(verb, "net.xml", "--set", "y=z=2,3", cwd=folder).returncode == 0


def test_a_constant_that_is_not_numeric_is_refused_with_its_place(folder):
    (folder / "net.xml").write_text(
        sum_of(a=parameter(0, "a", "2,3", "boolean")).replace('"a" type="Parameter"', '"a" type="Parameter"')
    )
    done = addison("run", "net.xml", cwd=folder)
    assert done.returncode == 2
    assert "net.xml:1:" in done.stderr
    assert "boolean" in done.stderr


def test_a_shape_that_the_model_does_not_take_is_refused_with_both(folder):
    (folder / "net.xml").write_text(sum_of(a=parameter(0, "a", "?,3"), b=parameter(1, "b", "3")))
    for verb in ("shapes", "run"):
        done = addison(verb, "net.xml", "--set", "a=4,5", cwd=folder)
        assert done.returncode == 2
        assert "the shape [4,5] set for the input 'a' is not within the model's [?,3]" in done.stderr
