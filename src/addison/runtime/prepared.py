"""Runs of a program prepared in the core, one for each set of input types and shapes that it was called with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from addison.engines import Engine
from addison.errors import LimitExceeded
from addison.inference.graph import Inference
from addison.inference.operations import Fact
from addison.ir.model import Model
from addison.runtime import recipe
from addison.runtime.constants import Constants
from addison.runtime.feeding import Value, fact_of
from addison.runtime.names import Endpoint
from addison.tensor.dtypes import Array, array_dtype, element_of

MOST_READY = 32
"""Runs that are kept."""
MOST_STEPS_READY = 50_000
"""Layers that all of them have together, for each takes about a kilobyte."""
UNSORTED = 5
"""The first so many stay in their order whichever is used: trying one in vain takes a fifth of the time of moving it to
the front, which a few shapes in turn would do at every call."""

Key = tuple[Fact, ...]
"""Types and shapes of the inputs that are needed."""


class Ready(NamedTuple):
    """``run`` gives outputs, or NotImplemented for inputs that are not of its key. All its values take ``bytes`` at
    once; the arrays of ``contiguous`` Parameters have to be in C order."""

    run: Callable[[Any, Any], Any]
    bytes: int
    contiguous: frozenset[int]


class PreparedRuns:
    """``runs`` are to be tried one after the other; ``find`` and ``prepare`` give the one for arrays at hand."""

    def __init__(
        self,
        model: Model,
        steps: Sequence[int],
        inputs: Sequence[Endpoint],
        outputs: Sequence[Endpoint],
        engine: Engine,
        limit: int,
    ) -> None:
        self.runs: tuple[Callable[[Any, Any], Any], ...] = ()
        self._model = model
        self._steps = tuple(steps)
        self._inputs = tuple(one for one in inputs if one.layer in set(steps))
        self._all_inputs = tuple(inputs)
        self._outputs = tuple(outputs)
        self._engine = engine
        self._limit = limit
        self._constants: Constants | None = None
        self._ready: dict[Key, Ready] = {}
        self._most = max(1, min(MOST_READY, MOST_STEPS_READY // max(1, len(self._steps))))
        self.unsorted = min(UNSORTED, 1 + self._most // 2)
        self._lock = threading.Lock()

    def used(self, run: Callable[[Any, Any], Any]) -> None:
        """Makes this run the first to be tried, if it still is one."""
        with self._lock:
            others = [one for one in self.runs if one is not run]
            if len(others) < len(self.runs):
                self.runs = (run, *others)

    def find(self, fed: Mapping[int, Value]) -> Ready | None:
        """The run for inputs of these types and shapes, if there is one; it is tried first from now on."""
        ready = self._ready.get(self._key(fed))
        if ready is not None:
            self.used(ready.run)
        return ready

    def prepare(self, fed: Mapping[int, Value], facts: Inference) -> Ready | None:
        """A new run for such inputs; None when the core cannot run them."""
        program: Any = self._engine.program
        if program is None or not recipe.fits(self._steps, facts):
            return None
        if self._constants is None:
            self._constants = Constants(self._model, self._steps, facts, self._engine, self._limit)
        if not self._constants.complete:
            return None
        written = recipe.write(
            self._model,
            self._steps,
            facts,
            self._all_inputs,
            self._outputs,
            self._constants,
            program.LONGEST_CHAIN,
            self._limit,
        )
        ready = Ready(program(*written.recipe), written.bytes, written.contiguous)
        self._keep(self._key(fed), ready)
        return ready

    def plain(self, fed: Mapping[int, Value], ready: Ready) -> dict[str, Array]:
        """The inputs as the run reads them, copied where they are not so: native byte order, in C order where it has to
        be. Raises LimitExceeded when the copies take too much."""
        plain: dict[str, Array] = {}
        copies: dict[int, Array] = {}  # one of each object
        for one in self._inputs:
            value = fed[one.layer]
            assert isinstance(value, np.ndarray)
            if not _is_plain(value, one.layer in ready.contiguous):
                if id(value) not in copies:
                    self._check_copies(one, ready.bytes, [*copies.values(), value])
                    copies[id(value)] = np.array(value, array_dtype(element_of(value.dtype)), order="C")
                value = copies[id(value)]
            plain[one.key] = value
        return plain

    def _key(self, fed: Mapping[int, Value]) -> Key:
        return tuple(fact_of(fed[one.layer]) for one in self._inputs)

    def _keep(self, key: Key, ready: Ready) -> None:
        """The last one makes room: it was not moved to the front for longest."""
        with self._lock:
            before = self._ready.get(key)  # another thread's
            others = [one for one in self.runs if before is None or one is not before.run]
            self.runs = (ready.run, *others[: self._most - 1])
            self._ready = {
                key: ready,
                **{other: one for other, one in self._ready.items() if other != key and one.run in self.runs},
            }

    def _check_copies(self, endpoint: Endpoint, taken: int, copies: Sequence[Array]) -> None:
        found = taken + sum(one.nbytes for one in copies)
        if found > self._limit:
            raise LimitExceeded(
                f"with the input {endpoint.key!r} copied into C order the run takes {found} bytes at once; "
                f"the limit is {self._limit}",
                help="raise the limit, or pass the input in C order",
                limit=self._limit,
                found=found,
                name=endpoint.key,
            )


def _is_plain(array: Array, contiguous: bool) -> bool:
    return array.dtype == array_dtype(element_of(array.dtype)) and (array.flags.c_contiguous or not contiguous)
