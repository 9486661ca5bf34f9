"""Who may import whom, and what an import costs."""

import json
import subprocess
import sys

import pytest

HEAVY = ("numpy", "ml_dtypes", "rich", "importlib.metadata", "openvino")


def modules_after(code):
    """The names of all modules that a fresh interpreter has after running ``code``."""
    asked = f"{code}\nimport sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_helper_sees_numpy_when_it_is_there():
    assert "numpy" in modules_after("import numpy")


@pytest.mark.parametrize(
    "code",
    [
        "import addison",
        "import addison; addison.infer_shape((2, 3), (3,))",
        "import addison; addison.check(b'<net version=\"11\"/>')",
        "import addison; addison.read_model(b'<net version=\"11\"/>')",
        "import addison; addison.Tensor('u4', (1,), b'1').tolist()",
        "from addison.cli.main import group\ngroup.main(['check', 'examples/broadcast.xml'], standalone_mode=False)",
        "from addison.cli.main import group\ngroup.main(['shapes', '8,1,6,1', '7,1,5'], standalone_mode=False)",
        "from addison.cli.main import group\ngroup.main(['show', 'examples/broadcast.xml'], standalone_mode=False)",
        "import addison; str(addison.explain('f64', 0.1, '0x1')); addison.explain('u6')._repr_html_()",
        "from addison.cli.main import group\ngroup.main(['explain', 'A302'], standalone_mode=False)",
        "from addison.cli.main import group\ngroup.main(['explain', 'f16', '1', '-2'], standalone_mode=False)",
    ],
)
def test_what_needs_no_arrays_imports_none_of_the_heavy(code, monkeypatch, root):
    monkeypatch.chdir(root)
    assert modules_after(code).isdisjoint(HEAVY)


def test_import_addison_imports_nothing_else_of_its_own():
    assert {name for name in modules_after("import addison") if name.startswith("addison")} == {"addison"}


def test_no_module_is_longer_than_a_file_about_one_thing_should_be(root):
    long = {
        str(path.relative_to(root)): lines
        for path in (root / "src").rglob("*.py")
        if (lines := len(path.read_text().splitlines())) > 500
    }
    assert not long
