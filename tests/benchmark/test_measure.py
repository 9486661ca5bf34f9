"""What is measured: cases, the comparison before the timing, peers. No test depends on how long anything takes."""

import numpy as np
import pytest

from addison import engines
from addison.benchmark import measure, peers
from addison.benchmark.cases import MODES, PATTERNS, Case, cases, chosen, sizes
from addison.engines import native
from addison.errors import InvalidInput, Unsupported
from addison.spec.elements import ELEMENTS
from addison.tensor import Tensor
from tests.same_bits import NAMES, WITHOUT_DTYPE


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_case_can_be_added_and_has_the_bits_it_should(pattern, name):
    for case in cases([pattern], [name], [1, 7, 3000]):
        a, b = case.operands()
        out = case.room()
        found = engines.get(engines.DEFAULT).add(a, b, out=out)
        assert found is out
        assert out.shape == case.shape
        assert measure.differing(out, a, b) == 0


def test_the_second_operand_of_transposed_lies_across():
    a, b = Case("transposed", ELEMENTS["f32"], 64).operands()
    assert a.strides == b.strides[::-1]


def test_no_case_transposes_a_tensor():
    assert not cases(["transposed"], WITHOUT_DTYPE, [64])


@pytest.mark.parametrize("name", ["f32", "bf16", "i4", "nf4"])
def test_one_wrong_bit_is_seen(name):
    a, b = Case("same", ELEMENTS[name], 100).operands()
    sums = engines.get("reference").add(a, b)
    if isinstance(sums, Tensor):
        codes = sums.codes()
        codes[41] ^= 1
        wrong = Tensor.from_codes(name, codes)
    else:
        wrong = sums.copy()
        wrong.view("u1")[41 * wrong.itemsize] ^= 1
    assert measure.differing(sums, a, b) == 0
    assert measure.differing(wrong, a, b) == 1


def test_the_sign_of_zero_counts():
    zero = np.zeros(2, "f4")
    assert measure.differing(-zero, zero, zero) == 2


def test_another_type_or_shape_is_wrong_everywhere():
    a = np.ones(4, "f4")
    assert measure.differing((a + a).astype("f8"), a, a) == 4
    assert measure.differing((a + a)[:2], a, a) == 4


def test_wrong_sums_are_not_timed(monkeypatch):
    monkeypatch.setattr(measure, "_ours", lambda a, b, out, mode: lambda: np.subtract(a, b))
    monkeypatch.setattr(measure, "turns", lambda calls, end: pytest.fail("timed"))
    (row,) = measure.bench([Case("scalar", ELEMENTS["i32"], 50)], ["fresh"], ["numpy"], 0)
    assert row.differing > 0
    assert (row.ours, row.ratio, row.best, row.times) == (None, None, "", {})


def test_rows_come_in_order_and_progress_is_told():
    told = []
    todo = cases(["same", "rgb"], ["f32", "u3"], [30])
    rows = measure.bench(todo, MODES, ["numpy"], 0, lambda done, total: told.append((done, total)))
    assert told == [(i, 8) for i in range(1, 9)]
    assert [(row.case, row.mode) for row in rows] == [(case, mode) for case in todo for mode in MODES]
    for row in rows:
        assert row.turns == measure.FEWEST
        assert set(row.times) == ({"addison"} if row.case.element_type.name == "u3" else {"addison", "numpy"})
        assert all(one.low <= one.median <= one.high for one in row.times.values())
        assert row.roof > 0


def test_traffic_counts_a_broadcast_operand_once():
    case = Case("row", ELEMENTS["i16"], 100)
    assert measure.traffic(*case.operands(), case.room()) == 2 * (100 + 10 + 100)


def test_a_large_roof_is_shared_by_threads(monkeypatch):
    monkeypatch.setattr(native, "info", lambda: {"threads": 2})
    monkeypatch.setattr(measure, "_REPEATS", 1)
    measure._roof.cache_clear()
    assert measure.roof(1 << 20) > 0
    measure._roof.cache_clear()


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "1e6", "300M", "9999999999", "1K", "5,", "\u0663"])  # Arabic 3
def test_sizes_that_are_none(text):
    with pytest.raises(InvalidInput):
        sizes(text)


def test_names_once_each_and_in_their_order():
    assert chosen("u8, f32,u8", ELEMENTS, "element type") == ["u8", "f32"]


def test_an_unknown_name_has_a_remedy():
    with pytest.raises(InvalidInput, match="did you mean bf16"):
        chosen("f32,bf61", ELEMENTS, "element type")
    with pytest.raises(InvalidInput, match="use some of fresh, out"):
        chosen("", MODES, "mode")


def test_a_peer_that_fails_is_left_out(monkeypatch):
    def broken(a, b, name, out):
        raise OSError("no such library")

    monkeypatch.setitem(peers.PEERS, "torch", broken)
    a = np.ones(3, "f4")
    assert list(peers.offers(["torch", "numpy"], a, a, "f32", a)) == ["numpy"]


def test_a_peer_that_is_not_installed_is_named_with_its_command(monkeypatch):
    monkeypatch.setattr(peers, "_NEEDS", {"onnxruntime": ("addison_lacks_this", "addison_lacks_that")})
    assert "onnxruntime" not in peers.installed()
    with pytest.raises(Unsupported) as fault:
        peers.need(["numpy", "onnxruntime"])
    assert fault.value.help == "pip install addison_lacks_this addison_lacks_that"


def test_what_is_not_installed_has_no_version():
    assert peers.version("addison-lacks-this") == ""
    assert peers.version("numpy") == np.__version__
