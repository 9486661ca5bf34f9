"""Runs command lines on the files of each case, each case in a process of its own that may take only so much memory.

``python -m tests.hostile.worker`` prints a line of JSON a case: what came of its command lines.
"""

import io
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

BACKSTOP = 600 << 20
"""Bytes of address space that a case may take besides what is taken before it."""
PATIENCE = 60
"""Seconds of processor time after which a case is given up: not a measure of speed, it does not end."""

STEERS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
"""Characters that a terminal, or a reader's eye, could be steered with."""


class Sink(io.RawIOBase):
    """Takes what is printed, looks for characters that steer, and keeps nothing else."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.bytes = 0

    def writable(self) -> bool:
        return True

    def write(self, piece: Any, /) -> int:
        self.bytes += len(piece)
        self.found |= set(STEERS.findall(bytes(piece).decode("utf-8", "ignore")))
        return len(piece)


def memory(what: str) -> int:
    """Bytes of this process: VmRSS, VmHWM or VmSize. ru_maxrss would count what the parent had before."""
    status = Path("/proc/self/status").read_text()
    found = re.search(rf"{what}:\s+(\d+) kB", status)
    assert found
    return int(found[1]) << 10


def try_verb(arguments: list[str]) -> dict[str, Any]:
    from addison.cli.main import main

    sinks = [Sink(), Sink()]
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(io.BufferedWriter(one, 1 << 20), "utf-8", errors="surrogateescape") for one in sinks
    )
    start = time.process_time()
    try:
        main(arguments)
    except SystemExit as left:
        code: object = left.code
    except BaseException:  # noqa: BLE001 - whatever comes out is the finding
        code = traceback.format_exc()
    else:
        code = "returned"
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    return {
        "arguments": [one if len(one) < 80 else f"{one[:60]}... ({len(one)})" for one in arguments],
        "code": code,
        "steers": sorted(sinks[0].found | sinks[1].found),
        "bytes": sinks[0].bytes,
        "seconds": round(time.process_time() - start, 2),
    }


def one_case(name: str) -> dict[str, Any]:
    from addison import check, read_model
    from addison.errors import AddisonError
    from tests.hostile.files import CASES, EVERY_VERB

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        commands = CASES[name](Path(folder))
        before = memory("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")
        limit = memory("VmSize") + BACKSTOP
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        done: list[dict[str, Any]] = []
        for call in (check, read_model) if commands is None else ():
            try:
                call("net.xml")
            except AddisonError:
                pass
            except BaseException:  # noqa: BLE001
                done.append({"arguments": [call.__name__], "code": traceback.format_exc(), "steers": []})
        for arguments in EVERY_VERB if commands is None else commands:
            done.append(try_verb(list(arguments)))
            done[-1]["peak"] = memory("VmHWM") - before >> 20
        return {"name": name, "extra": memory("VmHWM") - before, "done": done}


def main(names: list[str]) -> None:
    import numpy  # noqa: F401 - before the memory is counted

    import addison.report.sarif
    import addison.report.show_html
    import addison.runtime.session  # noqa: F401
    from tests.hostile.files import CASES

    for name in names or CASES:
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
            signal.alarm(10 * PATIENCE)  # when it waits
            try:
                say(one_case(name))
            except BaseException:  # noqa: BLE001
                say({"name": name, "failed": traceback.format_exc()})
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            say({"name": name, "failed": f"ended with status {status}"})


def say(outcome: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(outcome) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
