"""A thread whose CPU flushes subnormals, or rounds another way, gets exact sums all the same, and its setting back."""

import platform

import pytest

from tests.engines.native.conftest import LEVELS, run_python

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="the control register is x86's MXCSR"
)

SCRIPT = """
import ctypes, mmap, sys, warnings
import ml_dtypes, numpy as np
import addison
from addison.engines import native

code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes([0x0F, 0xAE, 0x17, 0xC3, 0x0F, 0xAE, 0x1F, 0xC3]))   # ldmxcsr [rdi]; ret; stmxcsr [rdi]; ret
start = ctypes.addressof(ctypes.c_char.from_buffer(code))
load, save = (ctypes.CFUNCTYPE(None, ctypes.c_void_p)(start + at) for at in (0, 4))
warnings.simplefilter("error")
addison.set_num_threads(2)
wide = {"f4": "u4", "f8": "u8", "f2": "u2", ml_dtypes.bfloat16: "u2", ml_dtypes.float8_e5m2: "u1",
        ml_dtypes.float8_e4m3fn: "u1"}
wanted = ctypes.c_uint32(0x1F80 ^ int(sys.argv[1], 0))
for dtype, code_dtype in wide.items():
    for n in (1, 40, 500_000):
        ones = np.ones(n, code_dtype).view(dtype)
        for a, b in ((ones, ones), (ones, ones[:1]), (ones[: n // 2 * 2].reshape(-1, 2) if n > 1 else ones, ones[:1])):
            load(ctypes.byref(wanted))
            total = addison.add(a, b)
            seen = ctypes.c_uint32()
            save(ctypes.byref(seen))
            load(ctypes.byref(ctypes.c_uint32(0x1F80)))
            assert (total.view(code_dtype) == 2).all(), (dtype, n)
            assert seen.value & 0xFFC0 == wanted.value & 0xFFC0, hex(seen.value)
halves = {"f4": 2.0**-24, "f8": 2.0**-53, "f2": 2.0**-11, ml_dtypes.bfloat16: 2.0**-8, ml_dtypes.float8_e5m2: 2.0**-3,
          ml_dtypes.float8_e4m3fn: 2.0**-4}
for dtype, half in halves.items():            # of 1's last place: a tie, which goes to 1
    for n in (1, 3, 5, 7, 9, 20, 60, 1000):
        for sign in (1, -1):
            one, tiny = np.full(n, sign, dtype), np.full(n, sign * half, dtype)
            out = np.empty_like(one)
            load(ctypes.byref(wanted))
            total = addison.add(one, tiny)
            addison.add(tiny, one, out=out)
            scalar = addison.add(one, sign * half)
            load(ctypes.byref(ctypes.c_uint32(0x1F80)))
            assert (total == one).all() and (out == one).all() and (scalar == one).all(), (dtype, n, sign)
print("exact")
"""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "bits",
    ["0x8000", "0x0040", "0x8040", "0x2000", "0x4000", "0x6000", "0x1E80", "0x1F80"],
    ids=["FTZ", "DAZ", "both", "down", "up", "zero", "all traps but the subnormal one", "all traps"],
)
def test_sums_are_exact_and_the_setting_is_kept(bits, level):
    done = run_python(SCRIPT, bits, ADDISON_LEVEL=level)
    assert done.stdout == "exact\n", done.stderr
