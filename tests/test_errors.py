"""The family of errors."""

import pickle

import pytest

from addison import (
    AddisonError,
    FlushedSubnormals,
    InvalidInput,
    InvalidModel,
    LimitExceeded,
    Shape,
    Unsupported,
    infer_shape,
)

KINDS = (AddisonError, InvalidInput, InvalidModel, LimitExceeded, Unsupported)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_keeps_its_sentence_its_help_and_its_fields(kind):
    error = kind("axis 4 is past the last axis, 3", help="use -1 to 3", axis=4, shape=Shape(2, "?"))
    for one in (error, pickle.loads(pickle.dumps(error))):
        assert type(one) is kind
        assert one.says == "axis 4 is past the last axis, 3"
        assert one.help == "use -1 to 3"
        assert one.fields == {"axis": 4, "shape": Shape(2, None)}
        assert str(one) == "axis 4 is past the last axis, 3; use -1 to 3"
    assert str(kind("no help")) == "no help"


def test_the_family():
    assert all(issubclass(kind, AddisonError) for kind in KINDS)
    assert issubclass(InvalidInput, ValueError)
    assert issubclass(Unsupported, TypeError)
    assert issubclass(FlushedSubnormals, RuntimeWarning)
    assert not issubclass(InvalidModel, ValueError)


def test_a_clash_pickles_with_its_dims():
    with pytest.raises(InvalidInput) as refused:
        infer_shape("2,1..3", "5,4")
    again = pickle.loads(pickle.dumps(refused.value))
    assert again.fields == refused.value.fields
    assert str(again) == str(refused.value)
