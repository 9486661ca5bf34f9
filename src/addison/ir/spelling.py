"""How IR files spell element types, numbers and lists of names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from addison.ir.markup import Unsayable
from addison.spec.elements import DYNAMIC, ELEMENTS, NOT_NUMERIC, ElementType

_ALL = {**ELEMENTS, **NOT_NUMERIC}

# <port precision="...">: a fixed table, case-sensitive. Upper case, but for the floats' own words.
_WORDS = {"f16": "FP16", "f32": "FP32", "f64": "FP64", "boolean": "BOOL", "u1": "BIN", "dynamic": "UNSPECIFIED"}
_PORT = dict(_ALL)
_PORT |= {_WORDS.get(name, name.upper()): element for name, element in _ALL.items()}
_PORT |= {"U1": ELEMENTS["u1"], "bin": ELEMENTS["u1"], "undefined": DYNAMIC, "": DYNAMIC}


def element_type(text: str) -> ElementType | None:
    """The type that an ``element_type`` or ``destination_type`` attribute names, in any case; None when it is none."""
    return _ALL.get(text.lower()) or (DYNAMIC if text.lower() == "undefined" else None)


def port_precision(text: str) -> ElementType | None:
    """The type that a port's ``precision`` names; None when it is none.

    >>> port_precision("FP32"), port_precision("F32")
    (ElementType.parse('f32'), None)
    """
    return _PORT.get(text)


def write_precision(element: ElementType) -> str:
    """As a port's ``precision`` is written."""
    return _WORDS.get(element.name, element.name.upper())


_UNSIGNED = re.compile(r"[ \t\r\n]*\+?(\d+)", re.ASCII)
_LONGEST_NUMBER = 40


def unsigned(text: str) -> int | None:
    """A whole number of at most 40 digits, with leading blanks, ``+`` and zeros; None for anything else."""
    if len(text) <= _LONGEST_NUMBER:
        if text.isdigit() and text.isascii():
            return int(text)
        found = _UNSIGNED.fullmatch(text)
        return int(found[1]) if found else None
    stripped = _UNSIGNED.fullmatch(text)
    digits = stripped[1].lstrip("0") if stripped else ""
    return int(digits or "0") if stripped and len(digits) <= _LONGEST_NUMBER else None


def names(text: str) -> tuple[str, ...]:
    r"""Tensor names between commas; ``\,`` is a comma in a name.

    >>> names(r"p\,q,z")
    ('p,q', 'z')
    """
    if "," not in text:
        return (text,) if text else ()
    parts = re.split(r"(?<!\\),", text)
    return tuple(part.replace("\\,", ",") for part in parts if part)


def write_names(given: Iterable[str]) -> str:
    r"""Tensor names as a file has them, each once. One that ends in a backslash stands last: a comma after it would be
    its own.

    >>> write_names(["p,q", "z", "z"])
    'p\\,q,z'
    """
    known = sorted(dict.fromkeys(name for name in given if name), key=lambda name: name.endswith("\\"))
    if len(known) > 1 and known[-2].endswith("\\"):
        raise Unsayable(known[-1], "a second name that ends in a backslash")
    return ",".join(name.replace(",", "\\,") for name in known)
