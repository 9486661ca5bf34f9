"""Places in long lines and in many lines: found from marks, and the same as by counting from the start."""

import random

import pytest

from addison import diagnostics
from addison.diagnostics import Source


def counted(text, upto):
    """Line and column after so many characters, counted from the first."""
    before = text[:upto]
    return before.count("\n") + 1, upto - before.rfind("\n")


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "iso-8859-1"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_places_are_those_that_counting_gives(codec, mark, monkeypatch):
    monkeypatch.setattr(diagnostics, "_PIECE", 16)
    chance = random.Random(codec + mark)
    letters, mark = ("abé\n\r", "") if codec == "iso-8859-1" else ("abé😀\n\r\u0a0a\u0100", mark)
    for _ in range(100):
        text = "".join(chance.choice(letters) for _ in range(chance.randrange(200)))
        source = Source("x", (mark + text).encode(codec), "utf-16" if mark and "16" in codec else codec)
        for upto in range(len(text) + 1):
            assert source.place(len((mark + text[:upto]).encode(codec))) == counted(text, upto)
        for number, line in enumerate(text.split("\n"), 1):
            assert source.line(number) == line.strip("\r")
            assert source.line(number, len(line) // 2 + 1, 7) == line[len(line) // 2 :][:7].strip("\r")
        assert source.line(0) == source.line(text.count("\n") + 2) == ""


def test_bytes_that_are_no_characters_have_a_place(monkeypatch):
    monkeypatch.setattr(diagnostics, "_PIECE", 4)
    for encoding in ("utf-8", "utf-16", "us-ascii"):
        source = Source("x", bytes(range(128, 256)) * 2, encoding)
        assert {source.place(byte)[0] for byte in range(256)} == {1}
