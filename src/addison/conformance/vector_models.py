"""Vectors as models: for each sum a folder with two IR files, its operands, and the sum that is expected.

``parameters.xml`` adds two inputs; ``constant.xml`` has b in its weights, which runtimes treat otherwise. Operands and
sum are raw ``.bin`` files with the JSON beside them that ``addison run`` reads and writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from addison.conformance.vectors import Vector
from addison.errors import InvalidInput
from addison.ir.reader import read_model
from addison.ir.spelling import write_precision
from addison.ir.writer import save_model
from addison.runtime.files import add_value, file_name, writing
from addison.spec.elements import ELEMENTS
from addison.spec.shapes import Shape
from addison.tensor import Tensor

_AXIS = "auto_broadcast.auto_broadcast_axis"
Progress = Callable[[int, int], None]


def write_models(folder: str, vectors: Iterable[Vector], progress: Progress | None = None) -> tuple[str, ...]:
    """Writes the folders of all sums among the vectors; returns their names.

    >>> import tempfile
    >>> from addison.conformance.vectors import made
    >>> write_models(tempfile.mkdtemp(), [one for one in made() if one.id == "sum/u4/numpy"])
    ('sum-u4-numpy',)
    """
    sums = [vector for vector in vectors if vector.kind == "sum"]
    taken: set[str] = set()
    names = []
    for number, vector in enumerate(sums):
        if progress is not None:
            progress(number, len(sums))
        name = file_name(vector.id.replace("/", "-"), taken)
        _write(Path(folder) / name, vector)
        names.append(name)
    return tuple(names)


def _write(folder: Path, vector: Vector) -> None:
    assert vector.element_type is not None
    parts = {"a": (vector.a_shape, vector.a), "b": (vector.b_shape, vector.b), "sum": (vector.shape, vector.sum)}
    with writing(str(folder)) as files:
        for stem, (shape, data) in parts.items():
            assert shape is not None
            add_value(files, stem, stem, Tensor(vector.element_type, shape, data))
    b = vector.b or b""
    for stem, weights in (("parameters", b""), *((("constant", b),) if b else ())):
        text = model_text(vector, constant=stem == "constant")
        try:
            save_model(read_model(text.encode(), weights), folder / f"{stem}.xml")
        except OSError as fault:
            raise InvalidInput(f"writing to {str(folder)!r} failed: {fault.strerror}", path=str(folder)) from None


def model_text(vector: Vector, *, constant: bool) -> str:
    """The IR of one sum: a Parameter, a second one or a Const, an Add, a Result.

    >>> from addison.conformance.vectors import made
    >>> model_text(made()[0], constant=True).count("<layer ")
    4
    """
    kind, shape = vector.element_type, vector.shape
    assert kind is not None
    assert shape is not None
    b_data = f'element_type="{kind}" shape="{vector.b_shape.spell()}"'
    if constant:
        b_data += f' offset="0" size="{len(vector.b or b"")}"'
    axis = f' {_AXIS}="{vector.axis}"' if vector.auto_broadcast == "pdpd" else ""
    a_data = f'element_type="{kind}" shape="{vector.a_shape.spell()}"'
    b_layer = _layer(1, "b", "Const" if constant else "Parameter", b_data, [], [(0, kind, vector.b_shape)])
    return (
        '<?xml version="1.0"?><net name="add" version="11"><layers>'
        + _layer(0, "a", "Parameter", a_data, [], [(0, kind, vector.a_shape)])
        + b_layer
        + _layer(
            2,
            "sum",
            "Add",
            f'auto_broadcast="{vector.auto_broadcast}"{axis}',
            [(0, kind, vector.a_shape), (1, kind, vector.b_shape)],
            [(2, kind, shape)],
        )
        + _layer(3, "result", "Result", "", [(0, kind, shape)], [])
        + '</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>'
        '<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>'
        '<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>'
    )


def _layer(
    number: int,
    name: str,
    kind: str,
    data: str,
    inputs: list[tuple[int, str, Shape]],
    outputs: list[tuple[int, str, Shape]],
) -> str:
    inside = f"<data {data}/>" if data else ""
    inside += f"<input>{''.join(map(_port, inputs))}</input>" if inputs else ""
    inside += f"<output>{''.join(map(_port, outputs))}</output>" if outputs else ""
    return f'<layer id="{number}" name="{name}" type="{kind}" version="opset1">{inside}</layer>'


def _port(port: tuple[int, str, Shape]) -> str:
    number, kind, shape = port
    dims = "".join(f"<dim>{size}</dim>" for size in shape.sizes)
    return f'<port id="{number}" precision="{write_precision(ELEMENTS[kind])}">{dims}</port>'
