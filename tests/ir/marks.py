"""Files with the place of their fault marked «so»: what a finding must point at, counted from the text alone."""

import re
from typing import NamedTuple


class Place(NamedTuple):
    """Characters of a text: ``start`` and ``stop`` from 0, ``line`` and ``column`` from 1."""

    start: int
    stop: int
    line: int
    column: int


def unmarked(text: str) -> tuple[str, Place]:
    """The text without its one pair of marks, and the place they stood around.

    >>> unmarked('<a>\\n<b c="«d»"/>')
    ('<a>\\n<b c="d"/>', Place(start=10, stop=11, line=2, column=7))
    """
    before, _, rest = text.partition("«")
    marked, closed, after = rest.partition("»")
    assert closed, "no marks"
    assert "«" not in after
    place = Place(
        len(before), len(before) + len(marked), before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    )
    return before + marked + after, place


def in_lines(text: str) -> str:
    """One tag a line, marks kept around their tag.

    >>> in_lines('<a>«<b/>»</a>')
    '<a>\\n«<b/>»\\n</a>'
    """
    return re.sub(r">(»?)(«?)<", r">\1\n\2<", text)
