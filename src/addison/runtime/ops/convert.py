"""Conversions that lose nothing; any other is refused by name."""

from __future__ import annotations

import numpy as np

from addison.diagnostics import Span
from addison.engines.subnormals import warn_if_flushed
from addison.errors import Unsupported
from addison.spec.conversion import preserves
from addison.spec.elements import ElementType, Levels, Whole
from addison.tensor import Tensor
from addison.tensor.dtypes import Array, array_dtype, codes_of, dtype_of, element_of


def check_convert(source: ElementType, target: ElementType, layer: str, place: Span | None = None) -> None:
    """Refuses a conversion that cannot hold every value of its source; ``place`` is where the layer stands."""
    if source.numeric and target.numeric and preserves(source, target):
        return
    kind = "loses values" if source.numeric and target.numeric else "is not between numeric types"
    where = f"{place}: " if place else ""
    raise Unsupported(
        f"{where}the Convert {layer!r} from {source} to {target} {kind}",
        help="only conversions that keep every value are run",
        layer=layer,
        line=place.line if place else None,
        source=source.name,
        target=target.name,
    )


def convert(value: Array | Tensor, target: ElementType) -> Array | Tensor:
    """Every element with the same value in another type, which must be able to hold them all."""
    source = value.element_type if isinstance(value, Tensor) else element_of(value.dtype)
    if source == target:
        return value
    if target.name == "f64":  # the other conversions move bits; this one the CPU does
        warn_if_flushed(source)
    exact = _exact(value, source)
    if isinstance(target.format, Levels):
        levels = np.array([float(level) for level in target.format.values])
        return Tensor.from_codes(target, np.searchsorted(levels, exact.astype(np.float64)))
    if dtype_of(target) is None:
        return Tensor.from_codes(target, exact)  # u3 and u6, out of a narrower unsigned type: value and code are one
    with np.errstate(all="ignore"):  # a NaN that becomes a NaN is no accident
        return exact.astype(array_dtype(target))


def _exact(value: Array | Tensor, source: ElementType) -> Array:
    """The values in a dtype of NumPy's own where the source's is a code, sub-byte, or has no dtype."""
    if isinstance(value, Tensor):
        return value.to_numpy(decode=True)
    if not isinstance(source.format, Whole) or source.bits >= 8:
        return value
    codes = codes_of(value, source).astype(np.int8)
    if source.format.signed:
        shift = np.int8(8 - source.bits)
        codes = np.asarray((codes << shift) >> shift)
    return codes
