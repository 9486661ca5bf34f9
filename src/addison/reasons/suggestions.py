"""What would make two clashing shapes merge. Nothing is suggested that ``spec.broadcast.merge`` does not accept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations

from addison.spec.broadcast import Clash, Column, Merge, merge
from addison.spec.shapes import Dim, Shape

MOST = 6
"""How many suggestions are made."""
LARGEST_SEARCHED_RANK = 16
"""Of shapes with more axes no rule, transpose or reshape is searched for, only sizes for b."""
_PERMUTED_RANK = 4
ONE = Dim(1)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What to do, the two shapes and the rule after it, and the shape that comes out. ``keeps_elements`` says
    whether both operands keep the elements they have."""

    says: str
    a: Shape
    b: Shape
    auto_broadcast: str
    axis: int
    shape: Shape
    keeps_elements: bool


Try = tuple[str, Shape, Shape, str, int, bool]


def suggestions(clash: Clash) -> tuple[Suggestion, ...]:
    """Changes that work, those that keep the elements first.

    >>> from addison.spec.broadcast import merge
    >>> [one.says for one in suggestions(merge(Shape(2, 3, 4, 5), Shape(3, 4)))][:2]
    ['use pdpd with axis 1', 'reshape b to [3,4,1]']
    """
    small = max(clash.a.rank or 0, clash.b.rank or 0) <= LARGEST_SEARCHED_RANK
    kinds: list[Callable[[Clash], Iterator[Try]]] = [_sizes, _shapes]
    if small:
        kinds = [_rules, _transposes, _reshapes, *kinds]
    found: dict[object, Suggestion] = {}
    for kind in kinds:
        for says, a, b, rule, axis, keeps in kind(clash):
            outcome = merge(a, b, rule, axis)
            if isinstance(outcome, Merge):
                key = says if keeps else (a, b, rule, axis)  # a transpose and a reshape can give one shape
                found.setdefault(key, Suggestion(says, a, b, rule, axis, outcome.shape, keeps))
    return tuple(found.values())[:MOST]


def _rules(clash: Clash) -> Iterator[Try]:
    """Another rule, another axis, or the operands the other way round."""
    a, b = clash.a, clash.b
    if clash.auto_broadcast != "numpy":
        yield "use numpy", a, b, "numpy", -1, True
    again = "use" if clash.auto_broadcast == "pdpd" else "use pdpd with"
    yield from _first(_starts(again, a, b))
    if clash.auto_broadcast == "pdpd":
        yield "swap a and b", b, a, "pdpd", clash.axis, True
    if (b.rank or 0) > (a.rank or 0):
        yield from _first(_starts("swap a and b, and use pdpd with", b, a))


def _starts(says: str, a: Shape, b: Shape) -> Iterator[Try]:
    for axis in range(a.rank or 0):
        yield f"{says} axis {axis}", a, b, "pdpd", axis, True


def _first(tries: Iterator[Try]) -> Iterator[Try]:
    """The first one that works, and no other of its kind."""
    for one in tries:
        if isinstance(merge(*one[1:5]), Merge):
            yield one
            return


def _reshapes(clash: Clash) -> Iterator[Try]:
    """1s put around the shape of lower rank, or one shape made the other where the numbers of elements agree."""
    a, b, rule, axis = clash.a, clash.b, clash.auto_broadcast, clash.axis
    if a.dims is None or b.dims is None:
        return
    axis = -1 if rule == "pdpd" else axis
    yield from _first((f"reshape b to {new}", a, new, rule, axis, True) for new in _with_ones(b, len(a)))
    if rule != "pdpd":
        yield from _first((f"reshape a to {new}", new, b, rule, axis, True) for new in _with_ones(a, len(b)))
    if a.static and b.static and a.elements == b.elements:
        yield f"reshape b to {a}", a, a, rule, axis, True


def _with_ones(shape: Shape, rank: int) -> Iterator[Shape]:
    """The shape inside a shape of a higher rank whose other sizes are 1, further left each time."""
    spare = rank - len(shape)
    for after in range(1, spare + 1):
        yield Shape(*shape, *(ONE,) * after)
    for after in range(spare):
        yield Shape(*(ONE,) * (spare - after), *shape, *(ONE,) * after)


def _transposes(clash: Clash) -> Iterator[Try]:
    b = clash.b
    if b.dims is None or not 2 <= len(b) <= _PERMUTED_RANK:
        return
    orders = list(permutations(range(len(b))))[1:]
    yield from _first(
        (
            f"transpose b with order {','.join(map(str, order))}: {new}",
            clash.a,
            new,
            clash.auto_broadcast,
            clash.axis,
            True,
        )
        for order in orders
        if (new := Shape(*(b[i] for i in order))) != b
    )


def _sizes(clash: Clash) -> Iterator[Try]:
    """The clashing sizes of b as 1, or as a's."""
    if clash.b.dims is None or not clash.columns:
        return
    axes = ", ".join(map(str, sorted(column.axis for column in clash.columns)))
    where = f"on axis {axes}" if len(clash.columns) == 1 else f"on axes {axes}"
    for says, size in (("size 1", lambda column: ONE), ("a's size", lambda column: column.a or ONE)):
        new = _resized(clash, size)
        yield f"give b {says} {where}: {new}", clash.a, new, clash.auto_broadcast, clash.axis, False


def _resized(clash: Clash, size: Callable[[Column], Dim]) -> Shape:
    dims = list(clash.b)
    for column in clash.columns:
        start = 0 if clash.auto_broadcast != "pdpd" else clash.axis if clash.axis != -1 else len(clash.a) - len(dims)
        dims[column.axis - start] = size(column)
    return Shape(*dims)


def _shapes(clash: Clash) -> Iterator[Try]:
    rule = clash.auto_broadcast
    yield f"give b the shape of a, {clash.a}", clash.a, clash.a, rule, -1, False
