"""Runtimes: what they say of themselves, their answers on sums worked out by hand, and a process for each."""

import subprocess
import sys

import numpy as np
import pytest

from addison import InvalidInput, Tensor, Unsupported
from addison.conformance import runtimes
from addison.conformance.runtimes.offer import Offer, Package
from addison.conformance.runtimes.process import Crashed, Process, Refused
from addison.spec.broadcast import RULES
from addison.spec.elements import ELEMENTS

HERE = [name for name in runtimes.names() if not runtimes.offer(name).missing]
ADDER = "addison.conformance.runtimes:adder"

SUMS = {  # type: bytes of a, of b, and of the sum; all of two elements
    "i4": ("97", "12", "a9"),
    "u4": ("f7", "12", "09"),
    "u1": ("40", "c0", "80"),
    "u2": ("07", "06", "09"),
    "i8": ("0180", "02ff", "037f"),
    "u8": ("ff01", "0201", "0102"),
    "i16": ("ff7f0100", "01000200", "00800300"),
    "u16": ("ffff0100", "01000200", "00000300"),
    "i32": ("ffffff7f01000000", "0100000002000000", "0000008003000000"),
    "u32": ("ffffffff01000000", "0100000002000000", "0000000003000000"),
    "i64": ("00000000000100000100000000000000", "01000000000000000200000000000000",
            "01000000000100000300000000000000"),
    "u64": ("ffffffffffffffff0100000000000000", "01000000000000000200000000000000",
            "00000000000000000300000000000000"),
    "f16": ("003c0100", "003c0100", "00400200"),
    "bf16": ("803f0040", "803f803f", "00404040"),
    "f32": ("0000803f00000040", "0000803f0000803f", "0000004000004040"),
    "f64": ("000000000000f03f0000000000000040", "000000000000f03f000000000000f03f",
            "00000000000000400000000000000840"),
    "f8e4m3": ("3840", "3838", "4044"),
    "f8e5m2": ("3c40", "3c3c", "4042"),
    "f8e8m0": ("7f80", "7f80", "8081"),
    "f4e2m1": ("42", "22", "54"),
}  # fmt: skip
SATURATING = {"i8": "0380", "u8": "ff02"}
IN_32_BITS = {"i64": "01000000000000000300000000000000"}


def both(element):
    return tuple(Tensor(element, (2,), bytes.fromhex(data)) for data in SUMS[element][:2])


@pytest.mark.parametrize("name", runtimes.names())
def test_each_says_what_it_takes(name):
    offer = runtimes.offer(name)
    assert offer.name == name
    assert offer.packages
    assert offer.types
    assert set(offer.types) <= set(ELEMENTS)
    assert offer.rules
    assert set(offer.rules) <= set(RULES)
    assert offer.rank >= 8
    assert offer.refusal(ELEMENTS["f32"], offer.rules[0], [(1,) * offer.rank]) == ""
    assert str(offer.rank) in offer.refusal(ELEMENTS["f32"], offer.rules[0], [(1,) * (offer.rank + 1)])


@pytest.mark.parametrize("name", HERE)
def test_sums_worked_out_by_hand(name):
    offer = runtimes.offer(name)
    rule = offer.rules[0] if "numpy" not in offer.rules else "numpy"
    with Process(ADDER, name) as add:
        for element in offer.types:
            wanted = SUMS[element][2]
            if name == "openvino-cpu":
                wanted = {**SATURATING, **IN_32_BITS}.get(element, wanted)
            assert add(*both(element), auto_broadcast=rule) == Tensor(element, (2,), bytes.fromhex(wanted)), element


def test_those_that_tests_need_are_here():
    assert {"openvino-cpu", "openvino-reference", "numpy"} <= set(HERE)


@pytest.mark.parametrize("name", ["openvino-cpu", "openvino-reference"])
def test_openvino_has_all_three_rules_and_any_rank(name):
    with Process(ADDER, name) as add:
        a = Tensor.from_numpy(np.arange(6, dtype=np.int16).reshape(2, 3))
        b = Tensor.from_numpy(np.array([10, 20], np.int16))
        assert add(a, b, auto_broadcast="pdpd", axis=0).tolist() == [[10, 11, 12], [23, 24, 25]]
        assert add(a, a, auto_broadcast="none").tolist() == [[0, 2, 4], [6, 8, 10]]
        assert add(a, Tensor.from_numpy(np.int16(7))).tolist() == [[7, 8, 9], [10, 11, 12]]
        empty = Tensor("f32", (0, 3), b"")
        assert add(empty, Tensor("f32", (1,), bytes(4))) == empty
        with pytest.raises(Refused) as caught:
            add(a, b, auto_broadcast="none")
        assert "shape" in caught.value.says.lower()


def test_subnormals_are_kept_and_a_bf16_comes_back_as_one():
    with Process(ADDER, "openvino-cpu") as add:
        tiny = Tensor("f32", (1,), bytes.fromhex("01000000"))
        assert add(tiny, tiny).data.hex() == "02000000"
        assert add(*both("bf16")).element_type.name == "bf16"


def test_openvino_infers_shapes():
    infer = runtimes.inferrer("openvino-reference")
    assert infer("?,1..8,3", "4,1,3", "numpy", -1) == "4,1..8,3"
    assert infer("2,3", "2", "pdpd", 0) == "2,3"
    assert runtimes.infers("openvino-cpu")
    assert not runtimes.infers("numpy")


def test_a_runtime_that_is_not_there_is_refused_by_its_nearest_name():
    with pytest.raises(InvalidInput) as caught:
        runtimes.offer("onnx-runtime")
    assert caught.value.fields == {"runtime": "onnx-runtime"}
    assert "onnxruntime" in caught.value.help


def test_a_missing_package_is_named_with_its_command():
    gone = Package("no_such_module_here", "no-such-distribution")
    offer = Offer("x", "nothing", (gone, Package("numpy", "numpy")), ("f32",), ("numpy",), 8, {})
    assert gone.version == "unknown"
    with pytest.raises(Unsupported) as caught:
        offer.require()
    assert caught.value.fields == {"runtime": "x", "missing": ("no-such-distribution",)}
    assert caught.value.help == "pip install no-such-distribution"


@pytest.mark.parametrize("name", [name for name in runtimes.names() if name not in HERE])
def test_those_not_here_say_so_and_not_with_an_import_error(name):
    with pytest.raises(Unsupported) as caught, Process(ADDER, name) as add:
        add(*both("f32"))
    assert caught.value.fields["runtime"] == name
    assert caught.value.help.startswith("pip install ")


def test_an_unknown_setting_is_refused():
    with pytest.raises(InvalidInput) as caught:
        runtimes.adder("numpy", HINT="f32")
    assert caught.value.fields == {"runtime": "numpy", "setting": "HINT"}


def test_asking_what_a_runtime_takes_imports_it_not():
    code = "from addison.conformance import runtimes; [runtimes.offer(name).missing for name in runtimes.names()]"
    code += "\nimport sys; print(*sorted({'openvino', 'torch', 'jax', 'paddle', 'onnxruntime'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


class TestProcess:
    @pytest.fixture(autouse=True)
    def tests_can_be_imported(self, monkeypatch, root):
        monkeypatch.syspath_prepend(str(root))

    def test_an_exit_code_is_said(self):
        with pytest.raises(Crashed) as caught, Process("os:_exit", 3) as call:
            call()
        assert caught.value.fields["how"] == "ended with exit code 3"

    def test_a_signal_is_named(self):
        with pytest.raises(Crashed) as caught, Process("os:abort") as call:
            call()
        assert caught.value.fields["how"] == "was ended by SIGABRT"

    def test_one_that_hangs_is_ended(self):
        with pytest.raises(Crashed) as caught, Process("time:sleep", 60, patience=0.5) as call:
            call()
        assert caught.value.fields["how"] == "gave no answer within 0.5 seconds"

    def test_it_starts_again_after_an_end(self):
        with Process("tests.conformance.dying:opened") as call:
            assert call("fine") == "fine"
            with pytest.raises(Crashed):
                call("die")
            assert call("fine again") == "fine again"

    def test_an_error_of_this_package_comes_as_itself_and_any_other_as_a_refusal(self):
        with Process("tests.conformance.dying:opened") as call:
            with pytest.raises(InvalidInput) as caught:
                call("ours")
            assert caught.value.fields == {"number": 7}
            with pytest.raises(Refused) as refused:
                call("theirs")
            assert refused.value.says == "LookupError: seven"

    def test_what_it_prints_is_no_answer(self):
        with Process("tests.conformance.dying:opened") as call:
            assert call("print") == "print"
            assert call("fine") == "fine"
