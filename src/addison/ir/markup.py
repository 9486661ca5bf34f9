"""XML text, an element a line, onto a file: attributes escaped, and what XML cannot say refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import BinaryIO

_ESCAPED = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
_UNSAYABLE = r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_NAME = r"[A-Za-z_:\x80-\U0010ffff][A-Za-z0-9_:.\x80-\U0010ffff-]*"
_compiled = cache(re.compile)  # when first needed: such wide ranges take milliseconds, and readers of files need none


class Unsayable(Exception):
    """A text that no XML 1.0 file can hold."""

    def __init__(self, text: str, found: str) -> None:
        super().__init__(text)
        self.text = text
        self.found = found


@lru_cache(maxsize=4096)
def is_name(text: str) -> bool:
    """Whether an element or an attribute can be called that."""
    return _compiled(_NAME).fullmatch(text) is not None


def attributes(written: Mapping[str, object]) -> str:
    """The attributes of a tag, each with a blank before it.

    >>> attributes({"id": 1, "name": 'a "b"'})
    ' id="1" name="a &quot;b&quot;"'
    """
    parts = []
    for name, value in written.items():
        if not is_name(name):
            raise Unsayable(name, name)
        parts.append(f' {name}="{str(value).translate(_ESCAPED)}"')
    text = "".join(parts)
    odd = _compiled(_UNSAYABLE).search(text)
    if odd:
        whole = next(str(value) for value in written.values() if odd[0] in str(value))
        raise Unsayable(whole, f"U+{ord(odd[0]):04X}")
    return text


class Markup:
    """Elements on lines of their own, tabs for how deep they are."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._open: list[str] = []
        self._file.write(b'<?xml version="1.0"?>\n')

    def _line(self, text: str) -> None:
        self._file.write(b"\t" * len(self._open) + text.encode() + b"\n")

    def empty(self, tag: str, written: Mapping[str, object]) -> None:
        """An element with nothing inside."""
        self._line(f"<{self._sayable(tag)}{attributes(written)} />")

    def open(self, tag: str, written: Mapping[str, object] | None = None) -> None:
        """The start of an element; what comes next is inside it."""
        self._line(f"<{self._sayable(tag)}{attributes(written or {})}>")
        self._open.append(tag)

    def close(self) -> None:
        """The end of the element that was opened last."""
        self._line(f"</{self._open.pop()}>")

    def text(self, tag: str, number: int) -> None:
        """An element that holds a number."""
        self._line(f"<{tag}>{number}</{tag}>")

    @staticmethod
    def _sayable(tag: str) -> str:
        if not is_name(tag):
            raise Unsayable(tag, tag)
        return tag
