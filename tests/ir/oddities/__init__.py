"""What real and broken IR files do differently, one file a case: ``CASES["group/case"]`` is the XML and the weights.

What is right for each is not said here: OpenVINO is asked, and where this package differs on purpose,
``addison/deviations/openvino-reader.toml`` says so.
"""

from typing import NamedTuple

from tests.ir.oddities import files, graphs, layers, values


class Case(NamedTuple):
    xml: bytes
    weights: bytes


def _case(written: str | bytes | tuple[str, bytes]) -> Case:
    text, weights = written if isinstance(written, tuple) else (written, b"")
    return Case(text if isinstance(text, bytes) else text.encode(), weights)


GROUPS = {**files.GROUPS, **layers.GROUPS, **graphs.GROUPS, **values.GROUPS}
CASES = {f"{group}/{name}": _case(written) for group, cases in GROUPS.items() for name, written in cases.items()}
