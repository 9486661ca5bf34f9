"""Everything that reading a model and inferring its shapes finds."""

from __future__ import annotations

from addison.diagnostics import Diagnostic
from addison.inference.graph import infer_graphs
from addison.ir.model import Model
from addison.ir.reader import Nibbles, PathLike, examine
from addison.ir.weights import BytesLike


def check(
    path_or_model: PathLike | bytes | Model,
    weights: PathLike | BytesLike | None = None,
    *,
    nibbles: Nibbles = "low-first",
) -> list[Diagnostic]:
    """All findings about an IR file, or about a model that was read, sorted by place.

    A bad file never raises: what is wrong with it is in the list. Raises InvalidInput when it cannot be opened.

    >>> [str(one) for one in check(b'<net version="9"/>')]
    ["<bytes>:1:15: error[F104]: the IR version is '9', which is older, laid out otherwise"]
    """
    if isinstance(path_or_model, Model):
        model: Model | None = path_or_model
        findings = path_or_model.findings
    else:
        model, findings = examine(path_or_model, weights, nibbles=nibbles)
    inferred = infer_graphs(model)[1] if model is not None else ()
    return sorted((*findings, *inferred), key=lambda one: one.order)
