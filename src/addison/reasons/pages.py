"""The page of a kind of finding: the text that stands beside its rule."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from addison.errors import InvalidInput
from addison.reasons.shown import shown

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_HEAD = re.compile(r"# (?P<code>\S+) (?P<name>\S+)\s+(?:(?P<severity>error|warning|info)\b)?")


@dataclass(frozen=True, slots=True)
class CodeReason:
    """A finding's code and name, how bad it is, and its page as Markdown.

    >>> CodeReason.of("A302").name
    'shapes-clash'
    """

    kind: ClassVar[str] = "code"
    code: str
    name: str
    severity: str
    page: str

    @classmethod
    def of(cls, code: str, pages: Traversable | None = None) -> CodeReason:
        """``code`` in capitals or not; ``pages`` is the folder of the pages, the checker's own unless said."""
        folder = pages or _pages()
        wanted, known = code.upper(), codes(folder)
        if wanted not in known:
            near = difflib.get_close_matches(wanted, known, 1)
            family = [one for one in known if one[:1] == wanted[:1]]
            raise InvalidInput(
                f"there is no finding {code!r}",
                help=f"did you mean {near[0]}?" if near else f"the codes are {' '.join(family or known)}",
                code=code,
            )
        text = _read(folder, wanted)
        return cls(wanted, *_head(text), text)

    def __str__(self) -> str:
        return shown(self, "text")

    def _repr_html_(self) -> str:
        return shown(self, "html")


def codes(pages: Traversable | None = None) -> tuple[str, ...]:
    """Every code that has a page."""
    folder = pages or _pages()
    return tuple(sorted(one.name[:-3] for one in folder.iterdir() if one.name.endswith(".md")))


def names(pages: Traversable | None = None) -> dict[str, str]:
    """The code of each finding's name.

    >>> names()["shapes-clash"]
    'A302'
    """
    folder = pages or _pages()
    return {_head(_read(folder, code))[0]: code for code in codes(folder)}


def _pages() -> Traversable:
    from importlib import resources

    return resources.files("addison.checker") / "rules"


def _read(pages: Traversable, code: str) -> str:
    return (pages / f"{code}.md").read_text(encoding="utf-8")


def _head(text: str) -> tuple[str, str]:
    """The name and the severity, from a page's first lines."""
    found = _HEAD.match(text)
    return (found["name"], found["severity"] or "") if found else ("", "")
