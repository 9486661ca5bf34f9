"""What comes of comparing: equal bits, or how many differ, where first, how far apart, and in which way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from addison.conformance.differences import CLASSES
from addison.spec.bits import Special, decode
from addison.spec.elements import ElementType, Whole
from addison.spec.shapes import Shape


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """How what was found stands to what was wanted; true when they are the same.

    ``elements`` were compared, ``differing`` of them differ (more than ``ulps`` units in the last place apart, where
    that many are allowed, and then ``tolerated`` counts those within); ``first`` is the index of the first one and
    ``found`` and ``wanted`` the codes there; ``largest`` the largest distance of two numbers; ``classes`` how many
    there are of each of ``CLASSES``. ``mismatch`` says why no element was compared: types or shapes that differ.
    ``axis`` is the axis over which b would have had to lie for just these numbers; without ``operands_known`` some
    classes cannot be told apart. A comparison of many things has a
    verdict on each in ``parts``.

    >>> import addison, numpy as np
    >>> verdict = addison.compare(np.float32([1, 2]), np.float32([1, np.inf]))
    >>> verdict.same, verdict.differing, verdict.first, dict(verdict.classes)
    (False, 1, (1,), {'infinity': 1})
    """

    element_type: str = ""
    shape: tuple[int, ...] = ()
    elements: int = 0
    differing: int = 0
    first: tuple[int, ...] | None = None
    found: int | None = None
    wanted: int | None = None
    largest: int | None = None
    classes: Mapping[str, int] = field(default_factory=dict)
    ulps: int = 0
    tolerated: int = 0
    mismatch: str = ""
    axis: int | None = None
    operands_known: bool = False
    parts: tuple[tuple[str, Verdict], ...] = ()

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.mismatch and not self.differing and all(part.same for _, part in self.parts)

    def __bool__(self) -> bool:
        return self.same

    def __repr__(self) -> str:
        return f"<Verdict: {self.says}>"

    @property
    def says(self) -> str:
        """The verdict in one sentence.

        >>> import addison, numpy as np
        >>> addison.compare(np.float16([1, 2]), np.float16([1, 2.002])).says
        '1 of 2 elements differs: 1 rounded otherwise; the first at [1]: 2.0 (0x4000), wanted 2.001953125 (0x4001); at \
most 1 ulp apart'
        """
        if self.mismatch:
            return self.mismatch
        if self.parts:
            wrong = [name for name, part in self.parts if not part.same]
            if not wrong:
                return f"{len(self.parts)} compared, all the same"
            return f"{len(wrong)} of {len(self.parts)} differ, the first {wrong[0]!r}"
        if not self.differing:
            within = f", {self.tolerated} of them within {ulps(self.ulps)}" if self.tolerated else ", bit for bit"
            return f"{count(self.elements)} of {self.element_type} the same{within}"
        said = f"{self.differing} of {count(self.elements)} {'differs' if self.differing == 1 else 'differ'}"
        said += f": {classes_in_words(self)}; the first at {Shape(*self.first or ())}: {self.pair()}"
        return said if self.largest is None else f"{said}; at most {distance(self)} apart"

    def pair(self) -> str:
        """The first two elements that differ, values and codes."""
        if self.found is None or self.wanted is None:
            return ""
        element = ElementType.parse(self.element_type)
        return f"{value(element, self.found)}, wanted {value(element, self.wanted)}"


def count(elements: int) -> str:
    """A number of elements, in words.

    >>> count(1), count(7)
    ('1 element', '7 elements')
    """
    return f"{elements} element{'' if elements == 1 else 's'}"


def ulps(distance: int) -> str:
    """A distance, in words.

    >>> ulps(1), ulps(2)
    ('1 ulp', '2 ulps')
    """
    return f"{distance} ulp{'' if distance == 1 else 's'}"


def distance(verdict: Verdict) -> str:
    """The largest distance: of integers a plain number.

    >>> distance(Verdict("u8", largest=7)), distance(Verdict("f16", largest=7))
    ('7', '7 ulps')
    """
    whole = isinstance(ElementType.parse(verdict.element_type).format, Whole)
    return str(verdict.largest) if whole or verdict.largest is None else ulps(verdict.largest)


def classes_in_words(verdict: Verdict) -> str:
    """How many there are of each class, most first.

    >>> classes_in_words(Verdict(classes={"nan": 1, "saturated": 3}))
    '3 saturated instead of wrapped, 1 NaN on one side only'
    """
    ordered = sorted(verdict.classes.items(), key=lambda one: (-one[1], list(CLASSES).index(one[0])))
    if verdict.axis is not None:
        return f"{verdict.differing} as if b were laid over axis {verdict.axis}"
    return ", ".join(f"{number} {CLASSES[name]}" for name, number in ordered)


def value(element: ElementType, code: int) -> str:
    """One element, as a value and as its bits.

    >>> value(ElementType.parse("i4"), 15)
    '-1 (0xf)'
    """
    exact = decode(element, code)
    number = exact.value if isinstance(exact, Special) else exact if isinstance(exact, int) else float(exact)
    return f"{number} (0x{code:0{-(-element.bits // 4)}x})"
