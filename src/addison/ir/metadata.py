"""What ``<rt_info>`` says: of a graph, as one flat mapping; of layers and ports, as notes that may hold others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from addison.ir.events import IGNORED, Context, Enter
from addison.ir.model import Note

MOST_METADATA = 10_000
"""Entries of a graph's rt_info that are kept."""
LONGEST_KEY = 1000
"""Characters of a path in rt_info; what lies deeper is not kept."""


_STEP = re.compile(r"\\(.)|(/)|([^\\/]+|\\)", re.DOTALL)
_TAG = re.compile(r"(?!xml)[a-z_][a-z0-9_.-]*", re.IGNORECASE | re.ASCII)


def step(name: str) -> str:
    r"""A name as it stands in a path.

    >>> step("a/b"), step("c")
    ('a\\/b', 'c')
    """
    return name.replace("\\", "\\\\").replace("/", "\\/") if "/" in name or "\\" in name else name


def steps(path: str) -> list[str]:
    r"""The names that a path consists of.

    >>> steps(r"a\/b/c")
    ['a/b', 'c']
    """
    names = [""]
    for escaped, slash, plain in _STEP.findall(path):
        if slash:
            names.append("")
        else:
            names[-1] += escaped or plain
    return names


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


@dataclass(frozen=True, slots=True)
class Branch:
    """An element of a graph's rt_info."""

    tag: str
    attributes: dict[str, str]
    branches: dict[str, Branch] = field(default_factory=dict)

    @property
    def inside(self) -> Sequence[Branch]:
        return tuple(self.branches.values())


def branches(entries: Mapping[str, str]) -> Sequence[Branch]:
    """The elements that Metadata reads as these entries. A name that is no tag stands in an attribute, as OpenVINO has
    it.

    >>> [(one.tag, one.attributes, len(one.inside)) for one in branches({"a/b": "1", "a/c": "2", "x y": "3"})]
    [('a', {}, 2), ('info', {'name': 'x y', 'value': '3'}, 0)]
    """
    root = Branch("rt_info", {})
    for path, value in entries.items():
        at = root
        for name in steps(path):
            if name not in at.branches:
                tagged = _TAG.fullmatch(name) is not None
                at.branches[name] = Branch(name, {}) if tagged else Branch("info", {"name": name})
            at = at.branches[name]
        at.attributes["value"] = value
    return root.inside
