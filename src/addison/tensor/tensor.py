"""A tensor as it lies in an IR's weights: element type, shape, packed bytes. NumPy only in the methods that convert."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, SupportsIndex

from addison.errors import InvalidInput, Unsupported
from addison.spec import packing
from addison.spec.bits import Special, decode
from addison.spec.elements import ElementType, Levels
from addison.spec.shapes import Shape

if TYPE_CHECKING:
    from addison.tensor.dtypes import Array

LARGEST_TENSOR_RANK = 64
"""NumPy's limit on dimensions, and so the limit of what can be added."""


class Tensor:
    """Element type, shape and packed bytes, as in the ``.bin`` of an IR file.

    The bytes are borrowed, not copied; they must be at least as many as the shape needs. A Tensor over a writable
    buffer (a ``bytearray``, say) can be the ``out=`` of an addition.

    >>> Tensor("u4", (3,), bytes([0x21, 0x03])).tolist()
    [1, 2, 3]
    >>> Tensor.from_codes("u3", [7, 1]) == Tensor.from_codes("u3", [7, 1])
    True
    """

    __slots__ = ("_data", "element_type", "shape")
    element_type: ElementType
    shape: tuple[int, ...]

    def __init__(self, element_type: ElementType | str, shape: Iterable[SupportsIndex] | Shape, data: Any) -> None:
        element = ElementType.parse(element_type)
        if not element.numeric:
            raise Unsupported(
                f"a Tensor cannot hold {element}", help="Add-1's types are numeric", element_type=element.name
            )
        sizes = Shape.of(shape)
        if sizes.rank is not None and sizes.rank > LARGEST_TENSOR_RANK:
            raise InvalidInput(
                f"a Tensor of {sizes.rank} dimensions; at most {LARGEST_TENSOR_RANK} are taken",
                limit=LARGEST_TENSOR_RANK,
                found=sizes.rank,
            )
        try:
            view = memoryview(data)
            if view.format not in ("B", "b", "c"):  # an array of anything else has an order of bytes of its own
                raise TypeError
            view = view.cast("B")
        except (TypeError, ValueError):
            raise Unsupported(
                f"the data of a Tensor is {type(data).__name__}, not contiguous bytes",
                help="pass bytes, bytearray, memoryview or mmap; from_numpy takes arrays",
            ) from None
        needed = packing.bytes_needed(element, sizes.elements)
        if len(view) < needed:
            raise InvalidInput(
                f"a Tensor of {element} {sizes} needs {needed} bytes, here are {len(view)}",
                element_type=element.name,
                shape=sizes,
                wanted=needed,
                found=len(view),
            )
        self.element_type = element
        self.shape = sizes.sizes
        self._data = view[:needed]

    @classmethod
    def from_codes(cls, element_type: ElementType | str, codes: Any) -> Tensor:
        """A Tensor from nested lists or an array of codes, each element's bits as an unsigned integer."""
        import numpy as np

        from addison.tensor import lanes

        element = ElementType.parse(element_type)
        try:
            listed = np.asarray(codes)
        except ValueError:
            raise InvalidInput("the codes are lists of unequal lengths") from None
        if listed.dtype.kind not in "iu":  # NumPy's way, too, with whole numbers on both sides of 2**63
            found, listed = listed.dtype, np.asarray(codes, object)
            if not all(isinstance(code, int | np.integer) and not isinstance(code, bool) for code in listed.flat):
                raise Unsupported(f"codes are {found}, not integers", dtype=str(found))
        if listed.size and (int(listed.min()) < 0 or int(listed.max()) >> element.bits):
            raise InvalidInput(
                f"a code of {element} is 0 to {(1 << element.bits) - 1}, here are "
                f"{int(listed.min())} to {int(listed.max())}",
                found=(int(listed.min()), int(listed.max())),
            )
        from addison.tensor.dtypes import code_dtype

        return cls(element, listed.shape, lanes.pack(element, listed.astype(code_dtype(element))))

    @classmethod
    def from_numpy(cls, array: Array, element_type: ElementType | str | None = None) -> Tensor:
        """A packed copy of an array. u3, u6 and nf4 have no dtype: name the type and pass uint8 codes.

        >>> import numpy as np
        >>> Tensor.from_numpy(np.array([5, 63], np.uint8), "u6").data.hex()
        '5f0030'
        """
        import numpy as np

        from addison.tensor import dtypes, lanes

        if not isinstance(array, np.ndarray | np.generic) or isinstance(array, np.ma.MaskedArray):
            raise Unsupported(
                f"from_numpy takes a NumPy array, not {type(array).__name__}",
                help="pass numpy.asarray(...), or .filled(...) of a MaskedArray",
            )
        if element_type is None:
            element = dtypes.element_of(array.dtype)
        else:
            element = ElementType.parse(element_type)
            if dtypes.dtype_of(element) is None:
                if array.dtype != np.dtype(np.uint8):
                    raise Unsupported(
                        f"codes of {element} come as a uint8 array, not {array.dtype}", dtype=str(array.dtype)
                    )
                return cls.from_codes(element, array)
            if dtypes.element_of(array.dtype) != element:
                raise Unsupported(
                    f"the array is {dtypes.element_of(array.dtype)}, not {element}",
                    help="convert it first",
                    dtype=str(array.dtype),
                )
        return cls(element, array.shape, lanes.pack(element, dtypes.codes_of(array, element)))

    def to_numpy(self, *, decode: bool = False) -> Array:
        """A new NumPy array: of the type's own dtype, or uint8 codes for u3, u6 and nf4.

        ``decode=True`` gives those three as values instead: uint8 for u3 and u6, float32 (exact) for nf4.

        >>> Tensor("nf4", (2,), bytes([0xf0])).to_numpy(decode=True)
        array([-1.,  1.], dtype=float32)
        """
        import numpy as np

        from addison.tensor import dtypes

        codes = self.codes()
        form = self.element_type.format
        if decode and isinstance(form, Levels):
            return np.array([float(value) for value in form.values], np.float32)[codes]
        return dtypes.from_codes(codes, self.element_type)

    def codes(self) -> Array:
        """A new array with one code an element, in the smallest unsigned integers that hold them."""
        from addison.tensor import lanes

        return lanes.unpack(self.element_type, self._data, self.size).reshape(self.shape).copy()

    def tolist(self) -> Any:
        """Exact values as nested lists of ints and floats (a float holds every value of these types)."""
        flat = packing.unpack(self.element_type, self._data, self.size)
        values: list[Any] = [_plain(decode(self.element_type, code)) for code in flat]
        if not self.shape:
            return values[0]
        for axis in range(len(self.shape) - 1, 0, -1):
            size, rows = self.shape[axis], math.prod(self.shape[:axis])
            values = [values[i * size : (i + 1) * size] for i in range(rows)]
        return values

    @property
    def data(self) -> memoryview:
        """The packed bytes, as many as the shape needs; writable when the buffer is."""
        return self._data

    @property
    def nbytes(self) -> int:
        return len(self._data)

    @property
    def size(self) -> int:
        """How many elements."""
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __eq__(self, other: object) -> bool:
        """Equal type, shape and element bits; bits that no element owns do not count."""
        if not isinstance(other, Tensor):
            return NotImplemented
        if (self.element_type, self.shape) != (other.element_type, other.shape):
            return False
        return self._data == other._data or bool((self.codes() == other.codes()).all())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tensor({self.element_type.name!r}, {self.shape}, {self.nbytes} bytes)"

    def __reduce__(self) -> tuple[Any, ...]:
        return Tensor, (self.element_type.name, self.shape, bytes(self._data))


def _plain(value: Any) -> int | float:
    if isinstance(value, Special):
        return float(value.value)
    return value if isinstance(value, int) else float(value)
