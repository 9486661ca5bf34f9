"""What runs in a runtime's own process: it takes calls from a pipe, one at a time, and sends back what comes of them.

Standard output is turned into standard error first: runtimes print what they like.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

from addison.errors import AddisonError


def main(file_descriptor: int, place: str) -> None:
    """Serves until the other side closes the pipe. ``place`` is MODULE:FUNCTION; what the function gives for the first
    message is what the others are calls of."""
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with Connection(file_descriptor) as pipe:
        module, _, name = place.partition(":")
        called: Callable[..., Any] = getattr(importlib.import_module(module), name)
        answer, called = _opened(called, *pipe.recv())
        pipe.send(answer)
        while True:
            try:
                arguments, options = pipe.recv()
            except EOFError:
                return
            pipe.send(_answer(called, arguments, options))


def _opened(
    make: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]
) -> tuple[tuple[str, Any], Callable[..., Any]]:
    kind, made = _answer(make, arguments, options)
    return (kind, None if kind == "gives" else made), made


def _answer(called: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]) -> tuple[str, Any]:
    """What the call gives; an error of this package as itself; any other as words, for it may not travel."""
    try:
        return "gives", called(*arguments, **options)
    except AddisonError as fault:
        return "fails", fault
    except Exception as fault:  # noqa: BLE001 - whatever a runtime raises is its refusal
        return "refuses", f"{type(fault).__name__}: {' '.join(str(fault).split())}"[:2000]


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
