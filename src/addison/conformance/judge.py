"""Two tensors to a verdict, a block at a time: what is held beside them does not grow with them."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from addison import engines
from addison.conformance.differences import CLASSES, Operands, added_bytewise, classify, distances, infinite, is_nan
from addison.conformance.verdict import Verdict
from addison.errors import AddisonError, InvalidInput, Unsupported
from addison.spec.broadcast import Clash, aligned, check_rule, merge
from addison.spec.elements import ElementType
from addison.spec.packing import group
from addison.spec.shapes import Shape
from addison.tensor import Tensor, lanes
from addison.tensor.dtypes import Array, codes_of, element_of

BLOCK = 1 << 16
"""Elements compared at a time; a multiple of every packing's group."""
LARGEST_GUESS = 1 << 20
"""Elements of a result up to which other axes are tried."""


class Addends(NamedTuple):
    """What a result is the sum of. Knowing it tells more kinds of difference apart."""

    a: Any
    b: Any
    auto_broadcast: str = "numpy"
    axis: SupportsIndex = -1


def judge(found: Any, wanted: Any, *, ulps: int = 0, addends: Addends | None = None) -> Verdict:
    """Compares two arrays or Tensors, element by element: equal bits, where any NaN of a type is as good as another.

    With ``ulps``, numbers that are up to so many units in the last place apart count as the same; NaNs, infinities and
    types that differ never do.

    >>> judge(np.int8([127, 3]), np.int8([-128, 3]), addends=Addends(np.int8([100, 1]), np.int8([28, 2]))).classes
    {'saturated': 1}
    """
    if isinstance(ulps, bool) or not isinstance(ulps, int) or ulps < 0:
        raise InvalidInput(
            f"ulps is {ulps!r}", help="give a whole number of units in the last place, 0 or more", ulps=ulps
        )
    left, right = _tensor("what was found", found), _tensor("what is wanted", wanted)
    element = _element(left)
    if element != _element(right):
        return Verdict(mismatch=f"the element types differ: {element}, wanted {_element(right)}")
    if left.shape != right.shape:
        return Verdict(
            element.name, mismatch=f"the shapes differ: {element} {Shape(*left.shape)}, wanted {Shape(*right.shape)}"
        )
    sides = None if addends is None else _sides(addends, element, left.shape)
    tally = _Tally(element, left.shape, ulps)
    size = math.prod(left.shape)
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        ours, theirs = _codes(left, element, start, stop), _codes(right, element, start, stop)
        if not np.array_equal(ours, theirs):
            inputs = None if sides is None else _inputs(element, *(_block(side, start, stop) for side in sides))
            tally.block(start, ours, theirs, inputs)
    verdict = replace(tally.verdict(), operands_known=sides is not None)
    if verdict.differing and addends is not None and sides is not None and size <= LARGEST_GUESS:
        return _other_axis(verdict, left, addends)
    return verdict


class _Tally:
    """What the blocks have shown so far."""

    def __init__(self, element: ElementType, shape: tuple[int, ...], ulps: int) -> None:
        self.element, self.shape, self.ulps = element, shape, ulps
        self.counts = np.zeros(len(CLASSES), np.int64)
        self.tolerated = 0
        self.first: tuple[int, int, int] | None = None
        self.largest: int | None = None

    def block(self, start: int, found: Array, wanted: Array, operands: Operands | None) -> None:
        """Counts what differs in a block; the work is in proportion to that."""
        element = self.element
        places = np.flatnonzero(found != wanted)
        found, wanted = found[places], wanted[places]
        nan_found, nan_wanted = is_nan(element, found), is_nan(element, wanted)
        far = distances(element, found, wanted)
        numbers = ~(nan_found | nan_wanted | infinite(element, found) | infinite(element, wanted))
        differ = ~(nan_found & nan_wanted)
        if self.ulps:
            within = numbers & (far <= np.uint64(min(self.ulps, 2**64 - 1)))
            self.tolerated += int(within.sum())
            differ &= ~within
        if not differ.any():
            return
        places, found, wanted = places[differ], found[differ], wanted[differ]
        kinds = classify(element, found, wanted, None if operands is None else operands.at(places))
        self.counts += np.bincount(kinds, minlength=len(CLASSES))
        if self.first is None:
            self.first = start + int(places[0]), int(found[0]), int(wanted[0])
        measured = far[differ & numbers]
        if measured.size:
            self.largest = max(self.largest or 0, int(measured.max()))

    def verdict(self) -> Verdict:
        size = math.prod(self.shape)
        named = {name: int(number) for name, number in zip(CLASSES, self.counts, strict=True) if number}
        place, found, wanted = self.first or (None, None, None)
        index = None if place is None else tuple(int(i) for i in np.unravel_index(place, self.shape))
        return Verdict(
            self.element.name,
            self.shape,
            size,
            int(self.counts.sum()),
            index,
            found,
            wanted,
            self.largest,
            named,
            self.ulps,
            self.tolerated,
        )


def _tensor(name: str, value: Any) -> Array | Tensor:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ma.MaskedArray) or not isinstance(value, np.ndarray | np.generic):
        raise Unsupported(
            f"{name} is of type {type(value).__name__}, not an array",
            help="pass a NumPy array or a Tensor",
            found=type(value).__name__,
        )
    return np.asarray(value).view(np.ndarray)


def _element(tensor: Array | Tensor) -> ElementType:
    return tensor.element_type if isinstance(tensor, Tensor) else element_of(tensor.dtype)


def _codes(tensor: Array | Tensor, element: ElementType, start: int, stop: int) -> Array:
    """The codes of elements ``start`` to ``stop`` in row-major order; ``start`` is where a group of bytes begins."""
    if isinstance(tensor, Tensor):
        one = group(element)
        return lanes.unpack(element, tensor.data[start // one.elements * one.bytes :], stop - start)
    return codes_of(_block(tensor, start, stop), element)


def _block(array: Array, start: int, stop: int) -> Array:
    flat = array.reshape(-1)[start:stop] if array.flags.c_contiguous else array.flat[start:stop]
    return np.asarray(flat)


def _inputs(element: ElementType, a: Array, b: Array) -> Operands:
    return Operands(a, b, added_bytewise(element, a, b))


def _sides(addends: Addends, element: ElementType, shape: tuple[int, ...]) -> tuple[Array, Array] | None:
    """The codes of both operands, stretched to the result's shape without being copied; None when this is no sum of
    theirs, by type or by shape."""
    a, b = _tensor("a", addends.a), _tensor("b", addends.b)
    axis = check_rule(addends.auto_broadcast, addends.axis)
    if _element(a) != element or _element(b) != element:
        return None
    merged = merge(Shape(*a.shape), Shape(*b.shape), addends.auto_broadcast, axis)
    if isinstance(merged, Clash) or merged.shape != Shape(*shape):
        return None
    sizes = aligned(a.shape, b.shape, addends.auto_broadcast, axis)
    codes = (side.codes() if isinstance(side, Tensor) else codes_of(side, element) for side in (a, b))
    left, right = (np.broadcast_to(one.reshape(own), shape) for one, own in zip(codes, sizes, strict=True))
    return left, right


def _other_axis(verdict: Verdict, found: Array | Tensor, addends: Addends) -> Verdict:
    """The verdict with the axis named that gives just what was found, if there is one."""
    rank = np.ndim(addends.a) if not isinstance(addends.a, Tensor) else addends.a.ndim
    if addends.auto_broadcast != "pdpd":
        return verdict
    for axis in range(rank):
        try:
            with warnings.catch_warnings(action="ignore"):
                total = engines.get("reference").add(addends.a, addends.b, auto_broadcast="pdpd", axis=axis)
        except AddisonError:
            continue
        if judge(found, total).same:
            return replace(verdict, classes={"other-axis": verdict.differing}, axis=axis)
    return verdict
