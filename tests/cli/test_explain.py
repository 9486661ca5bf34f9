"""``addison explain`` as a user types it."""

import json
import os
import subprocess
import sys

import pytest

from addison.cli.main import main


@pytest.fixture
def addison(capsys):
    """Runs a command line in this process: the exit code, what was printed, and what was complained of."""

    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main(["explain", *arguments])
        return left.value.code, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        ("f8e4m3 448 + -32", "f8e4m3: 448 + -32 = 416"),
        ("f8e4m3 448 -32", "f8e4m3: 448 + -32 = 416"),
        ("f8e4m3 0x7e + 0xe0", "f8e4m3: 0x7e (448) + 0xe0 (-32) = 416"),
        ("bf16 692 + 720", "bf16: 692 + 720 = 1408"),
        ("u4 15 + 1", "u4: 15 + 1 = 0"),
        ("i8 -128 + -1", "i8: -128 + -1 = 127"),
        ("f16 nan + 1", "f16: nan + 1 = nan"),
        ("f16 -inf + -NaN", "f16: -inf + -NaN = nan"),
        ("f16 -.5 -1e-3", "f16: -.5 + -1e-3 (-0.00100040435791015625) = -0.5009765625"),
        ("f16 -0", "f16: -0"),
        ("f8e4m3", "f8e4m3"),
        ("pdpd", 'auto_broadcast="pdpd"'),
        ("A302", "# A302 shapes-clash"),
        ("a302", "# A302 shapes-clash"),
        ("2,3,4 + 5,3,2", "[2,3,4] + [5,3,2] clash under numpy"),
        ("2,3,4 5,3,2", "[2,3,4] + [5,3,2] clash under numpy"),
        ("8,1,6,1 7,1,5 --auto-broadcast numpy --axis -1", "[8,1,6,1] + [7,1,5] -> [8,7,6,5] under numpy"),
        ("--axis 1 --auto-broadcast pdpd 2,3,4 + 3", "[2,3,4] + [3] -> [2,3,4] under pdpd, axis 1"),
        ("-1,3 + 2,1", "[?,3] + [2,1] -> [2,3] under numpy"),
        ("2,3 -1,3 --auto-broadcast=pdpd --axis=-1", "[2,3] + [?,3] -> [2,3] under pdpd, axis -1"),
        ("-1 -1", "[?] + [?] -> [?] under numpy"),
        ("... [2,3]", "[...] + [2,3] -> [...] under numpy"),
        ("-- -1 2", "[?] + [2] -> [2] under numpy"),
    ],
)
def test_what_can_be_asked(addison, arguments, first):
    code, printed, complained = addison(*arguments.split())
    assert (code, complained) == (0, "")
    assert printed.splitlines()[0] == first
    code, printed, complained = addison("--format", "json", *arguments.split())
    assert (code, complained, json.loads(printed)["schema"]) == (0, "", "addison/explain/1")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["+"],
        ["f8e4m3", "+", "3"],
        ["f8e4m3", "3", "4", "+"],
        ["f8e4m3", "448", "+", "-32", "1"],
        ["f8e4m3", "448+-32"],
        ["f8e4m3", "448", "-", "32"],
        ["1", "2", "3", "4"],
        [""],
        ["2,3"],
        ["2,x", "3"],
        ["2,-3", "3"],
        ["f61"],
        ["f61", "1", "2"],
        ["A999"],
        ["boolean"],
        ["i8", "128", "1"],
        ["i8", "-129"],
        ["u8", "-1", "1"],
        ["i8", "1.5", "1"],
        ["i8", "nan", "1"],
        ["nf4", "nan"],
        ["f16", "0x10000"],
        ["f16", "one"],
        ["f16", "1e9999999999999999999"],
        ["f16", "9" * 5000],
        ["2," * 5000, "2"],
        ["2,3", "2,4", "--auto-broadcast", "nump"],
        ["2,3", "2,4", "--axis", "1"],
        ["2,3", "2,4", "--axis", "one"],
        ["f16", "--auto-broadcast", "pdpd"],
        ["f16", "1", "2", "--axis", "0"],
        ["f16", "--format", "xml"],
        ["f16", "-x"],
        ["f16", "--nonsense"],
        ["f16", "-1\x1b[31m", "2"],
        ["\x1b[31m", "\u202e"],
        ["../../etc/passwd"],
        ["A302/../A301"],
        ["\ud800"],
    ],
)
def test_nonsense(addison, arguments):
    code, printed, complained = addison(*arguments)
    assert (code, printed) == (2, "")
    assert "rror" in complained
    assert "Traceback" not in complained
    assert len(complained) < 1500
    assert "\x1b" not in complained
    assert "\u202e" not in complained


def test_near_misses_are_told(addison):
    assert "did you mean f8e4m3?" in addison("f8e4m4", "3", "+", "4")[2]
    assert "did you mean pdpd?" in addison("pddp")[2]
    assert "did you mean numpy?" in addison("2", "2", "--auto-broadcast", "nunpy")[2]


def test_errors_as_json(addison):
    code, printed, _ = addison("i8", "200", "1", "--format", "json")
    read = json.loads(printed)
    assert (code, read["schema"], read["error"]) == (2, "addison/error/1", "InvalidInput")
    assert read["fields"] == {"element_type": "i8", "found": 200, "low": -128, "high": 127}


def test_as_a_process_of_its_own():
    done = subprocess.run(
        [sys.executable, "-m", "addison", "explain", "i8", "-128", "+", "-1"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("i8: -128 + -1 = 127\n")
