"""Element types and NumPy dtypes. u3, u6 and nf4 have none: their arrays are uint8 arrays of codes."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from addison.errors import Unsupported
from addison.spec.elements import ELEMENTS, ElementType

Array = NDArray[Any]

_DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(kind)
    for name, kind in {
        "f16": np.float16,
        "f32": np.float32,
        "f64": np.float64,
        "bf16": ml_dtypes.bfloat16,
        "f8e4m3": ml_dtypes.float8_e4m3fn,
        "f8e5m2": ml_dtypes.float8_e5m2,
        "f8e8m0": ml_dtypes.float8_e8m0fnu,
        "f4e2m1": ml_dtypes.float4_e2m1fn,
        "i4": ml_dtypes.int4,
        "u4": ml_dtypes.uint4,
        "u2": ml_dtypes.uint2,
        "u1": ml_dtypes.uint1,
        "i8": np.int8,
        "i16": np.int16,
        "i32": np.int32,
        "i64": np.int64,
        "u8": np.uint8,
        "u16": np.uint16,
        "u32": np.uint32,
        "u64": np.uint64,
    }.items()
}
_ELEMENTS = {dtype.type: ELEMENTS[name] for name, dtype in _DTYPES.items()}
# C's long long has a type of its own beside the 64-bit integer of the same width
_ELEMENTS |= {np.longlong: ELEMENTS["i64"], np.ulonglong: ELEMENTS["u64"]}

_REFUSED = {
    "b": "boolean",
    "c": "complex",
    "S": "bytes",
    "U": "string",
    "O": "object",
    "M": "datetime",
    "m": "timedelta",
    "T": "string",
}
_NEAR = {  # same widths, other values: these are not Add-1's types
    "float8_e4m3": "float8_e4m3fn",
    "float8_e4m3b11fnuz": "float8_e4m3fn",
    "float8_e4m3fnuz": "float8_e4m3fn",
    "float8_e5m2fnuz": "float8_e5m2",
    "longdouble": "float64",
    "int1": "uint1",
    "int2": "uint2",
}


def element_of(dtype: np.dtype[Any]) -> ElementType:
    """The element type of a dtype, in either byte order; Unsupported, naming it, when it has none.

    >>> element_of(np.dtype(">f4")).name
    'f32'
    """
    found = _ELEMENTS.get(dtype.type)
    if found is not None:
        return found
    word = "structured" if dtype.names else _REFUSED.get(dtype.kind, dtype.type.__name__)
    near = _NEAR.get(dtype.type.__name__)
    raise Unsupported(
        f"{word} arrays cannot be added (dtype {dtype})",
        help=f"the nearest type that Add-1 has is {near}" if near else "Add-1 takes " + " ".join(ELEMENTS),
        dtype=str(dtype),
    )


def dtype_of(element: ElementType) -> np.dtype[Any] | None:
    """The native dtype of an element type, or None for u3, u6 and nf4."""
    return _DTYPES.get(element.name)


def array_dtype(element: ElementType) -> np.dtype[Any]:
    """The dtype arrays of this type have inside the engines: its own, or uint8 codes."""
    return _DTYPES.get(element.name) or np.dtype(np.uint8)


def code_dtype(element: ElementType) -> np.dtype[Any]:
    """The unsigned integers that hold one code each."""
    return np.dtype(f"u{max(element.bits // 8, 1)}")


def codes_of(array: Array, element: ElementType) -> Array:
    """One code an element, native byte order, C order; bits that a sub-byte element does not own are dropped."""
    native = np.ascontiguousarray(array, dtype=array_dtype(element)).reshape(array.shape)
    codes = native.view(code_dtype(element))
    if element.bits >= 8:
        return codes
    return np.asarray(codes & np.uint8((1 << element.bits) - 1))  # an operator makes a scalar of an array of rank 0


def from_codes(codes: Array, element: ElementType) -> Array:
    """The array whose elements have these codes; for u3, u6 and nf4 the codes themselves."""
    return np.ascontiguousarray(codes, dtype=code_dtype(element)).reshape(codes.shape).view(array_dtype(element))
