"""The inputs of one call, each held against its Parameter."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from addison.engines.operands import as_operand
from addison.errors import InvalidInput, Unsupported
from addison.inference.operations import Fact
from addison.ir.model import Model, Parameter
from addison.runtime import names
from addison.runtime.names import Endpoint
from addison.spec.elements import DYNAMIC
from addison.spec.shapes import Shape
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, dtype_of, element_of

Value = Array | Tensor


def fact_of(value: Value) -> Fact:
    """Element type and shape of a value."""
    element = value.element_type if isinstance(value, Tensor) else element_of(value.dtype)
    return Fact(element, Shape(*value.shape))


def feed(
    model: Model, endpoints: Sequence[Endpoint], needed: Collection[int], inputs: Mapping[str, Any] | Sequence[Any]
) -> dict[int, Value]:
    """The value of each Parameter, by the index of its layer; those in ``needed`` have to be there."""
    fed: dict[int, Value] = {}
    for endpoint, value in _named(endpoints, inputs):
        if endpoint.layer in fed:
            raise InvalidInput(
                f"the input {endpoint.key!r} is given twice",
                help="give it under one of its names",
                name=endpoint.key,
            )
        fed[endpoint.layer] = _accept(model, endpoint, value)
    for endpoint in endpoints:
        if endpoint.layer in needed and endpoint.layer not in fed:
            raise InvalidInput(
                f"the input {endpoint.key!r} is missing",
                help=f"it is {_wanted(model, endpoint)}",
                name=endpoint.key,
            )
    return fed


def _named(endpoints: Sequence[Endpoint], inputs: Mapping[str, Any] | Sequence[Any]) -> list[tuple[Endpoint, Any]]:
    if isinstance(inputs, Mapping):
        return [(names.find(name, endpoints, "input"), value) for name, value in inputs.items()]
    if isinstance(inputs, np.ndarray | Tensor | str | bytes) or not isinstance(inputs, Sequence):
        raise InvalidInput(
            f"the inputs are one {type(inputs).__name__}",
            help="pass a dict of names, or a list of arrays in file order",
        )
    if len(inputs) > len(endpoints):
        raise InvalidInput(
            f"{len(inputs)} inputs are given; the model has {len(endpoints)}",
            found=len(inputs),
            wanted=len(endpoints),
        )
    return list(zip(endpoints, inputs, strict=False))


def _wanted(model: Model, endpoint: Endpoint) -> Fact:
    parameter = model.layers[endpoint.layer].operation
    assert isinstance(parameter, Parameter)
    return Fact(parameter.element_type, parameter.shape)


def _as_array(endpoint: Endpoint, value: Any) -> Value:
    """An array or a Tensor of a type that Add-1 has; every refusal names the input."""
    what = f"the input {endpoint.key!r}"
    try:
        array = as_operand(what, value)
    except Unsupported as fault:
        number = "number" in (fault.help or "")  # add takes one beside an array, a model does not
        help_ = "pass a NumPy array or a Tensor" if number else fault.help
        raise Unsupported(fault.says, help=help_, **{**fault.fields, "name": endpoint.key}) from None
    if isinstance(array, int | float):
        raise Unsupported(f"{what} is a bare number", help="make it a NumPy array, which has a type", name=endpoint.key)
    if isinstance(array, np.ndarray):
        try:
            element_of(array.dtype)
        except Unsupported as fault:
            raise Unsupported(
                f"{what}: {fault.says}", help=fault.help, **{**fault.fields, "name": endpoint.key}
            ) from None
    return array


def _accept(model: Model, endpoint: Endpoint, value: Any) -> Value:
    """An input held against its Parameter."""
    array = _as_array(endpoint, value)
    found, wanted = fact_of(array), _wanted(model, endpoint)
    if wanted.element_type not in (DYNAMIC, found.element_type):
        raise Unsupported(
            f"the input {endpoint.key!r} is {found}; the model takes {wanted}",
            help="convert it first",
            name=endpoint.key,
            found=found.element_type.name,
            wanted=wanted.element_type.name,
        )
    if not found.shape.within(wanted.shape):
        raise InvalidInput(
            f"the input {endpoint.key!r} is {found}; the model takes {wanted}",
            name=endpoint.key,
            found=str(found.shape),
            wanted=str(wanted.shape),
        )
    if isinstance(array, Tensor) and dtype_of(array.element_type) is not None:
        return array.to_numpy()
    return array
