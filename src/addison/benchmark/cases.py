"""What is added: a pattern of shapes, an element type, and a number of elements in the result (about)."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from addison.errors import InvalidInput
from addison.spec.elements import ELEMENTS, ElementType
from addison.tensor import Tensor
from addison.tensor.dtypes import array_dtype, dtype_of

Shapes = tuple[tuple[int, ...], tuple[int, ...]]
LARGEST = 1 << 28
"""The most elements that a case may have."""
MODES = ("fresh", "out")
"""A new result, or one written into an array that is there."""


def _same(n: int) -> Shapes:
    return (n,), (n,)


def _scalar(n: int) -> Shapes:
    return (n,), (1,)


def _row(n: int) -> Shapes:
    return (math.isqrt(n), math.isqrt(n)), (math.isqrt(n),)


def _column(n: int) -> Shapes:
    return (math.isqrt(n), math.isqrt(n)), (math.isqrt(n), 1)


def _outer(n: int) -> Shapes:
    return (math.isqrt(n), 1), (1, math.isqrt(n))


def _channels(n: int) -> Shapes:
    """A bias for each of up to 64 channels of square images."""
    channels = max(1, min(64, n // 4))
    side = math.isqrt(n // channels)
    return (1, channels, side, side), (channels, 1, 1)


def _rgb(n: int) -> Shapes:
    return (max(1, n // 3), 3), (3,)


def _transposed(n: int) -> Shapes:
    return (math.isqrt(n), math.isqrt(n)), (math.isqrt(n), math.isqrt(n))


PATTERNS: dict[str, Callable[[int], Shapes]] = {
    "same": _same,
    "scalar": _scalar,
    "row": _row,
    "column": _column,
    "outer": _outer,
    "channels": _channels,
    "rgb": _rgb,
    "transposed": _transposed,
}
"""The two shapes of each pattern. The second operand of ``transposed`` is read across its memory order."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to add; ``size`` is the number of elements that was asked for.

    >>> [list(shape) for shape in Case("row", ELEMENTS["f32"], 10_000).shapes]
    [[100, 100], [100]]
    """

    pattern: str
    element_type: ElementType
    size: int

    @property
    def shapes(self) -> Shapes:
        """Those of a and b."""
        return PATTERNS[self.pattern](self.size)

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the sum."""
        return np.broadcast_shapes(*self.shapes)

    def operands(self) -> tuple[Any, Any]:
        """Two arrays, or two Tensors of a type that no dtype has."""
        a, b = (_values(self.element_type, shape, seed) for seed, shape in enumerate(self.shapes))
        return (a, b.T) if self.pattern == "transposed" else (a, b)

    def room(self) -> Any:
        """Where a sum can be written."""
        dtype = dtype_of(self.element_type)
        return np.empty(self.shape, dtype) if dtype else _tensor(self.element_type, self.shape, 0)


def cases(patterns: Iterable[str], types: Iterable[str], sizes: Sequence[int]) -> list[Case]:
    """Every combination; a Tensor is not transposed, so those of u3, u6 and nf4 are left out.

    >>> len(cases(["same", "transposed"], ["f32", "nf4"], [64, 4096]))
    6
    """
    named = [ELEMENTS[name] for name in types]
    return [
        Case(pattern, element, size)
        for pattern in patterns
        for element in named
        for size in sizes
        if pattern != "transposed" or dtype_of(element)
    ]


def chosen(text: str, known: Iterable[str], what: str) -> list[str]:
    """The names in a list with commas, each once; InvalidInput, with the nearest, for one that is not known.

    >>> chosen("f32,bf16", ELEMENTS, "element type")
    ['f32', 'bf16']
    """
    known, names = list(known), [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            remedy = f"did you mean {near[0]}?" if near else f"use some of {', '.join(known)}"
            raise InvalidInput(f"there is no {what} {name!r}", help=remedy, name=name, known=known)
    return list(dict.fromkeys(names))


def sizes(text: str) -> list[int]:
    """Numbers of elements in a list with commas; k and M stand for thousands and millions.

    >>> sizes("500,64k,1M")
    [500, 64000, 1000000]
    """
    return list(dict.fromkeys(_size(part.strip()) for part in text.split(",")))


def _size(text: str) -> int:
    found = re.fullmatch(r"([0-9]{1,10})([kM]?)", text)
    size = int(found[1]) * {"": 1, "k": 1000, "M": 1_000_000}[found[2]] if found else 0
    if not 1 <= size <= LARGEST:
        raise InvalidInput(
            f"{text!r} is no number of elements from 1 to {LARGEST}", help="write 500, 64k or 1M", size=text
        )
    return size


def _values(element: ElementType, shape: tuple[int, ...], seed: int) -> Any:
    """Small numbers, whose sums are in range and not subnormal: a short block repeated, which is fast to make."""
    dtype = dtype_of(element)
    if dtype is None:
        return _tensor(element, shape, seed)
    size, random = math.prod(shape), np.random.default_rng(seed)
    few = random.integers(0, min(1 << element.bits, 8 if element.bits > 4 else 4), min(size, 1 << 16)).astype("f4")
    if element.name == "f8e8m0":
        few = 4**few  # no sum is halfway between two powers of two: ml_dtypes rounds those up, not to even
    elif element.bits > 4 and element.name[0] in "bf":
        few = few + random.random(len(few), "f4") + 1
    return np.resize(few.astype(dtype), size).reshape(shape)


def _tensor(element: ElementType, shape: tuple[int, ...], seed: int) -> Tensor:
    few = np.random.default_rng(seed).integers(0, 1 << element.bits, min(math.prod(shape), 1 << 16))
    made = Tensor.from_codes(element, np.resize(few.astype(array_dtype(element)), shape))
    return Tensor(element, shape, bytearray(made.data))
