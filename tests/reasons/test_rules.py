"""The three rules in sentences; their examples are worked out, not written down."""

import pytest

from addison import InvalidInput, explain
from addison.reasons.rules import RuleReason
from addison.spec.broadcast import RULES


@pytest.mark.parametrize(
    ("name", "a", "b", "axis", "shape"),
    [
        ("none", "256,56", "256,56", -1, "256,56"),
        ("numpy", "8,1,6,1", "7,1,5", -1, "8,7,6,5"),
        ("pdpd", "2,3,4,5", "3,1", 1, "2,3,4,5"),
    ],
)
def test_examples(name, a, b, axis, shape):
    example = explain(name).example
    assert (example.a.spell(), example.b.spell(), example.auto_broadcast, example.axis) == (a, b, name, axis)
    assert example.shape.spell() == shape
    assert example.columns


@pytest.mark.parametrize("name", RULES)
def test_sentences(name):
    says = explain(name).says
    assert 3 <= len(says) <= 6
    assert all(one.endswith(".") and len(one) <= 120 for one in says)


def test_an_unknown_rule():
    with pytest.raises(InvalidInput) as caught:
        RuleReason.of("bidirectional")
    assert caught.value.fields == {"auto_broadcast": "bidirectional"}
