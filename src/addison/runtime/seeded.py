"""Inputs made from a seed, for a first run of a model: the same seed, name and shape give the same array."""

from __future__ import annotations

import math
import zlib

import numpy as np
from numpy.typing import NDArray

from addison.errors import InvalidInput, LimitExceeded, Unsupported
from addison.inference.operations import Fact
from addison.runtime.limits import check_allocatable
from addison.spec.elements import ElementType, Float, Powers
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, array_dtype, code_dtype, dtype_of, from_codes

BLOCK = 1 << 16
"""Elements that are made at a time."""


def seeded(name: str, fact: Fact, seed: int, limit: int) -> Array | Tensor:
    """An array of this type and shape: numbers from -2 to 2 for floats, any code for the other types."""
    element = fact.element_type
    if not element.numeric:
        raise Unsupported(
            f"the input {name!r} has the type {element}, of which no values can be made",
            help="give the input as a file",
            name=name,
            element_type=element.name,
        )
    if not fact.shape.static:
        raise InvalidInput(
            f"the input {name!r} has the shape {fact.shape}, which is not fully known",
            help=f"choose one with --set, as in --set {name}={_example(fact)}",
            name=name,
            shape=str(fact.shape),
        )
    check_allocatable(fact, f"the input {name!r}")
    sizes = fact.shape.sizes
    dtype = array_dtype(element)
    size = math.prod(sizes) * (dtype.itemsize if dtype_of(element) is not None else 2)  # the codes, then packed
    if size > limit:
        raise LimitExceeded(
            f"making the input {name!r}, {fact}, takes {size} bytes; the limit is {limit}",
            help="raise the limit, or choose smaller shapes",
            limit=limit,
            found=size,
            name=name,
        )
    source = np.random.SeedSequence([seed, zlib.crc32(name.encode("utf-8", "surrogatepass"))])
    bits = np.random.PCG64(source)  # the generator's stream is the same in every NumPy
    made = np.empty(math.prod(sizes), dtype)
    for start in range(0, made.size, BLOCK):
        part = made[start : start + BLOCK]
        part[...] = _values(element, bits.random_raw(part.size))
    shaped = made.reshape(sizes)
    return Tensor.from_codes(element, shaped) if dtype_of(element) is None else shaped


def _values(element: ElementType, raw: NDArray[np.uint64]) -> Array:
    """Elements out of 64 random bits each: multiples of 2**-22 from -2 to 2, or any code."""
    if isinstance(element.format, Float):
        return ((raw >> np.uint64(40)).astype(np.float64) / 2**22 - 2).astype(array_dtype(element))
    low, count = 0, 1 << element.bits
    if isinstance(element.format, Powers):
        low, count = element.format.bias - 8, 16
    codes = ((raw >> np.uint64(64 - count.bit_length() + 1)) + np.uint64(low)).astype(code_dtype(element))
    return from_codes(codes, element)


def _example(fact: Fact) -> str:
    if fact.shape.dims is None:
        return "1,2,3"
    return ",".join(str(dim.low if dim.static else max(dim.low, 1)) for dim in fact.shape.dims)
