"""Packed tensors, and the bridge between the 23 element types and NumPy's dtypes.

``Tensor`` itself needs no NumPy; ``dtypes`` and ``lanes`` do, and are imported where an array is asked for.
"""

from addison.tensor.tensor import Tensor

__all__ = ["Tensor"]
