"""The Adds of a model, as an audit sees them: in topological order, each with what is known of it on a runtime."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from addison.checker.hazards import departing
from addison.checker.rule import Finding
from addison.checker.scope import AddSite, Scope
from addison.deviations import KINDS, departures, runtimes
from addison.engines import Engine
from addison.ir.model import Constant, Convert, Model, Parameter
from addison.runtime import ops
from addison.runtime.feeding import Value
from addison.spec.conversion import preserves
from addison.spec.elements import ElementType


@dataclass(frozen=True, slots=True)
class Hazard:
    """What is recorded of the runtime that concerns an Add: the kind of the departure, what it does, in words, and the
    classes of differences that it shows in (none: any)."""

    kind: str
    says: str
    issue: tuple[str, ...]
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """One Add. ``order`` counts them in topological order; ``reason`` says why it cannot be reached, or nothing."""

    path: str
    order: int
    add: AddSite
    hazards: tuple[Hazard, ...]
    reason: str = ""

    @property
    def element(self) -> ElementType:
        """The type of its result, as inferred; dynamic when only a run tells."""
        return self.add.total.element_type

    def source(self, position: int) -> int | Value | None:
        """Where an operand's value comes from when no tap is needed: the number of a model input, or a constant's
        value, through Converts that keep it."""
        graph = self.add.view.graph
        producer = graph.producers[self.add.index][position]
        if producer is None:
            return None
        if isinstance(graph.layers[producer.layer].operation, Parameter):
            return graph.of_kind(Parameter).index(producer.layer)
        return _constant(self.add, position)


def sites(model: Model, runtime: str, pattern: str = "*") -> tuple[Site, ...]:
    """Those whose path fits the pattern, in which ``*`` and ``?`` stand for any characters."""
    scope = Scope.of(model)
    hazards = _hazards(scope, runtime)
    found: list[Site] = []
    for add in _in_order(scope):
        path = add.view.path + add.layer.name
        if fnmatchcase(path, pattern):
            found.append(Site(path, len(found), add, hazards.get(id(add.layer), ()), _reason(add)))
    return tuple(found)


def _in_order(scope: Scope) -> list[AddSite]:
    """The model's own Adds first, then those of each body."""
    places = {
        (view.path, index): (number, place)
        for number, view in enumerate(scope.views)
        for place, index in enumerate(view.graph.order)
    }
    last = (len(scope.views), 0)
    return sorted(scope.adds(), key=lambda add: places.get((add.view.path, add.index), last))


def _reason(add: AddSite) -> str:
    if add.view.path:
        return "it is in a body"
    return "" if add.index in add.view.live else "no output depends on it"


def _hazards(scope: Scope, runtime: str) -> dict[int, tuple[Hazard, ...]]:
    """By the identity of the layer."""
    if runtime not in runtimes():
        return {}
    asked = Scope(scope.model, scope.views, scope.report, runtime)
    at = {add.layer.at: id(add.layer) for add in scope.adds()}
    found: dict[int, tuple[Hazard, ...]] = {}
    for kind in KINDS:
        for one in departing(asked, kind, lambda element: True):
            assert one.at is not None
            key = at[one.at.start]
            found[key] = (*found.get(key, ()), _hazard(one))
    return found


def _hazard(one: Finding) -> Hazard:
    kind, element, when = (one.fields[name] for name in ("kind", "element_type", "when"))
    classes = [
        name
        for row in departures(one.fields["runtime"])
        if row.kind == kind and row.when == when and element in row.types
        for name in row.classes
    ]
    return Hazard(kind, one.says.partition(": ")[2], one.fields["issue"], tuple(classes))


def _constant(add: AddSite, position: int) -> Value | None:
    """The value of a constant operand; None when it is none, or is converted in a way that loses values."""
    graph = add.view.graph
    chain: list[Convert] = []
    producer = graph.producers[add.index][position]
    while producer is not None:
        operation = graph.layers[producer.layer].operation
        if isinstance(operation, Constant):
            return _converted(operation, chain)
        if not isinstance(operation, Convert):
            return None
        chain.append(operation)
        producer = graph.producers[producer.layer][0]
    return None


def _converted(constant: Constant, chain: list[Convert]) -> Value | None:
    element = constant.element_type
    if not element.numeric:
        return None
    value: Value = ops.constant(constant)
    for one in reversed(chain):
        if not preserves(element, one.destination):
            return None
        value, element = ops.convert(value, one.destination), one.destination
    return value


def recomputed(site: Site, engine: Engine, a: Value, b: Value) -> Value:
    """The sum as the specification has it."""
    return ops.add(site.add.operation, a, b, engine)
