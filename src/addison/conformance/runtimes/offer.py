"""What a runtime says of itself: which element types, rules and ranks it takes, and what has to be installed for it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata

from addison.errors import Unsupported
from addison.spec.elements import ELEMENTS, ElementType
from addison.tensor import Tensor

Adder = Callable[..., Tensor]
"""Has the signature of ``addison.add`` on two tensors, without ``out``. Whatever it raises is the runtime's refusal."""

PYTHON_TYPES = tuple(name for name in ELEMENTS if name not in ("u3", "u6", "nf4"))
"""The element types that have a NumPy dtype."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package that a runtime needs: the name it is imported by, and the one that pip knows it by."""

    module: str
    distribution: str

    @property
    def installed(self) -> bool:
        """Whether it can be imported; nothing is."""
        return importlib.util.find_spec(self.module) is not None

    @property
    def version(self) -> str:
        """The installed version without a local label, so that two builds of one release are one."""
        try:
            return metadata.version(self.distribution).partition("+")[0]
        except metadata.PackageNotFoundError:
            return "unknown"


@dataclass(frozen=True, slots=True)
class Offer:
    """One runtime: ``packages`` in the order of their weight (the first is the one whose version counts), ``settings``
    with the values they have unless told otherwise.

    >>> from addison.conformance import runtimes
    >>> runtimes.offer("paddle").rules
    ('pdpd',)
    """

    name: str
    says: str
    packages: tuple[Package, ...]
    types: tuple[str, ...]
    rules: tuple[str, ...]
    rank: int
    settings: Mapping[str, str]

    @property
    def missing(self) -> tuple[str, ...]:
        """The packages to install, as pip knows them."""
        return tuple(one.distribution for one in self.packages if not one.installed)

    @property
    def version(self) -> str:
        """The version of the package that does the work."""
        return self.packages[0].version

    @property
    def versions(self) -> dict[str, str]:
        """The version of each package, as pip knows it."""
        return {one.distribution: one.version for one in self.packages}

    def require(self) -> None:
        """Raises Unsupported, naming the pip command, when a package is not there."""
        if self.missing:
            command = "pip install " + " ".join(self.missing)
            raise Unsupported(
                f"the runtime {self.name} is not installed: it needs {' and '.join(self.missing)}",
                help=command,
                runtime=self.name,
                missing=self.missing,
            )

    def refusal(self, element: ElementType, auto_broadcast: str, shapes: Sequence[Sequence[int]] = ()) -> str:
        """Why such an addition is not asked of this runtime, or nothing when it is.

        >>> from addison.conformance import runtimes
        >>> runtimes.offer("numpy").refusal(ElementType.parse("f16"), "pdpd")
        'it has no rule pdpd'
        """
        if auto_broadcast not in self.rules:
            return f"it has no rule {auto_broadcast}"
        if element.name not in self.types:
            return f"it does not add {element}"
        rank = max(map(len, shapes), default=0)
        return f"it takes at most {self.rank} axes, here are {rank}" if rank > self.rank else ""
