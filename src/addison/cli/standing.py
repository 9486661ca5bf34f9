"""``addison vectors verify --runtime``: vectors put to somebody else's runtime."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from addison.cli.progress import Bar
from addison.cli.verb import style

if TYPE_CHECKING:
    from addison.conformance.vectors import Vector


def verify(names: Sequence[str], vectors: list[Vector] | None, page: str | None, form: str, quiet: bool) -> int:
    """Prints where each runtime stands; ``vectors`` None is all of them, and only then can anything be gone."""
    from addison.conformance.standing import stand
    from addison.report import json, standing

    found = []
    for name in names:
        with Bar(f"verifying {name}", quiet) as bar:
            found.append(stand(name, vectors, progress=bar))
    if form == "json":
        print(json.dumps(standing.document(found)))
    else:
        print("\n\n".join(standing.text(one, style(sys.stdout)) for one in found))
    if page is not None:
        from addison.ir.aside import aside

        with aside(page) as (file,):
            file.write(standing.markdown(found).encode())
    return int(not all(one.right for one in found))
