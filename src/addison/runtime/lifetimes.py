"""How long values live while a model runs, and how many bytes that takes at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from addison.errors import LimitExceeded
from addison.ir.model import Layer


def drops(reads: Sequence[Iterable[int]], kept: Collection[int]) -> list[tuple[int, ...]]:
    """For each step, given what each reads: the values that nobody reads after it. Those in ``kept`` outlive the run.

    >>> drops([(0, 1), (1, 2), (1,)], {2})
    [(0,), (), (1,)]
    """
    last = {value: step for step, values in enumerate(reads) for value in values if value not in kept}
    dropped: list[list[int]] = [[] for _ in reads]
    for value, step in last.items():
        dropped[step].append(value)
    return [tuple(values) for values in dropped]


def copied(values: Sequence[int], made: Callable[[int], bool]) -> list[bool]:
    """For the value of each output, whether it is handed out as a copy: what the run has not made (an input, a
    constant), and what an output before it has.

    >>> copied([5, 0, 5], lambda value: value == 5)
    [False, True, True]
    """
    first = {value: i for i, value in reversed([*enumerate(values)])}
    return [not made(value) or first[value] != i for i, value in enumerate(values)]


def check_bytes(steps: Iterable[tuple[Layer, Mapping[int, int], Iterable[int]]], limit: int) -> int:
    """The most bytes that live at once; LimitExceeded when they pass the limit.

    Walks the steps as the run will: each is its layer, the bytes of each value it makes, and the values it drops.
    """
    live = most = 0
    sizes: dict[int, int] = {}
    for layer, made, dropped in steps:
        sizes.update(made)
        live += sum(made.values())
        most = max(most, live)
        if live > limit:
            raise LimitExceeded(
                f"running up to {layer.type} {layer.name!r} takes {live} bytes at once; the limit is {limit}",
                help="raise the limit, or make the inputs smaller",
                limit=limit,
                found=live,
                layer=layer.name,
            )
        live -= sum(sizes.get(value, 0) for value in dropped)
    return most
