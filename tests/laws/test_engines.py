"""What holds of every engine, for any operands."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addison import Tensor, engines
from tests.same_bits import NAMES, WIDE, WITHOUT_DTYPE, array_of, assert_same_bits, operand_of
from tests.strategies import NAMED, arrays, broadcastable, layouts, many_pairs

oracle = engines.get("oracle")
OTHERS = [engines.get(name) for name in engines.names() if name != "oracle"]
ANY_ENGINE = st.sampled_from([engines.get(name) for name in engines.names()])


@pytest.mark.parametrize("other", OTHERS, ids=lambda engine: engine.name)
@pytest.mark.parametrize("name", WIDE)
@given(data=st.data())
def test_every_engine_gives_the_oracles_bits(name, other, data):
    a, b = (array_of(name, side) for side in data.draw(many_pairs(name)))
    assert_same_bits(other.add(a, b), oracle.add(a, b))


@given(data=st.data(), name=NAMED, sizes=broadcastable(), engine=ANY_ENGINE)
def test_layout_and_byte_order_change_nothing(data, name, sizes, engine):
    a, b = (data.draw(arrays(name, shape)) for shape in sizes)
    plain = [np.array(side, side.dtype.newbyteorder("="), order="C") for side in (a, b)]
    assert_same_bits(engine.add(a, b), engine.add(*plain))


@given(data=st.data(), name=NAMED, sizes=broadcastable(), engine=ANY_ENGINE)
def test_broadcasting_is_adding_the_broadcast_operands(data, name, sizes, engine):
    a, b = (data.draw(arrays(name, shape)) for shape in sizes)
    wide = [np.array(side) for side in np.broadcast_arrays(a, b)]
    assert_same_bits(engine.add(a, b), engine.add(*wide, auto_broadcast="none"))


@given(data=st.data(), name=NAMED, sizes=broadcastable(), engine=ANY_ENGINE)
def test_out_of_any_layout_holds_what_add_returns(data, name, sizes, engine):
    a, b = (data.draw(arrays(name, shape)) for shape in sizes)
    wanted = engine.add(a, b)
    out = data.draw(layouts(np.zeros_like(wanted)))
    assert engine.add(a, b, out=out) is out
    assert_same_bits(np.array(out, wanted.dtype), wanted)


@given(data=st.data(), name=NAMED, engine=ANY_ENGINE)
def test_out_over_an_operand_is_as_if_computed_apart(data, name, engine):
    size = data.draw(st.integers(1, 40))
    memory = data.draw(arrays(name, (3 * size,)))
    a, b, out = (
        memory[start : start + size * step : step][:: data.draw(st.sampled_from([1, -1]))]
        for start, step in data.draw(st.tuples(*[st.tuples(st.integers(0, size), st.integers(1, 2))] * 3))
    )
    wanted = engine.add(a.copy(), b.copy())
    engine.add(a, b, out=out)
    assert_same_bits(np.array(out, wanted.dtype), wanted)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20)
@given(data=st.data(), engine=ANY_ENGINE)
def test_the_operands_may_be_swapped(name, data, engine):
    a, b = (operand_of(name, side) for side in data.draw(many_pairs(name)))
    assert_same_bits(engine.add(a, b), engine.add(b, a))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20)
@given(data=st.data(), engine=ANY_ENGINE)
def test_a_part_of_the_sum_is_the_sum_of_the_parts(name, data, engine):
    a, b = (np.array(side, np.uint64) for side in data.draw(many_pairs(name)))
    start = data.draw(st.integers(0, len(a) - 1))
    whole = engine.add(operand_of(name, a), operand_of(name, b))
    part = engine.add(operand_of(name, a[start:]), operand_of(name, b[start:]))
    if name in WITHOUT_DTYPE:
        assert_same_bits(part, Tensor.from_codes(name, whole.codes()[start:]))
    else:
        assert_same_bits(part, whole[start:])


@given(data=st.data(), name=NAMED, sizes=broadcastable(), engine=ANY_ENGINE)
def test_packed_operands_give_the_packed_sum_of_the_arrays(data, name, sizes, engine):
    a, b = (data.draw(arrays(name, shape)) for shape in sizes)
    wanted = Tensor.from_numpy(engine.add(a, b))
    assert_same_bits(engine.add(Tensor.from_numpy(a), Tensor.from_numpy(b)), wanted)
    assert_same_bits(engine.add(Tensor.from_numpy(a), b), wanted)
    assert_same_bits(engine.add(a, Tensor.from_numpy(b)), wanted)


@given(data=st.data(), engine=ANY_ENGINE, name=NAMED, rank=st.integers(0, 3))
def test_pdpd_is_numpy_after_padding_b_on_the_right(data, engine, name, rank):
    shape = tuple(data.draw(st.lists(st.integers(0, 3), min_size=rank, max_size=rank)))
    axis = data.draw(st.integers(0, rank))
    end = data.draw(st.integers(axis, rank))
    laid = tuple(data.draw(st.sampled_from([1, size])) for size in shape[axis:end])
    a, b = data.draw(arrays(name, shape)), data.draw(arrays(name, laid))
    wanted = engine.add(a, b.reshape(laid + (1,) * (rank - end)), auto_broadcast="numpy")
    assert_same_bits(engine.add(a, b, auto_broadcast="pdpd", axis=axis), wanted)
