"""A303: pdpd that the specification and OpenVINO read differently."""

from collections.abc import Iterator

from addison.checker.rule import Finding, rule
from addison.checker.scope import AddSite, Scope
from addison.clipping import quoted
from addison.deviations import openvino_shapes
from addison.diagnostics import Severity
from addison.ir.operations import AXIS
from addison.spec.broadcast import Clash, Merge, merge


@rule("A303", "pdpd-readers-differ", Severity.WARNING)
def pdpd_readers(scope: Scope) -> Iterator[Finding]:
    for add in scope.adds():
        if add.operation.auto_broadcast == "pdpd":
            ours = merge(add.a.shape, add.b.shape, "pdpd", add.operation.axis)
            theirs = openvino_shapes.merge(add.a.shape, add.b.shape, "pdpd", _written_axis(add))
            if not _agree(ours, theirs):
                yield Finding(
                    scope.model.place(add.layer, AXIS),
                    f"pdpd on {add.a.shape} and {add.b.shape} in Add {quoted(add.layer.name)}: the specification "
                    f"{_words(ours)}, OpenVINO {_words(theirs)}",
                    help="use numpy, and a Reshape or Unsqueeze that says where b belongs",
                    fields={
                        "layer": add.layer.name,
                        "a": str(add.a.shape),
                        "b": str(add.b.shape),
                        "specification": _shape(ours),
                        "openvino": _shape(theirs),
                    },
                )


def _written_axis(add: AddSite) -> int | None:
    return add.operation.axis if AXIS in add.layer.data else None


def _agree(ours: Merge | Clash, theirs: Merge | Clash) -> bool:
    """Both refuse, or the shapes are one; a wider interval is no difference by itself."""
    if isinstance(ours, Merge) and isinstance(theirs, Merge):
        return ours.shape.within(theirs.shape) or theirs.shape.within(ours.shape)
    return isinstance(ours, Clash) and isinstance(theirs, Clash)


def _words(outcome: Merge | Clash) -> str:
    return f"gives {outcome.shape}" if isinstance(outcome, Merge) else f"refuses ({outcome.says})"


def _shape(outcome: Merge | Clash) -> str | None:
    return str(outcome.shape) if isinstance(outcome, Merge) else None
