"""The libraries that addison is measured beside. Each peer is a function: two arrays in, timed calls out. A library is
imported when its peer is first used.

A call takes nothing and adds once; ``fresh`` makes a new result, ``out`` writes into one that is there. Results of a
runtime that keeps its own result buffer (OpenVINO) count for both, which is the harder reading for us.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from addison.errors import Unsupported

Call = Callable[[], Any]
Calls = dict[str, Call]


class NotOffered(Exception):
    """The peer lacks the type or the layout."""


def numpy_(a: Any, b: Any, name: str, out: Any) -> Calls:
    return {"fresh": lambda: np.add(a, b), "out": lambda: np.add(a, b, out)}


def torch(a: Any, b: Any, name: str, out: Any) -> Calls:
    module = importlib.import_module("torch")
    x, y, z = (as_torch(array, name) for array in (a, b, out))
    return {"fresh": lambda: module.add(x, y), "out": lambda: module.add(x, y, out=z)}


def as_torch(x: Any, name: str) -> Any:
    """PyTorch's tensor on the array's memory."""
    module = importlib.import_module("torch")
    views = {"bf16": ("i2", "bfloat16"), "f8e4m3": ("u1", "float8_e4m3fn"), "f8e5m2": ("u1", "float8_e5m2")}
    if name in ("i4", "u4", "u2", "u1", "f4e2m1", "f8e8m0"):
        raise NotOffered
    if name not in views:
        return module.from_numpy(x)
    plain, own = views[name]
    return module.from_numpy(x.view(plain)).view(getattr(module, own))


def openvino(a: Any, b: Any, name: str, out: Any) -> Calls:
    ov, op = importlib.import_module("openvino"), importlib.import_module("openvino.opset1")
    if not (a.flags.c_contiguous and b.flags.c_contiguous) or name not in (
        ["f32", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
    ):
        raise NotOffered
    kind = getattr(ov.Type, name)
    sides = [op.parameter(list(x.shape), kind) for x in (a, b)]
    hint = {"INFERENCE_PRECISION_HINT": name if name in ("f16", "bf16") else "f32"}
    core = ov.Core()
    compiled = core.compile_model(ov.Model([op.add(*sides)], sides), "CPU", hint)
    request = compiled.create_infer_request()
    kept: list[Any] = [core, compiled]  # the request does not keep alive what it reads from
    for i, x in enumerate((a, b)):
        kept.append(as_openvino(x, name))
        request.set_input_tensor(i, kept[-1])

    def infer(kept: list[Any] = kept) -> Any:
        return request.infer(share_outputs=True)  # else it copies the sum into another array

    return {"fresh": infer, "out": infer}


def as_openvino(x: Any, name: str) -> Any:
    """OpenVINO's tensor on the array's memory."""
    ov = importlib.import_module("openvino")
    return ov.Tensor(x.view("i2"), list(x.shape), ov.Type.bf16) if name == "bf16" else ov.Tensor(x, True)


def onnxruntime(a: Any, b: Any, name: str, out: Any) -> Calls:
    runtime, onnx = importlib.import_module("onnxruntime"), importlib.import_module("onnx")
    kinds = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "f16": 10, "f64": 11, "u32": 12,
             "u64": 13}  # fmt: skip
    if name not in kinds or not (a.flags.c_contiguous and b.flags.c_contiguous):
        raise NotOffered
    helper = onnx.helper
    values = [helper.make_tensor_value_info(side, kinds[name], x.shape) for side, x in (("a", a), ("b", b))]
    result = helper.make_tensor_value_info("c", kinds[name], None)
    graph = helper.make_graph([helper.make_node("Add", ["a", "b"], ["c"])], "sum", values, [result])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    quiet = runtime.SessionOptions()
    quiet.log_severity_level = 4
    session = runtime.InferenceSession(model.SerializeToString(), quiet, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    binding.bind_cpu_input("a", a)
    binding.bind_cpu_input("b", b)
    binding.bind_output("c", "cpu", 0, out.dtype.type, list(out.shape), out.ctypes.data)
    fed = {"a": a, "b": b}

    def into(kept: Any = out) -> Any:  # the binding knows only its address
        return session.run_with_iobinding(binding)

    return {"fresh": lambda: session.run(None, fed), "out": into}


def numexpr(a: Any, b: Any, name: str, out: Any) -> Calls:
    module = importlib.import_module("numexpr")
    if name not in ("f32", "f64", "i32", "i64"):
        raise NotOffered
    both = {"a": a, "b": b}
    return {
        "fresh": lambda: module.evaluate("a+b", local_dict=both),
        "out": lambda: module.evaluate("a+b", local_dict=both, out=out),
    }


def jax(a: Any, b: Any, name: str, out: Any) -> Calls:
    module = importlib.import_module("jax")
    module.config.update("jax_enable_x64", True)
    if not (a.flags.c_contiguous and b.flags.c_contiguous):
        raise NotOffered  # jax would add contiguous copies
    x, y = module.numpy.asarray(a), module.numpy.asarray(b)
    if x.dtype != a.dtype:
        raise NotOffered
    add = module.jit(lambda left, right: left + right)
    return {"fresh": lambda: add(x, y).block_until_ready()}


PEERS = {"numpy": numpy_, "torch": torch, "openvino": openvino, "onnxruntime": onnxruntime, "numexpr": numexpr,
         "jax": jax}  # fmt: skip
_NEEDS = {"onnxruntime": ("onnxruntime", "onnx")}


def missing(peer: str) -> list[str]:
    """The packages that a peer needs and that are not installed.

    >>> missing("numpy")
    []
    """
    return [module for module in _NEEDS.get(peer, (peer,)) if importlib.util.find_spec(module) is None]


def installed() -> list[str]:
    """The peers that can be imported here."""
    return [peer for peer in PEERS if not missing(peer)]


def need(names: Iterable[str]) -> None:
    """Unsupported, with the command to run, when a peer is not installed.

    >>> need(["numpy"])
    """
    lacking = [module for peer in names for module in missing(peer)]
    if lacking:
        raise Unsupported(
            f"not installed: {', '.join(lacking)}", help=f"pip install {' '.join(lacking)}", missing=tuple(lacking)
        )


def version(peer: str) -> str:
    """A peer's version, or nothing when it does not say."""
    try:
        return importlib.metadata.version(peer)
    except importlib.metadata.PackageNotFoundError:
        return ""


def offers(names: Iterable[str], a: Any, b: Any, name: str, out: Any) -> dict[str, Calls]:
    """What each peer offers for these operands; a peer that is missing or refuses is left out.

    >>> sorted(offers(["numpy"], np.ones(2), np.ones(2), "f64", np.empty(2))["numpy"])
    ['fresh', 'out']
    """

    def maker(peer: str) -> Callable[[], Calls]:
        return lambda: PEERS[peer](a, b, name, np.empty_like(out))

    return usable({peer: maker(peer) for peer in names})


def usable(made: Mapping[str, Callable[[], Calls]]) -> dict[str, Calls]:
    """The calls of each peer whose calls can be made and called.

    >>> list(usable({"none": lambda: {"fresh": lambda: 1 // 0}, "one": lambda: {"fresh": lambda: 1}}))
    ['one']
    """
    found = {}
    for peer, make in made.items():
        try:
            calls = make()
            for call in calls.values():
                call()
        except Exception:  # noqa: BLE001 - a missing or broken peer must not stop the run
            continue
        found[peer] = calls
    return found
