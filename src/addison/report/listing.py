"""What a check of many files becomes, in each format. A file's findings are turned into text or data at once, so that
its XML need not be kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from addison.diagnostics import Diagnostic, Severity
from addison.report.text import PLAIN, Style

FORMATS = ("text", "json", "sarif", "github", "html")


class Listing(Protocol):
    """Takes the findings of one file after the other, and gives the whole at the end; nothing is an empty text."""

    def add(self, path: str, found: Sequence[Diagnostic]) -> None:
        """The findings of one file."""

    def end(self) -> str:
        """The whole."""


def listing(form: str, style: Style = PLAIN, quiet: bool = False) -> Listing:
    """A listing of one of the ``FORMATS``.

    >>> from addison import check
    >>> one = listing("github")
    >>> one.add("net.xml", check(b"hello"))
    >>> one.end()[:53]
    '::error file=<bytes>,line=1,endLine=1,col=1,endColumn'
    """
    if form == "text":
        return _Text(style, quiet)
    kinds: dict[str, type[Listing]] = {"json": _Json, "sarif": _Sarif, "github": _Github, "html": _Html}
    return kinds[form]()


class _Text:
    def __init__(self, style: Style, quiet: bool) -> None:
        self.style = style
        self.quiet = quiet
        self.said: list[str] = []
        self.files: list[str] = []
        self.counts: Counter[Severity] = Counter()

    def add(self, path: str, found: Sequence[Diagnostic]) -> None:
        from addison.report import text

        self.files.append(path)
        self.counts.update(one.severity for one in found)
        if found:
            self.said.append(text.findings(found, self.style))

    def end(self) -> str:
        from addison.report import text

        summary = [text.tally(self.counts, self.files)] if self.files and not self.quiet else []
        return "\n".join([*self.said, *summary])


class _Json:
    def __init__(self) -> None:
        self.files: list[dict[str, Any]] = []

    def add(self, path: str, found: Sequence[Diagnostic]) -> None:
        from addison.report import json

        self.files.append(json.checked_file(path, found))

    def end(self) -> str:
        from addison.report import json

        return json.dumps(json.checked(self.files))


class _Sarif:
    def __init__(self) -> None:
        self.paths: list[str] = []
        self.results: list[dict[str, Any]] = []

    def add(self, path: str, found: Sequence[Diagnostic]) -> None:
        from addison.report import sarif

        self.paths.append(path)
        self.results += [sarif.result(path, one) for one in found]

    def end(self) -> str:
        from addison.report import json, sarif

        return json.dumps(sarif.log(self.paths, self.results))


class _Github:
    def __init__(self) -> None:
        self.said: list[str] = []

    def add(self, path: str, found: Sequence[Diagnostic]) -> None:
        from addison.report.github import github

        if found:
            self.said.append(github([(path, found)]))

    def end(self) -> str:
        return "\n".join(self.said)


class _Html:
    def __init__(self) -> None:
        self.sections: list[str] = []
        self.files: list[str] = []
        self.counts: Counter[Severity] = Counter()

    def add(self, path: str, found: Sequence[Diagnostic]) -> None:
        from addison.report import check_html

        self.files.append(path)
        self.counts.update(one.severity for one in found)
        self.sections.append(check_html.section(path, found))

    def end(self) -> str:
        from addison.report import check_html

        return check_html.html(self.sections, self.counts, self.files).rstrip("\n")
