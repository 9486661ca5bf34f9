"""The fuzz harness runs for a while and finds nothing; and it does find what there is to find."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.fuzz

PLANTED = (
    "import addison.checker.check as planted\nplanted._bounded = lambda found: found[0].nothing if found else found\n"
)


def fuzzed(folder, root, *arguments, before=""):
    """What the harness says, run in a process of its own; what it keeps goes into the folder."""
    code = f"{before}import runpy, sys\nsys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')\n"
    return subprocess.run(
        [sys.executable, "-c", code, str(root / "fuzz" / "fuzz_check.py"), *map(str, arguments)],
        capture_output=True,
        cwd=folder,
        check=False,
    )


def test_nothing_but_findings_and_refusals_comes_out(tmp_path, root):
    seconds = int(os.environ.get("ADDISON_FUZZ_SECONDS", "60"))
    (tmp_path / "kept").mkdir()
    done = fuzzed(
        tmp_path, root, "kept", root / "fuzz" / "corpus", f"-max_total_time={seconds}", "-max_len=20000",
        "-timeout=120", "-rss_limit_mb=1000",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-5_000:]
    assert list(tmp_path.glob("crash-*")) == []
    assert len(list((tmp_path / "kept").iterdir())) > 10


def test_another_exception_is_a_crash(tmp_path, root):
    done = fuzzed(tmp_path, root, root / "fuzz" / "corpus" / "empty.xml", before=PLANTED)
    assert done.returncode != 0
    assert b"AttributeError" in done.stdout + done.stderr
