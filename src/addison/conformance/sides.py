"""One operand of a comparison: its prefix says what it is (``engine:``, ``vectors:``), else its extension.

``KINDS`` is the table; a new kind is a row in it, a case in ``side``, and what it is compared with in ``compare``.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from addison import engines
from addison.conformance import vector_files
from addison.conformance.vectors import Vector
from addison.errors import InvalidInput, Unsupported
from addison.inference.operations import Fact
from addison.runtime.files import LARGEST_HEADER, read_value
from addison.runtime.program import LARGEST_RUN
from addison.spec.elements import DYNAMIC
from addison.spec.shapes import Shape
from addison.tensor.dtypes import element_of

KINDS = {
    "engine:NAME": "an engine, on every golden vector: engine:oracle, engine:reference",
    "vectors:DIR": "a folder of golden vectors, or one file of them",
    "FILE.npy": "one array",
    "FILE.npz": "named arrays; two such files are compared name by name",
    "MODEL.xml": "a model: layers, attributes, shapes, constants; nothing is run. Against another model",
    "FILE.bin": "raw packed elements; FILE.bin.json beside it says type and shape, as addison run writes it",
}
"""What can be compared, by how it is written."""
MOST_ARRAYS = 10_000


@dataclass(frozen=True, slots=True)
class Arrays:
    """The arrays of one operand by name; ``one`` says that there is one, and what it is called does not matter."""

    named: Mapping[str, Callable[[], Any]]
    one: bool


@dataclass(frozen=True, slots=True)
class Vectors:
    """Golden vectors from files."""

    listed: tuple[Vector, ...]


Side = Arrays | Vectors | engines.Engine


def side(given: Any, fact: Fact | None = None) -> Side:
    """One operand of a comparison.

    >>> side("engine:oracle").name
    'oracle'
    """
    fact = fact or Fact(DYNAMIC, Shape.unknown())
    if not isinstance(given, str | os.PathLike):
        return Arrays({"": lambda: given}, one=True)
    path = os.fspath(given)
    if not isinstance(path, str):
        raise Unsupported(f"{given!r} is no path that is text", help="give a string", found=type(given).__name__)
    prefix, colon, rest = path.partition(":")
    if isinstance(given, str) and colon and prefix == "engine":
        return engines.get(rest)
    if isinstance(given, str) and colon and prefix == "vectors":
        return Vectors(vector_files.read(rest))
    suffix = Path(path).suffix.lower()
    if suffix == ".npz":
        names = _members(path)
        return Arrays({name: partial(_read, path, name, fact) for name in names}, len(names) == 1)
    if suffix == ".npy" and fact.element_type is DYNAMIC:
        return Arrays({"": partial(_mapped, path)}, one=True)
    if suffix in (".npy", ".bin"):
        return Arrays({"": partial(_read, path, Path(path).stem, fact)}, one=True)
    if suffix == ".xml":
        raise Unsupported(
            f"{path!r} is a model, and models are compared layer by layer",
            help="addison compare A.xml B.xml, or addison show A.xml --diff B.xml",
            path=path,
        )
    raise InvalidInput(f"{path!r} is nothing that can be compared", help="give one of " + ", ".join(KINDS), found=path)


def _mapped(path: str) -> Any:
    """The array of a .npy, mapped and not read where that can be."""
    try:
        array = np.lib.format.open_memmap(path, mode="r", max_header_size=LARGEST_HEADER)
        element_of(array.dtype)
    except Exception:  # noqa: BLE001 - whatever NumPy has against it, reading it whole says so in words
        return _read(path, Path(path).stem, Fact(DYNAMIC, Shape.unknown()))
    return array.view(np.ndarray)


def _read(path: str, name: str, fact: Fact) -> Any:
    try:
        raw = path.lower().endswith(".bin") and not (fact.element_type.numeric and fact.shape.static)
        if raw and Path(path).exists() and not Path(f"{path}.json").exists():
            raise InvalidInput(
                f"{path!r} is raw bytes, and no {Path(path).name}.json beside it says their type and shape",
                help="say them with --element-type and --shape",
                path=path,
            )
        Path(path).stat()
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the name
        if isinstance(fault, InvalidInput):
            raise
        raise InvalidInput(f"{path!r} cannot be read: {getattr(fault, 'strerror', None) or fault}", path=path) from None
    return read_value(path, name, fact, LARGEST_RUN)


def _members(path: str) -> tuple[str, ...]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [one[:-4] for one in archive.namelist() if one.endswith(".npy")]
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as fault:
        raise InvalidInput(f"{path!r} is no .npz: {getattr(fault, 'strerror', None) or fault}", path=path) from None
    if not names or len(set(names)) < len(names) or len(names) > MOST_ARRAYS:
        raise InvalidInput(
            f"{path!r} holds {len(names)} arrays, {len(set(names))} names; 1 to {MOST_ARRAYS} are read, "
            "each of its own name",
            path=path,
            found=len(names),
        )
    return tuple(names)


def only(one: Side) -> Any:
    """The one array of an operand.

    >>> only(side(12))
    12
    """
    if not isinstance(one, Arrays) or not one.one:
        raise InvalidInput(f"an operand of a sum is one array, and here is {word(one)}", argument="of")
    return next(iter(one.named.values()))()


def word(one: Side) -> str:
    """What an operand is, for a sentence.

    >>> word(side("engine:oracle"))
    'an engine'
    """
    match one:
        case Arrays(named):
            return "an array" if one.one else f"{len(named)} arrays"
        case Vectors():
            return "a set of vectors"
        case _:
            return "an engine"
