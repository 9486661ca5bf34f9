"""Which codes are asked for."""

import pytest

from addison import InvalidInput, check
from addison.checker.select import Selection
from tests.ir.build import add, data, parameter, sum_of

TEXT = sum_of(a=parameter(shape="2,3"), b=parameter(1, "b", "4"), add_layer=add(inside=data(auto_broadcast="pdpd")))


def codes(**how):
    return [one.code for one in check(TEXT.encode(), **how)]


def test_all_are_asked_for():
    assert codes() == ["A302", "A105"]


@pytest.mark.parametrize(
    ("select", "ignore", "wanted"),
    [
        (["A3"], [], ["A302"]),
        (["A302", "A105"], [], ["A302", "A105"]),
        (["W"], [], []),
        ([], ["A3"], ["A105"]),
        ([], ["A"], []),
        (["A"], ["A3"], ["A105"]),
        (["A302"], ["A"], ["A302"]),
        (["A302"], ["A302"], []),
        (["A3"], ["A302"], []),
        ([], ["A1", "A302"], []),
    ],
)
def test_the_longer_beginning_decides(select, ignore, wanted):
    assert codes(select=select, ignore=ignore) == wanted


@pytest.mark.parametrize(
    ("code", "near"),
    [("A3O2", "A302"), ("", ""), ("a302", "A302"), ("Z", ""), ("A3023", "A30"), ("shapes-clash", "A302")],
)
def test_a_code_that_is_none(code, near):
    for how in ({"select": [code]}, {"ignore": ["A302", code]}):
        with pytest.raises(InvalidInput) as caught:
            check(TEXT.encode(), **how)
        assert caught.value.fields == {"code": code}
        assert near in caught.value.help


def test_nothing_is_left_out_when_nothing_is_said():
    assert all(Selection.of([], []).has(code) for code in ("A302", "F101", "H101"))
