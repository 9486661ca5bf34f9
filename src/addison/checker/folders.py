"""The IR files below a folder: every ``*.xml`` whose root is ``<net>``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from xml.parsers import expat

_START = 64 << 10
"""Bytes in which the root has to begin."""


def models_below(folder: str, excludes: Callable[[str], bool] = lambda path: False) -> list[str]:
    """Every IR file below a folder, sorted. Folders whose name starts with a dot, links to folders, and what
    ``excludes`` takes are passed over, and so are XML files of other kinds.

    >>> models_below("examples")[:2]
    ['examples/bias.xml', 'examples/broadcast.xml']
    """
    return sorted(path for path in _xml_below(folder, excludes) if has_net(path))


def _xml_below(folder: str, excludes: Callable[[str], bool]) -> Iterator[str]:
    for at, folders, files in os.walk(folder):  # follows no links, so that none leads in a circle
        here = Path(at)
        folders[:] = [one for one in folders if one[:1] != "." and not excludes(str(here / one))]
        for name in files:
            if name.lower().endswith(".xml") and not excludes(str(here / name)):
                yield str(here / name)


def has_net(path: str) -> bool:
    """Whether the root of an XML file is ``<net>``, as far as what stands before it can be read.

    Also for a file that cannot be opened, and one that is broken before its root: both are worth a word.
    """
    roots: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, attributes: roots.append(tag)
    try:
        with Path(path).open("rb") as file:
            start = file.read(_START)
    except OSError:
        return True
    with suppress(expat.ExpatError):
        parser.Parse(start, False)
    return roots[0].lower() == "net" if roots else _NET.search(start) is not None


_NET = re.compile(rb"<net[\s/>]", re.IGNORECASE)
