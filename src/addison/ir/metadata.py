"""What ``<rt_info>`` says: of a graph, as one flat mapping; of layers and ports, as notes that may hold others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from addison.ir.events import IGNORED, Context, Enter
from addison.ir.model import Note

MOST_METADATA = 10_000
"""Entries of a graph's rt_info that are kept."""
LONGEST_KEY = 1000
"""Characters of a path in rt_info; what lies deeper is not kept."""


def step(name: str) -> str:
    r"""A name as it stands in a path.

    >>> step("a/b"), step("c")
    ('a\\/b', 'c')
    """
    return name.replace("\\", "\\\\").replace("/", "\\/") if "/" in name or "\\" in name else name


class Metadata:
    """A graph's rt_info, any tags inside each other, kept as ``"path/to/tag": value``."""

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}
        self._path: list[str] = []
        self._inside = Context({}, self._path.pop, self._enter)

    def enter(self, attributes: dict[str, str], byte: int) -> Context:
        self._path.append("")
        return self._inside

    def _enter(self, tag: str, attributes: dict[str, str], byte: int) -> Context:
        path = self._path[-1] + step(attributes.get("name", tag))
        if len(path) > LONGEST_KEY:
            return IGNORED
        value = attributes.get("value")
        if value is None and tag == "unset":  # how old converters listed what was left at its default
            value = attributes.get("unset_cli_parameters")
        if value is not None and len(self.entries) < MOST_METADATA:
            self.entries[path] = value
        self._path.append(f"{path}/")
        return self._inside


class Notes:
    """Elements and what stands inside them, as values; each outermost one is handed to ``keep`` when it ends."""

    def __init__(self, keep: Callable[[Note], object], side: Literal["", "input", "output"] = "") -> None:
        self._keep = keep
        self._side = side
        self._open: list[tuple[str, Mapping[str, str], list[Note]]] = []
        self._inside = Context({}, self._close, self._enter)

    def context(self, children: Mapping[str, Enter | Context] = MappingProxyType({})) -> Context:
        """An element inside which every tag that is not among ``children`` becomes a note."""
        return Context(children, other=self._enter)

    def _enter(self, tag: str, attributes: dict[str, str], byte: int) -> Context:
        self._open.append((tag, attributes, []))
        return self._inside

    def _close(self) -> None:
        tag, attributes, inside = self._open.pop()
        if self._open:
            self._open[-1][2].append(Note(tag, attributes, tuple(inside)))
        else:
            self._keep(Note(tag, attributes, tuple(inside), self._side))
