"""The ``.bin`` of a model: its length, and views of it. Mapped when large, never copied without need."""

from __future__ import annotations

import mmap
import os
import stat

from addison.errors import InvalidInput

BytesLike = bytes | bytearray | memoryview | mmap.mmap

SMALL = 64 << 10
"""Files up to this many bytes are read whole; larger ones are mapped."""


class Weights:
    """The bytes that constants are taken from: a file, or a buffer of the caller's.

    >>> bytes(Weights.of(b"abcdef").view(2, 3))
    b'cde'
    """

    __slots__ = ("_data", "path")

    def __init__(self, data: memoryview, path: str | None = None) -> None:
        self._data = data
        self.path = path

    @classmethod
    def of(cls, source: str | os.PathLike[str] | BytesLike) -> Weights:
        """Opens a file, or borrows a buffer; OSError or ValueError when that cannot be, as with a pipe."""
        if not isinstance(source, str | os.PathLike):
            return cls(memoryview(source).cast("B"))
        path = os.fspath(source)
        kind = os.stat(path).st_mode  # noqa: PTH116 - before it is opened: a pipe that nobody writes to would wait
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            raise ValueError("it is no file")
        with open(path, "rb") as file:  # noqa: PTH123
            size = os.fstat(file.fileno()).st_size
            if size <= SMALL:
                return cls(memoryview(file.read(SMALL)), path)
            return cls(memoryview(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)), path)

    def __len__(self) -> int:
        return len(self._data)

    def view(self, offset: int, size: int) -> memoryview:
        """``size`` bytes from ``offset`` on, not copied; InvalidInput when they are not all there."""
        if offset < 0 or size < 0 or offset + size > len(self._data):
            raise InvalidInput(
                f"bytes {offset} to {offset + size} of weights that have {len(self._data)}",
                offset=offset,
                size=size,
                found=len(self._data),
            )
        return self._data[offset : offset + size]

    def __repr__(self) -> str:
        return f"Weights({self.path!r}, {len(self)} bytes)"
