"""What can go wrong, as a small family of exceptions. Each carries its numbers as fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class AddisonError(Exception):
    """The family every error of this package belongs to.

    ``says`` is the sentence, ``help`` what to do about it (may be empty), ``fields`` the names and numbers that the
    sentence was made from.

    >>> error = AddisonError("axis 4 is past the last axis, 3", help="use -1 to 3", axis=4)
    >>> error.fields["axis"]
    4
    """

    def __init__(self, says: str, *, help: str = "", **fields: Any) -> None:
        super().__init__(says)
        self.says = says
        self.help = help
        self.fields: Mapping[str, Any] = fields

    def __str__(self) -> str:
        return f"{self.says}; {self.help}" if self.help else self.says

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self.says, self.help, dict(self.fields))


def _remake(kind: type[AddisonError], says: str, help: str, fields: dict[str, Any]) -> AddisonError:
    return kind(says, help=help, **fields)


class InvalidInput(AddisonError, ValueError):
    """An argument, an array or a file of values is not what the operation takes."""


class InvalidModel(AddisonError):
    """A file cannot be used as a model. ``fields["findings"]`` holds every Diagnostic, sorted by place."""


class LimitExceeded(AddisonError):
    """A written limit was passed; ``fields`` has ``limit`` (the number) and ``found``."""


class Unsupported(AddisonError, TypeError):
    """Well-formed, but not something this package does: a type, an operation, an option."""


class FlushedSubnormals(RuntimeWarning):
    """This thread's CPU flushes subnormal numbers to zero (DAZ or FTZ), so NumPy's float sums are not exact."""
