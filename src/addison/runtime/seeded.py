"""Inputs made from a seed, for a first run of a model: the same seed, name and shape give the same array."""

from __future__ import annotations

import math
import zlib

import numpy as np
from numpy.typing import NDArray

from addison.errors import InvalidInput, LimitExceeded, Unsupported
from addison.inference.operations import Fact
from addison.spec.elements import Float, Powers
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, array_dtype, code_dtype, dtype_of, from_codes


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
    sizes = fact.shape.sizes
    size = math.prod(sizes) * max(array_dtype(element).itemsize, 8)  # as wide as it is while being made
    if size > limit:
        raise LimitExceeded(
            f"making the input {name!r}, {fact}, takes {size} bytes; the limit is {limit}",
            help="raise the limit, or choose smaller shapes",
            limit=limit,
            found=size,
            name=name,
        )
    raw = _raw(name, seed, math.prod(sizes)).reshape(sizes)
    if isinstance(element.format, Float):
        return ((raw >> np.uint64(40)).astype(np.float64) / 2**22 - 2).astype(array_dtype(element))
    low, count = 0, 1 << element.bits
    if isinstance(element.format, Powers):
        low, count = element.format.bias - 8, 16
    codes = ((raw >> np.uint64(64 - count.bit_length() + 1)) + np.uint64(low)).astype(code_dtype(element))
    return Tensor.from_codes(element, codes) if dtype_of(element) is None else from_codes(codes, element)


def _raw(name: str, seed: int, count: int) -> NDArray[np.uint64]:
    """64 random bits an element, out of the bit generator alone: its stream is the same in every NumPy."""
    source = np.random.SeedSequence([seed, zlib.crc32(name.encode("utf-8", "surrogatepass"))])
    raw: NDArray[np.uint64] = np.random.PCG64(source).random_raw(count)
    return raw


def _example(fact: Fact) -> str:
    if fact.shape.dims is None:
        return "1,2,3"
    return ",".join(str(dim.low if dim.static else max(dim.low, 1)) for dim in fact.shape.dims)
