"""The bytes of constants to a .bin: one after another, equal ones once, none held in memory whole."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import BinaryIO, NamedTuple

from addison.ir.model import Constant

ALIGNMENT = 8
"""Bytes of the largest element. A constant starts at a multiple of the largest power of two up to this that divides its
length, so elements of every type that its bytes could be lie whole; at most 7 bytes before it are nobody's."""


class Extent(NamedTuple):
    """Where a constant lies in the .bin."""

    offset: int
    size: int


class Blobs:
    """Puts constants into a file. ``lengths`` are those of all that will come: one that is alone with its length has no
    twin, and is not compared with any.

    >>> import io
    >>> from addison import ElementType, Shape
    >>> from addison.ir.weights import Weights
    >>> file = io.BytesIO()
    >>> one, two = (Constant(ElementType.parse("u8"), Shape(2), i, 2, Weights.of(b"aaa")) for i in range(2))
    >>> blobs = Blobs(file, [2, 2])
    >>> blobs.put(one), blobs.put(two), file.getvalue()
    (Extent(offset=0, size=2), Extent(offset=0, size=2), b'aa')
    """

    def __init__(self, file: BinaryIO, lengths: Iterable[int]) -> None:
        self._file = file
        self._end = 0
        self._shared = {length for length, count in Counter(lengths).items() if count > 1}
        self._known: dict[tuple[int, bytes], Extent] = {}

    def put(self, constant: Constant) -> Extent:
        """Writes what is not there yet, and says where it is."""
        size = length(constant)
        if size not in self._shared:
            return self._append(constant, size)
        key = size, _digest(constant)
        if key not in self._known:
            self._known[key] = self._append(constant, size)
        return self._known[key]

    def _append(self, constant: Constant, size: int) -> Extent:
        gap = -self._end % math.gcd(size, ALIGNMENT)
        self._file.write(bytes(gap))
        for piece in _pieces(constant):
            self._file.write(piece)
        at = self._end + gap
        self._end = at + size
        return Extent(at, size)


def length(constant: Constant) -> int:
    """How many bytes it takes in the .bin; one at least, so that no .bin that something is read from is empty."""
    return len(_EMPTY_STRINGS) if _no_strings(constant) else constant.nbytes or len(_EMPTY)


_EMPTY = bytes(1)
_EMPTY_STRINGS = bytes(8)
"""No strings at all, in their own words: how many, 0, and where the first would start, 0."""


def _no_strings(constant: Constant) -> bool:
    return constant.element_type.name == "string" and constant.shape.elements == 0


def _pieces(constant: Constant) -> Iterator[bytes | memoryview]:
    if constant.shape.elements:
        return constant.pieces()
    return iter((_EMPTY_STRINGS if _no_strings(constant) else _EMPTY,))


def _digest(constant: Constant) -> bytes:
    seen = blake2b(digest_size=32)
    for piece in _pieces(constant):
        seen.update(piece)
    return seen.digest()
