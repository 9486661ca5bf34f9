"""``[tool.addison]`` of a pyproject.toml: which codes to report, what fails, which runtime, what to pass over."""

from __future__ import annotations

import difflib
import errno
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from addison.checker.select import Selection
from addison.clipping import quoted
from addison.deviations import departures
from addison.diagnostics import Severity
from addison.errors import InvalidInput

FILE = "pyproject.toml"
KEYS = ("select", "ignore", "fail-on", "runtime", "exclude")


@dataclass(frozen=True, slots=True)
class Config:
    """What a file says, or nothing. ``folder`` is the file's: the patterns of ``exclude`` are held against paths below
    it."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity | None = None
    runtime: str | None = None
    exclude: tuple[str, ...] = ()
    folder: Path | None = None

    def excludes(self, path: str | os.PathLike[str]) -> bool:
        """Whether a pattern takes this path, or a folder it lies in. A pattern without ``/`` is held against names.

        >>> Config(exclude=("build", "old/*.xml"), folder=Path("/p")).excludes("/p/a/build/net.xml")
        True
        """
        if not self.exclude or self.folder is None:
            return False
        try:
            parts = absolute(path).relative_to(self.folder).parts
        except ValueError:
            return False
        return any(_takes(pattern, parts) for pattern in self.exclude)


def absolute(path: str | os.PathLike[str]) -> Path:
    """The path from the root on, with no ``..`` in it; links are not followed."""
    return Path(os.path.normpath(Path(path).absolute()))


def _takes(pattern: str, parts: tuple[str, ...]) -> bool:
    if "/" not in pattern.strip("/"):
        return any(fnmatchcase(part, pattern.strip("/")) for part in parts)
    wanted = "/" + pattern.strip("/")
    above = ["/" + "/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return any(fnmatchcase(path, wanted) or fnmatchcase("/." + path, wanted) for path in above)


class Configs:
    """The configuration of any file: that of the nearest folder above it whose pyproject.toml has ``[tool.addison]``.
    Each folder is looked at once."""

    def __init__(self) -> None:
        self._known: dict[Path, Config] = {}

    def of(self, path: str | os.PathLike[str]) -> Config:
        """What holds for a file, or for a folder; InvalidInput for a file that says what it must not."""
        at = absolute(path)
        return self._of_folder(at if os.path.isdir(at) else at.parent)  # noqa: PTH112 - a name that is too long is none

    def _of_folder(self, folder: Path) -> Config:
        passed = []
        found = None
        for at in (folder, *folder.parents):
            found = self._known.get(at) or read(at / FILE)
            passed.append(at)
            if found is not None:
                break
        config = found or Config()
        self._known.update(dict.fromkeys(passed, config))
        return config


def read(path: Path) -> Config | None:
    """The ``[tool.addison]`` of a file; None when there is no such file, or no such table in it."""
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as fault:
        if fault.errno == errno.ENAMETOOLONG:
            return None
        raise InvalidInput(f"{path} cannot be read: {fault.strerror}", path=str(path)) from None
    if b"addison" not in text:
        return None
    import tomllib

    try:
        document = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise InvalidInput(f"{path} is no TOML: {fault}", path=str(path)) from None
    tool = document.get("tool")
    table = tool.get("addison") if isinstance(tool, dict) else None
    return None if table is None else _Table(path, table).config()


class _Table:
    """The table of one file; each reader says which key is wrong, and how."""

    def __init__(self, path: Path, table: Any) -> None:
        self.path = path
        self.table: Mapping[str, Any] = table if isinstance(table, dict) else {}
        if not isinstance(table, dict):
            raise InvalidInput(
                f"{path}: tool.addison is not a table", help="write [tool.addison]", path=str(path), key="tool.addison"
            )
        for key in self.table:
            if key not in KEYS:
                near = difflib.get_close_matches(key.replace("_", "-"), KEYS, 1)
                raise self.fault(
                    key, "is not known", f"did you mean {near[0]}?" if near else f"one of {', '.join(KEYS)}"
                )

    def config(self) -> Config:
        select, ignore = self.texts("select"), self.texts("ignore")
        self.held("select", lambda: Selection.of(select, ()))
        self.held("ignore", lambda: Selection.of((), ignore))
        runtime = self.word("runtime")
        if runtime is not None:
            self.held("runtime", lambda: departures(runtime))
        level = self.word("fail-on", [str(one) for one in Severity])
        return Config(
            select, ignore, Severity[level.upper()] if level else None, runtime, self.texts("exclude"), self.path.parent
        )

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.fault(key, f"is {_called(value)}", f'write a list of texts, as in {key} = ["..."]')
        return tuple(value)

    def word(self, key: str, known: list[str] | None = None) -> str | None:
        value = self.table.get(key)
        if value is not None and not isinstance(value, str):
            raise self.fault(key, f"is {_called(value)}", f'write a text, as in {key} = "..."')
        if known is not None and value is not None and value not in known:
            raise self.fault(key, f"is {quoted(value)}", f"one of {', '.join(known)}")
        return value

    def held(self, key: str, test: Callable[[], object]) -> None:
        """Passes on what is wrong with a value, with the file and the key."""
        try:
            test()
        except InvalidInput as fault:
            raise self.fault(key, f"says: {fault.says}", fault.help) from None

    def fault(self, key: str, says: str, help: str) -> InvalidInput:
        return InvalidInput(
            f"{self.path}: tool.addison.{key if len(key) < 60 else quoted(key)} {says}",
            help=help,
            path=str(self.path),
            key=key,
        )


def _called(value: object) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "a table"}
    kind = names.get(type(value), type(value).__name__)
    return f"{kind} of other things than texts" if isinstance(value, list) else kind
