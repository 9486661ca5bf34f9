"""Vectors put to anything that adds: what it said to each, and a table of types and rules.

An implementation is a callable with ``addison.add``'s signature. It gets NumPy arrays (``Tensor`` for u3, u6 and nf4),
returns one, and raises an ``AddisonError`` for what it refuses; any other exception counts as a failure of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from addison.conformance.judge import Addends, judge
from addison.conformance.vectors import Vector, made
from addison.conformance.verdict import Verdict
from addison.errors import AddisonError
from addison.spec.broadcast import RULES
from addison.spec.elements import ELEMENTS
from addison.spec.shapes import Shape
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, dtype_of

Add = Callable[..., Any]
InferShape = Callable[..., Shape]
Offers = Callable[[Vector], str]
Progress = Callable[[int, int], None]

SHAPES_ALONE = "shapes"
"""The row of the table for vectors that are about no element type."""
WRONG = ("differs", "accepted", "refused", "failed")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an implementation said to one vector.

    ``result`` is "same"; "differs", with the verdict; "accepted" where an error is right; "refused" where a result is;
    "failed" when what was raised is no refusal; or "not-offered", and then ``says`` is why.
    """

    vector: Vector
    result: str
    says: str = ""
    verdict: Verdict | None = None

    @property
    def right(self) -> bool:
        """Whether there is nothing wrong with it."""
        return self.result not in WRONG


@dataclass(frozen=True, slots=True)
class Cell:
    """One type under one rule: how many vectors were the same, wrong, not offered; what was wrong, by class."""

    same: int = 0
    wrong: int = 0
    not_offered: int = 0
    kinds: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Verification:
    """All outcomes of one implementation.

    >>> from addison import engines
    >>> report = verify(engines.get("reference").add, made()[:20], name="reference")
    >>> report.right, report.table()["bf16", "numpy"].same > 10
    (True, True)
    """

    name: str
    outcomes: tuple[Outcome, ...]

    @property
    def right(self) -> bool:
        """Whether nothing was wrong."""
        return not self.wrong

    @property
    def wrong(self) -> tuple[Outcome, ...]:
        return tuple(one for one in self.outcomes if not one.right)

    def table(self) -> dict[tuple[str, str], Cell]:
        """By element type (and "shapes") and rule; only cells that have vectors."""
        groups: dict[tuple[str, str], list[Outcome]] = {}
        for one in self.outcomes:
            groups.setdefault(_place(one.vector), []).append(one)
        return {place: _cell(listed) for place, listed in sorted(groups.items(), key=lambda one: _order(one[0]))}


def verify(
    add: Add,
    vectors: Iterable[Vector] | None = None,
    *,
    name: str = "",
    infer_shape: InferShape | None = None,
    offers: Offers | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Puts vectors (all of this package's, unless given) to an implementation.

    ``infer_shape`` has ``addison.infer_shape``'s signature, and answers vectors that are about shapes alone; without it
    they are not offered. ``offers`` says for a vector "" when the implementation takes it, or else why it does not.

    >>> broken = lambda a, b, *, auto_broadcast, axis: a
    >>> report = verify(broken, [one for one in made() if one.id == "sum/u8/wrap"])
    >>> report.outcomes[0].result, report.outcomes[0].verdict.differing
    ('differs', 13)
    """
    asked = tuple(made() if vectors is None else vectors)
    outcomes = []
    for number, vector in enumerate(asked):
        if progress is not None:
            progress(number, len(asked))
        why_not = offers(vector) if offers is not None else ""
        outcomes.append(Outcome(vector, "not-offered", why_not) if why_not else put(vector, add, infer_shape))
    return Verification(name, tuple(outcomes))


def put(vector: Vector, add: Add, infer_shape: InferShape | None = None) -> Outcome:
    """Puts one vector to an implementation.

    >>> from addison import add
    >>> put(made()[0], add).result
    'same'
    """
    about_shapes = vector.a is None
    if about_shapes and infer_shape is None:
        return Outcome(vector, "not-offered", "it infers no shapes")
    got: Any
    try:
        if about_shapes:
            assert infer_shape is not None
            got = infer_shape(vector.a_shape, vector.b_shape, auto_broadcast=vector.auto_broadcast, axis=vector.axis)
        else:
            got = add(*operands(vector), auto_broadcast=vector.auto_broadcast, axis=vector.axis)
    except AddisonError as fault:
        return _refusal(vector, fault)
    except Exception as fault:  # noqa: BLE001 - what an implementation under test raises is open-ended
        return Outcome(vector, "failed", f"{type(fault).__name__}: {str(fault)[:500]}")
    if vector.kind == "error":
        shape = got if about_shapes else Shape(*(got.shape if isinstance(got, Tensor) else np.shape(got)))
        return Outcome(vector, "accepted", f"gave {shape} where an error ({vector.error}) is right")
    if about_shapes:
        if isinstance(got, Shape) and got == vector.shape:
            return Outcome(vector, "same")
        return Outcome(vector, "differs", f"gave {got}, wanted {vector.shape}")
    return _held(vector, got)


def _refusal(vector: Vector, fault: AddisonError) -> Outcome:
    if vector.kind != "error":
        return Outcome(vector, "refused", fault.says)
    axes = fault.fields.get("axes")
    if axes is not None and tuple(axes) != vector.axes:
        return Outcome(vector, "differs", f"refused, but naming other axes: {fault.says}")
    return Outcome(vector, "same", fault.says)


def _held(vector: Vector, got: Any) -> Outcome:
    a, b = operands(vector)
    try:
        verdict = judge(got, wanted(vector), addends=Addends(a, b, vector.auto_broadcast, vector.axis))
    except AddisonError as fault:
        return Outcome(vector, "failed", fault.says)
    return Outcome(vector, "same" if verdict.same else "differs", verdict.says, verdict)


def operands(vector: Vector) -> tuple[Any, Any]:
    """Both operands as arrays, or as Tensors where NumPy has no such type.

    >>> a, b = operands(next(one for one in made() if one.id == "sum/i16/none"))
    >>> a.dtype, b.shape
    (dtype('int16'), (3, 3))
    """
    return (
        _value(vector.element_type, vector.a_shape, vector.a),
        _value(vector.b_element_type, vector.b_shape, vector.b),
    )


def wanted(vector: Vector) -> Tensor:
    """The right sum.

    >>> wanted(next(one for one in made() if one.id == "sum/u4/partial-3")).tolist()
    [3, 9, 15]
    """
    assert vector.element_type is not None
    assert vector.shape is not None
    return Tensor(vector.element_type, vector.shape, vector.sum)


def _value(element_type: str | None, shape: Shape, data: bytes | None) -> Array | Tensor:
    assert element_type is not None
    assert data is not None
    if element_type == "boolean":
        return np.frombuffer(data, np.bool_).reshape(shape.sizes)
    if element_type not in ELEMENTS:  # strings; only without elements do they come in a vector
        return np.full(shape.sizes, "", "U1")
    packed = Tensor(element_type, shape, data)
    return packed if dtype_of(packed.element_type) is None else packed.to_numpy()


def _place(vector: Vector) -> tuple[str, str]:
    return vector.element_type or SHAPES_ALONE, vector.auto_broadcast


def _order(place: tuple[str, str]) -> tuple[int, str, int, str]:
    types, rules = list(ELEMENTS), list(RULES)
    kind, rule = place
    return (types.index(kind) if kind in types else len(types), kind, rules.index(rule) if rule in rules else 99, rule)


def _cell(outcomes: list[Outcome]) -> Cell:
    kinds: dict[str, int] = {}
    for one in outcomes:
        if not one.right:
            named = one.verdict.classes if one.verdict is not None and one.verdict.classes else {one.result: 1}
            for kind in named:
                kinds[kind] = kinds.get(kind, 0) + 1
    wrong = sum(not one.right for one in outcomes)
    left_out = sum(one.result == "not-offered" for one in outcomes)
    ordered = tuple(sorted(kinds.items(), key=lambda one: (-one[1], one[0])))
    return Cell(len(outcomes) - wrong - left_out, wrong, left_out, ordered)
