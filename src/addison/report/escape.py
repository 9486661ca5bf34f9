"""Names from files, made safe to show: control characters, escapes and direction overrides become visible."""

from __future__ import annotations

import unicodedata

_SHOWN = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\x1b": "\\e"}


def escape(text: str) -> str:
    r"""The text with every character that could steer a terminal written out.

    >>> print(escape("add\x1b[31m\n"))
    add\e[31m\n
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_SHOWN.get(c) or (c if _harmless(c) else _code(c)) for c in text)


def _harmless(character: str) -> bool:
    return character == " " or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _code(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
