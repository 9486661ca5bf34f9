"""The comparison that the tests of values rest on: same type, same shape, same bits, any NaN as good as another."""

import ml_dtypes
import numpy as np

from addison import ElementType, Tensor
from addison.spec.addition import canonical

DTYPES = {  # written out here, so that a wrong row in addison.tensor.dtypes shows
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f16": np.dtype("f2"),
    "f32": np.dtype("f4"),
    "f64": np.dtype("f8"),
    "f8e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "f8e8m0": np.dtype(ml_dtypes.float8_e8m0fnu),
    "f4e2m1": np.dtype(ml_dtypes.float4_e2m1fn),
    "i4": np.dtype(ml_dtypes.int4),
    "i8": np.dtype("i1"),
    "i16": np.dtype("i2"),
    "i32": np.dtype("i4"),
    "i64": np.dtype("i8"),
    "u1": np.dtype(ml_dtypes.uint1),
    "u2": np.dtype(ml_dtypes.uint2),
    "u4": np.dtype(ml_dtypes.uint4),
    "u8": np.dtype("u1"),
    "u16": np.dtype("u2"),
    "u32": np.dtype("u4"),
    "u64": np.dtype("u8"),
}
WITHOUT_DTYPE = ("u3", "u6", "nf4")
NAMES = (*DTYPES, *WITHOUT_DTYPE)
"""All 23 element types."""
SMALL = tuple(name for name in NAMES if ElementType.parse(name).bits <= 8)
"""Those whose every pair of values can be tried."""
WIDE = tuple(name for name in NAMES if name not in SMALL)


def code_dtype(name):
    """The unsigned integers that hold one code each."""
    return np.dtype(f"u{max(ElementType.parse(name).bits // 8, 1)}")


def array_of(name, codes):
    """The array of a type that has a dtype, from the bits of its elements."""
    return np.asarray(codes, code_dtype(name)).view(DTYPES[name])


def operand_of(name, codes):
    """What ``add`` takes for elements of these bits: an array, or a Tensor where there is no dtype."""
    return Tensor.from_codes(name, codes) if name in WITHOUT_DTYPE else array_of(name, codes)


def codes_in(value):
    """The element type's name and the bits of each element, of an array or a Tensor."""
    if isinstance(value, Tensor):
        return value.element_type.name, value.codes()
    name = next((name for name, dtype in DTYPES.items() if dtype == value.dtype), None)
    assert name is not None, f"{value.dtype} is the native dtype of no element type"
    codes = np.array(value, order="C").view(code_dtype(name))
    return name, codes & np.uint8(2 ** ElementType.parse(name).bits - 1) if name in (
        "i4",
        "u4",
        "f4e2m1",
        "u2",
        "u1",
    ) else codes


def assert_same_codes(name, found, wanted):
    """Elements of one type, given as their bits, agree one by one."""
    element = ElementType.parse(name)
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape, f"shape {found.shape}, wanted {wanted.shape}"
    wrong = [
        tuple(map(int, place))
        for place in np.argwhere(found != wanted)
        if canonical(element, int(found[*place])) != canonical(element, int(wanted[*place]))
    ]
    assert not wrong, f"{len(wrong)} of {found.size} elements of {name} differ: " + ", ".join(
        f"at {place} {int(found[place]):#x}, wanted {int(wanted[place]):#x}" for place in wrong[:5]
    )


def assert_same_bits(found, wanted):
    """Two arrays, or two Tensors, hold the same."""
    assert isinstance(found, Tensor) == isinstance(wanted, Tensor), f"{type(found)}, wanted {type(wanted)}"
    name, codes = codes_in(found)
    wanted_name, wanted_codes = codes_in(wanted)
    assert name == wanted_name, f"elements are {name}, wanted {wanted_name}"
    assert_same_codes(name, codes, wanted_codes)


def nothing_in_the_padding(tensor):
    """Whether the bits of a Tensor that no element owns are all 0; each type's own bits, told by their number."""
    ones = sum(int(code).bit_count() for code in tensor.codes().flat)
    return int.from_bytes(bytes(tensor.data), "little").bit_count() == ones
