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
from addison.ir.model import Add, Convert, Model, Parameter, Result
from addison.runtime import ops
from addison.runtime.constants import Constants
from addison.runtime.lifetimes import check_bytes, copied, drops
from addison.runtime.limits import check_allocatable
from addison.runtime.names import Endpoint
from addison.spec.broadcast import aligned
from addison.tensor.dtypes import array_dtype, dtype_of
from addison.tensor.tensor import LARGEST_TENSOR_RANK

Unit = tuple[int, ...]
"""Layers done in one step, operands first: the Adds of a chain, one Add, or one Convert."""
Side = tuple[int, tuple[int, ...]]
"""An operand of an Add: the value, and its strides in bytes along the axes of the sum that are not of size 1."""
Node = TypeVar("Node")


class Recipe(NamedTuple):
    """The arguments that the core makes a program of; see ``core/python/recipe.h``."""

    slots: tuple[tuple[str, tuple[int, ...]], ...]
    inputs: tuple[tuple[tuple[str, ...], int, bool, bool], ...]
    constants: tuple[tuple[int, Any], ...]
    steps: tuple[tuple[str, tuple[Any, ...], tuple[int, ...]], ...]
    outputs: tuple[tuple[str, int, bool], ...]


class Written(NamedTuple):
    """A recipe, the most bytes that its values take at once, and the Parameters whose arrays must be in C order."""

    recipe: Recipe
    bytes: int
    contiguous: frozenset[int]


def fits(steps: Iterable[int], facts: Inference) -> bool:
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
    longest: int,
    limit: int,
) -> Written:
    """The recipe of the layers ``steps``, producers first, with these facts. A chain has at most ``longest`` sums.

    Raises LimitExceeded for a run that would take more than ``limit`` bytes at once.
    """
    for index in steps:
        check_allocatable(facts.of(index), f"{model.layers[index].type} {model.layers[index].name!r}")
    return _Writer(model, steps, facts, outputs, constants, longest).write(inputs, limit)


class _Writer:
    def __init__(
        self,
        model: Model,
        steps: Sequence[int],
        facts: Inference,
        outputs: Sequence[Endpoint],
        constants: Constants,
        longest: int,
    ) -> None:
        self.model = model
        self.facts = facts
        self.outputs = outputs
        self.constants = constants
        self.steps = set(steps)
        self.origins: dict[int, int] = {}  # Results and Converts to the same type hand on another layer's value
        for index in steps:
            if index not in constants.values and self._hands_on(index):
                self.origins[index] = self.operands(index)[0]
        self.asked = [self.origin(one.layer) for one in outputs]
        made = [index for index in steps if index not in constants.values and index not in self.origins]
        every = [
            *_chains([index for index in made if self._is(index, Add)], self.operands, self._elements, longest),
            *((index,) for index in made if self._is(index, Convert)),
        ]
        self.unit_of = {index: unit for unit in every for index in unit}
        self.units = _producers_first(
            [self.unit_of[value] for value in self.asked if value in self.unit_of],
            lambda unit: [self.unit_of[value] for value in self.reads(unit) if value in self.unit_of],
        )
        read = {value for unit in self.units for value in self.reads(unit)} | set(self.asked)
        self.makes = [[index for index in unit if index in read] for unit in self.units]
        self.held = sorted(value for value in read if value not in self.unit_of)  # inputs and constants
        self.copied = copied(self.asked, self.unit_of.__contains__)
        self.dropped = drops([self.reads(unit) for unit in self.units], set(self.asked))
        self.numbers: dict[int, int] = {}  # value -> slot

    def write(self, inputs: Sequence[Endpoint], limit: int) -> Written:
        most = self._check_bytes(limit)
        contiguous = self._contiguous()
        answers = Counter(name for one in inputs for name in {one.key, *one.names})
        fed = tuple(self._input(one, answers, contiguous) for one in inputs)
        steps = tuple(
            (*self._step(unit, made), tuple(self.slot(value) for value in gone))
            for unit, made, gone in zip(self.units, self.makes, self.dropped, strict=True)
        )
        outputs = tuple(
            (one.key, self.slot(value), is_copy)
            for one, value, is_copy in zip(self.outputs, self.asked, self.copied, strict=True)
        )
        values = self.constants.values
        constants = tuple((slot, values[value]) for value, slot in self.numbers.items() if value in values)
        slots = tuple(self._declared(value) for value in self.numbers)
        return Written(Recipe(slots, fed, constants, steps, outputs), most, contiguous)

    # -- what the graph says

    def _is(self, index: int, kind: type) -> bool:
        return isinstance(self.model.layers[index].operation, kind)

    def _hands_on(self, index: int) -> bool:
        operation = self.model.layers[index].operation
        if isinstance(operation, Convert):
            return self.facts.inputs(index)[0].element_type == operation.destination
        return isinstance(operation, Result)

    def origin(self, index: int) -> int:
        """The layer whose value this one has."""
        return self.origins.get(index, index)

    def operands(self, index: int) -> list[int]:
        """The values that a layer reads."""
        return [self.origin(one.layer) for one in self.model.graph.producers[index] if one is not None]

    def reads(self, unit: Unit) -> list[int]:
        """The values that a unit reads and does not make itself, each once."""
        return list(dict.fromkeys(value for index in unit for value in self.operands(index) if value not in unit))

    def _elements(self, index: int) -> tuple[str, int]:
        fact = self.facts.of(index)
        return fact.element_type.name, fact.shape.elements

    def _contiguous(self) -> frozenset[int]:
        """The inputs that have to be in C order. Chains and Converts read runs; what an Add of its own makes of arrays
        in C order is in C order."""
        wanted: set[int] = set()
        for unit in reversed(self.units):
            if len(unit) > 1 or self._is(unit[0], Convert) or unit[0] in wanted:
                wanted.update(self.reads(unit))
        return frozenset(value for value in wanted if self._is(value, Parameter))

    def _check_bytes(self, limit: int) -> int:
        layers = self.model.layers
        own = [value for value in self.held if value not in self.constants.views]
        start = [(layers[value], {value: self._bytes(value)}, ()) for value in own]
        run = [
            (layers[unit[-1]], {value: self._bytes(value) for value in made}, gone)
            for unit, made, gone in zip(self.units, self.makes, self.dropped, strict=True)
        ]
        copies = [value for value, is_copy in zip(self.asked, self.copied, strict=True) if is_copy]
        end = [(layers[value], {-1 - i: self._bytes(value)}, ()) for i, value in enumerate(copies)]
        return check_bytes([*start, *run, *end], limit)

    # -- writing

    def slot(self, value: int) -> int:
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

    def _input(
        self, endpoint: Endpoint, answers: Mapping[str, int], contiguous: frozenset[int]
    ) -> tuple[tuple[str, ...], int, bool, bool]:
        """The names that no other input answers to, the slot, whether it has to be there, and to be in C order."""
        layer, fact = endpoint.layer, self._fact(endpoint.layer)
        own = tuple(name for name in dict.fromkeys((endpoint.key, *endpoint.names)) if answers[name] == 1)
        known = dtype_of(fact.element_type) is not None and fact.shape.static and len(fact.shape) <= LARGEST_TENSOR_RANK
        return own, self.slot(layer) if known else -1, layer in self.steps, layer in contiguous

    def _step(self, unit: Unit, made: Sequence[int]) -> tuple[str, tuple[Any, ...]]:
        if len(unit) > 1:
            return "chain", self._chain(unit, made)
        operation = self.model.layers[unit[0]].operation
        operands = [self.slot(value) for value in self.operands(unit[0])]
        if isinstance(operation, Convert):
            return "convert", (partial(ops.convert, target=operation.destination), *operands, self.slot(unit[0]))
        assert isinstance(operation, Add)
        return "add", (*operands, self.slot(unit[0]), operation.auto_broadcast, operation.axis)

    def _chain(self, unit: Unit, made: Sequence[int]) -> tuple[Any, ...]:
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
        operands = tuple((self.slot(value), strides) for value, strides in views)
        return sizes, operands, added, tuple(self.slot(value) for value in made)

    def _sides(self, index: int) -> tuple[Side, Side]:
        operation = self.model.layers[index].operation
        assert isinstance(operation, Add)
        result = self.facts.of(index)
        a, b = (one.shape.sizes for one in self.facts.inputs(index))
        item = array_dtype(result.element_type).itemsize

        def strides(sizes: tuple[int, ...]) -> tuple[int, ...]:
            every = zip(_broadcast_strides(sizes, item), result.shape.sizes, strict=True)
            return tuple(stride for stride, size in every if size != 1)

        left, right = aligned(a, b, operation.auto_broadcast, operation.axis)
        x, y = self.operands(index)
        return (x, strides(left)), (y, strides(right))


def _broadcast_strides(sizes: Sequence[int], item: int) -> list[int]:
    """Strides of an array in C order; 0 along axes of size 1."""
    return [0 if size == 1 else item * math.prod(sizes[i + 1 :]) for i, size in enumerate(sizes)]


def _chains(
    adds: Sequence[int],
    operands: Callable[[int], list[int]],
    elements: Callable[[int], tuple[str, int]],
    longest: int,
) -> list[Unit]:
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
    return [part for chain in chains.values() for part in _parts(chain, operands, longest)]


def _parts(chain: list[int], operands: Callable[[int], list[int]], longest: int) -> list[Unit]:
    """A chain in an order in which few sums wait for their use, cut where it is too long."""
    members = set(chain)
    read = {value for index in chain for value in operands(index)}
    ends = [index for index in chain if index not in read]
    order = _producers_first(ends, lambda index: [value for value in operands(index) if value in members])
    return [tuple(order[i : i + longest]) for i in range(0, len(order), longest)]


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
