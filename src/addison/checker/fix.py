"""What can be corrected without a doubt: declared dimensions that contradict inference (A301), and attributes of an Add
whose name is misspelt (A103). Bytes are changed where the fault stands, and nowhere else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from addison.checker.edits import Before, Child, Edit, apply, children
from addison.clipping import quoted
from addison.diagnostics import Diagnostic, Severity
from addison.errors import AddisonError
from addison.ir import codes, places
from addison.ir.report import LONGEST_FIELD
from addison.spec.shapes import Dim, Shape

FIXED = (codes.MISSPELT.code, codes.DECLARED_SHAPE.code)
"""The codes that can be fixed, in this order: attributes decide which shapes are inferred."""
MOST_TRIES = 64
"""Checks of one file that are made to find the changes which bring no error."""
ENCODINGS = ("utf-8", "us-ascii")

Check = Callable[[bytes], list[Diagnostic]]
"""Checks the same file with other contents."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A finding that is not fixed, and why."""

    finding: Diagnostic
    reason: str


@dataclass(frozen=True, slots=True)
class Fix:
    """``before`` with ``edits`` is ``after``; ``fixed`` were found before, ``left`` is what is found after."""

    before: bytes
    after: bytes
    edits: tuple[Edit, ...]
    fixed: tuple[Diagnostic, ...]
    refused: tuple[Refusal, ...]
    left: list[Diagnostic]


class _Unsafe(Exception):
    """Why a finding cannot be fixed."""


Change = tuple[Diagnostic, tuple[Edit, ...]]


def fix(before: bytes, check: Check, wanted: Callable[[str], bool] = lambda code: True) -> Fix:
    """Fixes what can be fixed in a file, of the codes that are ``wanted``; writes nothing.

    ``check`` gives every finding, wanted or not: a change that brings a new error with it is not made.
    """
    left = check(before)
    chosen = [code for code in FIXED if wanted(code)]
    encoding = next((one.at.source.encoding for one in left if one.at is not None), ENCODINGS[0])
    if encoding.lower() not in ENCODINGS:
        reason = f"the file is in {encoding}; only UTF-8 is changed"
        return Fix(before, before, (), (), tuple(Refusal(one, reason) for one in left if one.code in chosen), left)
    edits: tuple[Edit, ...] = ()
    fixed: list[Diagnostic] = []
    refused: list[Refusal] = []
    for code in chosen:
        data = apply(before, edits)
        changes, unsafe = _changes(code, data, left)
        made, broken = _safe(changes, data, left, check)
        refused += unsafe + broken
        if made:
            back = Before(edits)
            new = [edit for _, each in made for edit in each]
            edits = (*edits, *(Edit(back(one.start), back(one.stop), one.new) for one in new))
            fixed += [one for one, _ in made]
            left = check(apply(before, edits))
    return Fix(before, apply(before, edits), tuple(sorted(edits)), tuple(fixed), tuple(refused), left)


def _changes(code: str, data: bytes, found: Sequence[Diagnostic]) -> tuple[list[Change], list[Refusal]]:
    """The edits that each finding of this code needs, and those that cannot be told."""
    tell = {codes.DECLARED_SHAPE.code: _dims, codes.MISSPELT.code: _name}[code]
    changes: list[Change] = []
    refused: list[Refusal] = []
    for one in found:
        if one.code == code:
            try:
                changes.append((one, tuple(tell(one, data))))
            except _Unsafe as why:
                refused.append(Refusal(one, str(why)))
    return changes, refused


def _safe(
    changes: list[Change], data: bytes, found: Sequence[Diagnostic], check: Check
) -> tuple[list[Change], list[Refusal]]:
    """Those changes that bring no new error, tried together; when they do, half of them after the other half."""
    errors = _errors(found)
    made: list[Change] = []
    refused: list[Refusal] = []
    pending = [changes] if changes else []
    tries = 0
    while pending:
        group = pending.pop()
        tries += 1
        if tries > MOST_TRIES:
            refused += [
                Refusal(one, "a change like it brings an error, and too many are left to try") for one, _ in group
            ]
            continue
        after = check(apply(data, [edit for _, edits in [*made, *group] for edit in edits]))
        new = _errors(after) - errors
        if not new:
            made += group
        elif len(group) > 1:
            pending += [group[len(group) // 2 :], group[: len(group) // 2]]
        else:
            code, layer = next(iter(new))
            where = f" in {quoted(layer)}" if layer else ""
            refused.append(Refusal(group[0][0], f"then there would be an error {code}{where}"))
    return made, refused


def _errors(found: Sequence[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((one.code, str(one.fields.get("layer", ""))) for one in found if one.severity is Severity.ERROR)


def _name(one: Diagnostic, data: bytes) -> Iterator[Edit]:
    """A103: the attribute's name, when its tag does not have the right one already."""
    assert one.at is not None
    wanted = str(one.fields["wanted"])
    if data[one.at.start : one.at.stop] != str(one.fields["found"]).encode():
        raise _Unsafe("its place in the file is not clear")
    tag = data.rfind(b"<", 0, one.at.start)  # no attribute's value may hold this character
    if places.attribute_name(one.at.source, tag, wanted).start != tag:
        raise _Unsafe(f"the tag has {wanted} already")
    yield Edit(one.at.start, one.at.stop, wanted.encode())


def _dims(one: Diagnostic, data: bytes) -> Iterator[Edit]:
    """A301: the port's dimensions."""
    assert one.at is not None
    wanted = _sizes(str(one.fields["wanted"]))
    dims = [child for child in children(data, one.at.start) if child.tag == b"dim"]
    if not dims:
        raise _Unsafe("its place in the file is not clear")
    for child, size in zip(dims, wanted, strict=False):
        yield from _size(child, size, data)
    if len(wanted) > len(dims):
        yield _more(dims, wanted[len(dims) :], data)
    for child in dims[len(wanted) :]:
        yield Edit(_blanks_before(data, child.start), child.stop, b"")


def _sizes(text: str) -> list[bytes]:
    """The sizes as ports write them: -1 where one is not known."""
    if len(text) >= LONGEST_FIELD:
        raise _Unsafe("the shape is too long")
    try:
        dims = Shape.parse(text).dims
    except AddisonError:
        dims = None
    if dims is None:
        raise _Unsafe("the shape is not known")
    return [str(_written(dim)).encode() for dim in dims]


def _written(dim: Dim) -> int:
    return dim.low if dim.static else -1


def _blanks_before(data: bytes, at: int) -> int:
    while data[at - 1 : at].isspace():
        at -= 1
    return at


_PLAIN = re.compile(rb"\s*([^\s<&]+)\s*")


def _size(child: Child, size: bytes, data: bytes) -> Iterator[Edit]:
    """One dimension's number, blanks around it left alone."""
    found = _PLAIN.fullmatch(data, *child.inside)
    if found is None:
        raise _Unsafe("a <dim> holds more than a number")
    if not found[1].isdigit() or int(found[1]) != int(size):
        yield Edit(found.start(1), found.end(1), size)


def _more(dims: Sequence[Child], sizes: Sequence[bytes], data: bytes) -> Edit:
    """More dimensions behind the last one, with the white space that stands before it."""
    last = dims[-1]
    space = data[_blanks_before(data, last.start) : last.start]
    return Edit(last.stop, last.stop, b"".join(space + b"<dim>" + size + b"</dim>" for size in sizes))
