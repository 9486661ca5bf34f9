"""Files that are written aside and appear together: whole, or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import BinaryIO

from addison.errors import InvalidInput


@contextmanager
def aside(*paths: str) -> Iterator[tuple[BinaryIO, ...]]:
    """Opens a new file beside each path; when the block ends well, each takes the place of its path.

    When it does not, or when one of them cannot take its place, everything is as it was before. A link is followed.

    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> with aside(str(folder / "a"), str(folder / "b")) as (a, b):
    ...     _ = a.write(b"1"), b.write(b"2"), sorted(folder.glob("[ab]"))
    >>> (folder / "a").read_bytes(), [one.name for one in sorted(folder.iterdir())]
    (b'1', ['a', 'b'])
    """
    places = [_place(path) for path in paths]
    if len(set(places)) < len(places):
        raise InvalidInput(f"{paths[0]!r} is to be two files at once", path=paths[0])
    try:
        with ExitStack() as ending:
            made = [_beside(place, ending) for place in places]
            with ExitStack() as open_files:
                files = [_create(one, place, open_files) for one, place in zip(made, places, strict=True)]
                yield tuple(files)
            _take_places(made, places, ending)
    except OSError as fault:
        reason = fault.strerror or str(fault)
        named = " and ".join(map(repr, paths))
        raise InvalidInput(f"{named} cannot be written: {reason}", path=paths[0], reason=reason) from None


def _place(path: str) -> str:
    """Where the file really is. A folder or a device is nothing that a file takes the place of."""
    if "\0" in path:
        raise InvalidInput(f"{path!r} is no file's name", path=path)
    place = os.path.realpath(path)
    if os.path.exists(place) and not os.path.isfile(place):  # noqa: PTH110, PTH113
        raise InvalidInput(f"{path!r} is there, and is no file", path=path)
    return place


def _beside(place: str, ending: ExitStack) -> str:
    """A name in the same folder that nothing has; whatever has it in the end is removed."""
    name = os.path.join(os.path.dirname(place), f".addison-{os.urandom(8).hex()}")  # noqa: PTH118, PTH120
    ending.callback(_remove, name)
    return name


def _create(name: str, place: str, open_files: ExitStack) -> BinaryIO:
    """A new file with the permissions of the one that it is to replace, or a new file's."""
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    file = open_files.enter_context(os.fdopen(handle, "wb"))
    with suppress(FileNotFoundError):
        os.chmod(name, stat.S_IMODE(os.stat(place).st_mode))  # noqa: PTH101, PTH116
    return file


def _take_places(made: Sequence[str], places: Sequence[str], ending: ExitStack) -> None:
    """Renames every file. If that fails halfway, what was there before is put back."""
    before: list[tuple[str, str, bool]] = []
    try:
        for name, place in zip(made, places, strict=True):
            kept = _beside(place, ending)
            before.append((kept, place, os.path.exists(place)))  # noqa: PTH110
            _keep(place, kept)
            os.replace(name, place)  # noqa: PTH105
    except BaseException:
        for kept, place, was_there in reversed(before):
            if os.path.exists(kept):  # noqa: PTH110
                os.replace(kept, place)  # noqa: PTH105
            elif not was_there:
                _remove(place)
        raise


def _keep(place: str, kept: str) -> None:
    """A second name for what is there, if anything is; where files have only one name, the other name."""
    try:
        os.link(place, kept)
    except FileNotFoundError:
        return
    except OSError:
        os.replace(place, kept)  # noqa: PTH105


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)  # noqa: PTH108
