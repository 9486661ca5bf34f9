"""What a sentence says of a long text or number: names from files may have a million characters."""

from __future__ import annotations

LONGEST = 60
"""Characters of a text that a sentence has room for."""
WIDEST = 200
"""Bits of a number whose digits, about as many as that, are written out."""


def clip(text: str) -> str:
    """As much of a text as a sentence has room for."""
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def quoted(text: str) -> str:
    """The same in quotes, with what could not be seen escaped.

    >>> quoted("conv/add" * 10)
    "'conv/addconv/addconv/addconv/addconv/addconv/addconv/addc...'"
    """
    return repr(clip(text))


def shortened(number: int) -> str:
    """A number's digits, or how many bits it has when they are too many.

    >>> shortened(-448), shortened(1 << 1000)
    ('-448', 'a number of 1001 bits')
    """
    bits = number.bit_length()
    return str(number) if bits <= WIDEST else f"a number of {bits} bits"
