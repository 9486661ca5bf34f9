"""Installing from source where there is no compiler: a pure Python package, or a failure where the core is required."""

import importlib.util
import os
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("scikit_build_core") is None or importlib.util.find_spec("pip") is None,
    reason="the build back end is not installed here",
)


def install(root, folder, **environment):
    source = folder / "source"
    for name in ("src", "core"):
        shutil.copytree(root / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for name in ("pyproject.toml", "CMakeLists.txt", "LICENSE", "README.md"):
        shutil.copy(root / name, source)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ADDISON_")}
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--no-index"]
    return subprocess.run(
        [*command, "--target", folder / "site", source],
        env=clean | {"CXX": "/bin/false"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_compiler_it_is_pure_python_and_adds(root, tmp_path):
    done = install(root, tmp_path)
    assert done.returncode == 0, done.stderr
    assert not list((tmp_path / "site").rglob("*.so"))
    script = (
        "import numpy as np, addison; a = np.ones(3, 'f4'); assert (addison.add(a, a) == 2).all()\n"
        "from addison.engines import native; assert not native.info()['core'] and native.info()['missing']\n"
        "assert addison.set_num_threads(2) == 1 and addison.trim() == 0 and addison.engines.DEFAULT == 'reference'\n"
        "assert 'native' not in addison.engines.names(); print(addison.add.__module__)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout == "addison\n", run.stderr


def test_where_the_core_is_required_the_installation_fails(root, tmp_path):
    done = install(root, tmp_path, ADDISON_REQUIRE_NATIVE="1")
    assert done.returncode != 0
    assert not (tmp_path / "site" / "addison").exists()
