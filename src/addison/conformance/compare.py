"""``addison.compare``: arrays, files of arrays, engines and folders of vectors, one against another.

What an operand is, its prefix decides (``engine:``, ``vectors:``), else its extension.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, SupportsIndex

from addison import engines
from addison.conformance.judge import Addends, judge
from addison.conformance.sides import Arrays, Vectors, only, side, word
from addison.conformance.vectors import Vector, made, to_line
from addison.conformance.verdict import Verdict
from addison.conformance.verify import Outcome, operands, verify, wanted
from addison.errors import AddisonError, InvalidInput
from addison.inference.operations import Fact
from addison.spec.broadcast import infer_shape
from addison.spec.elements import DYNAMIC, ElementType
from addison.spec.shapes import Shape
from addison.tensor import Tensor


def compare(
    a: Any,
    b: Any,
    /,
    *,
    ulps: int = 0,
    of: tuple[Any, Any] | None = None,
    auto_broadcast: str = "numpy",
    axis: SupportsIndex = -1,
    element_type: ElementType | str | None = None,
    shape: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verdict:
    """How ``a``, what was found, stands to ``b``, what is wanted.

    Each is an array or a ``Tensor``, or is written as ``KINDS`` has it: a path, ``engine:NAME``, ``vectors:DIR``.
    Elements are the same when their bits are, any NaN of a type being as good as another; there is no tolerance but
    the one asked for: ``ulps`` units in the last place. ``of`` are the two operands that ``a`` claims to be the sum of
    (under ``auto_broadcast`` and ``axis``): with them saturation, 32-bit wrapping and the like are told apart.
    ``element_type`` and ``shape`` say what a raw file holds that does not say it itself.

    >>> import numpy as np
    >>> compare(np.uint8([255, 7]), np.uint8([44, 7]), of=(np.uint8([200, 3]), np.uint8([100, 4]))).says
    '1 of 2 elements differs: 1 saturated instead of wrapped; the first at [0]: 255 (0xff), wanted 44 (0x2c); at most \
211 apart'
    >>> compare("engine:reference", "engine:oracle").same
    True
    """
    fact = Fact(
        DYNAMIC if element_type is None else ElementType.parse(element_type),
        Shape.unknown() if shape is None else Shape.of(shape),
    )
    left, right = side(a, fact), side(b, fact)
    if of is not None and not (isinstance(left, Arrays) and isinstance(right, Arrays)):
        raise InvalidInput("the operands of a sum go with arrays; engines and vectors have their own", argument="of")
    match left, right:
        case Arrays(), Arrays():
            return _arrays(left, right, ulps, _addends(of, fact, auto_broadcast, axis))
        case engines.Engine(), engines.Engine():
            return _engines(left, right, ulps, progress)
        case engines.Engine(), Vectors(listed):
            return _verified(left, listed, ulps, progress)
        case Vectors(listed), engines.Engine():
            return _verified(right, listed, ulps, progress)
        case Vectors(mine), Vectors(other):
            return _vectors(mine, other)
    raise InvalidInput(
        f"{word(left)} cannot be compared with {word(right)}",
        help="compare arrays with arrays, and engines or vectors with engines or vectors",
        a=word(left),
        b=word(right),
    )


def _addends(of: tuple[Any, Any] | None, fact: Fact, auto_broadcast: str, axis: SupportsIndex) -> Addends | None:
    if of is None:
        return None
    a, b = (only(side(one, fact)) for one in of)
    return Addends(a, b, auto_broadcast, axis)


def _arrays(left: Arrays, right: Arrays, ulps: int, addends: Addends | None) -> Verdict:
    if left.one and right.one:
        return judge(only(left), only(right), ulps=ulps, addends=addends)
    names = dict.fromkeys([*left.named, *right.named])
    parts = []
    for name in names:
        if name in left.named and name in right.named:
            parts.append((name, judge(left.named[name](), right.named[name](), ulps=ulps, addends=addends)))
        else:
            parts.append((name, Verdict(mismatch=f"only {'a' if name in left.named else 'b'} has an array {name!r}")))
    return _total(parts, ulps)


def _engines(
    left: engines.Engine, right: engines.Engine, ulps: int, progress: Callable[[int, int], None] | None
) -> Verdict:
    asked = [vector for vector in made() if vector.a is not None]
    parts = []
    for number, vector in enumerate(asked):
        if progress is not None:
            progress(number, len(asked))
        parts.append((vector.id, _against(vector, _said(left, vector), _said(right, vector), ulps)))
    return _total(parts, ulps)


def _said(engine: engines.Engine, vector: Vector) -> Any:
    """What an engine gives for a vector: an array, or the error that it raises."""
    try:
        return engine.add(*operands(vector), auto_broadcast=vector.auto_broadcast, axis=vector.axis)
    except AddisonError as fault:
        return fault


def _against(vector: Vector, found: Any, right: Any, ulps: int) -> Verdict:
    mine, other = isinstance(found, AddisonError), isinstance(right, AddisonError)
    if mine and other:
        same = found.says == right.says
        return Verdict(mismatch="" if same else f"refused in other words: {found.says!r}, wanted {right.says!r}")
    if mine or other:
        return Verdict(mismatch=f"only {'a' if mine else 'b'} refuses it: {(found if mine else right).says}")
    a, b = operands(vector)
    return judge(found, right, ulps=ulps, addends=Addends(a, b, vector.auto_broadcast, vector.axis))


def _verified(
    engine: engines.Engine, listed: tuple[Vector, ...], ulps: int, progress: Callable[[int, int], None] | None
) -> Verdict:
    report = verify(engine.add, listed, name=engine.name, infer_shape=infer_shape, progress=progress)
    return _total([(one.vector.id, _outcome(one, engine, ulps)) for one in report.outcomes], ulps)


def _outcome(outcome: Outcome, engine: engines.Engine, ulps: int) -> Verdict:
    if outcome.verdict is None:
        return Verdict(mismatch="" if outcome.right else outcome.says)
    if not ulps:
        return outcome.verdict
    return _against(outcome.vector, _said(engine, outcome.vector), wanted(outcome.vector), ulps)


def _vectors(left: tuple[Vector, ...], right: tuple[Vector, ...]) -> Verdict:
    mine, other = ({vector.id: vector for vector in listed} for listed in (left, right))
    parts = []
    for name in dict.fromkeys([*mine, *other]):
        if name not in mine or name not in other:
            parts.append((name, Verdict(mismatch=f"only {'a' if name in mine else 'b'} has it")))
        else:
            parts.append((name, _pair(mine[name], other[name])))
    return _total(parts, 0)


def _pair(a: Vector, b: Vector) -> Verdict:
    if a == b:
        return Verdict()
    if (
        a.sum is not None
        and b.sum is not None
        and a.element_type is not None
        and b.element_type is not None
        and a.shape is not None
        and b.shape is not None
        and replace(a, sum=b.sum) == b
    ):
        return judge(
            Tensor(a.element_type, a.shape, a.sum),
            Tensor(b.element_type, b.shape, b.sum),
            addends=Addends(*operands(a), a.auto_broadcast, a.axis),
        )
    keys = [key for key in Vector.__slots__ if getattr(a, key) != getattr(b, key)]
    return Verdict(mismatch=f"other {', '.join(keys)}: {to_line(a)[:200]}")


def _total(parts: list[tuple[str, Verdict]], ulps: int) -> Verdict:
    classes: dict[str, int] = {}
    for _, part in parts:
        for name, number in part.classes.items():
            classes[name] = classes.get(name, 0) + number
    distances = [part.largest for _, part in parts if part.largest is not None]
    return Verdict(
        elements=sum(part.elements for _, part in parts),
        differing=sum(part.differing for _, part in parts),
        largest=max(distances, default=None),
        classes=classes,
        ulps=ulps,
        tolerated=sum(part.tolerated for _, part in parts),
        parts=tuple(parts),
    )
