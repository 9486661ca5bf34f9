"""Which codes are asked for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from addison.checker.rule import every_code
from addison.clipping import quoted
from addison.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Selection:
    """Codes or beginnings of codes to report, and to leave out; the longer one decides.

    >>> chosen = Selection.of(["A"], ["A3"])
    >>> chosen.has("A101"), chosen.has("A302"), chosen.has("G101")
    (True, False, False)
    """

    select: tuple[str, ...]
    ignore: tuple[str, ...]

    @classmethod
    def of(cls, select: Iterable[str], ignore: Iterable[str]) -> Selection:
        """A selection; InvalidInput for a code that is none, and the beginning of none."""
        for code in (*select, *ignore):
            if not any(known.startswith(code) for known in every_code()) or not code:
                raise _no_code(code)
        return cls(tuple(select), tuple(ignore))

    def has(self, code: str) -> bool:
        """Whether findings of this code are asked for."""
        chosen = max((len(one) for one in self.select if code.startswith(one)), default=-1 if self.select else 0)
        left_out = max((len(one) for one in self.ignore if code.startswith(one)), default=-1)
        return chosen > left_out


def _no_code(code: str) -> InvalidInput:
    named = {known.name: known.code for known in every_code().values()}
    near = [named[code]] if code in named else difflib.get_close_matches(code.upper(), every_code(), 1)
    hint = f"did you mean {near[0]}?" if near else "a code is as A302, or its beginning"
    return InvalidInput(f"there is no code {quoted(code)}", help=hint, code=code)
