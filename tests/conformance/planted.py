"""Small engines that are wrong on purpose, each in one way that real runtimes have been wrong, with the class of
difference that has to be named. Written with NumPy and fractions, and nothing of what is under test."""

from fractions import Fraction

import ml_dtypes
import numpy as np

from addison import Tensor, engines

RIGHT = engines.get("reference").add


def columns(a, b, auto_broadcast, axis):
    """Both operands at the result's shape."""
    shape = RIGHT(a, b, auto_broadcast=auto_broadcast, axis=axis).shape
    if auto_broadcast == "pdpd":
        start = a.ndim - b.ndim if axis == -1 else axis
        kept = b.shape[: a.ndim - start]
        b = b.reshape((1,) * start + kept + (1,) * (a.ndim - start - len(kept)))
    return np.broadcast_to(a, shape), np.broadcast_to(b, shape)


def wrong(dtypes, make):
    """Right for all but these dtypes, for which ``make`` has both stretched operands."""

    def add(a, b, *, auto_broadcast="numpy", axis=-1):
        if isinstance(a, Tensor) or a.dtype not in [np.dtype(one) for one in dtypes] or a.dtype != b.dtype:
            return RIGHT(a, b, auto_broadcast=auto_broadcast, axis=axis)
        with np.errstate(all="ignore"):
            return np.asarray(make(*columns(a, b, auto_broadcast, axis)))

    return add


def saturating(a, b):
    ends = np.iinfo(a.dtype)
    return np.clip(a.astype(np.int64) + b.astype(np.int64), ends.min, ends.max).astype(a.dtype)


def in_32_bits(a, b):
    return (a.astype(np.int32) + b.astype(np.int32)).astype(a.dtype)


def truncated_bf16(a, b):
    total = a.astype(np.float32) + b.astype(np.float32)
    bits = total.view(np.uint32) & np.uint32(0xFFFF0000)
    kept = (np.asarray(bits) >> 16).astype(np.uint16).view(ml_dtypes.bfloat16)
    return np.where(np.isnan(total), np.array(np.nan, ml_dtypes.bfloat16), kept)


def biased_bf16(a, b):
    """Half a step is added only when the last kept bit is set, then the rest is cut off."""
    total = np.asarray(a.astype(np.float32) + b.astype(np.float32))
    bits = total.view(np.uint32)
    kept = ((bits + np.where(bits & 0x10000, 0x8000, 0).astype(np.uint32)) >> 16).astype(np.uint16)
    return np.where(np.isnan(total), np.array(np.nan, ml_dtypes.bfloat16), kept.view(ml_dtypes.bfloat16))


def rounded_twice(bits):
    """First to ``bits`` significant bits, ties to even, then to the type: what a wider register on the way does."""

    def one(x, y):
        if not (np.isfinite(x) and np.isfinite(y)) or x == 0 or y == 0 or x == -y:
            return float(x) + float(y)
        exact = Fraction(float(x)) + Fraction(float(y))
        step = Fraction(2) ** (exact.numerator.bit_length() - exact.denominator.bit_length() - bits)
        while abs(exact) / step >= 2**bits:
            step *= 2
        while abs(exact) / step < 2 ** (bits - 1):
            step /= 2
        kept = round(exact / step) * step
        try:
            return kept.numerator / kept.denominator
        except OverflowError:
            return float(np.copysign(np.inf, float(x)))

    def make(a, b):
        rounded = [one(x, y) for x, y in zip(a.ravel(), b.ravel(), strict=True)]
        return np.array(rounded, np.float64).astype(a.dtype).reshape(a.shape)

    return make


def flushing(a, b):
    smallest = ml_dtypes.finfo(a.dtype).smallest_normal
    total = a + b
    return np.where((np.abs(total) < smallest) & (total != 0), np.zeros((), a.dtype), total)


def inputs_flushed(a, b):
    smallest = ml_dtypes.finfo(a.dtype).smallest_normal
    a, b = (np.where((np.abs(side) < smallest) & (side != 0), np.zeros((), a.dtype), side) for side in (a, b))
    return a + b


def bytewise(a, b):
    """u4 two in a byte, the bytes added whole."""
    left, right = (np.resize(side.astype(np.uint8), side.size + side.size % 2).reshape(-1, 2) for side in (a, b))
    sums = [(row[:, 0] | row[:, 1] << 4).astype(np.uint8) for row in (left, right)]
    total = sums[0] + sums[1]
    lanes = np.stack([total & 0xF, total >> 4], axis=1).reshape(-1)[: a.size]
    return lanes.astype(a.dtype).reshape(a.shape)


def through_f32(a, b):
    return (a.astype(np.float32) + b.astype(np.float32)).astype(a.dtype)


def axis_from_the_left(a, b, *, auto_broadcast="numpy", axis=-1):
    """pdpd's axis is 0 where it was left out."""
    return RIGHT(a, b, auto_broadcast=auto_broadcast, axis=0 if auto_broadcast == "pdpd" and axis == -1 else axis)


def without_rules(a, b, *, auto_broadcast="numpy", axis=-1):
    """none broadcasts as numpy does."""
    return RIGHT(a, b, auto_broadcast="numpy" if auto_broadcast == "none" else auto_broadcast, axis=axis)


def plus_zero(a, b):
    return a + b + np.zeros((), a.dtype)


def nan_dropped(a, b):
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, a + b))


def clipped(a, b):
    most = ml_dtypes.finfo(a.dtype).max
    return np.clip(a + b, -most, most)


def saturating_f8(a, b):
    return np.clip(a.astype(np.float32) + b.astype(np.float32), -448, 448).astype(a.dtype)


FAULTS = {  # the engine, a type that it is wrong for, and the class that has to be named
    "saturating i8": (wrong([np.int8], saturating), "i8", "saturated"),
    "saturating u8": (wrong([np.uint8], saturating), "u8", "saturated"),
    "saturating i16": (wrong([np.int16], saturating), "i16", "saturated"),
    "saturating i4": (
        wrong([ml_dtypes.int4], lambda a, b: np.clip(a.astype(int) + b.astype(int), -8, 7).astype(a.dtype)),
        "i4",
        "saturated",
    ),
    "i64 in 32 bits": (wrong([np.int64], in_32_bits), "i64", "wrapped-at-32-bits"),
    "u64 in 32 bits": (wrong([np.uint64], in_32_bits), "u64", "wrapped-at-32-bits"),
    "bf16 truncated": (wrong([ml_dtypes.bfloat16], truncated_bf16), "bf16", "rounded-otherwise"),
    "bf16 biased": (wrong([ml_dtypes.bfloat16], biased_bf16), "bf16", "rounded-otherwise"),
    "bf16 rounded twice": (wrong([ml_dtypes.bfloat16], rounded_twice(11)), "bf16", "rounded-otherwise"),
    "f64 rounded twice": (wrong([np.float64], rounded_twice(64)), "f64", "rounded-otherwise"),
    "f16 rounded twice": (wrong([np.float16], rounded_twice(14)), "f16", "rounded-otherwise"),
    "f64 in f32": (wrong([np.float64], through_f32), "f64", "computed-in-f32"),
    "pdpd from axis 0": (axis_from_the_left, "f32", "other-axis"),
    "none broadcasts": (without_rules, "f32", "accepted"),
    "f32 sums flushed": (wrong([np.float32], flushing), "f32", "flushed-subnormal"),
    "f16 sums flushed": (wrong([np.float16], flushing), "f16", "flushed-subnormal"),
    "bf16 sums flushed": (wrong([ml_dtypes.bfloat16], flushing), "bf16", "flushed-subnormal"),
    "f64 inputs flushed": (wrong([np.float64], inputs_flushed), "f64", "flushed-subnormal"),
    "u4 carries": (wrong([ml_dtypes.uint4], bytewise), "u4", "carried"),
    "-0 is lost": (wrong([np.float32], plus_zero), "f32", "sign-of-zero"),
    "NaN is dropped": (wrong([np.float16], nan_dropped), "f16", "nan"),
    "f8e4m3 saturates": (wrong([ml_dtypes.float8_e4m3fn], saturating_f8), "f8e4m3", "nan"),
    "infinity is clipped": (wrong([np.float32], clipped), "f32", "infinity"),
    "f8e8m0 ties go up": (
        wrong([ml_dtypes.float8_e8m0fnu], lambda a, b: a + b),
        "f8e8m0",
        "rounded-otherwise",
    ),
}
