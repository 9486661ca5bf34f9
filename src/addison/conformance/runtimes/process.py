"""A process for each runtime: what one sets in its process (a denormals flag, say) reaches no other, and a crash is an
answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from multiprocessing.connection import Connection, Pipe
from types import TracebackType
from typing import IO, Any

from addison.errors import AddisonError, Unsupported

PATIENCE = 600.0
"""Seconds that one call may take."""


class Refused(Unsupported):
    """The runtime raised an error; ``says`` is its own text."""


class Crashed(AddisonError):
    """The runtime's process ended, or had to be ended, during a call; ``fields["how"]`` says in which way."""


class Process:
    """Calls of a function that lives in a process of its own. Started with the first call, and again after a crash.

    >>> with Process("addison.conformance.runtimes:adder", "numpy") as add:
    ...     from addison.tensor import Tensor
    ...     add(Tensor("i8", (1,), b"d"), Tensor("i8", (1,), b"d"), auto_broadcast="none").tolist()
    [-56]
    """

    def __init__(
        self, place: str, *arguments: Any, options: Mapping[str, Any] | None = None, patience: float = PATIENCE
    ) -> None:
        self.place = place
        self.opening = arguments, dict(options or {})
        self.patience = patience
        self._child: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._said: IO[bytes] | None = None

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """What the function gives. Refused when the runtime raises, Crashed when its process ends."""
        if self._pipe is None:
            self._start()
            self._exchange(self.opening)
        return self._exchange((arguments, options))

    def close(self) -> None:
        """Ends the process."""
        if self._pipe is not None:
            self._pipe.close()
        if self._child is not None:
            try:
                self._child.wait(5)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        if self._said is not None:
            self._said.close()
        self._child = self._pipe = self._said = None

    def _start(self) -> None:
        here, there = Pipe()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - close() closes it
        command = [sys.executable, "-P", "-m", "addison.conformance.runtimes.worker", str(there.fileno()), self.place]
        path = os.pathsep.join(one for one in sys.path if one)
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=self._said,
            pass_fds=(there.fileno(),),
            env={**os.environ, "PYTHONPATH": path},
        )
        there.close()
        self._pipe = here

    def _exchange(self, message: Any) -> Any:
        assert self._pipe is not None
        try:
            self._pipe.send(message)
            if not self._pipe.poll(self.patience):
                raise self._crashed(f"gave no answer within {self.patience:g} seconds")
            kind, answer = self._pipe.recv()
        except (EOFError, ConnectionError):
            raise self._crashed("") from None
        except BaseException:  # the pipe may hold half an answer
            self._kill()
            raise
        if kind == "fails":
            raise answer
        if kind == "refuses":
            raise Refused(answer)
        return answer

    def _crashed(self, how: str) -> Crashed:
        """What is known of the end: the signal or exit code, and the last line it printed."""
        assert self._child is not None
        if how:
            self._child.kill()
        code = self._child.wait()
        how = how or (f"was ended by {_signal(-code)}" if code < 0 else f"ended with exit code {code}")
        last = self._last_line()
        self.close()
        return Crashed(f"the runtime's process {how}" + (f": {last}" if last else ""), how=how, last=last)

    def _kill(self) -> None:
        if self._child is not None:
            self._child.kill()
        self.close()

    def _last_line(self) -> str:
        assert self._said is not None
        self._said.seek(max(self._said.seek(0, os.SEEK_END) - 4096, 0))
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:300] if lines else ""


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
