"""From the byte where a tag starts to the bytes of the tag, or of one attribute's value. Only asked when something is
found, so reading keeps one number a tag."""

from __future__ import annotations

import re

from addison.diagnostics import Source, Span

_TAG = re.compile(rb"<(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+>")  # possessive: a tag that never ends costs one pass
_ATTRIBUTE = re.compile(rb"\s([^\s=\"'/>]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_LONGEST = 1 << 21


def tag(source: Source, at: int) -> Span:
    """The whole tag that starts at byte ``at``."""
    found = _TAG.match(source.data, at, at + _LONGEST) if _bytewise(source) else None
    return Span(source, at, found.end() if found else at + 1)


def attribute(source: Source, at: int, name: str) -> Span:
    """The value of an attribute of that tag, quotes left out; the whole tag when it has no such attribute."""
    whole, found = _attribute(source, at, name)
    if found is None:
        return whole
    group = 2 if found[2] is not None else 3
    return Span(source, found.start(group), found.end(group))


def attribute_name(source: Source, at: int, name: str) -> Span:
    """The name of an attribute of that tag."""
    whole, found = _attribute(source, at, name)
    return whole if found is None else Span(source, found.start(1), found.end(1))


def _attribute(source: Source, at: int, name: str) -> tuple[Span, re.Match[bytes] | None]:
    """The whole tag, and its attribute when it has one of that name."""
    whole = tag(source, at)
    sought = name.encode(source.encoding, "replace")
    every = _ATTRIBUTE.finditer(source.data, at, whole.stop) if _bytewise(source) else ()
    return whole, next((found for found in every if found[1] == sought), None)


def comment(source: Source, at: int, word: str = "") -> Span:
    """The comment that starts at byte ``at``, or the first place of a word in it."""
    stop = source.data.find(b"-->", at) + 3 if _bytewise(source) else 0
    sought = re.compile(rb"(?<=[\s,])" + re.escape(word.encode(source.encoding, "replace")) + rb"(?=[\s,]|-->)")
    found = sought.search(source.data, at, max(stop, at)) if word else None
    return Span(source, found.start(), found.end()) if found else Span(source, at, max(stop, at + 1))


def _bytewise(source: Source) -> bool:
    """Whether ASCII characters are single bytes in this encoding: everything the parser takes but UTF-16."""
    return not source.encoding.lower().replace("_", "-").startswith(("utf-16", "utf16"))
