"""What ``add`` takes: every check of its arguments, once for all engines.

``prepare`` turns two operands and ``out`` into an ``Addition``: one element type, two arrays whose shapes have the
result's rank, and where the result goes. Everything it refuses, it refuses by name.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, SupportsIndex

import numpy as np

from addison.clipping import shortened
from addison.errors import AddisonError, InvalidInput, LimitExceeded, Unsupported
from addison.spec.bits import Special, decode, encode, from_python_float, largest_magnitude
from addison.spec.broadcast import Clash, aligned, check_rule, merge
from addison.spec.elements import ElementType, Levels, Powers, Whole
from addison.spec.shapes import Shape
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, array_dtype, element_of, from_codes

LARGEST_RESULT = 2**63 - 1
"""The most bytes an array can have."""


@dataclass(frozen=True, slots=True)
class Addition:
    """One checked call: ``a`` and ``b`` broadcast to ``shape`` by NumPy's rule, whatever the caller's rule was."""

    element: ElementType
    a: Array
    b: Array
    shape: tuple[int, ...]
    out: Array | Tensor | None
    packed: bool

    def deliver(self, result: Array) -> Array | Tensor:
        """The result as the caller gets it: in ``out``, packed, or as it is."""
        if isinstance(self.out, Tensor):
            self.out.data[:] = Tensor.from_numpy(result, self.element).data
            return self.out
        if self.out is not None:
            if result is not self.out:
                np.copyto(self.out, result, casting="equiv")
            return self.out
        return Tensor.from_numpy(result, self.element) if self.packed else result


def prepare(a: Any, b: Any, auto_broadcast: str, axis: SupportsIndex, out: Any) -> Addition:
    """Checks one call of ``add``; raises InvalidInput or Unsupported, naming the argument and what was wanted."""
    start = check_rule(auto_broadcast, axis)
    left, right = as_operand("a", a), as_operand("b", b)
    element = _one_type(left, right, a, b)
    left_array, right_array = _array(left, element), _array(right, element)
    merged = merge(Shape(*left_array.shape), Shape(*right_array.shape), auto_broadcast, start)
    if isinstance(merged, Clash):
        raise merged.error()
    shape = merged.shape.sizes
    size = math.prod(max(one, 1) for one in shape) * array_dtype(element).itemsize  # NumPy's own limit looks past 0s
    if size > LARGEST_RESULT:
        raise LimitExceeded(
            f"the result {merged.shape} takes {size} bytes, and an array has at most {LARGEST_RESULT}",
            limit=LARGEST_RESULT,
            found=size,
        )
    sizes_a, sizes_b = aligned(left_array.shape, right_array.shape, auto_broadcast, start)
    packed = isinstance(left, Tensor) or isinstance(right, Tensor)
    if out is not None:
        _check_out(out, element, shape, packed)
    return Addition(element, left_array.reshape(sizes_a), right_array.reshape(sizes_b), shape, out, packed)


def as_operand(name: str, value: Any) -> Array | Tensor | int | float:
    """An array, a Tensor or a bare Python number; everything else is refused, or asked for its array."""
    if type(value) is np.ndarray or isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return _plain(name, value)
    if isinstance(value, bool):
        raise Unsupported(f"{name} is a bool, and boolean is not a numeric element type", argument=name)
    if isinstance(value, int | float):
        return value
    if isinstance(value, str | bytes | list | tuple | dict | set | complex | None):
        raise _no_array(name, value)
    return _foreign(name, value)


def _plain(name: str, value: Array | np.generic[Any]) -> Array:
    """An ndarray of its own kind; of the subclasses only one means something that adding would lose."""
    if isinstance(value, np.ma.MaskedArray):
        raise Unsupported(
            f"{name} is a MaskedArray, and Add-1 knows no masks",
            help="add .filled(...) arrays, and put the mask back yourself",
            argument=name,
        )
    return np.asarray(value).view(np.ndarray)


def _foreign(name: str, value: Any) -> Array:
    """Another library's array, through the protocols that NumPy knows."""
    try:
        if hasattr(value, "__array__"):
            return _plain(name, np.asanyarray(value))
        if hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
    except AddisonError:
        raise
    except Exception as fault:
        raise Unsupported(
            f"{name} is {_article(value)}, which does not become an array: {fault}", argument=name
        ) from fault
    raise _no_array(name, value)


def _no_array(name: str, value: Any) -> Unsupported:
    return Unsupported(
        f"{name} is {_article(value)}, not an array",
        help="pass a NumPy array, a Tensor, or one number beside an array",
        argument=name,
    )


def _article(value: object) -> str:
    if value is None:
        return "None"
    kind = type(value)
    word = kind.__name__
    if kind.__module__ not in ("builtins", Tensor.__module__):  # other libraries have a Tensor, too
        word = f"{kind.__module__}.{word}"
    return f"{'an' if word[:1] in 'aeiouAEIOU' else 'a'} {word}"


def _one_type(left: Any, right: Any, a: Any, b: Any) -> ElementType:
    """The one element type of both operands; a bare number takes the other's."""
    typed = [
        None
        if isinstance(side, int | float)
        else side.element_type
        if isinstance(side, Tensor)
        else _element(name, side)
        for name, side in (("a", left), ("b", right))
    ]
    match typed:
        case [None, None]:
            raise Unsupported(
                "a and b are both bare numbers, which have no element type",
                help="make one of them an array, e.g. numpy.float32(...)",
                a=a,
                b=b,
            )
        case [ElementType() as one, None] | [None, ElementType() as one]:
            return one
        case [ElementType() as one, ElementType() as other] if one == other:
            return one
    raise Unsupported(
        f"a is {typed[0]} and b is {typed[1]}: Add-1 takes two operands of one type",
        help="convert one of them first",
        a_type=str(typed[0]),
        b_type=str(typed[1]),
    )


def _element(name: str, array: Array) -> ElementType:
    try:
        return element_of(array.dtype)
    except Unsupported as fault:
        raise Unsupported(f"{name}: {fault.says}", help=fault.help, argument=name, **fault.fields) from None


def _array(side: Array | Tensor | int | float, element: ElementType) -> Array:
    if isinstance(side, Tensor):
        return side.to_numpy()
    if isinstance(side, np.ndarray):
        return side
    return from_codes(np.array(scalar_code(side, element), np.uint64).astype(f"u{max(element.bits // 8, 1)}"), element)


def scalar_code(number: int | float, element: ElementType) -> int:
    """The code of a bare Python number beside a tensor of this type: an int must be in range, a float is rounded.

    >>> hex(scalar_code(1, ElementType.parse("bf16")))
    '0x3f80'
    """
    form = element.format
    if isinstance(form, Whole):
        if not isinstance(number, int):
            raise Unsupported(
                f"the float {number} beside a tensor of {element}",
                help="a float does not become an integer by itself; pass an int",
                element_type=element.name,
            )
        least = -(1 << (element.bits - 1)) if form.signed else 0
        most = least + (1 << element.bits) - 1
        if not least <= number <= most:
            raise InvalidInput(
                f"{shortened(number)} is out of the range of {element}, {least} to {most}",
                low=least,
                high=most,
                found=number,
            )
        return encode(element, int(number))
    value = Fraction(number) if isinstance(number, int) else from_python_float(float(number))
    if isinstance(number, int):
        low, high = _finite_range(element)
        if not low <= number <= high:
            raise InvalidInput(
                f"{shortened(number)} is out of the range of {element}, {float(low):g} to {float(high):g}",
                low=float(low),
                high=float(high),
                found=number,
            )
    if value is Special.NAN and element.nan is None:
        raise InvalidInput(f"{element} has no NaN", element_type=element.name)
    return encode(element, value)


def _finite_range(element: ElementType) -> tuple[Fraction, Fraction]:
    """The smallest and the largest number of a type that is no integer type."""
    match element.format:
        case Levels(values):
            return values[0], values[-1]
        case Powers(bias):
            assert element.nan is not None
            return Fraction(2) ** -bias, Fraction(2) ** (element.nan - 1 - bias)
        case _:
            largest = decode(element, largest_magnitude(element))
            assert isinstance(largest, Fraction)
            return -largest, largest


def _check_out(out: Any, element: ElementType, shape: tuple[int, ...], packed: bool) -> None:
    wanted = f"{element} {Shape(*shape)}"
    if packed != isinstance(out, Tensor) or not isinstance(out, Tensor | np.ndarray):
        raise Unsupported(
            f"out is {_article(out)}; the result is {'a Tensor' if packed else 'a NumPy array'}",
            help="out has the kind, the type and the shape of the result",
            argument="out",
        )
    if isinstance(out, np.ma.MaskedArray):
        raise Unsupported("out is a MaskedArray, and Add-1 knows no masks", argument="out")
    found = out.element_type if isinstance(out, Tensor) else _element("out", out)
    if found != element:
        raise Unsupported(
            f"out is {found}; the result is {wanted}",
            help="out has the type of the result",
            argument="out",
            found=found.name,
            wanted=element.name,
        )
    if out.shape != shape:
        raise InvalidInput(
            f"out has the shape {Shape(*out.shape)}; the result is {wanted}",
            help="out is never broadcast",
            argument="out",
            found=out.shape,
            wanted=shape,
        )
    if out.data.readonly if isinstance(out, Tensor) else not out.flags.writeable:
        raise InvalidInput("out is read-only", help="pass a writable array", argument="out")
    if isinstance(out, np.ndarray) and overlaps_itself(out):
        raise InvalidInput(
            f"out overlaps itself: with strides {out.strides} some of its elements are the same memory",
            help="pass an array whose elements are apart",
            argument="out",
            strides=out.strides,
        )


def overlaps_itself(array: Array) -> bool:
    """Whether two elements of the array share a byte.

    Axes sorted by stride, each step reaching past all that the smaller ones span, prove that none do; what slicing and
    transposing make is always so. Other layouts (``as_strided``) are counted address by address up to a million
    elements, and called overlapping past that.
    """
    axes = sorted((abs(stride), size) for stride, size in zip(array.strides, array.shape, strict=True) if size > 1)
    reach = array.itemsize
    for stride, size in axes:
        if stride < reach:
            break
        reach += stride * (size - 1)
    else:
        return False
    if array.size == 0:
        return False
    if array.size > 1_000_000:
        return True
    starts = np.zeros((), np.int64)
    for stride, size in axes:
        starts = np.add.outer(starts, np.arange(size, dtype=np.int64) * stride)
    ordered = np.sort(starts, axis=None)
    return bool((np.diff(ordered) < array.itemsize).any())
