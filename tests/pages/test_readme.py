"""README is run: its Python examples, and its commands with what they print."""

import doctest
import os
import re
import shlex
import subprocess
import sys

import pytest

import addison


@pytest.fixture
def readme(root):
    return (root / "README.md").read_text()


def transcripts(page):
    """Each ``$ command`` of the page's console blocks, and the lines that stand under it."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed))
    return found


def test_python_examples(readme, root, monkeypatch):
    monkeypatch.chdir(root)
    test = doctest.DocTestParser().get_doctest(readme, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 10
    said = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert "".join(said) == ""


def test_commands_print_what_the_page_says(readme, root):
    found = transcripts(readme)
    assert len(found) >= 4
    for command, printed in found:
        words = shlex.split(command)
        assert words[0] == "addison"
        done = subprocess.run(
            [sys.executable, "-m", *words],
            capture_output=True,
            text=True,
            cwd=root,
            check=False,
            env={**os.environ, "NO_COLOR": "1"},
        )
        assert done.stderr == ""
        assert done.stdout == printed.replace(
            "engine native", f"engine {addison.engines.DEFAULT}"
        )  # without a compiler


def test_a_wrong_transcript_is_seen():
    assert transcripts("```console\n$ addison x\nout\n```") == [("addison x", "out\n")]


def test_the_first_screen_has_two_commands_that_set_everything_up(readme):
    commands = [line for line in readme.splitlines()[:30] if line.startswith("python3 -m venv")]
    assert len(commands) == 2


def test_links_point_at_files_that_are_there(readme, root):
    for target in re.findall(r"\]\(([^)#:]+)\)", readme):
        assert (root / target).exists(), target
