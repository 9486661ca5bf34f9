"""Packed tensors in, packed tensors out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import Tensor, engines
from addison.spec.packing import bytes_needed
from tests.same_bits import NAMES, WITHOUT_DTYPE, array_of, assert_same_bits, nothing_in_the_padding


@pytest.mark.parametrize("name", NAMES)
def test_tensors_give_a_tensor_of_their_type(name, engine):
    total = engine.add(Tensor.from_codes(name, [[0, 1, 0]]), Tensor.from_codes(name, [[0], [0]]))
    assert type(total) is Tensor
    assert total.element_type.name == name
    assert total.shape == (2, 3)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_DTYPE])
def test_a_tensor_with_an_array_gives_a_tensor(name, engine):
    array, tensor = array_of(name, [0, 1, 1]), Tensor.from_codes(name, [[1], [0]])
    wanted = Tensor.from_numpy(engine.add(array, tensor.to_numpy()))
    assert_same_bits(engine.add(array, tensor), wanted)
    assert_same_bits(engine.add(tensor, array), wanted)


@pytest.mark.parametrize(
    ("name", "elements", "a", "b", "total"),
    [  # packed bytes written out
        ("u4", 3, "2103", "1f0e", "3001"),
        ("i4", 2, "78", "11", "89"),
        ("u1", 3, "c0", "a0", "60"),
        ("u2", 4, "1b", "01", "18"),
        ("u3", 8, "1b1b0f", "555500", "6c6c1e"),
        ("u6", 1, "f00000", "100010", "000040"),
        ("nf4", 2, "7f", "f0", "f7"),
        ("f4e2m1", 2, "72", "72", "74"),
        ("f32", 1, "0000803f", "0000803f", "00000040"),
        ("u16", 1, "ffff", "0200", "0100"),
    ],
)
def test_bytes_written_out(name, elements, a, b, total, engine):
    found = engine.add(Tensor(name, (elements,), bytes.fromhex(a)), Tensor(name, (elements,), bytes.fromhex(b)))
    assert bytes(found.data).hex() == total


@given(
    data=st.data(),
    name=st.sampled_from(["u1", "u2", "u3", "u4", "u6", "i4", "nf4", "f4e2m1"]),
    elements=st.integers(0, 17),
    engine=st.sampled_from([engines.get(name) for name in engines.names()]),
)
def test_what_lies_in_the_padding_does_not_matter(data, name, elements, engine):
    size = bytes_needed(Tensor.from_codes(name, [0]).element_type, elements)
    raw = st.binary(min_size=size, max_size=size)
    a, b = (Tensor(name, (elements,), data.draw(raw)) for _ in range(2))
    total = engine.add(a, b)
    assert nothing_in_the_padding(total)
    assert_same_bits(total, engine.add(Tensor.from_codes(name, a.codes()), Tensor.from_codes(name, b.codes())))


@pytest.mark.parametrize("name", ["u3", "i4", "f64"])
def test_rank_0_and_no_elements(name, engine):
    for shape in ((), (0,), (2, 0)):
        one = Tensor.from_codes(name, np.zeros(shape, np.uint8))
        assert engine.add(one, one).shape == shape


@pytest.mark.parametrize(
    ("a", "b", "options"),
    [
        ((2, 3), (3,), {}),
        ((2, 3), (2,), {"auto_broadcast": "pdpd", "axis": 0}),
        ((2, 3), (2, 3), {"auto_broadcast": "none"}),
    ],
)
def test_tensors_broadcast_as_arrays_do(a, b, options, engine):
    x, y = (np.arange(np.prod(shape), dtype=np.int16).reshape(shape) * 300 for shape in (a, b))
    assert_same_bits(
        engine.add(Tensor.from_numpy(x), Tensor.from_numpy(y), **options),
        Tensor.from_numpy(engine.add(x, y, **options)),
    )


def test_operands_are_not_written_to(engine):
    memory = bytearray(b"\x21\xf3")
    tensor = Tensor("u4", (3,), memory)
    engine.add(tensor, tensor)
    assert memory == b"\x21\xf3"
