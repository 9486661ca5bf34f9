"""Every pair of values of a small type, and the spec's sum of each."""

from functools import cache

import numpy as np

from addison import ElementType
from addison.spec.addition import add_codes


def every_code(name):
    """All codes of a type of at most 8 bits."""
    return np.arange(2 ** ElementType.parse(name).bits, dtype=np.uint8)


@cache
def sums_of_every_pair(name):
    """A square table: the code of a + b in row a, column b."""
    element = ElementType.parse(name)
    every = range(2**element.bits)
    return np.array([[add_codes(element, a, b) for b in every] for a in every], np.uint8)
