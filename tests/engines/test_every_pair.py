"""Every pair of values of each type up to 8 bits."""

import numpy as np
import pytest

from addison import Tensor
from tests.every_pair import every_code, sums_of_every_pair
from tests.same_bits import DTYPES, SMALL, array_of, assert_same_codes, codes_in, nothing_in_the_padding


@pytest.mark.parametrize("name", SMALL)
def test_packed(name, engine):
    every = every_code(name)
    total = engine.add(Tensor.from_codes(name, every[:, None]), Tensor.from_codes(name, every))
    assert_same_codes(name, total.codes(), sums_of_every_pair(name))
    assert nothing_in_the_padding(total)


@pytest.mark.parametrize("name", [name for name in SMALL if name in DTYPES])
def test_arrays(name, engine):
    every = every_code(name)
    total = engine.add(array_of(name, every[:, None]), array_of(name, every))
    assert codes_in(total)[0] == name
    assert_same_codes(name, codes_in(total)[1], sums_of_every_pair(name))


@pytest.mark.parametrize(("name", "bits"), [("i4", 4), ("u4", 4), ("f4e2m1", 4), ("u2", 2), ("u1", 1)])
def test_garbage_above_a_small_element_does_not_matter(name, bits, engine):
    """Arrays hold one such element a byte; what the upper bits hold is nobody's."""
    every = np.arange(256, dtype=np.uint8)
    a, b = np.meshgrid(every, every[::5], indexing="ij")
    total = engine.add(array_of(name, a), array_of(name, b))
    mask = 2**bits - 1
    assert_same_codes(name, total.view(np.uint8), sums_of_every_pair(name)[a & mask, b & mask])


@pytest.mark.parametrize("name", ["u4", "i8", "f8e4m3", "f8e8m0", "f4e2m1"])
def test_many_elements_in_an_odd_layout(name, engine):
    """More than an engine handles in one go, rows and columns broadcast, one operand backwards."""
    codes = every_code(name)
    column, row = np.resize(codes, 331)[:, None], np.resize(codes, 211)[::-1]
    total = engine.add(array_of(name, np.broadcast_to(column, (331, 211)))[::-1], array_of(name, row))
    assert_same_codes(name, codes_in(total)[1], sums_of_every_pair(name)[column[::-1], row])
