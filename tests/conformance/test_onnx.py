"""The official tests of ONNX's Add, through every engine."""

import warnings

import numpy as np
import pytest
from onnx.backend.test.case.node import collect_testcases

from tests.same_bits import assert_same_bits

with warnings.catch_warnings(action="ignore"):  # it imports the tests of every operation, and makes their arrays
    CASES = {case.name: case for case in collect_testcases("Add")}


def test_there_are_eight():
    assert len(CASES) == 8


@pytest.mark.parametrize("name", CASES)
def test_official_case(name, engine):
    case = CASES[name]
    assert {node.op_type for node in case.model.graph.node} == {"Add"}
    for inputs, outputs in case.data_sets:
        a, b = (np.asarray(one) for one in inputs)
        assert_same_bits(engine.add(a, b), np.asarray(outputs[0]))
