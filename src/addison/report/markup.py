"""Text and data from files, made safe to stand in SVG and HTML. Everything made here is ASCII."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import Any

from addison.report.escape import escape


def markup(text: object) -> str:
    """The text as the content of an element, or as an attribute's value between quotes.

    Control characters and direction overrides become visible, as on a terminal; then what XML and HTML would read as
    their own is written out.

    >>> markup('<b title="x">\\u202e')
    '&lt;b title=&quot;x&quot;&gt;\\\\u202e'
    """
    return ascii_only(html.escape(escape(str(text))))


def ascii_only(text: str) -> str:
    """The same markup with every character past ASCII as a number, so that no encoding can break it.

    >>> ascii_only("gr\\xf6\\xdfe")
    'gr&#246;&#223;e'
    """
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def clipped(text: str, most: int) -> str:
    """The text with its middle left out when it is longer: the ends of layers' names tell them apart.

    >>> clipped("encoder/layer_11/attention/add_3", 20)
    'encod...ention/add_3'
    """
    if len(text) <= most:
        return text
    head = (most - 3) // 3
    return f"{text[:head]}...{text[len(text) - (most - 3 - head) :]}"


def brief(text: str, most: int) -> str:
    """A name as it may be shown, and short: however long it is, the work is not.

    >>> brief("add\\x1b" * 1_000_000, 12)
    'add...eadd\\\\e'
    """
    return clipped(escape(clipped(text, most)), most)


def embedded(data: Mapping[str, Any]) -> str:
    """The data as JSON that can stand inside a <script>: it holds no ``<``, ``>`` or ``&``, and no control character
    or direction override comes out of it when it is read.

    >>> embedded({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(_visible(data), separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, Mapping):
        return {escape(str(key)): _visible(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_visible(one) for one in value]
    return value
