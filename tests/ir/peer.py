"""OpenVINO's own reader, in a process of its own: some files make it crash, or read memory that is not theirs.

Run as a script it is that process: one case a line in, one answer a line out. It imports nothing of this package.
"""

import base64
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping

CRASH = {"verdict": "crashes"}


def ask(cases: Mapping[str, tuple[bytes, bytes]]) -> dict[str, dict[str, object]]:
    """What OpenVINO makes of each file and its weights; a process that dies is begun anew with the next case."""
    pending, answers = list(cases), {}
    while pending:
        answered = _one_process([cases[key] for key in pending])
        answers.update(zip(pending, answered, strict=False))
        if len(answered) < len(pending):
            answers[pending[len(answered)]] = CRASH
        pending = pending[len(answered) + 1 :]
    return answers


def _one_process(cases: Iterable[tuple[bytes, bytes]]) -> list[dict[str, object]]:
    lines = [json.dumps([base64.b64encode(part).decode() for part in case]) for case in cases]
    done = subprocess.run(
        [sys.executable, "-P", __file__],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode <= 0, done.stderr  # a signal is a crash of OpenVINO's; an exception is a fault of this file
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _answers(lines: Iterable[str]) -> Iterator[dict[str, object]]:
    import openvino

    core = openvino.Core()
    for line in lines:
        xml, weights = (base64.b64decode(part) for part in json.loads(line))
        try:
            yield {"verdict": "reads", **_facts(core.read_model(xml, weights))}
        except UnicodeDecodeError:
            yield {"verdict": "garbles"}  # read, with names that are not UTF-8
        except RuntimeError as fault:
            yield {"verdict": "refuses", "message": str(fault)}


def _facts(model) -> dict[str, object]:
    ops = model.get_ops()
    return {
        "inputs": [[_name(one.get_node()), sorted(one.get_names()), *_tensor(one)] for one in model.inputs],
        "outputs": [
            [
                _name(one.get_node()),
                _name(one.get_node().input_value(0).get_node()),
                sorted(one.get_names()),
                *_tensor(one),
            ]
            for one in model.outputs
        ],
        "adds": sorted([_name(op), *_rule(op.get_attributes())] for op in ops if op.get_type_name() == "Add"),
        "constants": sorted(
            [_name(op), *_tensor(op.output(0)), _bytes(op)] for op in ops if op.get_type_name() == "Constant"
        ),
    }


def _name(node) -> str:
    """What the file calls it; a layer without a name is given one by OpenVINO, which says nothing."""
    return "" if node.get_friendly_name() == node.get_name() else node.get_friendly_name()


def _tensor(output) -> tuple[str, str]:
    return str(output.get_partial_shape()), output.get_element_type().get_type_name()


def _rule(attributes: Mapping[str, object]) -> tuple[object, object]:
    return attributes["auto_broadcast"], attributes.get("auto_broadcast.auto_broadcast_axis")


def _bytes(constant) -> str:
    """The packed bytes; "" where NumPy has no such array."""
    known = constant.get_element_type().get_type_name() not in ("string", "dynamic")
    return bytes(constant.data).hex() if known and len(constant.get_output_shape(0)) <= 64 else ""


if __name__ == "__main__":
    for answer in _answers(sys.stdin):
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
