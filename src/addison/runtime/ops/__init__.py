"""What each operation computes, one file each. Shapes and types are inferred elsewhere.

A value is a NumPy array when its element type has a dtype, and a ``Tensor`` when not (u3, u6, nf4).
"""

from addison.runtime.ops.add import add
from addison.runtime.ops.constant import constant
from addison.runtime.ops.convert import convert

__all__ = ["add", "constant", "convert"]
