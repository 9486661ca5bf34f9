"""A progress bar on a terminal, after one second of work; nothing anywhere else."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 1.0
"""Seconds of work before a bar appears."""


class Bar:
    """Called with (done, total) as often as one likes."""

    def __init__(self, says: str, quiet: bool) -> None:
        self.says = says
        self.silent = quiet or not sys.stderr.isatty()
        self.started = self.drawn = time.monotonic()
        self.bar: Progress | None = None

    def __enter__(self) -> Bar:
        return self

    def __call__(self, done: int, total: int) -> None:
        if self.silent:
            return
        now = time.monotonic()
        if self.bar is None:
            if now - self.started < PATIENCE:
                return
            self._open(total)
        if now - self.drawn > 0.05 and self.bar is not None:
            self.drawn = now
            self.bar.update(self.bar.task_ids[0], completed=done, total=total)

    def _open(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self.bar = Progress(console=Console(stderr=True), transient=True)
        self.bar.add_task(self.says, total=total)
        self.bar.start()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()
