"""Fixtures of the core's tests, which are skipped as a whole where there is no core."""

import contextlib
import os
import subprocess
import sys

import pytest

from addison.engines import native

LOWERED = {
    "chunk": 256,
    "row": 32,
    "streamed_row": 128,
    "tile": 512,
    "long_tile": 1024,
    "block": 512,
    "chain_row": 32,
    "chain_ahead": 2000,
    "in_level1": 1024,
    "far": 20_000,
    "far_block": 2048,
    "in_level2": 6000,
    "least_block": 256,
    "ahead": 1000,
    "stream": 4000,
    "share_spinning": 3000,
    "share_far": 3000,
    "share_parked": 3000,
    "piece": 1000,
    "unlock": 6000,
    "recycle": 4096,
}
"""Thresholds so low that arrays of a few kilobytes reach every path."""

LEVELS = tuple(native.info()["levels"])
"""The instruction-set levels that this machine runs."""


def pytest_collection_modifyitems(items):
    if native.available():
        return
    for item in items:
        if "engines/native/" in item.path.as_posix() and item.path.name != "test_install.py":
            item.add_marker(pytest.mark.skip(reason="the core is not built here"))


@contextlib.contextmanager
def thresholds(**bytes_):
    """The core with other thresholds."""
    before = {name: native._core.tune(name, value) for name, value in bytes_.items()}
    try:
        yield
    finally:
        for name, value in before.items():
            native._core.tune(name, value)


@pytest.fixture(params=["thresholds as they are", "thresholds lowered"])
def either_size(request):
    """The core as it is, then with every threshold lowered."""
    with thresholds(**(LOWERED if "lowered" in request.param else {})):
        yield


@pytest.fixture
def lowered():
    with thresholds(**LOWERED):
        yield


def run_python(script, *arguments, **environment):
    """A script in a process of its own; the variables of the core are those given, and no others."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ADDISON_")}
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        env=clean | environment,
        check=False,
        capture_output=True,
        text=True,
    )
