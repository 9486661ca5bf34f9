"""Audits and runtimes on the command line: what is printed where, and exit codes."""

import json
import subprocess
import sys

import numpy as np
import openvino
import pytest

from tests.conformance import audited


def addison(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "addison", *arguments], capture_output=True, text=True, cwd=cwd, check=False, timeout=300
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    audited.saved(folder, audited.sums(openvino.Type.i8))
    audited.inputs(folder, a=np.int8([100, 1, 2, 3]), b=np.int8([100, 1, 2, 3]))
    return folder


def test_an_audit_with_a_wrong_add_is_exit_code_1(folder):
    done = addison("compare", "net.xml", "--runtime", "openvino-cpu", "-i", "a=a.npy", "-i", "b=b.npy", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")
    assert "the first to depart in topological order: #0 'first'" in done.stdout
    assert "INFERENCE_PRECISION_HINT=f32" in done.stdout


def test_json_of_some_layers(folder):
    done = addison(
        "compare",
        "net.xml",
        "--runtime",
        "openvino-cpu",
        "--seed",
        "4",
        "--layers",
        "sec*",
        "--format",
        "json",
        cwd=folder,
    )
    document = json.loads(done.stdout)
    assert [one["path"] for one in document["adds"]] == ["second"]
    assert (document["schema"], document["seed"]) == ("addison/audit/1", 4)


def test_vectors_verified_in_a_runtime(folder):
    done = addison("vectors", "verify", "--runtime", "openvino-reference", "--only", "sum/i8/*", cwd=folder)
    assert done.returncode == 0
    assert "nothing differs from the specification" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["compare", "net.xml"], "A and B"),
        (["compare", "net.xml", "net.xml", "--runtime", "openvino-cpu"], "--runtime goes with one model"),
        (["compare", "net.xml", "--runtime", "openvino-gpu"], "there is no runtime 'openvino-gpu'"),
        (["compare", "net.xml", "--runtime", "numpy"], "does not run whole models"),
        (["compare", "net.xml", "net.onnx"], "is a model"),
        (["compare", "net.onnx", "a.npy"], "MODEL.onnx MODEL.xml"),
        (["compare", "net.xml", "--runtime", "openvino-cpu", "-i", "c=a.npy"], "no input 'c'"),
        (["vectors", "verify", "--runtime", "numpy", "--engine", "oracle"], "do not go together"),
        (["vectors", "verify", "--page", "x.md"], "--page goes with --runtime"),
    ],
)
def test_wrong_use_is_exit_code_2_and_words(folder, arguments, says):
    done = addison(*arguments, cwd=folder)
    assert done.returncode == 2
    assert says in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
