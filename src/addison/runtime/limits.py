"""What no array can be."""

from __future__ import annotations

import math

from addison.engines.operands import LARGEST_RESULT
from addison.errors import LimitExceeded
from addison.inference.operations import Fact
from addison.tensor.dtypes import array_dtype
from addison.tensor.tensor import LARGEST_TENSOR_RANK


def check_allocatable(fact: Fact, what: str) -> None:
    """Refuses what no array can be: more than 64 dimensions, or sizes whose product passes what can be addressed."""
    sizes = fact.shape.sizes
    if len(sizes) > LARGEST_TENSOR_RANK:
        raise LimitExceeded(
            f"{what} has {len(sizes)} dimensions; at most {LARGEST_TENSOR_RANK} are run",
            limit=LARGEST_TENSOR_RANK,
            found=len(sizes),
        )
    size = math.prod(max(one, 1) for one in sizes) * array_dtype(fact.element_type).itemsize
    if size > LARGEST_RESULT:
        raise LimitExceeded(
            f"{what}, {fact}, is more than the {LARGEST_RESULT} bytes an array can have",
            limit=LARGEST_RESULT,
            found=size,
        )
