"""``import addison``: light, lazy, and each name found once."""

import subprocess
import sys

import pytest

import addison


def test_importing_it_imports_no_numpy():
    script = "import sys, addison; addison.infer_shape((2,), (2,)); addison.Tensor; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_name_is_kept_after_its_first_use():
    assert addison.add is addison.add
    assert "add" in vars(addison)
    assert addison.add.__module__ == "addison"


def test_dir_lists_the_public_names():
    assert set(addison.__all__) == set(dir(addison))
    assert {"add", "infer_shape", "Tensor", "Shape", "Dim", "ElementType", "engines"} <= set(dir(addison))


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="has no attribute 'subtract'"):
        _ = addison.subtract
