"""What the codes of each element type stand for, decoded by ml_dtypes and NumPy or written out."""

import ml_dtypes
import numpy as np

from addison import ElementType
from tests.same_bits import DTYPES, code_dtype

# fmt: off
NF4 = (-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
       -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634,
       0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0)
# fmt: on


def value_by_others(name, code):
    """One code's value as a Python number."""
    if name == "nf4":
        return NF4[code]
    if name in ("u3", "u6"):
        return code
    if name in ("u1", "u2", "u4", "i4"):  # NumPy's own casts of these read the low bits
        return int(np.array([code], np.uint8).view(getattr(ml_dtypes, DTYPES[name].name))[0])
    value = np.array([code], code_dtype(name)).view(DTYPES[name])[0]
    return int(value) if name[0] in "iu" else float(value)


def values_by_others(name):
    """The values of all codes of a small type, in order."""
    return [value_by_others(name, code) for code in range(2 ** ElementType.parse(name).bits)]
