"""Whether two elements of an array share memory, against counting bytes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided

from addison.engines.operands import overlaps_itself

MEMORY = np.zeros(4096, np.uint8)


def counted(array):
    """Each byte of each element, counted."""
    starts = [np.dot(index, array.strides) for index in np.ndindex(array.shape)]
    taken = [start + byte for start in starts for byte in range(array.itemsize)]
    return len(taken) != len(set(taken))


@given(
    axes=st.lists(st.tuples(st.integers(0, 4), st.integers(-12, 12)), max_size=4), itemsize=st.sampled_from([1, 2, 4])
)
def test_any_strides(axes, itemsize):
    middle = MEMORY[2048:].view(f"u{itemsize}")
    array = as_strided(middle, [size for size, _ in axes], [stride for _, stride in axes])
    assert overlaps_itself(array) == counted(array)


@pytest.mark.parametrize(
    "array",
    [
        MEMORY,
        MEMORY[::-3],
        MEMORY.reshape(64, 64).T,
        MEMORY.reshape(4, 4, 4, 64)[::2, ::-1, 1:3, ::5],
        np.zeros((0, 3)),
        np.zeros(()),
        np.swapaxes(np.zeros((2, 3, 4, 5)), 1, 3),
    ],
)
def test_what_slicing_and_transposing_make_does_not(array):
    assert not overlaps_itself(array)


def test_a_large_odd_layout_is_called_overlapping():
    """Counting more than a million addresses is not worth it; no slice or transpose looks so."""
    memory = np.zeros(4_500_000, np.uint8)
    odd = as_strided(memory, (2, 1_500_000), (1_500_001, 2))  # rows interleave, yet no byte is shared
    assert overlaps_itself(odd)
