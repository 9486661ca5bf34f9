"""The shell of every HTML page: one file that stands alone, and a policy under which it can load nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from addison.report.markup import embedded, markup


@cache
def asset(name: str) -> str:
    """A style sheet or script of this package, which is ASCII."""
    return (Path(__file__).parent / "assets" / name).read_text("ascii")


def page(title: str, body: str, *, style: str = "", script: str = "", data: Mapping[str, Any] | None = None) -> str:
    """A whole page. ``title`` is text and is escaped; ``body`` is markup, ``style`` and ``script`` are this package's.

    ``data`` is what the script reads, as JSON, from the element with the id ``data``. The policy allows this very style
    and script, by their hashes, and nothing else: no request, no image, no other code.

    >>> "<title>a&lt;b</title>" in page("a<b", "<p>hello</p>")
    True
    """
    sheet = asset("page.css") + style
    policy = f"default-src 'none'; style-src {_hash(sheet)}; "
    policy += f"script-src {_hash(script)}; " if script else ""
    policy += "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{markup(title)}</title>",
        f"<style>{sheet}</style>",
        "</head>",
        f"<body>{body}",
    ]
    lines += [f'<script type="application/json" id="data">{embedded(data)}</script>'] if data is not None else []
    lines += [f"<script>{script}</script>"] if script else []
    return "\n".join([*lines, "</body>", "</html>", ""])


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
