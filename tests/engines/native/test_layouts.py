"""Arrays in any layout: the core's sums and the layout of its results are the reference engine's."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from addison.engines import native, reference
from tests.same_bits import DTYPES, array_of, assert_same_bits, code_dtype
from tests.strategies import NAMED, broadcastable, layouts

ANY_SIZE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=150)


@st.composite
def random_arrays(draw, name, shape):
    """Bits at random, in any layout; large ones too, which hypothesis itself could not draw element by element."""
    seed = draw(st.integers(0, 2**32 - 1))
    count = int(np.prod(shape))
    bits = np.random.default_rng(seed).integers(0, 256, count * code_dtype(name).itemsize, np.uint8)
    return draw(layouts(array_of(name, bits.view(code_dtype(name)).reshape(shape))))


@st.composite
def cases(draw, sizes):
    name = draw(NAMED)
    shape_a, shape_b = draw(sizes)
    return draw(random_arrays(name, shape_a)), draw(random_arrays(name, shape_b))


SHAPES = st.one_of(
    broadcastable(largest_rank=16, largest_size=2),
    broadcastable(largest_rank=6, largest_size=5),
    broadcastable(largest_rank=4, largest_size=17),
    broadcastable(largest_rank=3, largest_size=70),
    broadcastable(largest_rank=2, largest_size=300),
)


def same(a, b, **more):
    with np.errstate(all="ignore"):
        wanted = reference.add(a, b)
    found = native.add(a, b, **more)
    assert_same_bits(found, wanted)
    return found, wanted


@pytest.mark.usefixtures("either_size")
@ANY_SIZE
@given(cases(SHAPES))
def test_sums_and_the_results_layout(case):
    found, wanted = same(*case)
    if wanted.size:
        axes = [axis for axis, size in enumerate(wanted.shape) if size > 1]
        assert [found.strides[axis] for axis in axes] == [wanted.strides[axis] for axis in axes]


@pytest.mark.usefixtures("either_size")
@ANY_SIZE
@given(cases(SHAPES), st.data())
def test_out_in_any_layout(case, data):
    a, b = case
    shape = np.broadcast_shapes(a.shape, b.shape)
    name = next(name for name, dtype in DTYPES.items() if dtype == a.dtype.newbyteorder("="))
    out = data.draw(layouts(array_of(name, np.zeros(shape, code_dtype(name)))))
    with np.errstate(all="ignore"):
        wanted = reference.add(a, b)
    assert native.add(a, b, out=out) is out
    assert_same_bits(np.array(out, out.dtype.newbyteorder("=")), wanted)


@pytest.mark.usefixtures("either_size")
@ANY_SIZE
@given(cases(SHAPES), st.booleans())
def test_out_is_an_operand(case, first):
    """As it lies, when it has the result's shape."""
    a, b = case if first else case[::-1]
    if a.shape != np.broadcast_shapes(a.shape, b.shape):
        return
    with np.errstate(all="ignore"):
        wanted = reference.add(a, b)
    sides = (a, b) if first else (b, a)
    assert native.add(*sides, out=a) is a
    assert_same_bits(np.array(a, a.dtype.newbyteorder("=")), wanted)


@pytest.mark.usefixtures("either_size")
@ANY_SIZE
@given(NAMED, st.integers(1, 900), st.integers(-40, 40), st.integers(-40, 40), st.integers(0, 2**32 - 1))
def test_out_overlaps_the_operands(name, n, shift_a, shift_b, seed):
    """In the same memory, some elements to the left or to the right."""
    bits = np.random.default_rng(seed).integers(0, 256, (n + 80) * code_dtype(name).itemsize, np.uint8)
    memory = array_of(name, bits.view(code_dtype(name)))
    a, b, out = (memory[40 + shift :][:n] for shift in (shift_a, shift_b, 0))
    with np.errstate(all="ignore"):
        wanted = reference.add(a.copy(), b.copy())
    native.add(a, b, out=out)
    assert_same_bits(out, wanted)


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("rule", [{"auto_broadcast": "pdpd", "axis": 1}, {"auto_broadcast": "pdpd"}, {}])
def test_the_rules(name, rule):
    bits = np.random.default_rng(7).integers(0, 256, 2 * 3 * 4 * 5 * code_dtype(name).itemsize, np.uint8)
    a = array_of(name, bits.view(code_dtype(name)).reshape(2, 3, 4, 5))
    for b in (a[0, :, :, 0] if rule.get("axis") else a[0, 0], a[0, :, :1, 0] if rule.get("axis") else a[0, 0, 0]):
        with np.errstate(all="ignore"):
            wanted = reference.add(a, b, **rule)
        assert_same_bits(native.add(a, b, **rule), wanted)
