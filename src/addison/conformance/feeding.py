"""The inputs of a model that another runtime is to run: out of files, or made from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from addison.errors import InvalidInput, Unsupported
from addison.inference.operations import Fact
from addison.ir.model import Add, Convert, Model, Parameter, Result
from addison.runtime import files, names, ops
from addison.runtime.feeding import Value, fact_of
from addison.runtime.names import Endpoint
from addison.runtime.seeded import seeded
from addison.spec.elements import ELEMENTS, ElementType, Whole
from addison.spec.shapes import Shape
from addison.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Feed:
    """One input: its name, its value, and the file it came from (None: the seed). Booleans are u8 of 0 and 1."""

    name: str
    value: Value
    file: str | None

    @property
    def fact(self) -> Fact:
        return fact_of(self.value)

    def packed(self, wanted: str) -> Tensor:
        """The value as a runtime takes it, which may ask for a wider type than the file has."""
        value = self.value
        if wanted in ELEMENTS and wanted != self.fact.element_type.name:
            value = ops.convert(value, ELEMENTS[wanted])
        return value if isinstance(value, Tensor) else Tensor.from_numpy(value)


def feeds(
    model: Model, given: Mapping[str, str], shapes: Mapping[str, Shape], seed: int, limit: int
) -> tuple[Feed, ...]:
    """A value for every input, in file order. Those that are not ``given`` as files are made from the seed.

    Whole numbers that go anywhere but into an Add are made 0 or 1: elsewhere they are lengths, positions and rows of
    tables, and most models take those two.
    """
    endpoints = names.inputs(model)
    paths = _keyed(given, endpoints)
    chosen = _keyed(shapes, endpoints)
    found = []
    for one in endpoints:
        wanted = _wanted(model, one, chosen.get(one.key))
        if one.key in paths:
            value = files.read_value(paths[one.key], one.key, wanted, limit)
            _hold(fact_of(value), wanted, one.key, paths[one.key])
        else:
            value = seeded(one.key, wanted, seed, limit)
            if _counts(model, one):
                value = _zero_or_one(value)
        found.append(Feed(one.key, value, paths.get(one.key)))
    return tuple(found)


_Given = TypeVar("_Given")


def _keyed(named: Mapping[str, _Given], endpoints: tuple[Endpoint, ...]) -> dict[str, _Given]:
    return {names.find(name, endpoints, "input").key: value for name, value in named.items()}


def _wanted(model: Model, one: Endpoint, shape: Shape | None) -> Fact:
    fact = names.narrowed(model, one, shape)
    return Fact(ElementType.parse("u8"), fact.shape) if fact.element_type.name == "boolean" else fact


def _hold(found: Fact, wanted: Fact, name: str, path: str) -> None:
    if found.element_type != wanted.element_type:
        raise Unsupported(
            f"{path!r} is {found}; the input {name!r} is {wanted}", help="convert it first", path=path, name=name
        )
    if not found.shape.within(wanted.shape):
        raise InvalidInput(
            f"{path!r} is {found}; the input {name!r} is {wanted}", path=path, name=name, found=str(found.shape)
        )


def _counts(model: Model, one: Endpoint) -> bool:
    """Whether the input is of whole numbers, and of use to something that is no arithmetic."""
    parameter = model.layers[one.layer].operation
    assert isinstance(parameter, Parameter)
    if parameter.element_type.name == "boolean":
        return True
    users = [
        layer.operation
        for layer, producers in zip(model.layers, model.graph.producers, strict=True)
        if any(producer is not None and producer.layer == one.layer for producer in producers)
    ]
    plain = all(isinstance(user, Add | Convert | Result) for user in users)
    return isinstance(parameter.element_type.format, Whole) and not plain


def _zero_or_one(value: Value) -> Value:
    if isinstance(value, Tensor):
        return Tensor.from_codes(value.element_type, value.codes() & 1)
    return np.asarray(value & 1, value.dtype)
