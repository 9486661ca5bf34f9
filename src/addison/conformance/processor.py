"""What this processor can do, as far as departures depend on it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

NAMED = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_bf16", "amx_int8", "asimd", "sve")
"""The features that runtimes choose their code by, in the kernel's spelling."""


@cache
def features() -> frozenset[str] | None:
    """Those of ``NAMED`` that the kernel lists, or None where it lists none at all.

    >>> features() is None or features() <= set(NAMED)
    True
    """
    return listed(_cpuinfo())


def listed(cpuinfo: str) -> frozenset[str] | None:
    """The same, of the text that the kernel gives.

    >>> sorted(listed("processor : 0\\nflags : fpu avx2 avx512f"))
    ['avx2', 'avx512f']
    """
    for line in cpuinfo.splitlines():
        key, _, words = line.partition(":")
        if key.strip().lower() in ("flags", "features"):
            return frozenset(words.split()) & frozenset(NAMED)
    return None


def _cpuinfo() -> str:
    try:
        return Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        return ""
