"""Threads: how many, many callers at once, and a fork while they live."""

import os
import threading

import numpy as np
import pytest

import addison
from addison import InvalidInput
from addison.engines import native
from tests.engines.native.conftest import run_python

SHAPES = [((300_000,), (300_000,)), ((700, 800), (800,)), ((600, 1), (1, 900)), ((100_000, 3), (3,))]


def operands(seed):
    random = np.random.default_rng(seed)
    shape_a, shape_b = SHAPES[seed % len(SHAPES)]
    return random.integers(-99, 99, shape_a).astype("f4"), random.integers(-99, 99, shape_b).astype("f4")


def test_the_number_of_threads():
    before = native.info()["threads"]
    try:
        assert addison.set_num_threads(3) == native.info()["threads"] == 3
        a, b = operands(0)
        assert (native.add(a, b) == a + b).all()
        assert addison.set_num_threads(1000) == addison.set_num_threads(10**30) == 64
        assert addison.set_num_threads(np.int64(1)) == 1
        assert (native.add(a, b) == a + b).all()
        assert addison.set_num_threads() == len(os.sched_getaffinity(0)) or native.info()["threads"] >= 1
    finally:
        addison.set_num_threads(before)


@pytest.mark.parametrize("threads", [0, -1, True, "2", 1.5, np.float32(2), (2,)])
def test_other_numbers_are_refused(threads):
    with pytest.raises(InvalidInput) as refused:
        addison.set_num_threads(threads)
    assert refused.value.fields == {"threads": threads}


def test_the_environment_says_how_many():
    show = "from addison.engines import native; print(native.info()['threads'])"
    assert run_python(show, ADDISON_NUM_THREADS="5").stdout.split() == ["5"]
    assert int(run_python(show).stdout) <= len(os.sched_getaffinity(0))
    assert run_python(show, ADDISON_NUM_THREADS="9" * 25).stdout.split() == ["64"]
    for wrong in ("0", "two", "-3", "1.5", "２"):
        done = run_python(show, ADDISON_NUM_THREADS=wrong)
        assert f"ADDISON_NUM_THREADS is {wrong!r}; a whole number from 1 on is wanted" in done.stderr


def test_the_affinity_mask_counts():
    show = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "from addison.engines import native; print(native.info()['threads'])"
    )
    assert run_python(show).stdout.split() == ["1"]


@pytest.mark.usefixtures("lowered")
def test_eight_threads_add_at_once():
    before = native.info()["threads"]
    addison.set_num_threads(max(before, 2))
    wrong = []

    def work(seed):
        for step in range(60):
            a, b = operands(seed + step)
            out = np.empty(np.broadcast_shapes(a.shape, b.shape), "f4")
            native.add(a, b, out=out)
            if not (out == a + b).all() or not (native.add(a, b) == out).all():
                wrong.append((seed, step))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    addison.set_num_threads(before)
    assert not wrong


def test_the_number_changes_while_others_add():
    before = native.info()["threads"]
    stop = threading.Event()
    wrong = []

    def work():
        a, b = operands(0)
        while not stop.is_set():
            if not (native.add(a, b) == a + b).all():
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in (1, 2, 3, 2, 4, 1, 2) * 5:
        addison.set_num_threads(number)
    stop.set()
    for thread in threads:
        thread.join()
    addison.set_num_threads(before)
    assert not wrong


FORK = """
import os, sys, warnings
import numpy as np
import addison
warnings.simplefilter("ignore")
addison.set_num_threads(2)
a = np.arange(1_000_000, dtype="f4")
for turn in range(20):
    assert (addison.add(a, a) == a + a).all()     # the pool lives, and has just worked
    child = os.fork()
    if child == 0:
        good = all((addison.add(a, a) == a + a).all() for _ in range(5))
        os._exit(0 if good else 1)
    assert (addison.add(a, a) == a + a).all()
    assert os.waitpid(child, 0)[1] == 0, turn
print("fine")
"""


def test_a_fork_while_the_pool_lives():
    done = run_python(FORK)
    assert done.stdout == "fine\n", done.stderr
