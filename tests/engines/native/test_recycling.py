"""Result buffers that are handed out again: bounded, emptied on demand, never shared by two arrays that live."""

import gc

import numpy as np
import pytest

import addison
from addison.engines import native
from tests.engines.native.conftest import run_python


@pytest.fixture(autouse=True)
def nothing_kept():
    gc.collect()
    addison.trim()
    yield
    native._core.set_recycling_limit(None)
    addison.trim()


def ones(n=200_000):
    return np.ones(n, "f4")


def test_a_dead_results_memory_is_used_again():
    a = ones()
    first = native.add(a, a)
    place = first.ctypes.data
    del first
    assert native.info()["bytes_kept"] >= a.nbytes
    second = native.add(a, a)
    assert second.ctypes.data == place
    assert native.info()["bytes_kept"] == 0
    assert (second == 2).all()


def test_arrays_that_live_never_share():
    a = ones()
    kept = [native.add(a, np.float32(i)) for i in range(20)]
    view = kept[3][5:]
    del kept[3]
    kept += [native.add(a, np.float32(100 + i)) for i in range(20)]
    assert (view == 4).all()
    assert len({array.ctypes.data for array in kept}) == len(kept)


def test_trim_empties_it():
    a = ones()
    native.add(a, a)
    held = native.info()["bytes_kept"]
    assert addison.trim() == held > 0
    assert native.info()["bytes_kept"] == addison.trim() == 0


def test_what_is_kept_is_bounded():
    native._core.set_recycling_limit(2_000_000)
    a = ones()
    results = [native.add(a, a) for _ in range(10)]
    del results
    assert 0 < native.info()["bytes_kept"] <= 2_000_000
    large = native.add(ones(1_000_000), ones(1_000_000))
    del large
    assert native.info()["bytes_kept"] <= 2_000_000


def test_many_sizes_stay_bounded():
    native._core.set_recycling_limit(50_000_000)
    for n in range(70_000, 400_000, 1111):
        native.add(ones(n), ones(n))
    assert native.info()["bytes_kept"] <= 50_000_000


def test_a_result_is_an_ordinary_array():
    a = ones()
    total = native.add(a, a)
    assert type(total) is np.ndarray
    assert total.flags.writeable
    assert total.flags.c_contiguous
    assert total.flags.aligned
    total += 1
    assert (total == 3).all()


def test_the_environment_turns_it_off():
    show = (
        "import numpy as np; from addison.engines import native; a = np.ones(200_000, 'f4'); native.add(a, a)\n"
        "print(native.info()['recycling_limit'], native.info()['bytes_kept'])"
    )
    assert run_python(show, ADDISON_RECYCLE="0").stdout.split() == ["0", "0"]
    limit, kept = map(int, run_python(show).stdout.split())
    assert limit >= kept > 0
    assert run_python(show, ADDISON_RECYCLE="900000").stdout.split()[0] == "900000"
    assert (
        "ADDISON_RECYCLE is 'off'; a whole number from 0 on is wanted" in run_python(show, ADDISON_RECYCLE="off").stderr
    )


SHORT = """
import resource
import numpy as np
import addison
a = np.ones((3000, 3000), "f4")
addison.add(a[:500], a[:500])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 20_000_000, resource.RLIM_INFINITY))
for b in (a, a.T, np.ones(3, "f4")[:, None, None]):
    try:
        addison.add(a, b)
    except MemoryError:
        print("short")
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print((addison.add(a, a.T) == 2).all())
"""


def test_short_memory_is_an_error_and_no_crash():
    done = run_python(SHORT)
    assert done.stdout.split() == ["short", "short", "short", "True"], done.stderr


KEPT = """
import resource
import numpy as np
import addison
a = np.ones(8_000_000, "f4")
sums = [addison.add(a, a) for _ in range(3)]
del sums
b = np.ones(2_500_000, "f4")  # of another size than any that is kept
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 8_000_000, resource.RLIM_INFINITY))
print(addison.engines.native.info()["bytes_kept"] > 90_000_000, (addison.add(b, b) == 2).all())
try:
    addison.add(b[:40_000, None], b[:40_000])
except MemoryError as short:
    print(short)
"""


def test_what_is_kept_is_given_up_when_memory_is_short():
    done = run_python(KEPT, ADDISON_RECYCLE="200000000")
    assert done.stdout.splitlines() == ["True True", "unable to allocate 6400000000 bytes for a sum"], done.stderr
