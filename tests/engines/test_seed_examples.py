"""The two examples of the Add-1 page."""

import numpy as np

from addison import Shape, infer_shape
from tests.same_bits import assert_same_bits


def test_seed_example_1_none(engine):
    assert infer_shape((256, 56), (256, 56), auto_broadcast="none") == Shape(256, 56)
    a = np.arange(256 * 56, dtype=np.float32).reshape(256, 56)
    b = np.full((256, 56), 0.5, np.float32)
    total = engine.add(a, b, auto_broadcast="none")
    assert total.shape == (256, 56)
    assert_same_bits(total, np.array([[row * 56 + column + 0.5 for column in range(56)] for row in range(256)], "f4"))


def test_seed_example_2_broadcast(engine):
    assert infer_shape((8, 1, 6, 1), (7, 1, 5), auto_broadcast="numpy") == Shape(8, 7, 6, 5)
    a = 100 * np.arange(8 * 6, dtype=np.float32).reshape(8, 1, 6, 1)
    b = np.arange(7 * 5, dtype=np.float32).reshape(7, 1, 5)
    total = engine.add(a, b)
    assert total.shape == (8, 7, 6, 5)
    assert_same_bits(
        total,
        np.array(
            [
                [[[100 * (i * 6 + k) + j * 5 + m for m in range(5)] for k in range(6)] for j in range(7)]
                for i in range(8)
            ],
            np.float32,
        ),
    )
    assert_same_bits(engine.add(a, b, auto_broadcast="numpy"), total)
    assert_same_bits(engine.add(b, a), total)
