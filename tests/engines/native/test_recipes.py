"""Recipes that the package never writes are refused, not run."""

import numpy as np
import pytest

from addison.engines import native

F32 = ("f32", (4,))
ADD = ("add", (0, 1, 2, "numpy", -1), ())
INPUTS = ((("a",), 0, True, False), (("b",), 1, True, False))
CHAIN = ((4,), ((0, (4,)), (1, (4,))), ((0, 1, -1), (2, 1, 0)), (2,))
GOOD = {"slots": (F32, F32, F32), "inputs": INPUTS, "constants": (), "steps": (ADD,), "outputs": (("y", 2, False),)}


def program(**parts):
    return native._core.Program(*{**GOOD, **parts}.values())


def test_one_that_is_right():
    a = np.arange(4, dtype=np.float32)
    for step in (ADD, ("chain", CHAIN, (0, 1))):
        found = program(steps=(step,))([a, a])["y"]
        assert found.tolist() == (a + a if step is ADD else a + a + a).tolist()
    assert program()([a]) is NotImplemented
    assert program()([a[:2], a]) is NotImplemented


def chain(**parts):
    names = ("sizes", "operands", "sums", "results")
    return {"steps": (("chain", tuple({**dict(zip(names, CHAIN, strict=True)), **parts}.values()), ()),)}


WRONG = {
    "a slot that nothing fills": {"inputs": INPUTS[:1]},
    "a slot read after it was dropped": {"steps": (("add", ADD[1], (0,)), ADD)},
    "a slot filled twice": {"steps": (ADD, ADD)},
    "an output of nothing": {"steps": ()},
    "an output that was dropped": {"steps": (("add", ADD[1], (2,)),)},
    "two types": {"slots": (F32, ("i32", (4,)), F32)},
    "a slot that there is not": {"outputs": (("y", 3, False),)},
    "a negative slot": {"steps": (("add", (0, -1, 2, "numpy", -1), ()),)},
    "no such rule": {"steps": (("add", (0, 1, 2, "explicit", -1), ()),)},
    "no such step": {"steps": (("subtract", ADD[1], ()),)},
    "no such type": {"slots": (("f31", (4,)), F32, F32)},
    "a size below zero": {"slots": (("f32", (-4,)), F32, F32)},
    "a size past everything": {"slots": (("f32", (2**40, 2**40)), F32, F32)},
    "too many axes": {"slots": (("f32", (1,) * 65), F32, F32)},
    "a constant of another shape": {"inputs": INPUTS[:1], "constants": ((1, np.ones(3, np.float32)),)},
    "a constant that is no array": {"inputs": INPUTS[:1], "constants": ((1, [1.0] * 4),)},
    "a needed input without a slot": {"inputs": ((("a",), -1, True, False),)},
    "lists": {"steps": [ADD]},
    "strides past the array": chain(operands=((0, (8,)), (1, (4,)))),
    "strides that overflow": chain(operands=((0, (2**62,)), (1, (4,)))),
    "strides below zero": chain(operands=((0, (-4,)), (1, (4,)))),
    "strides of other axes": chain(operands=((0, (4, 4)), (1, (4,)))),
    "sizes that overflow": chain(sizes=(2**32, 2**32), operands=((0, (0, 0)), (1, (0, 0)))),
    "no elements": chain(sizes=(0,), operands=((0, (4,)), (1, (4,)))),
    "results of another size": chain(sizes=(2,)),
    "a sum of itself": chain(sums=((0, 2, 0),)),
    "a result that is not there": chain(sums=((0, 1, 1),)),
    "no result": chain(sums=((0, 1, -1),), results=()),
    "no sums": chain(sums=()),
    "a chain too long": chain(sums=((0, 1, -1), *((2 + i, 1, -1) for i in range(40)), (42, 1, 0))),
}


@pytest.mark.parametrize("parts", WRONG.values(), ids=WRONG)
def test_those_that_are_not(parts):
    with pytest.raises((ValueError, TypeError)):
        program(**parts)
    with pytest.raises(TypeError):
        native._core.Program(*GOOD.values(), more=1)
    with pytest.raises(TypeError):
        program()([], None, None)
