"""W108: bytes of the weights that no constant reads."""

from collections.abc import Iterator

from addison.checker.rule import Finding, rule
from addison.checker.scope import Scope
from addison.checker.weights import constants
from addison.diagnostics import Severity
from addison.ir.model import Opaque


@rule("W108", "unread-bytes", Severity.INFO)
def unread_bytes(scope: Scope) -> Iterator[Finding]:
    weights = scope.model.weights
    if weights is None or _unclear(scope):
        return
    gaps, reached = [], 0
    for _, constant in constants(scope):
        if constant.offset > reached:
            gaps.append((reached, constant.offset))
        reached = max(reached, constant.offset + constant.size)
    if reached < len(weights):
        gaps.append((reached, len(weights)))
    unread = sum(stop - start for start, stop in gaps)
    if unread:
        first = f"{gaps[0][0]} to {gaps[0][1]}"
        yield Finding(
            None,
            f"no constant reads {unread} of the {len(weights)} bytes of the weights; the first are {first}",
            help="is it the .bin of this file?",
            fields={"bytes": unread, "found": len(weights), "gaps": tuple(gaps[:20])},
        )


def _unclear(scope: Scope) -> bool:
    """Whether a constant could not be read: which bytes are its own is not known, and its fault has been said."""
    return any(
        isinstance(layer.operation, Opaque) and layer.type.lower() in ("const", "constant")
        for view in scope.views
        for layer in view.graph.layers
    )
