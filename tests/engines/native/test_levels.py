"""Every instruction-set level this machine runs gives the oracle's bits."""

import numpy as np
import pytest

from addison.engines import native, reference
from tests.engines.native.conftest import LEVELS, run_python
from tests.every_pair import sums_of_every_pair
from tests.same_bits import DTYPES, SMALL, WIDE, array_of, assert_same_codes, code_dtype, codes_in
from tests.strategies import special_codes

SMALL_PAIRS = """
import sys
import numpy as np
import addison
from addison import Tensor
from addison.engines import native
from tests.every_pair import every_code
from tests.same_bits import DTYPES, SMALL, array_of, codes_in

found = {}
for name in SMALL:
    every = every_code(name)
    left, right = (side.copy() for side in np.broadcast_arrays(every[:, None], every))
    makers = [Tensor.from_codes] + [array_of] * (name in DTYPES)
    for maker in makers:
        kind = "packed" if maker is not array_of else "array"
        for how, a, b in (("flat", left, right), ("outer", every[:, None], every)):
            found[f"{name} {kind} {how}"] = codes_in(addison.add(maker(name, a), maker(name, b)))[1]
        # one element beside many, at every length, so that every tail is reached
        found[f"{name} {kind} one"] = np.stack(
            [codes_in(addison.add(maker(name, every), maker(name, every[i:i + 1])))[1] for i in range(len(every))])
    found[f"{name} packed lengths"] = np.concatenate(
        [codes_in(addison.add(Tensor.from_codes(name, left.ravel()[:n]), Tensor.from_codes(name, right.ravel()[:n])))[1]
         for n in range(min(left.size, 200))])
np.savez(sys.argv[1], level=np.array(native.info()["level"]), **found)
"""

WIDE_PAIRS = """
import sys
import numpy as np
import addison
from tests.same_bits import array_of

given = np.load(sys.argv[1])
np.savez(sys.argv[2], **{name: addison.add(array_of(name, codes[0]), array_of(name, codes[1])).view(codes.dtype)
                         for name, codes in given.items()})
"""


@pytest.mark.parametrize("level", LEVELS)
def test_every_pair_of_the_small_types(level, tmp_path):
    done = run_python(SMALL_PAIRS, tmp_path / "found.npz", ADDISON_LEVEL=level)
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "found.npz") as found:
        assert found["level"] == level
        for title, codes in found.items():
            if title == "level":
                continue
            name, _, how = title.split()
            table = sums_of_every_pair(name)
            if how == "lengths":
                flat = table.ravel()
                table = np.concatenate([flat[:n] for n in range(min(flat.size, 200))])
            assert_same_codes(name, codes, table)
        assert len(found) == 1 + 4 * len(SMALL) + 3 * sum(name in DTYPES for name in SMALL)


def chosen_codes(name, count):
    """Special values beside each other and bits at random."""
    special = np.array(special_codes(name), np.uint64).astype(code_dtype(name))
    random = np.random.default_rng(1).integers(0, 256, (2, count * code_dtype(name).itemsize), np.uint8)
    pairs = np.stack([side.ravel() for side in np.meshgrid(special, special)])
    near = random.view(code_dtype(name)).copy()
    near[1, ::2] = near[0, ::2] ^ near[1, ::2] % 8  # sums and differences of neighbours
    return np.concatenate([pairs, near], axis=1)


@pytest.mark.parametrize("level", LEVELS)
def test_many_pairs_of_the_wide_types(level, tmp_path):
    given = {name: chosen_codes(name, 40_001) for name in WIDE}
    np.savez(tmp_path / "given.npz", **given)
    done = run_python(WIDE_PAIRS, tmp_path / "given.npz", tmp_path / "found.npz", ADDISON_LEVEL=level)
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "found.npz") as found:
        for name, codes in given.items():
            with np.errstate(all="ignore"):
                wanted = codes_in(reference.add(array_of(name, codes[0]), array_of(name, codes[1])))[1]
            differ = np.flatnonzero(found[name] != wanted)  # the rest need no element-by-element look
            assert_same_codes(name, found[name][differ], wanted[differ])


def test_the_best_level_comes_first_and_is_taken():
    done = run_python("from addison.engines import native; print(native.info()['level'])")
    assert done.stdout.split() == [LEVELS[0]]
    assert LEVELS[-1] == "portable"
    assert native.info()["level"] in LEVELS


@pytest.mark.parametrize("spelling", ["v7", "V3", "x86-64-v3", " v3", "avx2", "portable "])
def test_a_level_of_another_name_is_refused(spelling):
    done = run_python("import addison; addison.add", ADDISON_LEVEL=spelling)
    assert done.returncode == 1
    assert (
        f"InvalidInput: ADDISON_LEVEL is {spelling!r}, which is no level of this build; one of {', '.join(LEVELS)}"
        in done.stderr
    )


def test_a_level_this_machine_cannot_run_is_refused():
    missing = [name for name, runs in native._core.levels() if not runs]
    if not missing:
        pytest.skip("this machine runs every level there is")
    for level in missing:
        done = run_python("import addison; addison.add", ADDISON_LEVEL=level)
        assert done.returncode == 1
        assert f"InvalidInput: ADDISON_LEVEL is {level!r}, which this machine cannot run" in done.stderr
