"""Shapes that public bug reports were about, each right answer from its report; the name says which."""

import numpy as np
import pytest

from addison import InvalidInput, Shape, infer_shape


def ramp(*sizes):
    return np.arange(np.prod(sizes), dtype=np.int32).reshape(sizes)


def test_p21_ncnn_4508_every_row_gets_the_addend(engine):
    total = engine.add(np.int32([[1, 2, 3], [4, 5, 6]]), np.int32([[10, 20, 30]]))
    assert total.tolist() == [[11, 22, 33], [14, 25, 36]]


def test_p23_ncnn_4752_both_operands_stretched(engine):
    a, b = ramp(1, 17, 1, 128), 10_000 * ramp(1, 1, 2, 128)
    total = engine.add(a, b)
    assert total.shape == (1, 17, 2, 128)
    assert all((total[0, i, j] == a[0, i, 0] + b[0, 0, j]).all() for i in range(17) for j in range(2))


def test_p25_paddle_23913_pdpd_with_the_axis_left_at_minus_1(engine):
    a, b = ramp(20, 10, 10), 10_000 * ramp(1, 10)
    total = engine.add(a, b, auto_broadcast="pdpd")
    assert (total == a + b).all()
    assert (total == engine.add(a, b, auto_broadcast="pdpd", axis=1)).all()


def test_p27_openvino_4462_pdpd_lays_b_over_the_axes_from_1(engine):
    a, b = ramp(2, 3, 4, 5), 1000 * ramp(3, 4)
    total = engine.add(a, b, auto_broadcast="pdpd", axis=1)
    assert all((total[:, j, k] == a[:, j, k] + 1000 * (j * 4 + k)).all() for j in range(3) for k in range(4))


def test_p27_numpy_refuses_the_same_shapes(engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(ramp(2, 3, 4, 5), ramp(3, 4))
    assert [axis for axis, *_ in refused.value.fields["axes"]] == [-1, -2]


def test_p29_cinn_489_under_pdpd_b_has_not_the_larger_rank(engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(ramp(10, 20), ramp(4, 10, 20), auto_broadcast="pdpd", axis=1)
    assert (refused.value.fields["a"], refused.value.fields["b"]) == (Shape(10, 20), Shape(4, 10, 20))
    assert refused.value.fields["axis"] == 1


def test_p31_onnxruntime_backend_43_is_refused_not_broadcast(engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(ramp(1, 3, 20, 20, 2), ramp(1, 1, 21, 12, 2))
    assert [(axis, a.low, b.low) for axis, a, b in refused.value.fields["axes"]] == [(-2, 20, 12), (-3, 20, 21)]


def test_p33_paddle_37077_no_elements_and_no_size_of_minus_1(engine):
    assert engine.add(ramp(0, 19), ramp(0, 19)).shape == (0, 19)
    assert infer_shape((0, 19), (0, 19)) == Shape(0, 19)


def test_p35_openvino_13527_16_against_0_is_refused(engine):
    with pytest.raises(InvalidInput) as refused:
        engine.add(ramp(1, 8, 16, 16), ramp(1, 8, 16, 0))
    assert [(axis, a.low, b.low) for axis, a, b in refused.value.fields["axes"]] == [(-1, 16, 0)]


def test_p39_tvm_3967_an_unknown_size_against_3_is_3():
    assert infer_shape("3,2", "?,2") == Shape(3, 2)


def test_p41_openvino_14198_4_against_5_whatever_the_unknowns_are():
    with pytest.raises(InvalidInput) as refused:
        infer_shape("?,4", "?,5")
    assert [(axis, a.low, b.low) for axis, a, b in refused.value.fields["axes"]] == [(-1, 4, 5)]
