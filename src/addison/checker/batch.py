"""Many files: which ones are meant, and how each is checked, by what is asked for and what its pyproject.toml says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from addison.checker.check import check
from addison.checker.config import Config, Configs, absolute
from addison.checker.fix import Fix, fix
from addison.checker.folders import models_below
from addison.checker.select import Selection
from addison.deviations import departures
from addison.diagnostics import Diagnostic, Severity
from addison.errors import InvalidInput, LimitExceeded
from addison.ir.aside import aside
from addison.ir.events import LARGEST_FILE
from addison.ir.reader import Nibbles


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller asks for; it stands above every pyproject.toml. Codes given here replace all codes of a file."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    runtime: str | None = None
    fail_on: Severity | None = None

    def __post_init__(self) -> None:
        Selection.of(self.select, self.ignore)  # both say at once what is wrong
        if self.runtime is not None:
            departures(self.runtime)

    def over(self, config: Config) -> Asked:
        """The same, and where nothing is asked for what a file says.

        >>> Asked(ignore=("A3",)).over(Config(select=("A",), fail_on=Severity.WARNING))
        Asked(select=(), ignore=('A3',), runtime=None, fail_on=<Severity.WARNING: 1>)
        """
        codes = self if self.select or self.ignore else replace(self, select=config.select, ignore=config.ignore)
        return replace(
            codes,
            runtime=config.runtime if self.runtime is None else self.runtime,
            fail_on=config.fail_on if self.fail_on is None else self.fail_on,
        )

    def fails(self, found: Iterable[Diagnostic]) -> bool:
        """Whether a finding is bad enough; an error is when nothing else was asked for."""
        level = Severity.ERROR if self.fail_on is None else self.fail_on
        return any(one.severity >= level for one in found)


@dataclass(frozen=True, slots=True)
class Job:
    """One file to check, and how."""

    path: str
    asked: Asked

    def run(self, weights: str | None = None, nibbles: Nibbles = "low-first") -> list[Diagnostic]:
        """Its findings; InvalidInput when it cannot be opened."""
        asked = self.asked
        return check(
            self.path, weights, runtime=asked.runtime, select=asked.select, ignore=asked.ignore, nibbles=nibbles
        )

    def fix(self, weights: str | None = None, nibbles: Nibbles = "low-first") -> Fix:
        """What becomes of it when its findings are fixed, of the codes that are asked for; ``write`` writes that."""
        beside = Path(self.path).with_suffix(".bin")
        if weights is None and beside != Path(self.path) and os.path.exists(beside):  # noqa: PTH110 - as below
            weights = str(beside)

        def found(data: bytes) -> list[Diagnostic]:
            return check(data, weights, runtime=self.asked.runtime, nibbles=nibbles)

        wanted = Selection.of(self.asked.select, self.asked.ignore)
        made = fix(_read(self.path), found, wanted.has)
        return replace(made, left=[one for one in made.left if wanted.has(one.code)])

    def write(self, fix: Fix) -> None:
        """Writes the fixed file, whole or not at all; InvalidInput when it is no longer the one that was read."""
        if fix.edits:
            if _read(self.path) != fix.before:
                raise InvalidInput(f"{self.path!r} has changed while it was checked", help="try again", path=self.path)
            with aside(self.path) as (file,):
                file.write(fix.after)


def _read(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise InvalidInput(f"the model {path!r} cannot be opened: {reason}", path=path) from None
    if len(data) > LARGEST_FILE:
        raise LimitExceeded(f"{path!r} has more than {LARGEST_FILE} bytes", limit=LARGEST_FILE, found=len(data))
    return data


def jobs(paths: Sequence[str], asked: Asked, empty: Callable[[str], object] = str) -> list[Job]:
    """A job for each file that is named, and for each IR file below each folder, every file once.

    ``empty`` is told of folders that have none. Raises InvalidInput for a pyproject.toml that cannot be used.
    """
    configs = Configs()
    found: dict[object, Job] = {}
    for path in paths:
        below = [path]
        if os.path.isdir(path):  # noqa: PTH112 - a name that is too long is none
            below = models_below(path, lambda one: configs.of(Path(one).parent).excludes(one))
            if not below:
                empty(path)
        for one in below:
            found.setdefault(absolute(one), Job(one, asked.over(configs.of(one))))
    return list(found.values())
