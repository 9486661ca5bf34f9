"""The classes of sums that an element type has, each with pairs of elements that belong to it.

Pairs are proposed from where a type's codes are special, and kept when the exact sum says they belong: so a class
never holds a pair that only looks the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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


@dataclass(frozen=True, slots=True)
class _Marks:
    """Where the codes of a float type are special: the sign bit, the smallest normal number, 1 and the largest."""

    element: ElementType
    form: Float
    sign: int
    normal: int
    one: int
    largest: int

    @classmethod
    def of(cls, element: ElementType) -> _Marks:
        form = element.format
        assert isinstance(form, Float)
        one = form.bias << form.mantissa
        return cls(element, form, 1 << (element.bits - 1), 1 << form.mantissa, one, largest_magnitude(element))

    @property
    def zeros(self) -> Pair:
        """+0 and -0: also no sign bit, and the sign bit."""
        return 0, self.sign

    @property
    def infinities(self) -> tuple[int, ...]:
        """The two infinities, when the type has them."""
        infinity = self.largest + 1
        return (infinity, self.sign | infinity) if self.form.overflow is Overflow.INFINITY else ()


def _floats(element: ElementType) -> Iterator[Class]:
    marks = _Marks.of(element)
    kept = [(a, b) for a, b in _pool(marks) if finite(element, a, b)]
    yield from _rounded(element, kept, tie="the one with an even code", past=", however little it is past")
    yield from _float_ends(marks)
    yield from _infinite(marks)
    yield from _nans(marks)
    yield from _small(marks)
    yield from _wide_floats(marks)


def _rounded(element: ElementType, pairs: list[Pair], tie: str, past: str = "") -> Iterator[Class]:
    """The four ways a sum can lie to the numbers beside it."""
    how = {(a, b): rounding(element, a, b) for a, b in pairs}
    for name, kind, says in (
        ("exact", "exact", f"A sum that {element} holds is that sum."),
        ("tie", "tie", f"A sum halfway between two neighbours goes to {tie}."),
        ("rounded-up", "up", f"A sum past halfway goes to the neighbour farther from zero{past}."),
        ("rounded-down", "down", "A sum short of halfway goes to the neighbour nearer to zero."),
    ):
        yield Class(name, says, _thinned(pair for pair in pairs if how[pair] == kind))


def _float_ends(marks: _Marks) -> Iterator[Class]:
    element, largest, sign = marks.element, marks.largest, marks.sign
    past = {Overflow.INFINITY: "infinity", Overflow.NAN: "NaN", Overflow.SATURATE: "the largest number"}
    ends = [*marks.zeros, marks.one, *(largest - i for i in range(4))]
    ends += [*_halves(marks.form, largest), *_halves(marks.form, largest - 1)]
    edge = [(s | a, s | b) for a, b in product(ends, ends) for s in marks.zeros if a < sign > b]
    yield Class(
        "overflow",
        f"A sum that rounds past the largest number of {element} is {past[marks.form.overflow]}.",
        _some(edge, lambda a, b: overflows(element, a, b)),
    )
    yield Class(
        "largest",
        f"A sum that rounds to the largest number of {element} is that number.",
        _some(edge, lambda a, b: not overflows(element, a, b) and total(element, a, b) & ~sign == largest),
    )


def _infinite(marks: _Marks) -> Iterator[Class]:
    sides = marks.infinities
    others = [*marks.zeros, 1, marks.one, marks.largest, marks.sign | marks.largest, *sides]
    yield Class(
        "infinity", "Infinity plus a number is that infinity; opposite infinities give NaN.", _both(sides, others)
    )


def _nans(marks: _Marks) -> Iterator[Class]:
    if marks.element.nan is None:
        return
    nans = sorted(code for code in _nan_codes(marks) if is_nan(marks.element, code))
    others = [0, marks.one, marks.sign | marks.largest, *marks.infinities[:1], nans[0]]
    yield Class(
        "nan",
        "NaN plus anything is NaN, whichever its sign and payload and whichever side it is on.",
        _both(nans, others),
    )


def _small(marks: _Marks) -> Iterator[Class]:
    normal, one, largest = marks.normal, marks.one, marks.largest
    low = [1, 2, 3, normal // 2, normal - 2, normal - 1, normal, normal + 1]
    low = sorted({s | code for code in low if 0 < code <= largest for s in marks.zeros})
    yield Class(
        "subnormal",
        "Subnormal numbers are numbers, as operands and as sums; nothing is flushed to zero.",
        _some(product(low, low), lambda a, b: has_subnormal(marks.element, a, b), most=2 * MOST),
    )
    same = [(code, code ^ marks.sign) for code in (1, normal, one, one + 1, largest)]
    yield Class(
        "signed-zero",
        "-0 + -0 is -0; every other sum that is zero is +0.",
        (*product(marks.zeros, marks.zeros), *same),
    )


def _wide_floats(marks: _Marks) -> Iterator[Class]:
    if marks.element.bits < 32:
        return
    far = (Fraction(2) ** 200, Fraction(2) ** -200, 1 + Fraction(1, 2**40), Fraction(10) ** 300)
    near = (Fraction(70000), 1 + Fraction(1, 2**20), Fraction(2) ** -100, Fraction(2) ** 100)
    codes = [encode(marks.element, value) for value in (far if marks.element.bits == 64 else near)]
    yield Class(
        "wide",
        f"All of {marks.element}'s range and precision take part, more than a narrower float has.",
        tuple((a, s | b) for a, b in product(codes, codes) for s in marks.zeros),
    )


def _listed(element: ElementType) -> Iterator[Class]:
    """f8e8m0's powers and nf4's levels: no sign bit, no zero of two signs, no infinity."""
    form = element.format
    assert isinstance(form, Powers | Levels)
    if isinstance(form, Powers):
        assert element.nan is not None
        near = [0, 1, 2, 3, 126, 127, 128, 129, element.nan - 3, element.nan - 2, element.nan - 1]
        tie, past = "the even code", Fraction(2) ** (element.nan - 1 - form.bias)
    else:
        near = list(range(len(form.values)))
        tie, past = "the lower code", Fraction(1)
    every = list(product(near, near))

    def over(a: int, b: int) -> bool:
        exact = exact_sum(decode(element, a), decode(element, b))
        return isinstance(exact, Fraction) and abs(exact) > past

    yield from _rounded(element, [(a, b) for a, b in every if not over(a, b)], tie)
    yield Class("overflow", f"A sum past the ends of {element} is the number at that end.", _some(every, over))
    if element.nan is not None:
        yield Class("nan", "NaN plus anything is NaN, on either side.", _both([element.nan], [*near, element.nan]))


def _pool(marks: _Marks) -> list[Pair]:
    """Pairs near where rounding is decided: b is about half a step of a, or a little more or less."""
    if marks.element.bits <= 4:
        return list(product(range(1 << marks.element.bits), range(1 << marks.element.bits)))
    sign, normal, one = marks.sign, marks.normal, marks.one
    starts = [
        one,
        one + 1,
        one + 2,
        one + 3,
        one + normal - 2,
        one + normal - 1,
        one + normal,
        one + 3 * normal + normal // 2 + 1,
        (marks.form.mantissa + 3) * normal + 1,
    ]
    pairs = []
    for a in starts:
        for b in [*_halves(marks.form, a), one, one + normal // 2, a]:
            pairs += [(a, b), (b, a), (sign | a, sign | b), (a, sign | b), (sign | a, b)]
    return list(dict.fromkeys(pairs))


def _halves(form: Float, a: int) -> list[int]:
    """Half a step of a, the numbers beside that, a quarter and a whole step."""
    normal = 1 << form.mantissa
    exponent = (a >> form.mantissa) - form.mantissa
    half = max(exponent - 1, 0) << form.mantissa
    near = [half, half + 1, half + normal - 1, half - 1, half - normal, half + normal, half + normal + normal // 2]
    return [code for code in near if code > 0]


def _nan_codes(marks: _Marks) -> set[int]:
    nan = marks.element.nan
    assert nan is not None
    quiet = 1 << (marks.form.mantissa - 1)
    payloads = {nan, nan | 1, nan ^ quiet | 1, marks.sign - 1}
    return payloads | {marks.sign | code for code in payloads}


def _both(codes: Sequence[int], others: Sequence[int]) -> tuple[Pair, ...]:
    """Each code with each of the others, on either side."""
    return tuple(dict.fromkeys([*product(codes, others), *product(others, codes)]))


def _some(pairs: Iterable[Pair], belongs: Callable[[int, int], bool], most: int = MOST) -> tuple[Pair, ...]:
    """Those that belong, evenly thinned to at most ``most``."""
    return _thinned((pair for pair in pairs if belongs(*pair)), most)


def _thinned(pairs: Iterable[Pair], most: int = MOST) -> tuple[Pair, ...]:
    kept = list(dict.fromkeys(pairs))
    step = max(1, -(-len(kept) // most))
    return tuple(kept[::step])
