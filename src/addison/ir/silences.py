"""Comments that silence findings: ``<!-- addison: ignore A302 -->`` inside a layer. Found while reading; the checker
heeds them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

MOST_SILENCES = 10_000
"""Comments that are heeded in one file."""
LONGEST = 1000
"""Characters of a comment that are looked at."""

_COMMENT = re.compile(r"\s*addison:\s*ignore\b(?P<codes>.*)", re.ASCII | re.DOTALL)


class Silence(NamedTuple):
    """A comment that starts with ``addison:``, at byte ``at``; ``inside`` are the bytes of the layer around it, None
    when there is none. Without ``codes`` it could not be read."""

    codes: tuple[str, ...]
    at: int
    inside: tuple[int, int] | None = None


def codes_of(text: str) -> tuple[str, ...]:
    """The codes that a comment names.

    >>> codes_of(" addison: ignore A302, W106 A105 ")
    ('A302', 'W106', 'A105')
    """
    found = _COMMENT.fullmatch(text.strip()[:LONGEST])
    return tuple(re.findall(r"[^\s,]+", found["codes"])) if found else ()


class Silences:
    """Collects the comments of a file while it is read."""

    def __init__(self) -> None:
        self.found: list[Silence] = []
        self.open: dict[int, list[int]] = {}

    def comment(self, text: str, start: int, layer: int | None) -> None:
        """A comment at byte ``start``, in the layer whose tag starts at byte ``layer``."""
        if len(self.found) < MOST_SILENCES and text.lstrip().startswith("addison:"):
            if layer is not None:
                self.open.setdefault(layer, []).append(len(self.found))
            self.found.append(Silence(codes_of(text), start))

    def close(self, layer: int, stop: Callable[[], int]) -> None:
        """The end of a layer."""
        for number in self.open.pop(layer, ()):
            self.found[number] = self.found[number]._replace(inside=(layer, stop()))
