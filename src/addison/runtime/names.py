"""What the inputs and outputs of a model are called: tensor names, and the layers' own ("friendly") names."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from addison.errors import InvalidInput
from addison.inference.operations import Fact
from addison.ir.model import Model, Parameter, Result
from addison.spec.shapes import Shape


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An input or output: the name results go by, every name it answers to, and the index of its layer."""

    key: str
    names: tuple[str, ...]
    layer: int


def inputs(model: Model) -> tuple[Endpoint, ...]:
    """The model's Parameters in file order."""
    listed = []
    for index in model.graph.of_kind(Parameter):
        layer = model.layers[index]
        listed.append((index, layer.outputs[0].names if layer.outputs else (), (layer.name,)))
    return _keyed(listed, "input")


def outputs(model: Model) -> tuple[Endpoint, ...]:
    """The model's Results in file order. A Result without names of its own has those of the port it takes."""
    listed = []
    for index in model.graph.of_kind(Result):
        layer = model.layers[index]
        producer = model.graph.producers[index][0] if model.graph.producers[index] else None
        source = model.layers[producer.layer] if producer else None
        port = source.outputs[producer.output].names if source and producer else ()
        own = layer.output_names if model.version >= 11 else ()
        listed.append((index, own or port, (source.name, layer.name) if source else (layer.name,)))
    return _keyed(listed, "output")


def _keyed(listed: Sequence[tuple[int, tuple[str, ...], tuple[str, ...]]], kind: str) -> tuple[Endpoint, ...]:
    """Each endpoint's key is its first name that no other endpoint answers to."""
    answers: dict[str, int] = {}
    for _, tensor, friendly in listed:
        for name in {*tensor, *friendly}:
            answers[name] = answers.get(name, 0) + 1
    endpoints = []
    for position, (index, tensor, friendly) in enumerate(listed):
        names = tuple(dict.fromkeys(name for name in (*tensor, *friendly) if name))
        made = (f"{kind}{number}" for number in itertools.count(position))
        key = next((name for name in names if answers[name] == 1), None) or next(n for n in made if n not in answers)
        answers[key] = answers.get(key, 0) + 1
        endpoints.append(Endpoint(key, names if key in names else (key, *names), index))
    return tuple(endpoints)


def find(name: str, endpoints: Iterable[Endpoint], kind: str) -> Endpoint:
    """The one endpoint that answers to a name; InvalidInput when none does, or more than one."""
    known = tuple(endpoints)
    if not isinstance(name, str):
        raise InvalidInput(f"{name!r} is no name of an {kind}", help="names are strings", name=name)
    found = [one for one in known if one.key == name] or [one for one in known if name in one.names]
    if len(found) == 1:
        return found[0]
    if found:
        raise InvalidInput(
            f"{len(found)} {kind}s answer to {name!r}",
            help="use one of " + ", ".join(repr(one.key) for one in found),
            name=name,
            found=len(found),
        )
    keys = [one.key for one in known]
    near = difflib.get_close_matches(name, [n for one in known for n in one.names], 1)
    listed = ", ".join(repr(key) for key in keys[:10]) + (", ..." if len(keys) > 10 else "")
    raise InvalidInput(
        f"the model has no {kind} {name!r}",
        help=f"did you mean {near[0]!r}?" if near else f"its {kind}s: {listed or 'none'}",
        name=name,
        wanted=tuple(keys),
    )


def asked_for(wanted: Iterable[str], endpoints: tuple[Endpoint, ...]) -> tuple[Endpoint, ...]:
    """The outputs of these names, each under the name it was asked for by."""
    return tuple(replace(find(name, endpoints, "output"), key=name) for name in dict.fromkeys(wanted))


def narrowed(model: Model, one: Endpoint, shape: Shape | None) -> Fact:
    """What an input has to be: what its Parameter says, with the shape that was set for it, which must be within."""
    parameter = model.layers[one.layer].operation
    assert isinstance(parameter, Parameter)
    if shape is None:
        return Fact(parameter.element_type, parameter.shape)
    if not shape.within(parameter.shape):
        raise InvalidInput(
            f"the shape {shape} set for the input {one.key!r} is not within the model's {parameter.shape}",
            name=one.key,
            found=str(shape),
            wanted=str(parameter.shape),
        )
    return Fact(parameter.element_type, shape)
