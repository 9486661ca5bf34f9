"""OpenVINO's own reader, in a process of its own: some files make it crash, or read memory that is not theirs.

Run as a script it is that process: one case a line in, one answer a line out. It imports nothing of this package.
"""

import base64
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

CRASH = {"verdict": "crashes"}


def ask(cases: Mapping[str, tuple[bytes, bytes]]) -> dict[str, dict[str, object]]:
    """What OpenVINO makes of each file and its weights; a process that dies is begun anew with the next case."""
    pending, answers = list(cases), {}
    while pending:
        for key, answer in zip(pending, _one_process([cases[key] for key in pending]), strict=False):
            answers[key] = answer
        pending = [key for key in pending if key not in answers]
        if pending:
            answers[pending.pop(0)] = CRASH
    return {key: answers[key] for key in cases}


def _one_process(cases: list[tuple[bytes, bytes]]) -> list[dict[str, object]]:
    lines = [json.dumps([base64.b64encode(part).decode() for part in case]) for case in cases]
    done = subprocess.run([sys.executable, "-P", __file__], input="\n".join(lines), capture_output=True, text=True,
                          check=False, timeout=120)
    assert "ImportError" not in done.stderr, done.stderr
    assert "ModuleNotFoundError" not in done.stderr, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _answers(lines: Iterator[str]) -> Iterator[dict[str, object]]:
    import openvino

    core = openvino.Core()
    for line in lines:
        xml, weights = (base64.b64decode(part) for part in json.loads(line))
        try:
            model = core.read_model(xml, weights)
            yield {"verdict": "reads", **_facts(model)}
        except RuntimeError as fault:
            yield {"verdict": "refuses", "message": str(fault)}


def _facts(model) -> dict[str, object]:
    ops = model.get_ops()
    adds = [op for op in ops if op.get_type_name() == "Add"]
    constants = [op for op in ops if op.get_type_name() == "Constant"]
    return {
        "inputs": [[str(one.get_partial_shape()), one.get_element_type().get_type_name(), sorted(one.get_names()),
                    one.get_node().get_friendly_name()] for one in model.inputs],
        "outputs": [[sorted(one.get_names()), one.get_node().get_friendly_name(),
                     one.get_node().input_value(0).get_node().get_friendly_name()] for one in model.outputs],
        "adds": sorted([op.get_friendly_name(), *_rule(op.get_attributes())] for op in adds),
        "constants": sorted([op.get_friendly_name(), op.get_element_type().get_type_name(),
                             str(op.get_output_partial_shape(0)), bytes(op.data).hex()] for op in constants),
    }


def _rule(attributes: Mapping[str, object]) -> tuple[object, object]:
    return attributes["auto_broadcast"], attributes.get("auto_broadcast.auto_broadcast_axis")


if __name__ == "__main__":
    assert Path(__file__).name == "peer.py"
    for answer in _answers(iter(sys.stdin)):
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
