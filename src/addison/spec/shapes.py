"""Sizes that are known, bounded or unknown; shapes of known or unknown rank; their spellings in IR files.

The grammar is that of a Parameter's ``shape`` attribute: fields between commas, optionally in brackets, each ``3``,
``?``, ``-1``, ``1..8``, ``1..``, ``..8`` or ``..``; ``...`` alone is a shape of unknown rank; nothing is a scalar.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Iterator
from typing import Any, SupportsIndex, Union

from addison.clipping import quoted, shortened
from addison.errors import InvalidInput, LimitExceeded

LARGEST_SIZE = 2**63 - 2
"""The largest size of one dimension. 2**63 - 1 is how OpenVINO's 64-bit bound says "unbounded"."""

LARGEST_SHAPE_RANK = 1024
"""The most dimensions a shape may have."""

DimLike = Union["Dim", SupportsIndex, str, tuple[Any, Any], None]
ShapeLike = Union["Shape", str, Iterable[DimLike]]

_BLANKS = " \t\n\v\f\r"
_FIELD = re.compile(r"(?P<unknown>\?|-1)|(?P<size>\d+)|(?P<low>\d*)\.\.(?P<high>\d*)", re.ASCII)


class Dim:
    """The sizes a dimension may have: every whole number from ``low`` to ``high``; ``high`` None is unbounded.

    >>> Dim(3), Dim(1, 8), Dim.parse("?")
    (Dim(3), Dim(1, 8), Dim(0, None))
    """

    __slots__ = ("high", "low")
    low: int
    high: int | None

    def __init__(self, low: SupportsIndex, *high: SupportsIndex | None) -> None:
        if len(high) > 1:
            raise InvalidInput("a dimension takes a size, or a lowest and a highest size", found=1 + len(high))
        lowest = _size(low)
        highest = lowest if not high else None if high[0] is None else _size(high[0])
        if highest is not None and highest < lowest:
            raise InvalidInput(
                f"the interval {lowest}..{highest} is empty",
                help="write the smaller bound first",
                low=lowest,
                high=highest,
            )
        object.__setattr__(self, "low", lowest)
        object.__setattr__(self, "high", highest)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Dim does not change")

    @classmethod
    def parse(cls, text: str) -> Dim:
        """Reads ``3``, ``?``, ``-1``, ``lo..hi``, ``lo..``, ``..hi`` or ``..``."""
        found = _FIELD.fullmatch(text.strip(_BLANKS))
        if found is None:
            raise InvalidInput(f"{quoted(text)} is no dimension", help="write 3, ?, -1, 1..8, 1.. or ..8", found=text)
        if found["unknown"]:
            return cls(0, None)
        if found["size"]:
            return cls(_whole(found["size"]))
        return cls(_whole(found["low"] or "0"), _whole(found["high"]) if found["high"] else None)

    @classmethod
    def of(cls, value: DimLike) -> Dim:
        """A Dim from a size, None or -1 (unknown), a spelling, a (low, high) pair or a Dim."""
        if isinstance(value, Dim):
            return value
        if value is None:
            return cls(0, None)
        if isinstance(value, str):
            return cls.parse(value)
        if isinstance(value, tuple):
            if len(value) != 2:
                raise InvalidInput(f"{value!r} is no (lowest, highest) pair", found=value)
            return cls(*value)
        return cls(0, None) if not isinstance(value, bool) and _index(value) == -1 else cls(value)

    @property
    def static(self) -> bool:
        return self.low == self.high

    def __contains__(self, size: int) -> bool:
        return self.low <= size and (self.high is None or size <= self.high)

    def within(self, other: Dim) -> bool:
        """Whether every size of this one is one of the other's."""
        return other.low <= self.low and (other.high is None or (self.high is not None and self.high <= other.high))

    def meet(self, other: Dim) -> Dim | None:
        """The sizes both have, or None."""
        low = max(self.low, other.low)
        high = self.high if other.high is None else other.high if self.high is None else min(self.high, other.high)
        return None if high is not None and high < low else Dim(low, high)

    def hull(self, other: Dim) -> Dim:
        """The smallest interval that has all sizes of both."""
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Dim(min(self.low, other.low), high)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dim) and (self.low, self.high) == (other.low, other.high)

    def __hash__(self) -> int:
        return hash((self.low, self.high))

    def __str__(self) -> str:
        if self.static:
            return str(self.low)
        if (self.low, self.high) == (0, None):
            return "?"
        return f"{self.low}..{'' if self.high is None else self.high}"

    def __repr__(self) -> str:
        return f"Dim({self.low})" if self.static else f"Dim({self.low}, {self.high})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Dim, (self.low, self.high)


class Shape:
    """A tuple of Dims, or ``Shape.unknown()`` when not even the rank is known.

    >>> Shape(8, 1, 6, 1)
    Shape(8, 1, 6, 1)
    >>> str(Shape.parse("?,1..8,3")), str(Shape.unknown()), str(Shape())
    ('[?,1..8,3]', '[...]', '[]')
    """

    __slots__ = ("dims",)
    dims: tuple[Dim, ...] | None

    def __init__(self, *dims: DimLike) -> None:
        if len(dims) > LARGEST_SHAPE_RANK:
            raise LimitExceeded(
                f"a shape of {len(dims)} dimensions; at most {LARGEST_SHAPE_RANK} are taken",
                limit=LARGEST_SHAPE_RANK,
                found=len(dims),
            )
        object.__setattr__(self, "dims", tuple(Dim.of(dim) for dim in dims))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Shape does not change")

    @classmethod
    def unknown(cls) -> Shape:
        """The shape whose rank is not known, written ``...``."""
        shape = cls()
        object.__setattr__(shape, "dims", None)
        return shape

    @classmethod
    def parse(cls, text: str) -> Shape:
        """Reads every spelling of a Parameter's ``shape`` attribute.

        >>> Shape.parse("[ 2, ?, 1..8 ]")
        Shape(2, '?', '1..8')
        """
        inner = text.strip(_BLANKS)
        if inner[:1] == "[" and inner[-1:] == "]":
            inner = inner[1:-1].strip(_BLANKS)
        if inner == "...":
            return cls.unknown()
        if not inner:
            return cls()
        if inner.count(",") >= LARGEST_SHAPE_RANK:
            raise LimitExceeded(
                f"a shape of {inner.count(',') + 1} dimensions; at most {LARGEST_SHAPE_RANK} are taken",
                limit=LARGEST_SHAPE_RANK,
                found=inner.count(",") + 1,
            )
        try:
            return cls(*(Dim.parse(field) for field in inner.split(",")))
        except InvalidInput as fault:
            raise InvalidInput(
                f"the shape {quoted(text)} cannot be read: {fault.says}", help=fault.help, found=text
            ) from None

    @classmethod
    def of(cls, value: ShapeLike) -> Shape:
        """A Shape from a Shape, a spelling, or sizes (None or -1 is unknown, a pair is an interval)."""
        if isinstance(value, Shape):
            return value
        if isinstance(value, str):
            return cls.parse(value)
        try:
            if isinstance(value, bytes | bytearray | dict | set | frozenset):  # they iterate, but over no sizes
                raise TypeError
            dims = tuple(value)
        except TypeError:
            raise InvalidInput(
                f"{value!r} is no shape", help='write (2, None, 3), "?,1..8,3" or "..."', found=value
            ) from None
        return cls(*dims)

    @property
    def rank(self) -> int | None:
        return None if self.dims is None else len(self.dims)

    @property
    def static(self) -> bool:
        """Whether the rank and every size are known."""
        return self.dims is not None and all(dim.static for dim in self.dims)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of a static shape; InvalidInput when any is unknown."""
        if self.dims is None or not self.static:
            raise InvalidInput(
                f"the shape {self} is not fully known", help="give every dimension a size", shape=str(self)
            )
        return tuple(dim.low for dim in self.dims)

    @property
    def elements(self) -> int:
        """How many elements a static shape has; 1 for a scalar."""
        return math.prod(self.sizes)

    def within(self, other: Shape) -> bool:
        """Whether every static shape of this one is one of the other's."""
        if other.dims is None:
            return True
        if self.dims is None or len(self.dims) != len(other.dims):
            return False
        return all(mine.within(theirs) for mine, theirs in zip(self.dims, other.dims, strict=True))

    def spell(self) -> str:
        """As an IR file writes it: no brackets, no blanks."""
        return "..." if self.dims is None else ",".join(map(str, self.dims))

    def _known(self) -> tuple[Dim, ...]:
        if self.dims is None:
            raise InvalidInput("a shape of unknown rank has no dimensions to list", shape="...")
        return self.dims

    def __iter__(self) -> Iterator[Dim]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())

    def __getitem__(self, index: int) -> Dim:
        return self._known()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shape) and self.dims == other.dims

    def __hash__(self) -> int:
        return hash(self.dims)

    def __str__(self) -> str:
        return f"[{self.spell()}]"

    def __repr__(self) -> str:
        if self.dims is None:
            return "Shape.unknown()"
        return f"Shape({', '.join(str(d) if d.static else repr(str(d)) for d in self.dims)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Shape.parse, ("...",)) if self.dims is None else (Shape, self.dims)


def _index(value: object) -> int:
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidInput(f"{value!r} is no size", help="sizes are whole numbers", found=value) from None


def _size(value: object) -> int:
    if isinstance(value, bool):
        raise InvalidInput(f"{value!r} is no size", help="sizes are whole numbers", found=value)
    size = _index(value)
    if size < 0:
        raise InvalidInput(
            f"the size {size} is negative", help="sizes are 0 or more; -1 alone says unknown", found=size
        )
    if size > LARGEST_SIZE:
        raise LimitExceeded(
            f"the size, {shortened(size)}, is past the largest, {LARGEST_SIZE}", limit=LARGEST_SIZE, found=size
        )
    return size


def _whole(digits: str) -> int:
    """int(digits), refusing what no size can be before it costs anything."""
    if len(digits.lstrip("0")) > len(str(LARGEST_SIZE)):
        raise LimitExceeded(
            f"the size {digits[:20]}... of {len(digits)} digits is past the largest, {LARGEST_SIZE}",
            limit=LARGEST_SIZE,
            found=len(digits),
        )
    return int(digits.lstrip("0") or "0")
