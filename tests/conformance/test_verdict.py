"""Verdicts: the comparison is handed wrong answers and must go red, with the right numbers and the right class."""

import tracemalloc

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addison import InvalidInput, Tensor, Unsupported, compare
from addison.conformance.judge import BLOCK
from addison.spec.addition import canonical
from addison.spec.elements import ELEMENTS
from addison.strategies import codes, element_types
from tests.same_bits import DTYPES, NAMES, array_of, operand_of

F32 = np.float32


@given(st.data())
def test_the_same_bits_and_only_those_are_the_same(data):
    element = data.draw(element_types())
    found, wanted = ([data.draw(codes(element)) for _ in range(3)] for _ in range(2))
    verdict = compare(operand_of(element.name, found), operand_of(element.name, wanted))
    differ = [i for i in range(3) if canonical(element, found[i]) != canonical(element, wanted[i])]
    assert (verdict.same, verdict.differing) == (not differ, len(differ))
    assert verdict.first == ((differ[0],) if differ else None)
    assert sum(verdict.classes.values()) == len(differ)
    assert bool(verdict) is verdict.same


@pytest.mark.parametrize("name", NAMES)
def test_one_wrong_bit_anywhere_is_seen(name):
    element = ELEMENTS[name]
    right = np.zeros((3, 5), np.uint64) + (1 if element.bits > 1 else 0)
    for index in np.ndindex(3, 5):
        wrong = right.copy()
        wrong[index] ^= 1 << (element.bits - 1)
        verdict = compare(operand_of(name, wrong.astype(np.uint64)), operand_of(name, right))
        assert (verdict.differing, verdict.first, verdict.shape) == (1, index, (3, 5))
        assert (verdict.found, verdict.wanted) == (int(wrong[index]), int(right[index]))


def test_any_nan_is_as_good_as_another_and_none_as_good_as_a_number():
    nans = array_of("f16", [0x7E00, 0xFE00, 0x7C01, 0x7FFF])
    assert compare(nans, nans[::-1]).same
    verdict = compare(nans, np.float16([1, 2, np.inf, np.nan]))
    assert (verdict.differing, verdict.classes, verdict.largest) == (3, {"nan": 3}, None)


@pytest.mark.parametrize(
    ("found", "wanted", "kind", "largest"),
    [
        (F32([0.0]), F32([-0.0]), "sign-of-zero", 0),
        (F32([np.inf]), F32([3.4028235e38]), "infinity", None),
        (F32([np.inf]), F32([-np.inf]), "infinity", None),
        (F32([0.0]), F32([1e-40]), "flushed-subnormal", 71362),
        (F32([-0.0]), F32([1e-40]), "flushed-subnormal", 71362),
        (F32([1.0]), F32([1.0000001]), "rounded-otherwise", 1),
        (F32([1.0]), F32([1.0000002]), "other", 2),
        (F32([-1e-45]), F32([1e-45]), "other", 2),
        (np.int8([127]), np.int8([-128]), "other", 255),
        (np.uint64([2**64 - 1]), np.uint64([0]), "other", 2**64 - 1),
        (np.float64([-1.7976931348623157e308]), np.float64([1.7976931348623157e308]), "other", 2**64 - 2**53 - 2),
    ],
)
def test_classes_that_need_no_operands(found, wanted, kind, largest):
    verdict = compare(found, wanted)
    assert (verdict.classes, verdict.largest, verdict.operands_known) == ({kind: 1}, largest, False)


def i(*values, dtype=np.int64):
    return np.array(values, dtype)


@pytest.mark.parametrize(
    ("found", "wanted", "a", "b", "kind"),
    [
        (np.int8([127]), np.int8([-56]), np.int8([100]), np.int8([100]), "saturated"),
        (np.int8([-128]), np.int8([56]), np.int8([-100]), np.int8([-100]), "saturated"),
        (np.uint8([255]), np.uint8([44]), np.uint8([200]), np.uint8([100]), "saturated"),
        (i(2**63 - 1), i(-(2**63)), i(2**63 - 1), i(1), "saturated"),
        (i(1), i(2**40 + 1), i(2**40), i(1), "wrapped-at-32-bits"),
        (i(-(2**31)), i(2**31), i(2**31 - 1), i(1), "wrapped-at-32-bits"),
        (np.uint64([2**64 - 1]), np.uint64([2**32 - 1]), np.uint64([0]), np.uint64([2**32 - 1]), "wrapped-at-32-bits"),
        (i(5), i(2**40 + 1), i(2**40), i(1), "other"),
        (F32([1.0]), F32([1.0 + 2**-20]), F32([1.0]), F32([2**-20]), "other"),
        (np.float64([1.0]), np.float64([1 + 2**-40]), np.float64([1]), np.float64([2**-40]), "computed-in-f32"),
        (F32([1e-40]), F32([2e-40]), F32([1e-40]), F32([1e-40]), "other"),
        (F32([0.0]), F32([2e-38]), F32([1e-38]), F32([1e-38]), "flushed-subnormal"),
        (F32([2e-38]), F32([3e-38]), F32([2e-38]), F32([1e-38]), "flushed-subnormal"),
    ],
)
def test_classes_that_need_the_operands(found, wanted, a, b, kind):
    verdict = compare(found, wanted, of=(a, b))
    assert (verdict.classes, verdict.operands_known) == ({kind: 1}, True)


def test_a_carry_between_neighbours():
    a, b = (Tensor.from_codes("u4", codes) for codes in ([15, 0, 3], [1, 0, 4]))
    found, right = (Tensor.from_codes("u4", codes) for codes in ([0, 1, 7], [0, 0, 7]))
    assert compare(found, right, of=(a, b)).classes == {"carried": 1}
    assert compare(found, right).classes == {"other": 1}
    a, b = (Tensor.from_codes("u1", codes) for codes in ([0, 1], [0, 1]))  # the first stands highest
    assert compare(Tensor.from_codes("u1", [1, 0]), Tensor.from_codes("u1", [0, 0]), of=(a, b)).classes == {
        "carried": 1
    }


def test_another_axis_is_named():
    a, b = np.zeros((2, 3, 3), np.int32), np.int32([1, 2, 3])
    over = {axis: a + b.reshape((3, 1) if axis == 1 else (1, 3)) for axis in (1, 2)}
    verdict = compare(over[2], over[1], of=(a, b), auto_broadcast="pdpd", axis=1)
    assert (verdict.classes, verdict.axis, verdict.differing) == ({"other-axis": 12}, 2, 12)
    assert "axis 2" in verdict.says
    nothing = compare(over[2] + 1, over[1], of=(a, b), auto_broadcast="pdpd", axis=1)
    assert nothing.axis is None


def test_operands_that_are_not_those_of_the_sum_tell_nothing():
    found, wanted = np.int8([127, 0]), np.int8([-56, 0])
    for a in (np.int8([1, 2, 3]), np.uint8([100, 0]), np.int8([[1, 2], [3, 4]])):
        verdict = compare(found, wanted, of=(a, np.int8([100, 0])))
        assert (verdict.classes, verdict.operands_known) == ({"other": 1}, False)


@pytest.mark.parametrize(("ulps", "differing", "tolerated"), [(0, 5, 0), (1, 4, 1), (2, 3, 2), (100, 2, 3)])
def test_tolerance_in_ulps_is_for_numbers_alone(ulps, differing, tolerated):
    found = F32([1, 1, 1, 3.4028235e38, np.nan, 5])
    wanted = F32([1 + 2**-23, 1 + 2**-22, 1 + 2**-20, np.inf, 1, 5])
    verdict = compare(found, wanted, ulps=ulps)
    assert (verdict.differing, verdict.tolerated, verdict.ulps) == (differing, tolerated, ulps)


@pytest.mark.parametrize("ulps", [-1, 1.5, True, "1", None])
def test_a_tolerance_that_is_none(ulps):
    with pytest.raises(InvalidInput) as refused:
        compare(F32([1]), F32([1]), ulps=ulps)
    assert refused.value.fields == {"ulps": ulps}


def test_types_and_shapes_that_differ_are_no_match():
    for wrong in (np.float16([1, 2]), F32([[1, 2]]), F32([1]), np.int32([1, 2])):
        verdict = compare(wrong, F32([1, 2]))
        assert not verdict.same
        assert verdict.mismatch
        assert verdict.elements == 0
    assert compare(F32([]), F32([])).same
    assert compare(np.zeros((0, 3), "f4"), np.zeros((3, 0), "f4")).mismatch


@pytest.mark.parametrize("nothing", [None, [1.0], 1.0, np.ma.MaskedArray([1.0])])
def test_what_is_no_array_is_refused(nothing):
    with pytest.raises(Unsupported) as refused:
        compare(nothing, np.float64([1.0]))
    assert refused.value.fields == {"found": type(nothing).__name__}


@pytest.mark.parametrize("name", ["f32", "bf16", "u4"])
def test_layouts_in_memory_make_no_difference(name):
    codes = np.arange(2 * BLOCK + 4, dtype=np.uint64) % 13 % 2 ** ELEMENTS[name].bits
    right = array_of(name, codes).reshape(2, -1, 2)
    same = [np.asfortranarray(right), right[::-1].copy()[::-1], np.repeat(right, 2, axis=2)[:, :, ::2]]
    if name == "f32":
        same.append(right.astype(right.dtype.newbyteorder()))
    wrong = right.copy()
    wrong[1, -1, 1] = right[1, -2, 1]
    for one in (*same, Tensor.from_numpy(right)):
        assert compare(one, right).same
        assert compare(right, one).same
        assert compare(wrong, one).first == (1, right.shape[1] - 1, 1)


def test_numbers_from_many_blocks_are_added_up():
    right = np.zeros(3 * BLOCK + 1, np.float32)
    wrong = right.copy()
    wrong[[BLOCK - 1, BLOCK, 3 * BLOCK]] = [1e-45, np.nan, 1.0]
    verdict = compare(wrong, right)
    assert (verdict.differing, verdict.first, verdict.largest) == (3, (BLOCK - 1,), 0x3F800000)
    assert verdict.classes == {"nan": 1, "rounded-otherwise": 1, "other": 1}


def test_memory_does_not_grow_with_the_arrays():
    wrong, right = (np.full(1 << 22, value, ml_dtypes.bfloat16) for value in (1, 2))
    tracemalloc.start()
    verdict = compare(wrong, right, of=(right, right))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert verdict.differing == 1 << 22
    assert peak < 8 << 20


def test_it_shows_as_its_sentence():
    assert repr(compare(F32([1]), F32([1]))) == "<Verdict: 1 element of f32 the same, bit for bit>"
    assert repr(compare("engine:oracle", "engine:oracle")).endswith("compared, all the same>")


def test_every_type_can_be_judged_against_operands():
    for name in DTYPES:
        a = array_of(name, [0, 1, 1, 0])
        assert compare(a[:1], a[1:2], of=(a[2:3], a[3:])).differing == 1
