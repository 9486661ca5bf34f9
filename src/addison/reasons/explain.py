"""``explain``: from what was asked to the reason that answers it."""

from __future__ import annotations

import difflib
import re
from typing import Any, SupportsIndex

from addison.clipping import clip, quoted
from addison.diagnostics import Diagnostic
from addison.errors import InvalidInput
from addison.reasons.element_types import TypeReason
from addison.reasons.pages import CodeReason, names
from addison.reasons.rules import RuleReason
from addison.reasons.shapes import ShapesReason
from addison.reasons.sums import SumReason, ValueReason
from addison.spec.broadcast import RULES
from addison.spec.elements import ELEMENTS, NOT_NUMERIC, ElementType
from addison.spec.shapes import Shape

Reason = CodeReason | TypeReason | RuleReason | ShapesReason | ValueReason | SumReason

_CODE = re.compile(r"[A-Za-z]\d{3}", re.ASCII)
_WORD = re.compile(r"\s*[A-Za-z]")
_FORMS = 'a finding ("A302"), a type ("f8e4m3"), a rule ("pdpd"), two shapes, or a type and two values'


def explain(*what: Any, auto_broadcast: str = "numpy", axis: SupportsIndex = -1) -> Reason:
    """Why an answer is what it is; ``print`` shows it, its fields are data, and a notebook draws it.

    One argument: a finding's code or name, an element type, or a broadcast rule. Two: shapes, under ``auto_broadcast``
    and ``axis``. An element type and two values: their sum; and one value: its bits. Values are numbers or text: a
    decimal, ``inf``, ``nan``, ``-0``, or a code such as ``0x7e``. Raises InvalidInput for what it does not know.

    >>> print(explain("u4", 15, 1))
    u4: 15 + 1 = 0
    <BLANKLINE>
            code  bits      value
    a       0xf   1111  15     15
    b       0x1   0001  1       1
    result  0x0   0000  0       0
    <BLANKLINE>
    exact sum  16
    wrap       16 is past 15, so it wraps modulo 2^4: 16 - 16 = 0
    >>> explain((2, 3, 4, 5), (3, 4)).suggestions[0].says
    'use pdpd with axis 1'
    """
    shapes = len(what) == 2 and not _is_type(what[0])
    if not shapes and (auto_broadcast != "numpy" or axis != -1):
        raise InvalidInput(
            "auto_broadcast and axis go with two shapes",
            help="leave them out",
            auto_broadcast=auto_broadcast,
            axis=axis,
        )
    if shapes:
        return ShapesReason.of(_shape(what[0]), _shape(what[1]), auto_broadcast, axis)
    match what:
        case (Diagnostic() as finding,):
            return CodeReason.of(finding.code)
        case (ElementType() as element,):
            return TypeReason.of(element)
        case (str() as word,):
            return _word(word.strip())
        case (element, value):
            return ValueReason.of(ElementType.parse(element), value)
        case (element, a, b):
            return SumReason.of(_type(element), a, b)
    said = f"{type(what[0]).__name__} is nothing to explain" if len(what) == 1 else f"{len(what)} arguments"
    raise InvalidInput(said, help=f"give {_FORMS}", found=len(what))


def _is_type(one: object) -> bool:
    return isinstance(one, ElementType) or (isinstance(one, str) and (one in ELEMENTS or one in NOT_NUMERIC))


def _shape(one: Any) -> Shape:
    if isinstance(one, str) and _WORD.match(one):
        raise _no_word(one)
    return Shape.of(one)


def _type(one: Any) -> ElementType:
    if _is_type(one):
        return ElementType.parse(one)
    if isinstance(one, str) and _WORD.match(one):
        raise _no_word(one)
    raise InvalidInput(
        f"of three arguments the first is an element type, and {clip(repr(one))} is none",
        help=f"give {_FORMS}",
        found=one,
    )


def _word(word: str) -> Reason:
    if word in ELEMENTS or word in NOT_NUMERIC:
        return TypeReason.of(ElementType.parse(word))
    if word in RULES:
        return RuleReason.of(word)
    if _CODE.fullmatch(word):
        return CodeReason.of(word)
    code = names().get(word)
    if code is None:
        raise _no_word(word)
    return CodeReason.of(code)


def _no_word(word: str) -> InvalidInput:
    """The error for a word that is nothing known, with the nearest that is."""
    known = [*ELEMENTS, *RULES, *names(), *names().values()]
    near = difflib.get_close_matches(word[:60].lower(), known, 1) or difflib.get_close_matches(
        word[:60].upper(), known, 1
    )
    if word.lower() == "explicit":
        near = ["none"]
    return InvalidInput(
        f"there is nothing to explain under the name {quoted(word)}",
        help=f"did you mean {near[0]}?" if near else f"give {_FORMS}",
        found=word,
    )
