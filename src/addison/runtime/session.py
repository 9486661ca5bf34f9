"""What ``addison run`` does: a model file, files of inputs, a run, files of outputs, and an account of it all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from addison.errors import InvalidInput
from addison.inference.operations import Fact
from addison.ir.model import Model
from addison.runtime import files, names
from addison.runtime.feeding import Value, fact_of
from addison.runtime.program import LARGEST_RUN, Program, compile_model
from addison.runtime.seeded import seeded
from addison.spec.shapes import Shape


@dataclass(frozen=True, slots=True)
class Fed:
    """One input of a run: where its values came from is a file's name, or None when they were made from the seed."""

    name: str
    fact: Fact
    file: str | None


@dataclass(frozen=True, slots=True)
class Made:
    """One output of a run, and the files it was written to (none without an output folder)."""

    name: str
    names: tuple[str, ...]
    fact: Fact
    value: Value
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """An account of one run. ``seed`` is None when every input came from a file."""

    model: str
    layers: int
    engine: str
    seed: int | None
    inputs: tuple[Fed, ...]
    outputs: tuple[Made, ...]
    folder: str | None


def run_files(
    model: Model,
    given: Mapping[str, str],
    folder: str | None = None,
    *,
    shapes: Mapping[str, Shape] | None = None,
    seed: int = 0,
    engine: str | None = None,
    limit: int = LARGEST_RUN,
    outputs: Iterable[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Runs a model on arrays in files, or on seeded ones when none is given.

    ``given`` maps input names to paths, ``shapes`` sets the shapes of inputs that are not fully known. Outputs are
    written into ``folder``, all of them or none.
    """
    program = compile_model(model, engine, outputs=outputs, limit=limit)
    wanted = _wanted(program, shapes or {})
    fed = _from_files(program, given, wanted, limit) if given else _from_seed(program, wanted, seed, limit)
    results = program({name: value for name, (value, _) in fed.items()}, progress=progress)
    made = _write(program, results, folder)
    inputs = tuple(Fed(name, fact_of(value), file) for name, (value, file) in fed.items())
    return Run(model.source.path, len(model.layers), program.engine.name, None if given else seed, inputs, made, folder)


def _wanted(program: Program, shapes: Mapping[str, Shape]) -> dict[str, Fact]:
    """What each input has to be: what the model says, narrowed by the shapes that were set."""
    facts = {one.key: names.narrowed(program.model, one, None) for one in program.inputs}
    for name, shape in shapes.items():
        one = names.find(name, program.inputs, "input")
        facts[one.key] = names.narrowed(program.model, one, shape)
    return facts


def _from_files(
    program: Program,
    given: Mapping[str, str],
    wanted: Mapping[str, Fact],
    limit: int,
) -> dict[str, tuple[Value, str | None]]:
    fed: dict[str, tuple[Value, str | None]] = {}
    for name, path in given.items():
        one = names.find(name, program.inputs, "input")
        key = one.key
        if key in fed:
            raise InvalidInput(f"the input {key!r} is given twice", help="give it under one of its names", name=key)
        value = files.read_value(path, name, wanted[key], limit, (*one.names, one.key))
        limit -= value.nbytes
        if not fact_of(value).shape.within(wanted[key].shape):
            raise InvalidInput(
                f"{path!r} is {fact_of(value)}; the input {key!r} is {wanted[key]}",
                path=path, name=key, found=str(fact_of(value)), wanted=str(wanted[key]),
            )  # fmt: skip
        fed[key] = (value, path)
    return fed


def _from_seed(
    program: Program, wanted: Mapping[str, Fact], seed: int, limit: int
) -> dict[str, tuple[Value, str | None]]:
    fed: dict[str, tuple[Value, str | None]] = {}
    for one in program.inputs:
        if program.needs(one):
            value = seeded(one.key, wanted[one.key], seed, limit)
            limit -= value.nbytes
            fed[one.key] = (value, None)
    return fed


def _write(program: Program, results: Mapping[str, Value], folder: str | None) -> tuple[Made, ...]:
    facts = {key: fact_of(value) for key, value in results.items()}
    answers = {one.key: one.names for one in program.outputs}
    if folder is None:
        return tuple(Made(key, answers[key], facts[key], value, ()) for key, value in results.items())
    taken: set[str] = set()
    made = []
    with files.writing(folder) as written:
        for key, value in results.items():
            paths = files.add_value(written, files.file_name(key, taken), key, value)
            made.append(Made(key, answers[key], facts[key], value, paths))
    return tuple(made)
