"""Every verb on every hostile file: an answer or a refusal, within 200 MB, and nothing that steers a terminal.

Nothing is timed. What does not end is stopped by the worker, after far more time than it takes.
"""

import json
import subprocess
import sys

import pytest

from tests.hostile.files import CASES, EVERY_VERB
from tests.hostile.worker import STEERS

MOST_MEMORY = 200 << 20
"""Bytes that a case may take besides what Python, NumPy and this package take before it."""


@pytest.fixture(scope="module")
def outcomes(root):
    """What the worker says of each case."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.worker"],
        capture_output=True,
        text=True,
        cwd=root,
        check=True,
        timeout=900,
    )
    return {one["name"]: one for one in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", CASES)
def test_there_is_an_answer_or_a_refusal(name, outcomes):
    outcome = outcomes[name]
    assert "failed" not in outcome
    assert outcome["done"]
    for one in outcome["done"]:
        assert (one["arguments"], one["code"], one["steers"]) == (one["arguments"], min(one["code"], 2), [])
    assert outcome["extra"] < MOST_MEMORY


def test_what_is_wrong_inside_a_file_is_found_not_refused(outcomes):
    for name, one in outcomes.items():
        if one["done"][0]["arguments"] == list(EVERY_VERB[0]):
            assert one["done"][0]["code"] in (0, 1), name


def test_what_steers_a_terminal_is_seen():
    assert STEERS.findall("a\x1b[1m\x9b\u202e\n") == ["\x1b", "\x9b", "\u202e"]
