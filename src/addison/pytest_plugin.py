"""A pytest plugin: the golden vectors as the fixture ``addison_case``, and the comparison ``assert_same_bits``.

A test that takes ``addison_case`` runs once for each vector about values: the sums and the errors. Which ones, the
marker ``addison_cases`` and the option ``--addison-cases`` say, both with patterns of ids as ``sum/bf16/*``::

    @pytest.mark.addison_cases("sum/f32/*", "rule/numpy/*")
    def test_my_add(addison_case):
        addison_case.check(my_add)

pytest finds the plugin by itself wherever this package is installed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from addison.conformance.vectors import Vector
    from addison.spec.shapes import Shape


@dataclass(frozen=True)
class AddisonCase:
    """A golden vector for a test: operands as arrays, and the check of an answer."""

    vector: Vector

    @property
    def id(self) -> str:
        return self.vector.id

    @property
    def says(self) -> str:
        """The sentence that the answer stands for."""
        return self.vector.says

    @property
    def element_type(self) -> str:
        return str(self.vector.element_type)

    @property
    def auto_broadcast(self) -> str:
        return self.vector.auto_broadcast

    @property
    def axis(self) -> int:
        return self.vector.axis

    @property
    def error(self) -> str | None:
        """What has to be refused, in a word; None where there is a sum."""
        return self.vector.error

    @property
    def a(self) -> Any:
        """The left operand: an array, or a Tensor for u3, u6 and nf4."""
        from addison.conformance.verify import operands

        return operands(self.vector)[0]

    @property
    def b(self) -> Any:
        """The right operand."""
        from addison.conformance.verify import operands

        return operands(self.vector)[1]

    @property
    def shape(self) -> Shape | None:
        """The sum's shape; None where there is an error."""
        return self.vector.shape

    @property
    def sum(self) -> Any:
        """The right sum, as an array or a Tensor; None where there is an error."""
        from addison.conformance.verify import wanted
        from addison.tensor.dtypes import dtype_of

        if self.vector.sum is None:
            return None
        packed = wanted(self.vector)
        return packed if dtype_of(packed.element_type) is None else packed.to_numpy()

    def check(self, add: Any) -> None:
        """Calls ``add(a, b, auto_broadcast=..., axis=...)`` and fails unless it gives the sum, bit for bit, or raises
        where there is none."""
        __tracebackhide__ = True
        from addison.conformance.verify import put

        outcome = put(self.vector, add)
        if outcome.result == "failed" and self.error is not None:
            return  # another library's error is an error, too
        if not outcome.right:
            pytest.fail(f"{self.id}: {outcome.result}: {outcome.says}\n  {self.says}", pytrace=False)


def assert_same_bits(found: Any, wanted: Any, *, ulps: int = 0) -> None:
    """Fails, saying how they differ, unless two arrays or Tensors are the same bit for bit (or within ``ulps``).

    >>> import numpy as np
    >>> assert_same_bits(np.float16([np.nan, 0]), np.float16([-np.nan, 0]))
    """
    __tracebackhide__ = True
    from addison.conformance.judge import judge

    verdict = judge(found, wanted, ulps=ulps)
    if not verdict.same:
        pytest.fail(verdict.says, pytrace=False)


@pytest.fixture(name="assert_same_bits")
def _assert_same_bits() -> Any:
    """The function of the same name."""
    return assert_same_bits


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds ``--addison-cases``."""
    parser.getgroup("addison").addoption(
        "--addison-cases",
        action="append",
        default=[],
        metavar="PATTERN",
        help="run addison_case tests only for vectors whose id is like this, as sum/bf16/* (may be repeated)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known."""
    config.addinivalue_line(
        "markers", "addison_cases(*patterns): the ids of the golden vectors that addison_case runs through"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Gives a test that takes ``addison_case`` one run for each vector that is wanted."""
    if "addison_case" not in metafunc.fixturenames:
        return
    from addison.conformance.vectors import made

    every = wanted = [vector for vector in made() if vector.a is not None]
    marks = [pattern for mark in metafunc.definition.iter_markers("addison_cases") for pattern in mark.args]
    for patterns in (marks, metafunc.config.getoption("--addison-cases")):
        if patterns:
            like = {one.id for one in every if any(fnmatchcase(one.id, str(pattern)) for pattern in patterns)}
            if not like:
                raise pytest.UsageError(f"no golden vector is like {', '.join(map(repr, patterns))}")
            wanted = [one for one in wanted if one.id in like]
    metafunc.parametrize("addison_case", [AddisonCase(one) for one in wanted], ids=[one.id for one in wanted])
