"""What known runtimes do otherwise than the specification: one TOML file a runtime, each entry with its reason.

>>> next(one.does for one in readings() if "G109" in one.codes)
'reads uninitialised memory'
>>> [one.kind for one in departures("openvino-cpu") if "u8" in one.types and one.when == "always"]
['saturates']
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from addison.errors import InvalidInput

_T = TypeVar("_T")

KINDS = (
    "saturates",
    "narrows",
    "flushes",
    "clamps",
    "converts",
    "refuses",
    "broadcasts",
    "default-axis",
    "reorders",
    "rounds",
)
"""The ways in which a runtime's answer departs."""

WHEN = ("always", "values", "setting", "constant", "no-axis", "dynamic", "v10-input", "v10-output", "written")
"""What has to hold for it to show, as far as a file can tell."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Files that OpenVINO's reader takes otherwise than this package's.

    ``openvino`` and ``addison`` are each "reads" or "refuses" ("garbles": reads, with names that are not UTF-8).
    ``facts`` names what differs when both read; ``codes`` the findings that tell the user. ``does`` is what OpenVINO
    makes of such a file, ``why`` the reason that this package does not.
    """

    cases: tuple[str, ...]
    openvino: str
    addison: str
    facts: tuple[str, ...]
    codes: tuple[str, ...]
    does: str
    why: str
    measured: str


@dataclass(frozen=True, slots=True)
class Departure:
    """One way in which a runtime's Add is not the specification's.

    ``rule`` is the broadcast rule it needs, or "any"; ``cpu`` what the processor must have, or "any"; ``when`` the kind
    of what else must hold for it to show, and ``condition`` the same in words; ``before`` the version that changed it.
    ``classes`` are those of ``addison.conformance.differences`` that vectors show because of it: at least one a type.
    """

    runtime: str
    versions: str
    cpu: str
    types: tuple[str, ...]
    rule: str
    when: str
    condition: str
    kind: str
    does: str
    why: str
    issue: tuple[str, ...]
    before: str = ""
    classes: tuple[str, ...] = ()


@cache
def readings() -> tuple[Reading, ...]:
    """Where the two readers of IR files part."""
    return tuple(_row(Reading, table) for table in _load("openvino-reader")["difference"])


@cache
def departures(runtime: str) -> tuple[Departure, ...]:
    """What is known of a runtime's arithmetic; InvalidInput when there is no file about it."""
    known = runtimes()
    if runtime not in known:
        raise InvalidInput(
            f"nothing is recorded of a runtime {runtime!r}", help=f"one of {', '.join(known)}", runtime=runtime
        )
    return tuple(_row(Departure, {"runtime": runtime, **table}) for table in _load(runtime).get("departure", ()))


@cache
def measured(runtime: str) -> tuple[str, ...]:
    """The versions of the runtime that its departures were measured on; none when nothing is recorded of it."""
    return tuple(_load(runtime)["measured"]) if runtime in runtimes() else ()


def runtimes() -> tuple[str, ...]:
    """The runtimes whose arithmetic is recorded."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.toml") if path.stem != "openvino-reader"))


def _load(name: str) -> dict[str, Any]:
    with Path(__file__).with_name(f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def _row(kind: type[_T], table: Mapping[str, Any]) -> _T:
    """The table as a value; a missing or an unknown key is a TypeError: the file is part of this package."""
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in table.items()})
