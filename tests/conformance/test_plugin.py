"""The pytest plugin, in a pytest of its own."""

import os
import subprocess
import sys

import pytest

GOOD = """
import addison, pytest

@pytest.mark.addison_cases("sum/u8/*", "error/types/*")
def test_add(addison_case, assert_same_bits):
    addison_case.check(addison.add)
    assert addison_case.says
    if addison_case.error is None:
        assert_same_bits(addison.add(addison_case.a, addison_case.b, auto_broadcast=addison_case.auto_broadcast,
                                     axis=addison_case.axis), addison_case.sum)
        assert tuple(addison_case.shape.sizes) == addison_case.sum.shape
"""

WRONG = """
import numpy as np, pytest
from addison.pytest_plugin import assert_same_bits

def saturating(a, b, auto_broadcast, axis):
    return np.minimum(a.astype(int) + b, 255).astype("u1")

@pytest.mark.addison_cases("sum/u8/wrap")
def test_add(addison_case):
    addison_case.check(saturating)

def test_bits():
    assert_same_bits(np.float32([0.0]), np.float32([-0.0]))
"""


def run(folder, text, *options):
    (folder / "test_it.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:cacheprovider\n")
    command = [sys.executable, "-m", "pytest", "-p", "addison.pytest_plugin", "-q", "-W", "error", *options]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, check=False, env={**os.environ, "NO_COLOR": "1"}
    )


def test_a_right_engine_passes_and_the_marker_chooses(tmp_path):
    done = run(tmp_path, GOOD, "-vv")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "test_add[sum/u8/wrap] PASSED" in done.stdout
    assert "test_add[error/types/f32+f16] PASSED" in done.stdout
    assert "sum/i8" not in done.stdout


def test_the_option_chooses_among_them(tmp_path):
    done = run(tmp_path, GOOD, "--addison-cases", "*/wrap")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout


def test_a_wrong_engine_fails_and_the_verdict_is_shown(tmp_path):
    done = run(tmp_path, WRONG)
    assert done.returncode == 1
    assert "2 failed" in done.stdout
    assert "saturated instead of wrapped" in done.stdout
    assert "1 of 1 element differs: 1 the other zero" in done.stdout


def test_a_pattern_like_nothing_is_said(tmp_path):
    done = run(tmp_path, GOOD, "--addison-cases", "product/*")
    assert done.returncode not in (0, 1)
    assert "no golden vector is like 'product/*'" in done.stdout + done.stderr


@pytest.mark.parametrize("line", ["addison_cases", "--addison-cases"])
def test_it_says_what_it_adds(line, tmp_path):
    done = run(tmp_path, GOOD, "--markers" if line == "addison_cases" else "--help")
    assert line in done.stdout
