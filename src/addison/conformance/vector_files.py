"""Vectors in files: ``sum.jsonl``, ``shape.jsonl``, ``error.jsonl`` and an ``index.json`` that says how many there are.

The same vectors give the same bytes. A folder that is read may hold ``.jsonl.gz`` as well; what files claim is held
against written limits before memory is taken.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from addison.clipping import quoted
from addison.conformance.cases import every_pair
from addison.conformance.vectors import KINDS, Vector, answer, from_line, to_line
from addison.errors import AddisonError, InvalidInput, LimitExceeded
from addison.runtime.files import writing
from addison.spec.elements import ELEMENTS

INDEX = "index.json"
SCHEMA = "addison/vectors/1"
LARGEST_LINE = 1 << 20
LARGEST_TOTAL = 1 << 28
"""Bytes of all files of a folder, after decompression."""
MOST_VECTORS = 100_000
Progress = Callable[[int, int], None]


def write(folder: str, vectors: Iterable[Vector]) -> tuple[str, ...]:
    """Writes a folder of vectors, all files or none; returns their names.

    >>> import tempfile
    >>> from addison.conformance.vectors import made
    >>> write(tempfile.mkdtemp(), made()[:3])
    ('sum.jsonl', 'index.json')
    """
    lines: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for vector in vectors:
        lines[vector.kind].append(to_line(vector) + "\n")
    files = {f"{kind}.jsonl": "".join(listed).encode() for kind, listed in lines.items() if listed}
    counts = {f"{kind}.jsonl": len(listed) for kind, listed in lines.items()}
    with writing(folder) as written:
        for name, data in files.items():
            written.add(name, data)
        written.add(INDEX, _index({name: (counts[name], data) for name, data in files.items()}))
    return (*files, INDEX)


def write_exhaustive(folder: str, progress: Progress | None = None) -> tuple[str, ...]:
    """Writes every pair of values of every type of up to 8 bits, one compressed file a type, in the same form."""
    small = [element for element in ELEMENTS.values() if element.bits <= 8]
    contents = {}
    with writing(folder) as written:
        for number, element in enumerate(small):
            if progress is not None:
                progress(number, len(small))
            line = (to_line(answer(every_pair(element))) + "\n").encode()
            contents[f"every-pair-{element}.jsonl.gz"] = (1, line)
            written.add(f"every-pair-{element}.jsonl.gz", _compressed(line))
        written.add(INDEX, _index(contents))
    return (*contents, INDEX)


def _compressed(data: bytes) -> bytes:
    """gzip without a name and a time, so that the same bytes come out every time."""
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


def _index(files: dict[str, tuple[int, bytes]]) -> bytes:
    listed = {
        name: {"cases": cases, "sha256": hashlib.sha256(data).hexdigest()} for name, (cases, data) in files.items()
    }
    return (json.dumps({"schema": SCHEMA, "files": listed}, indent=1) + "\n").encode()


def read(path: str) -> tuple[Vector, ...]:
    """The vectors of a folder, or of one file; InvalidInput, naming file and line, for what is none.

    >>> len(read("vectors")) > 900
    True
    """
    place = Path(path)
    try:
        if not place.is_dir():
            return tuple(_file(place, None, _Room()))
        files = sorted(one for one in place.iterdir() if one.name.endswith((".jsonl", ".jsonl.gz")))
        index = _read_index(place)
        missing = sorted(set(index) - {one.name for one in files})
        if missing:
            raise InvalidInput(f"{str(place / missing[0])!r} is not there, and {INDEX} names it", path=path)
        if not files:
            raise InvalidInput(f"{path!r} holds no vectors: no .jsonl", path=path)
        found: list[Vector] = []
        room = _Room()
        for one in files:
            found += _file(one, index.get(one.name), room)
            if len(found) > MOST_VECTORS:
                raise LimitExceeded(
                    f"{path!r} holds more than {MOST_VECTORS} vectors", limit=MOST_VECTORS, found=len(found)
                )
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the name
        if isinstance(fault, AddisonError):
            raise
        raise InvalidInput(f"{path!r} cannot be read: {getattr(fault, 'strerror', None) or fault}", path=path) from None
    seen: set[str] = set()
    for vector in found:
        if vector.id in seen:
            raise InvalidInput(f"{path!r} holds {vector.id!r} twice", path=path, id=vector.id)
        seen.add(vector.id)
    return tuple(found)


def _read_index(folder: Path) -> dict[str, dict[str, Any]]:
    place = folder / INDEX
    if not place.exists():
        return {}
    try:
        with place.open("rb") as file:
            said = json.loads(file.read(LARGEST_LINE))
        if said["schema"] != SCHEMA:
            raise ValueError(f"its schema is {quoted(str(said['schema']))}, not {SCHEMA!r}")
        return {
            str(name): {"cases": int(one["cases"]), "sha256": str(one["sha256"])} for name, one in said["files"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise InvalidInput(f"{str(place)!r} is no index of vectors: {str(fault)[:200]}", path=str(place)) from None


def _file(path: Path, expected: dict[str, Any] | None, room: _Room) -> Iterator[Vector]:
    digest, count = hashlib.sha256(), 0
    with path.open("rb") as raw:
        for number, line in enumerate(_lines(raw, path, room), 1):
            digest.update(line)
            if not line.strip():
                continue
            try:
                yield from_line(line)
            except AddisonError as fault:
                raise InvalidInput(
                    f"{str(path)!r}, line {number}: {fault.says}",
                    path=str(path),
                    line=number,
                    **{key: value for key, value in fault.fields.items() if key not in ("path", "line")},
                ) from None
            count += 1
            if count > MOST_VECTORS:
                raise LimitExceeded(
                    f"{str(path)!r} holds more than {MOST_VECTORS} vectors", limit=MOST_VECTORS, found=count
                )
    if expected is not None and (count, digest.hexdigest()) != (expected["cases"], expected["sha256"]):
        raise InvalidInput(
            f"{str(path)!r} holds {count} cases and is not the file that {INDEX} has, of "
            f"{expected['cases']}: it was changed, or cut short",
            path=str(path),
            found=count,
            wanted=expected["cases"],
        )


def _lines(raw: IO[bytes], path: Path, room: _Room) -> Iterator[bytes]:
    file: IO[bytes] = gzip.GzipFile(fileobj=raw) if path.name.endswith(".gz") else raw  # type: ignore[assignment]
    try:
        while line := file.readline(LARGEST_LINE + 1):
            if len(line) > LARGEST_LINE:
                raise LimitExceeded(
                    f"{str(path)!r} has a line of more than {LARGEST_LINE} bytes", limit=LARGEST_LINE, found=len(line)
                )
            room.take(len(line), path)
            yield line
    except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
        raise InvalidInput(f"{str(path)!r} is no gzip file, or is cut short: {fault}", path=str(path)) from None


class _Room:
    """How many bytes have been read of the files of one folder."""

    def __init__(self) -> None:
        self.taken = 0

    def take(self, size: int, path: Path) -> None:
        self.taken += size
        if self.taken > LARGEST_TOTAL:
            raise LimitExceeded(
                f"with {str(path)!r} more than {LARGEST_TOTAL} bytes of vectors are read",
                limit=LARGEST_TOTAL,
                found=self.taken,
            )
