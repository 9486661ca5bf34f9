"""The classes of sums that an element type has, each with pairs of elements that belong to it.

Pairs are proposed from where a type's codes are special, and kept when the exact sum says they belong: so a class
never holds a pair that only looks the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from addison.conformance.rounding import finite, has_subnormal, overflows, rounding, total
from addison.spec.addition import exact_sum, is_nan
from addison.spec.bits import decode, encode, largest_magnitude
from addison.spec.elements import ElementType, Float, Levels, Overflow, Packing, Powers, Whole

Pair = tuple[int, int]
MOST = 16
"""Pairs a class shows at most; more of the same would say nothing new."""


@dataclass(frozen=True, slots=True)
class Class:
    """One class of sums: its name, the sentence it stands for, and pairs of codes."""

    name: str
    says: str
    pairs: tuple[Pair, ...]


def classes(element: ElementType) -> tuple[Class, ...]:
    """Every class that the type has.

    >>> [one.name for one in classes(ElementType.parse("u8"))]
    ['exact', 'wrap']
    >>> next(one.pairs[:2] for one in classes(ElementType.parse("bf16")) if one.name == "signed-zero")
    ((0, 0), (0, 32768))
    """
    match element.format:
        case Whole():
            found = _whole(element)
        case Float():
            found = _floats(element)
        case _:
            found = _listed(element)
    return tuple(one for one in found if one.pairs)


def ordinary(element: ElementType) -> tuple[int, ...]:
    """Codes of everyday numbers, no two alike: what fills a tensor whose shape is the question.

    >>> ordinary(ElementType.parse("u2"))
    (0, 1, 2, 3)
    """
    match element.format:
        case Whole() | Levels():
            return tuple(range(min(1 << element.bits, 16)))
        case Powers(bias):
            return tuple(range(bias - 8, bias + 8))
        case _:
            codes = (encode(element, Fraction(number, 2)) for number in (*range(1, 9), *range(-8, 0)))
            return tuple(dict.fromkeys(codes))


def _whole(element: ElementType) -> Iterator[Class]:
    bits, top = element.bits, 1 << (element.bits - 1)
    signed = isinstance(element.format, Whole) and element.format.signed
    mask = 2 * top - 1
    ends = sorted({code & mask for code in (0, 1, 2, 3, top - 2, top - 1, top, top + 1, -3, -2, -1)})
    every = list(product(ends, ends))

    def wraps(a: int, b: int) -> bool:
        exact = exact_sum(decode(element, a), decode(element, b))
        return exact != decode(element, encode(element, exact))

    yield Class("exact", f"A sum within {element}'s range is that sum.", _some(every, lambda a, b: not wraps(a, b)))
    yield Class(
        "wrap", f"A sum past {element}'s range wraps modulo 2^{bits}; it does not saturate.", _some(every, wraps)
    )
    if bits == 64:
        powers = [1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40, 1 << 53, (1 << 63) - (1 << 31)]
        wide = [*((one, 1) for one in powers), *((1, one) for one in powers), *((one, one) for one in powers)]
        wide += [(1 << 53 | 1, 2), (-(1 << 40) - 1 & mask, 1), (-(1 << 32) & mask, -1 & mask)]
        yield Class("wide", "All 64 bits take part, not only the low 32, nor the 53 that a double has.", tuple(wide))
    if bits == 32:
        wide = [(1 << 24, 1), (1, 1 << 24 | 1), (1 << 30 | 1, 1), ((1 << 31) - 2, 1)]
        wide += [] if signed else [(1 << 31, 0), (0, 1 << 31), (1 << 31, 1), (mask - 1, 1)]
        yield Class("wide", "All 32 bits take part, not only the 24 that a float has.", tuple(wide))
    if element.packing is not Packing.BYTES:
        lanes = [(mask, 1), (0, 0), (mask, mask), (0, 0), (top, top), (1, 0), (mask, 1), (1, mask)]
        yield Class(
            "lanes",
            "Elements that share a byte do not see each other's carry.",
            (*lanes, (0, 0), *lanes[:-1][::-1]),
        )


def _floats(element: ElementType) -> Iterator[Class]:
    form = element.format
    assert isinstance(form, Float)
    sign, normal = 1 << (element.bits - 1), 1 << form.mantissa
    one, largest = form.bias << form.mantissa, largest_magnitude(element)
    zeros = (0, sign)
    pool = _pool(element, form)
    kept = [(a, b) for a, b in pool if finite(element, a, b)]
    how = {(a, b): rounding(element, a, b) for a, b in kept}
    yield Class(
        "exact",
        f"A sum that {element} holds is that sum.",
        _some(kept, lambda a, b: how[a, b] == "exact"),
    )
    yield Class(
        "tie",
        "A sum halfway between two neighbours goes to the one with an even code.",
        _some(kept, lambda a, b: how[a, b] == "tie"),
    )
    yield Class(
        "rounded-up",
        "A sum past halfway goes to the neighbour farther from zero, however little it is past.",
        _some(kept, lambda a, b: how[a, b] == "up"),
    )
    yield Class(
        "rounded-down",
        "A sum short of halfway goes to the neighbour nearer to zero.",
        _some(kept, lambda a, b: how[a, b] == "down"),
    )
    past = {Overflow.INFINITY: "infinity", Overflow.NAN: "NaN", Overflow.SATURATE: "the largest number"}
    ends = [*zeros, one, *(largest - i for i in range(4)), *_halves(form, largest), *_halves(form, largest - 1)]
    edge = [(s | a, s | b) for a, b in product(ends, ends) for s in zeros if a < sign > b]
    yield Class(
        "overflow",
        f"A sum that rounds past the largest number of {element} is {past[form.overflow]}.",
        _some(edge, lambda a, b: overflows(element, a, b)),
    )
    yield Class(
        "largest",
        f"A sum that rounds to the largest number of {element} is that number.",
        _some(edge, lambda a, b: not overflows(element, a, b) and total(element, a, b) & ~sign == largest),
    )
    if form.overflow is Overflow.INFINITY:
        infinity = largest + 1
        sides = [infinity, sign | infinity]
        others = [0, sign, 1, one, largest, sign | largest, *sides]
        yield Class(
            "infinity",
            "Infinity plus a number is that infinity; opposite infinities give NaN.",
            tuple(dict.fromkeys([*product(sides, others), *product(others, sides)])),
        )
    if element.nan is not None:
        nans = sorted(code for code in _nan_codes(element, form) if is_nan(element, code))
        others = [0, one, sign | largest, *((largest + 1,) if form.overflow is Overflow.INFINITY else ()), nans[0]]
        yield Class(
            "nan",
            "NaN plus anything is NaN, whichever its sign and payload and whichever side it is on.",
            tuple(dict.fromkeys([*product(nans, others), *product(others, nans)])),
        )
    low = [1, 2, 3, normal // 2, normal - 2, normal - 1, normal, normal + 1]
    low = sorted({s | code for code in low if 0 < code <= largest for s in zeros})
    yield Class(
        "subnormal",
        "Subnormal numbers are numbers, as operands and as sums; nothing is flushed to zero.",
        _some(product(low, low), lambda a, b: has_subnormal(element, a, b), most=2 * MOST),
    )
    same = [(code, code ^ sign) for code in (1, normal, one, one + 1, largest)]
    yield Class("signed-zero", "-0 + -0 is -0; every other sum that is zero is +0.", (*product(zeros, zeros), *same))
    if element.bits >= 32:
        far = (Fraction(2) ** 200, Fraction(2) ** -200, 1 + Fraction(1, 2**40), Fraction(10) ** 300)
        near = (Fraction(70000), 1 + Fraction(1, 2**20), Fraction(2) ** -100, Fraction(2) ** 100)
        codes = [encode(element, value) for value in (far if element.bits == 64 else near)]
        yield Class(
            "wide",
            f"All of {element}'s range and precision take part, more than a narrower float has.",
            tuple((a, s | b) for a, b in product(codes, codes) for s in zeros),
        )


def _listed(element: ElementType) -> Iterator[Class]:
    """f8e8m0's powers and nf4's levels: no sign bit, no zero of two signs, no infinity."""
    form = element.format
    assert isinstance(form, Powers | Levels)
    if isinstance(form, Powers):
        assert element.nan is not None
        near = [0, 1, 2, 3, 126, 127, 128, 129, element.nan - 3, element.nan - 2, element.nan - 1]
        tie, past = "goes to the even code", Fraction(2) ** (element.nan - 1 - form.bias)
    else:
        near = list(range(len(form.values)))
        tie, past = "goes to the lower code", Fraction(1)
    every = list(product(near, near))

    def over(a: int, b: int) -> bool:
        exact = exact_sum(decode(element, a), decode(element, b))
        return isinstance(exact, Fraction) and abs(exact) > past

    inside = [(a, b) for a, b in every if not over(a, b)]
    how = {(a, b): rounding(element, a, b) for a, b in inside}
    yield Class(
        "exact",
        f"A sum that {element} holds is that sum.",
        _some(inside, lambda a, b: how[a, b] == "exact"),
    )
    yield Class(
        "tie",
        f"A sum halfway between two neighbours {tie}.",
        _some(inside, lambda a, b: how[a, b] == "tie"),
    )
    yield Class(
        "rounded-up",
        "A sum past halfway goes to the neighbour farther from zero.",
        _some(inside, lambda a, b: how[a, b] == "up"),
    )
    yield Class(
        "rounded-down",
        "A sum short of halfway goes to the neighbour nearer to zero.",
        _some(inside, lambda a, b: how[a, b] == "down"),
    )
    yield Class("overflow", f"A sum past the ends of {element} is the number at that end.", _some(every, over))
    if element.nan is not None:
        nan = element.nan
        yield Class(
            "nan",
            "NaN plus anything is NaN, on either side.",
            tuple(dict.fromkeys([*((nan, b) for b in (*near, nan)), *((a, nan) for a in near)])),
        )


def _pool(element: ElementType, form: Float) -> list[Pair]:
    """Pairs near where rounding is decided: b is about half a step of a, or a little more or less."""
    if element.bits <= 4:
        return list(product(range(1 << element.bits), range(1 << element.bits)))
    sign, normal = 1 << (element.bits - 1), 1 << form.mantissa
    one = form.bias << form.mantissa
    starts = [
        one,
        one + 1,
        one + 2,
        one + 3,
        one + normal - 2,
        one + normal - 1,
        one + normal,
        one + 3 * normal + normal // 2 + 1,
        (form.mantissa + 3) * normal + 1,
    ]
    pairs = []
    for a in starts:
        for b in [*_halves(form, a), one, one + normal // 2, a]:
            pairs += [(a, b), (b, a), (sign | a, sign | b), (a, sign | b), (sign | a, b)]
    return list(dict.fromkeys(pairs))


def _halves(form: Float, a: int) -> list[int]:
    """Half a step of a, the numbers beside that, a quarter and a whole step."""
    normal = 1 << form.mantissa
    exponent = (a >> form.mantissa) - form.mantissa
    half = max(exponent - 1, 0) << form.mantissa
    near = [half, half + 1, half + normal - 1, half - 1, half - normal, half + normal, half + normal + normal // 2]
    return [code for code in near if code > 0]


def _nan_codes(element: ElementType, form: Float) -> set[int]:
    assert element.nan is not None
    sign = 1 << (element.bits - 1)
    quiet = 1 << (form.mantissa - 1)
    payloads = {element.nan, element.nan | 1, element.nan ^ quiet | 1, sign - 1}
    return payloads | {sign | code for code in payloads}


def _some(pairs: Iterable[Pair], belongs: Callable[[int, int], bool], most: int = MOST) -> tuple[Pair, ...]:
    """Those that belong, evenly thinned to at most ``most``."""
    kept = [pair for pair in dict.fromkeys(pairs) if belongs(*pair)]
    step = max(1, -(-len(kept) // most))
    return tuple(kept[::step])
