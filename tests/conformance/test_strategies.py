"""The Hypothesis strategies give what they promise, and reach the corners."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import find, given
from hypothesis import strategies as st

import addison.strategies as given_by
from addison import Dim, Shape, Tensor, engines, infer_shape
from tests.same_bits import NAMES


@given(given_by.broadcastable())
def test_such_shapes_merge_as_numpys_do(pair):
    assert infer_shape(*pair).sizes == np.broadcast_shapes(*pair)


@given(given_by.laid_over())
def test_such_shapes_merge_under_pdpd(found):
    a, b, axis = found
    assert infer_shape(a, b, auto_broadcast="pdpd", axis=axis).sizes == a


@given(given_by.pairs())
def test_such_tensors_can_be_added(pair):
    a, b = pair
    assert a.element_type == b.element_type
    total = engines.get("reference").add(a, b)
    assert total.shape == np.broadcast_shapes(a.shape, b.shape)


@given(given_by.dynamic_shapes())
def test_dynamic_shapes(shape):
    assert isinstance(shape, Shape)


@given(st.data())
def test_a_tensor_of_what_is_asked_for(data):
    name = data.draw(st.sampled_from(NAMES))
    tensor = data.draw(given_by.tensors(name, (2, 3)))
    assert (tensor.element_type.name, tensor.shape) == (name, (2, 3))
    assert isinstance(data.draw(given_by.tensors(given_by.element_types(), given_by.shapes())), Tensor)


@pytest.mark.parametrize(
    ("strategy", "corner"),
    [
        (given_by.shapes(), lambda shape: shape == ()),
        (given_by.shapes(), lambda shape: 0 in shape and len(shape) == 4),
        (given_by.broadcastable(), lambda pair: 1 in pair[0] and pair[1] and pair[1][0] > 1),
        (given_by.laid_over(), lambda found: found[1] and found[1][-1] == 1 and found[0][-1] != 1),
        (given_by.laid_over(), lambda found: found[2] == -1 and len(found[0]) > len(found[1])),
        (given_by.intervals(), lambda dim: dim.high is None),
        (given_by.intervals(), lambda dim: isinstance(dim, Dim) and not dim.static and dim.high == 6),
        (given_by.codes("f64"), lambda code: code == 0x7FEF_FFFF_FFFF_FFFF),
        (given_by.codes("i64"), lambda code: code == 2**63),
        (given_by.dynamic_shapes(), lambda shape: shape.dims is None),
    ],
)
def test_corners_are_reached(strategy, corner):
    assert corner(find(strategy, corner))


def test_without_hypothesis_the_pip_command_is_named():
    code = "import sys; sys.modules['hypothesis'] = None\nimport addison.strategies"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'addison[test]'" in done.stderr.splitlines()[-1]
