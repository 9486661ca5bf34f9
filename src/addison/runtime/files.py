"""Arrays in files: ``.npy``, ``.npz`` and raw ``.bin`` in; ``.npy``, or ``.bin`` with a JSON beside it, out.

Nothing is ever unpickled; a header's claims are held against the file's size and a limit before memory is taken.
"""

from __future__ import annotations

import io
import json
import math
import os
import stat
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from addison.errors import AddisonError, InvalidInput, LimitExceeded, Unsupported
from addison.inference.operations import Fact
from addison.spec.elements import DYNAMIC, ElementType
from addison.spec.packing import bytes_needed
from addison.spec.shapes import Shape
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, dtype_of, element_of

SIDECAR = "addison/array/1"
"""The ``schema`` of the JSON beside a raw file: element_type, shape, and the name of the tensor."""
LARGEST_SIDECAR = 1 << 20
LARGEST_HEADER = 1 << 16
_PIECE = 4 << 20

Value = Array | Tensor
NPY_TYPES = frozenset(["f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"])
"""The types that NumPy itself has, and so that a .npy file can name."""


def read_value(path: str, name: str, wanted: Fact, limit: int) -> Value:
    """The array in a file, for the input of that name and type.

    Raises InvalidInput or Unsupported, naming the file and what was found, for anything it cannot be.
    """
    if "\0" in path:
        raise InvalidInput(f"{path!r}, for the input {name!r}, is no file's name", path=path, name=name)
    try:
        suffix = Path(path).suffix.lower()
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116
            raise InvalidInput(f"{path!r}, for the input {name!r}, is no file", path=path, name=name)
        if suffix == ".npy":
            with open(path, "rb") as file:  # noqa: PTH123
                return _fit(_read_npy(file, os.fstat(file.fileno()).st_size, path, limit), name, wanted, path)
        if suffix == ".npz":
            return _fit(_read_npz(path, name, limit), name, wanted, path)
        if suffix == ".bin":
            return _read_raw(path, name, wanted, limit)
    except OSError as fault:
        raise InvalidInput(
            f"{path!r}, for the input {name!r}, cannot be read: {fault.strerror or fault}", path=path, name=name
        ) from None
    raise InvalidInput(f"{path!r}, for the input {name!r}, is no .npy, .npz or .bin", path=path, name=name)


def _read_npy(file: IO[bytes], size: int, path: str, limit: int) -> Array:
    dtype, shape, fortran, header = _npy_header(file, path)
    count = math.prod(shape)
    needed = count * dtype.itemsize
    if needed > limit:
        raise LimitExceeded(
            f"{path!r} holds {needed} bytes; the limit is {limit}", limit=limit, found=needed, path=path
        )
    if size - header < needed:
        raise InvalidInput(
            f"{path!r} is cut short: its header says {needed} bytes, and {max(size - header, 0)} follow",
            path=path,
            wanted=needed,
            found=max(size - header, 0),
        )
    data = bytearray(needed)
    filled = _fill(memoryview(data), file)
    if filled < needed:
        raise InvalidInput(
            f"{path!r} is cut short: its header says {needed} bytes, and {filled} follow",
            path=path,
            wanted=needed,
            found=filled,
        )
    flat = np.frombuffer(data, dtype, count)
    try:
        return flat.reshape(shape[::-1]).T if fortran else flat.reshape(shape)
    except ValueError as fault:  # sizes beside a 0 whose product is too large for NumPy
        raise InvalidInput(f"{path!r} says it holds {dtype} of shape {shape}: {fault}", path=path) from None


def _fill(view: memoryview, file: IO[bytes]) -> int:
    """Reads until the view is full or the file ends, in pieces: a member of an archive comes through a second copy."""
    filled = 0
    while filled < len(view):
        piece = file.read(min(len(view) - filled, _PIECE))
        if not piece:
            break
        view[filled : filled + len(piece)] = piece
        filled += len(piece)
    return filled


def _npy_header(file: IO[bytes], path: str) -> tuple[np.dtype[Any], tuple[int, ...], bool, int]:
    """What a .npy header says, and how many bytes it takes."""
    begin = file.read(8)
    begin += file.read(4 if begin[6:7] == b"\2" else 2)
    length = int.from_bytes(begin[8:], "little")
    if length > LARGEST_HEADER:
        raise LimitExceeded(
            f"{path!r} has a header of {length} bytes; at most {LARGEST_HEADER} are read",
            limit=LARGEST_HEADER,
            found=length,
            path=path,
        )
    shape, fortran, dtype = _described(io.BytesIO(begin + file.read(length)), path)
    if dtype.hasobject:
        raise Unsupported(f"{path!r} holds Python objects, which are never unpickled", path=path)
    if (
        dtype.itemsize == 0
        or any(type(size) is not int or not 0 <= size < 1 << 63 for size in shape)
        or len(shape) > 64
    ):
        raise InvalidInput(f"{path!r} says it holds {dtype} of shape {shape}", path=path)
    return dtype, shape, fortran, len(begin) + length


def _described(file: IO[bytes], path: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and type as NumPy reads them."""
    try:
        version = np.lib.format.read_magic(file)
        read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}.get(version)
        if read is None:
            raise InvalidInput(
                f"{path!r} is .npy of version {version[0]}.{version[1]}; 1.0 and 2.0 are read", path=path
            )
        with warnings.catch_warnings(action="ignore"):  # they quote the header
            shape, fortran, dtype = read(file, max_header_size=LARGEST_HEADER)
    except AddisonError:
        raise
    except Exception as fault:  # noqa: BLE001 - NumPy parses a header as Python, and what that raises is open-ended
        raise InvalidInput(f"{path!r} is no .npy: {fault}", path=path) from None
    return shape, fortran, dtype


def _read_npz(path: str, name: str, limit: int) -> Array:
    """The member of that name, or the only one there is."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if one.filename.endswith(".npy")]
            named = [one for one in members if one.filename == f"{name}.npy"] or members
            if len(named) != 1:
                listed = ", ".join(repr(one.filename[:-4]) for one in members[:10]) or "nothing"
                raise InvalidInput(f"{path!r} has no array {name!r}; it holds {listed}", path=path, name=name)
            if named[0].file_size > limit:
                raise LimitExceeded(
                    f"{path!r} holds {named[0].file_size} bytes; the limit is {limit}",
                    limit=limit,
                    found=named[0].file_size,
                    path=path,
                )
            with archive.open(named[0]) as member:
                return _read_npy(member, named[0].file_size, path, limit)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as fault:
        raise InvalidInput(f"{path!r} is no .npz: {fault}", path=path) from None


def _fit(array: Array, name: str, wanted: Fact, path: str) -> Value:
    """An array as NumPy stored it to one of the wanted type: NumPy writes bf16 and the small floats as raw bytes."""
    element = wanted.element_type
    dtype = dtype_of(element)
    if array.dtype.kind == "V" and array.dtype.names is None and array.dtype.subdtype is None:
        if dtype is None or dtype.itemsize != array.dtype.itemsize or element.name in NPY_TYPES:
            raise Unsupported(
                f"{path!r} holds raw elements of {array.dtype.itemsize} bytes, and the input {name!r} is {wanted}",
                help="raw bytes are taken only for a type of that width which NumPy lacks",
                path=path,
                name=name,
            )
        return array.view(dtype)
    if dtype is None and element is not DYNAMIC and array.dtype == np.dtype(np.uint8):
        return Tensor.from_codes(element, array)
    try:
        element_of(array.dtype)
    except Unsupported as fault:
        raise Unsupported(
            f"{path!r}, for the input {name!r}: {fault.says}", help=fault.help, path=path, name=name
        ) from None
    return array


def _read_raw(path: str, name: str, wanted: Fact, limit: int) -> Value:
    """Packed bytes, row-major, little-endian; type and shape from the JSON beside the file, else from the Parameter."""
    fact = _sidecar(path) or wanted
    if not fact.element_type.numeric or not fact.shape.static:
        raise InvalidInput(
            f"{path!r} is raw, and the input {name!r} is {fact}: its type and shape are not fully known",
            help=f"choose a shape with --set {name}=..., or give a .npy",
            path=path,
            name=name,
        )
    needed = bytes_needed(fact.element_type, fact.shape.elements)
    size = os.stat(path).st_size  # noqa: PTH116
    if size != needed:
        raise InvalidInput(
            f"{path!r} has {size} bytes; the input {name!r}, {fact}, takes {needed}",
            path=path,
            name=name,
            found=size,
            wanted=needed,
        )
    if needed > limit:
        raise LimitExceeded(
            f"{path!r} holds {needed} bytes; the limit is {limit}", limit=limit, found=needed, path=path
        )
    packed = Tensor(fact.element_type, fact.shape, Path(path).read_bytes())
    return packed if dtype_of(fact.element_type) is None else packed.to_numpy()


def _sidecar(path: str) -> Fact | None:
    beside = Path(path + ".json")
    if not beside.exists():
        return None
    if not beside.is_file():
        raise InvalidInput(f"{str(beside)!r} is no file", path=str(beside))
    if beside.stat().st_size > LARGEST_SIDECAR:
        raise LimitExceeded(
            f"{str(beside)!r} has {beside.stat().st_size} bytes; at most {LARGEST_SIDECAR} are read",
            limit=LARGEST_SIDECAR,
            found=beside.stat().st_size,
        )
    try:
        says = json.loads(beside.read_bytes())
        if says["schema"] != SIDECAR:
            raise InvalidInput(f"its schema is {says['schema']!r}, not {SIDECAR!r}")
        return Fact(ElementType.parse(says["element_type"]), Shape(*(int(size) for size in says["shape"])))
    except (AddisonError, ValueError, OverflowError, KeyError, TypeError, RecursionError) as fault:
        reason = fault.says if isinstance(fault, AddisonError) else f"{type(fault).__name__}: {fault}"
        raise InvalidInput(f"{str(beside)!r} does not describe an array: {reason}", path=str(beside)) from None


def file_name(name: str, taken: set[str]) -> str:
    """A file name for a tensor's name, without its suffix: letters, digits, ``. _ -`` stay, the rest becomes %XX.

    >>> file_name("../a b", set())
    '%2E.%2Fa%20b'
    """
    kept = "".join(
        c
        if c.isascii() and (c.isalnum() or c in "._-")
        else "".join(f"%{byte:02X}" for byte in c.encode("utf-8", "surrogatepass"))
        for c in name[:200]
    )
    kept = f"%2E{kept[1:]}" if kept.startswith(".") else kept or "unnamed"
    if len(name) > 200 or len(kept) > 150:
        kept = kept[:150].rsplit("%", 1)[0] if "%" in kept[147:150] else kept[:150]
    free, number = kept, 1
    while free.lower() in taken:
        number += 1
        free = f"{kept}~{number}"
    taken.add(free.lower())
    return free


class Written:
    """Files that are written aside and appear together, by renaming, when all are whole."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pending: list[tuple[str, Path]] = []

    def add(self, name: str, data: bytes | memoryview) -> None:
        """One file; it appears when the block ends well."""
        handle, temporary = tempfile.mkstemp(prefix=".addison-", dir=self.folder)
        self._pending.append((temporary, self.folder / name))
        with os.fdopen(handle, "wb") as file:
            file.write(data)

    def commit(self) -> None:
        mask = os.umask(0)
        os.umask(mask)
        for temporary, final in self._pending:
            os.chmod(temporary, 0o666 & ~mask)  # noqa: PTH101
            os.replace(temporary, final)  # noqa: PTH105

    def discard(self) -> None:
        for temporary, _ in self._pending:
            Path(temporary).unlink(missing_ok=True)


@contextmanager
def writing(folder: str) -> Iterator[Written]:
    """Collects files for a folder, which is made if need be; nothing half-written is left, whatever happens."""
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InvalidInput(f"the folder {folder!r} cannot be made: {fault.strerror or fault}", path=folder) from None
    files = Written(place)
    try:
        yield files
        files.commit()
    except OSError as fault:
        raise InvalidInput(f"writing to {folder!r} failed: {fault.strerror or fault}", path=folder) from None
    finally:
        files.discard()


def add_value(files: Written, stem: str, name: str, value: Value) -> tuple[str, ...]:
    """Puts an array among the files: a .npy if NumPy has its type, else a .bin and the JSON beside it."""
    element = value.element_type if isinstance(value, Tensor) else element_of(value.dtype)
    if not isinstance(value, Tensor) and element.name in NPY_TYPES:
        buffer = io.BytesIO()
        np.lib.format.write_array(buffer, np.asarray(value), allow_pickle=False)
        files.add(f"{stem}.npy", buffer.getbuffer())
        return (f"{stem}.npy",)
    packed = value if isinstance(value, Tensor) else Tensor.from_numpy(value)
    says = {
        "schema": SIDECAR,
        "name": name,
        "element_type": element.name,
        "shape": list(packed.shape),
        "bytes": packed.nbytes,
    }
    files.add(f"{stem}.bin", packed.data)
    files.add(f"{stem}.bin.json", (json.dumps(says, indent=1) + "\n").encode())
    return f"{stem}.bin", f"{stem}.bin.json"
