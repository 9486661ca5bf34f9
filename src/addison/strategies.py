"""Hypothesis strategies for Add-1: element types, codes biased to where sums go wrong, tensors of any type out of raw
bits, intervals, shapes, pairs of shapes that a rule merges.

>>> from hypothesis import find
>>> find(shapes(), lambda shape: len(shape) == 2 and 0 not in shape)
(1, 1)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from addison.conformance.classes import classes, ordinary
from addison.spec.elements import ELEMENTS, ElementType
from addison.spec.packing import pack
from addison.spec.shapes import Dim, Shape
from addison.tensor import Tensor

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as fault:
    raise ModuleNotFoundError(
        "addison.strategies needs hypothesis; get it with pip install 'addison[test]'", name=fault.name
    ) from None

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

Sizes = tuple[int, ...]


def element_types() -> SearchStrategy[ElementType]:
    """Any of the 23 numeric types.

    >>> from hypothesis import find
    >>> find(element_types(), lambda element: element.bits == 3).name
    'u3'
    """
    return st.sampled_from(tuple(ELEMENTS.values()))


def codes(element_type: ElementType | str) -> SearchStrategy[int]:
    """The bits of one element: any, or one that a class of sums is made of (ends of the range, ties, subnormals, NaNs).

    >>> from hypothesis import find
    >>> find(codes("u8"), lambda code: code > 200)
    201
    """
    element = ElementType.parse(element_type)
    return _codes(element.name)


@cache
def _codes(name: str) -> SearchStrategy[int]:
    element = ELEMENTS[name]
    special = sorted({code for one in classes(element) for pair in one.pairs for code in pair})
    return st.integers(0, (1 << element.bits) - 1) | st.sampled_from(special) | st.sampled_from(ordinary(element))


def sizes(largest: int = 5) -> SearchStrategy[int]:
    """The size of one dimension, 0 and 1 among them."""
    return st.integers(0, largest)


def shapes(*, largest_rank: int = 4, largest_size: int = 5) -> SearchStrategy[Sizes]:
    """Static shapes, rank 0 and sizes of 0 among them."""
    return st.lists(sizes(largest_size), max_size=largest_rank).map(tuple)


def intervals(largest: int = 6) -> SearchStrategy[Dim]:
    """Dimensions of every kind: one size, bounded, unbounded.

    >>> from hypothesis import find
    >>> find(intervals(), lambda dim: not dim.static and dim.high is not None)
    Dim(0, 1)
    """
    bounded = st.tuples(st.integers(0, largest), st.integers(0, largest)).map(lambda pair: Dim(min(pair), max(pair)))
    return st.integers(0, largest).map(Dim) | bounded | st.integers(0, largest).map(lambda low: Dim(low, None))


def dynamic_shapes(*, largest_rank: int = 4, largest: int = 6) -> SearchStrategy[Shape]:
    """Shapes of intervals, and the one of unknown rank."""
    known = st.lists(intervals(largest), max_size=largest_rank).map(lambda dims: Shape(*dims))
    return known | st.just(Shape.unknown())


@st.composite
def broadcastable(draw: DrawFn, *, largest_rank: int = 4, largest_size: int = 5) -> tuple[Sizes, Sizes]:
    """Two shapes that numpy merges: each is the end of one shape, with some sizes made 1.

    >>> from hypothesis import find
    >>> len(find(broadcastable(), lambda pair: len(pair[0]) < len(pair[1]))[0])
    0
    """
    full = draw(shapes(largest_rank=largest_rank, largest_size=largest_size))
    first, second = (full[draw(st.integers(0, len(full))) :] for _ in range(2))
    narrow = [draw(st.lists(st.booleans(), min_size=len(side), max_size=len(side))) for side in (first, second)]
    a, b = (
        tuple(1 if one else size for size, one in zip(side, chosen, strict=True))
        for side, chosen in zip((first, second), narrow, strict=True)
    )
    return a, b


@st.composite
def laid_over(draw: DrawFn, *, largest_rank: int = 4, largest_size: int = 5) -> tuple[Sizes, Sizes, int]:
    """Two shapes and an axis that pdpd merges, with -1 for the axis where that means the same.

    >>> from hypothesis import find
    >>> len(find(laid_over(), lambda found: len(found[1]) == 1 and found[2] == 0)[1])
    1
    """
    a = draw(shapes(largest_rank=largest_rank, largest_size=largest_size))
    start = draw(st.integers(0, len(a)))
    stop = draw(st.integers(start, len(a)))
    ones = draw(st.lists(st.booleans(), min_size=stop - start, max_size=stop - start))
    b = tuple(1 if one else size for size, one in zip(a[start:stop], ones, strict=True))
    return a, b, -1 if start == len(a) - len(b) and draw(st.booleans()) else start


@st.composite
def tensors(
    draw: DrawFn,
    element_type: ElementType | str | SearchStrategy[ElementType] | None = None,
    shape: Sizes | SearchStrategy[Sizes] | None = None,
) -> Tensor:
    """A Tensor of that type (any, unless given) and shape, its elements any bits.

    >>> from hypothesis import find
    >>> find(tensors("u3", (2,)), lambda tensor: sum(tensor.tolist()) > 3).shape
    (2,)
    """
    kinds = _strategy(element_type, element_types, ElementType.parse)
    element = draw(kinds)
    wanted: Sizes = draw(_strategy(shape, shapes, tuple))
    count = math.prod(wanted)
    few = draw(st.lists(codes(element), min_size=min(count, 1), max_size=min(count, 24)))
    return Tensor(element, wanted, pack(element, [few[i % len(few)] for i in range(count)]))


@st.composite
def pairs(
    draw: DrawFn, element_type: ElementType | str | SearchStrategy[ElementType] | None = None
) -> tuple[Tensor, Tensor]:
    """Two Tensors of one type whose shapes numpy merges: operands of an addition that must not fail."""
    element = draw(_strategy(element_type, element_types, ElementType.parse))
    a, b = draw(broadcastable())
    return draw(tensors(element, a)), draw(tensors(element, b))


def _strategy(given: Any, missing: Callable[[], SearchStrategy[Any]], plain: Callable[[Any], Any]) -> Any:
    """A strategy as it is; a value as the strategy that gives it; nothing as the default."""
    if given is None:
        return missing()
    return given if hasattr(given, "example") else st.just(plain(given))
