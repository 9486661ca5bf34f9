from typing import Any, SupportsIndex, overload

from addison import engines as engines
from addison.checker.check import check as check
from addison.conformance.compare import compare as compare
from addison.conformance.verdict import Verdict as Verdict
from addison.diagnostics import Diagnostic as Diagnostic
from addison.diagnostics import Severity as Severity
from addison.engines.native import set_num_threads as set_num_threads
from addison.engines.native import trim as trim
from addison.errors import AddisonError as AddisonError
from addison.errors import FlushedSubnormals as FlushedSubnormals
from addison.errors import InvalidInput as InvalidInput
from addison.errors import InvalidModel as InvalidModel
from addison.errors import LimitExceeded as LimitExceeded
from addison.errors import Unsupported as Unsupported
from addison.ir.model import Model as Model
from addison.ir.reader import read_model as read_model
from addison.ir.writer import save_model as save_model
from addison.reasons.explain import explain as explain
from addison.runtime.program import compile_model as compile_model
from addison.spec.broadcast import infer_shape as infer_shape
from addison.spec.elements import ElementType as ElementType
from addison.spec.shapes import Dim as Dim
from addison.spec.shapes import Shape as Shape
from addison.tensor import Tensor as Tensor
from addison.tensor.dtypes import Array

__version__: str

@overload
def add(
    a: Tensor, b: Any, /, *, auto_broadcast: str = "numpy", axis: SupportsIndex = -1, out: Tensor | None = None
) -> Tensor: ...
@overload
def add(
    a: Any, b: Tensor, /, *, auto_broadcast: str = "numpy", axis: SupportsIndex = -1, out: Tensor | None = None
) -> Tensor: ...
@overload
def add(
    a: Any, b: Any, /, *, auto_broadcast: str = "numpy", axis: SupportsIndex = -1, out: Array | None = None
) -> Array: ...
