"""A model with known shapes, written down as the core runs it.

Sums that have the same elements and feed each other make one chain: the core does them block after block in one pass,
in the graph's own order, and what is only passed on within a chain is never an array. A sum smaller than the one it
goes into (which broadcasts it) is made once, before.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from addison.inference.graph import Inference
from addison.inference.operations import Fact
from addison.ir.model import Add, Convert, Model, Parameter
from addison.runtime import ops
from addison.runtime.constants import Constants
from addison.runtime.lifetimes import check_bytes, drops
from addison.runtime.limits import check_allocatable
from addison.runtime.names import Endpoint
from addison.spec.broadcast import aligned
from addison.tensor.dtypes import array_dtype, dtype_of

LONGEST_CHAIN = 32
"""Sums in one pass; a longer chain is cut, and what passes from one part to the next becomes an array."""


Side = tuple[int, tuple[int, ...]]
Node = TypeVar("Node")


class Recipe(NamedTuple):
    """The arguments that the core makes a program of; see ``core/python/recipe.h``."""

    slots: tuple[tuple[str, tuple[int, ...]], ...]
    inputs: tuple[tuple[tuple[str, ...], int, bool], ...]
    constants: tuple[tuple[int, Any], ...]
    steps: tuple[tuple[str, tuple[Any, ...], tuple[int, ...]], ...]
    outputs: tuple[tuple[str, int, bool], ...]


def fits(model: Model, steps: Iterable[int], facts: Inference) -> bool:
    """Whether the core can run these layers: every type has a dtype, every shape is known."""
    found = [facts.of(index) for index in steps]
    return all(dtype_of(one.element_type) is not None and one.shape.static for one in found)


def write(
    model: Model,
    steps: Sequence[int],
    facts: Inference,
    inputs: Sequence[Endpoint],
    outputs: Sequence[Endpoint],
    constants: Constants,
    limit: int,
) -> Recipe:
    """The recipe of the layers ``steps``, producers first, with these facts; raises LimitExceeded for a run that would
    take more than ``limit`` bytes at once."""
    return _Writer(model, steps, facts, constants).write(inputs, outputs, limit)


class _Writer:
    def __init__(self, model: Model, steps: Sequence[int], facts: Inference, constants: Constants) -> None:
        self.model = model
        self.facts = facts
        self.constants = constants
        for index in steps:
            layer = model.layers[index]
            check_allocatable(facts.of(index), f"{layer.type} {layer.name!r}")
        made = [index for index in steps if constants.origin(index) == index and index not in constants.values]
        self.units = [
            *_chains([index for index in made if self._is(index, Add)], self.operands, self._elements),
            *((index,) for index in made if self._is(index, Convert)),
        ]
        self.unit_of = {index: unit for unit in self.units for index in unit}
        self.steps = set(steps)
        self.numbers: dict[int, int] = {}  # value -> slot

    def write(self, inputs: Sequence[Endpoint], outputs: Sequence[Endpoint], limit: int) -> Recipe:
        asked = [self.constants.origin(one.layer) for one in outputs]
        units = _producers_first(
            [self.unit_of[value] for value in asked if value in self.unit_of],
            lambda unit: [self.unit_of[value] for value in self._reads(unit) if value in self.unit_of],
        )
        kept = {value for unit in units for value in self._reads(unit)} | set(asked)
        answers = Counter(name for one in inputs for name in {one.key, *one.names})
        fed = [self._input(one, answers) for one in inputs]
        reads = [self._reads(unit) for unit in units]
        dropped = drops(reads, set(asked))
        makes = [[index for index in unit if index in kept] for unit in units]
        self._check_bytes(units, makes, dropped, asked, limit)
        steps = tuple(
            (*self._step(unit, made), tuple(self._slot(value) for value in gone))
            for unit, made, gone in zip(units, makes, dropped, strict=True)
        )
        handed = tuple(
            (one.key, self._slot(value), value not in self.unit_of) for one, value in zip(outputs, asked, strict=True)
        )
        constants = tuple(
            (slot, self.constants.values[v]) for v, slot in self.numbers.items() if v in self.constants.values
        )
        slots = tuple(self._declared(value) for value in self.numbers)
        return Recipe(slots, tuple(fed), constants, steps, handed)

    # -- what the graph says

    def _is(self, index: int, kind: type) -> bool:
        return isinstance(self.model.layers[index].operation, kind)

    def operands(self, index: int) -> list[int]:
        """The values that a layer reads."""
        producers = self.model.graph.producers[index]
        return [self.constants.origin(one.layer) for one in producers if one is not None]

    def _reads(self, unit: tuple[int, ...]) -> list[int]:
        """The values that a unit reads and does not make itself, each once."""
        return list(dict.fromkeys(value for index in unit for value in self.operands(index) if value not in unit))

    def _elements(self, index: int) -> tuple[str, int]:
        fact = self.facts.of(index)
        return fact.element_type.name, fact.shape.elements

    # -- writing

    def _slot(self, value: int) -> int:
        return self.numbers.setdefault(value, len(self.numbers))

    def _fact(self, value: int) -> Fact:
        operation = self.model.layers[value].operation
        if value not in self.steps and isinstance(operation, Parameter):  # an input that no output needs
            return Fact(operation.element_type, operation.shape)
        return self.facts.of(value)

    def _declared(self, value: int) -> tuple[str, tuple[int, ...]]:
        fact = self._fact(value)
        return fact.element_type.name, fact.shape.sizes

    def _bytes(self, value: int) -> int:
        fact = self._fact(value)
        return fact.shape.elements * array_dtype(fact.element_type).itemsize

    def _input(self, endpoint: Endpoint, answers: Mapping[str, int]) -> tuple[tuple[str, ...], int, bool]:
        """The names that no other input answers to, the slot, and whether the input has to be there."""
        fact = self._fact(endpoint.layer)
        known = fact.shape.static and dtype_of(fact.element_type) is not None
        own = tuple(name for name in dict.fromkeys((endpoint.key, *endpoint.names)) if answers[name] == 1)
        return own, self._slot(endpoint.layer) if known else -1, endpoint.layer in self.steps

    def _check_bytes(
        self,
        units: Sequence[tuple[int, ...]],
        makes: Sequence[Sequence[int]],
        dropped: Sequence[Sequence[int]],
        asked: Sequence[int],
        limit: int,
    ) -> None:
        layers = self.model.layers
        read = {value for unit in units for value in self._reads(unit)} | set(asked)
        held = [v for v in sorted(read) if v not in self.unit_of and v not in self.constants.views]
        start = [(layers[v], {v: self._bytes(v)}, ()) for v in held]
        run = [
            (layers[unit[-1]], {value: self._bytes(value) for value in made}, gone)
            for unit, made, gone in zip(units, makes, dropped, strict=True)
        ]
        end = [(layers[v], {-1 - i: self._bytes(v)}, ()) for i, v in enumerate(asked) if v not in self.unit_of]
        check_bytes([*start, *run, *end], limit)

    def _step(self, unit: tuple[int, ...], made: Sequence[int]) -> tuple[str, tuple[Any, ...]]:
        first = unit[0]
        operation = self.model.layers[first].operation
        operands = [self._slot(value) for value in self.operands(first)]
        if isinstance(operation, Convert):
            return "convert", (partial(ops.convert, target=operation.destination), *operands, self._slot(first))
        if len(unit) > 1:
            return "chain", self._chain(unit, made)
        assert isinstance(operation, Add)
        return "add", (*operands, self._slot(first), operation.auto_broadcast, operation.axis)

    def _chain(self, unit: tuple[int, ...], made: Sequence[int]) -> tuple[Any, ...]:
        """Sizes without the axes of size 1, which sums of the same elements share; operands; sums; results."""
        sizes = tuple(size for size in self.facts.of(unit[0]).shape.sizes if size != 1)
        sides = [self._sides(index) for index in unit]
        views: dict[Side, int] = {}
        for side in (side for pair in sides for side in pair):
            if side[0] not in unit:
                views.setdefault(side, len(views))
        sums = {index: len(views) + i for i, index in enumerate(unit)}
        results = {value: i for i, value in enumerate(made)}

        def number(side: Side) -> int:
            return sums[side[0]] if side[0] in sums else views[side]

        added = tuple((number(a), number(b), results.get(index, -1)) for index, (a, b) in zip(unit, sides, strict=True))
        operands = tuple((self._slot(value), strides) for value, strides in views)
        return sizes, operands, added, tuple(self._slot(value) for value in made)

    def _sides(self, index: int) -> tuple[Side, Side]:
        """Both operands of an Add: the value, and its strides along the axes of the sum that are not of size 1."""
        operation = self.model.layers[index].operation
        assert isinstance(operation, Add)
        result = self.facts.of(index)
        a, b = (one.shape.sizes for one in self.facts.inputs(index))
        item = array_dtype(result.element_type).itemsize

        def strides(sizes: tuple[int, ...]) -> tuple[int, ...]:
            every = zip(_contiguous(sizes, item), result.shape.sizes, strict=True)
            return tuple(stride for stride, size in every if size != 1)

        left, right = aligned(a, b, operation.auto_broadcast, operation.axis)
        x, y = self.operands(index)
        return (x, strides(left)), (y, strides(right))


def _contiguous(sizes: Sequence[int], item: int) -> list[int]:
    """Strides of an array in C order; 0 along axes of size 1, which are broadcast."""
    return [0 if size == 1 else item * math.prod(sizes[i + 1 :]) for i, size in enumerate(sizes)]


def _chains(
    adds: Sequence[int], operands: Callable[[int], list[int]], elements: Callable[[int], tuple[str, int]]
) -> list[tuple[int, ...]]:
    """Adds in chains, operands first: those that feed each other and have the same type and number of elements.

    Broadcasting never makes a tensor smaller, so a path that leaves such a chain does not come back to it.
    """
    chain_of: dict[int, list[int]] = {}
    every = set(adds)
    for index in adds:  # producers first
        mine = [index]
        for value in operands(index):
            if value in every and elements(value) == elements(index) and elements(index)[1] > 0:
                other = chain_of[value]
                if other is not mine:
                    mine, other = (other, mine) if len(other) > len(mine) else (mine, other)
                    mine += other
                    for one in other:
                        chain_of[one] = mine
        chain_of[index] = mine
    chains = {id(chain): chain for chain in chain_of.values()}
    return [part for chain in chains.values() for part in _parts(chain, operands)]


def _parts(chain: list[int], operands: Callable[[int], list[int]]) -> list[tuple[int, ...]]:
    """A chain in an order in which few sums wait for their use, cut where it is too long."""
    members = set(chain)
    read = {value for index in chain for value in operands(index)}
    ends = [index for index in chain if index not in read]
    order = _producers_first(ends, lambda index: [value for value in operands(index) if value in members])
    return [tuple(order[i : i + LONGEST_CHAIN]) for i in range(0, len(order), LONGEST_CHAIN)]


def _producers_first(roots: Iterable[Node], needs: Callable[[Node], Iterable[Node]]) -> list[Node]:
    """What the roots need, and the roots, each after all that it needs itself."""
    done: dict[Node, None] = {}
    for root in roots:
        pending = [(root, iter(needs(root)))]
        while pending:
            here, left = pending[-1]
            following = next((one for one in left if one not in done), None)
            if following is None:
                pending.pop()
                done[here] = None
            else:
                pending.append((following, iter(needs(following))))
    return list(done)
