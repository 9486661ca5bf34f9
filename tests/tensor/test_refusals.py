"""What a Tensor does not take for bytes or codes."""

import ml_dtypes
import numpy as np
import pytest

from addison import InvalidInput, Tensor, Unsupported


@pytest.mark.parametrize(
    "data",
    [
        np.array([1], ">f4"),
        np.array([1.5]),
        np.array([1], ml_dtypes.bfloat16),
        np.zeros((2, 2), np.uint8)[:, :1],
        3,
        "ab",
    ],
    ids=["big-endian", "float64", "bfloat16", "strided", "number", "text"],
)
def test_data_that_are_no_bytes(data):
    with pytest.raises(Unsupported):
        Tensor("f32", (1,), data)


def test_rows_of_unequal_lengths():
    with pytest.raises(InvalidInput):
        Tensor.from_codes("u3", [[1], [1, 2]])


def test_a_code_out_of_range_is_named():
    with pytest.raises(InvalidInput) as caught:
        Tensor.from_codes("u3", [1, 9])
    assert caught.value.fields["found"] == (1, 9)
