"""The reference engine in a thread whose CPU flushes subnormal numbers to zero."""

import platform
import subprocess
import sys

import pytest

SET_BITS = """
import ctypes, mmap, sys
code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes([0x0F, 0xAE, 0x17, 0xC3]))  # ldmxcsr [rdi]; ret
load = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
load(ctypes.byref(ctypes.c_uint32(0x1F80 | int(sys.argv[1], 0))))
"""
LEAK = """
import openvino as ov, openvino.opset1 as op
side = op.parameter([4], ov.Type.f32)
ov.Core().compile_model(ov.Model([op.add(side, side)], [side]), "CPU", {"CPU_DENORMALS_OPTIMIZATION": "YES"})
"""
ADD = """
import warnings
import ml_dtypes, numpy as np
import addison
for name, dtype in (("f32", "f4"), ("f64", "f8"), ("bf16", ml_dtypes.bfloat16), ("f16", "f2"), ("i8", "i1"),
                    ("f8e5m2", ml_dtypes.float8_e5m2)):
    one = np.ones(1, dtype)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        addison.engines.get("reference").add(one, one)
    print(name, *(f"{w.category.__name__} {name in str(w.message)} {w.filename}" for w in seen))
smallest = np.array([1], np.uint16).view(np.float16)
print(addison.engines.get("reference").add(smallest, smallest).view(np.uint16)[0])
single = np.array([1], np.uint32).view(np.float32)
print(addison.engines.get("oracle").add(single, single).view(np.uint32)[0])
"""


def run(setting, *arguments):
    script = setting + ADD
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


QUIET = ["f16", "i8", "f8e5m2", "2", "2"]  # f16's smallest number doubles, and the oracle asks no CPU about f32's
NAMED = [f"{name} FlushedSubnormals True <string>" for name in ("f32", "f64", "bf16")]


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the control register is x86's MXCSR")
@pytest.mark.parametrize("bits", ["0x8000", "0x0040", "0x8040"], ids=["FTZ", "DAZ", "both"])
def test_the_reference_engine_warns_by_name(bits):
    assert run(SET_BITS, bits) == NAMED + QUIET


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the control register is x86's MXCSR")
def test_it_warns_after_openvino_left_them_flushed():
    assert run(LEAK) == NAMED + QUIET


def test_it_is_quiet_in_a_fresh_thread():
    assert run("") == ["f32", "f64", "bf16", *QUIET]
