"""Whole numbers in attributes and dimensions: each text read once, and what is none of them reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from addison.clipping import quoted
from addison.ir import codes, spelling
from addison.ir.report import Report

LARGEST_ID = 2**63 - 1


class Numbers(dict[Any, Any]):
    """Whole numbers by their text, each text read once; None for what is no number (and for a missing attribute)."""

    def __missing__(self, text: str | None) -> int | None:
        number = spelling.unsigned(text) if text is not None else None
        if number is None or number > LARGEST_ID:
            return None
        self[text] = number
        return number


class Sizes(dict[str, int]):
    """Dimensions by their text, each text read once; ``read`` reports what is no size, which is not remembered."""

    def __init__(self, read: Callable[[str], tuple[int, bool]]) -> None:
        super().__init__()
        self.read = read

    def __missing__(self, text: str) -> int:
        size, sound = self.read(text)
        if sound:
            self[text] = size
        return size


def missing(report: Report, name: str, tag: str, at: int) -> None:
    """Reports an attribute that is not there."""
    report.add(
        codes.MISSING_ATTRIBUTE,
        at,
        f"<{tag}> has no attribute {name}",
        help=f'write {name}="..."',
        found=None,
        wanted=name,
    )


def no_number(
    report: Report, numbers: Numbers, attributes: dict[str, str], names: tuple[str, ...], at: int, tag: str
) -> None:
    """Reports which of these attributes is missing, or is no number."""
    for name in names:
        text = attributes.get(name)
        if text is None:
            missing(report, name, tag, at)
        elif numbers[text] is None:
            report.add(
                codes.BAD_NUMBER,
                at,
                f"{name} is {quoted(text)}, not a whole number from 0 to {LARGEST_ID}",
                attribute=name,
                found=text,
            )
