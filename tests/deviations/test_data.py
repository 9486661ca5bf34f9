"""The files themselves: keys, words and references."""

import re
import tomllib
from pathlib import Path

import openvino
import pytest

from addison import deviations
from addison.diagnostics import Code
from addison.errors import InvalidInput
from addison.ir import codes
from addison.spec.broadcast import RULES
from addison.spec.elements import ELEMENTS

FOLDER = Path(deviations.__file__).parent
KNOWN_CODES = {row.code for row in vars(codes).values() if isinstance(row, Code)}
DEPARTURES = [entry for runtime in deviations.runtimes() for entry in deviations.departures(runtime)]
FACTS = ("inputs", "outputs", "adds", "constants")


def test_one_file_a_runtime_and_one_for_the_reader():
    assert "openvino-cpu" in deviations.runtimes()
    assert {path.stem for path in FOLDER.glob("*.toml")} == {"openvino-reader", *deviations.runtimes()}


@pytest.mark.parametrize("entry", deviations.readings(), ids=lambda entry: entry.cases[0])
def test_a_reading_is_well_formed(entry):
    assert entry.cases
    assert entry.openvino in ("reads", "refuses", "garbles")
    assert entry.addison in ("reads", "refuses")
    assert set(entry.facts) <= set(FACTS)
    assert bool(entry.facts) is (entry.openvino == entry.addison == "reads")
    assert set(entry.codes) <= KNOWN_CODES
    assert entry.codes or entry.addison == "reads"
    assert _is_prose(entry.does)
    assert _is_prose(entry.why)
    assert entry.measured == "2026.4.1"


@pytest.mark.parametrize("entry", DEPARTURES, ids=lambda row: f"{row.runtime} {row.kind} {row.types}"[:60])
def test_a_departure_is_well_formed(entry):
    assert entry.runtime in deviations.runtimes()
    assert re.fullmatch(r"\d+(\.\d+)+", entry.versions)
    assert re.fullmatch(r"any|[a-z0-9_]+", entry.cpu)
    assert entry.types
    assert set(entry.types) <= set(ELEMENTS)
    assert entry.rule in ("any", *RULES)
    assert entry.kind in deviations.KINDS
    assert entry.when in deviations.WHEN
    assert bool(entry.condition) is (entry.when != "always")
    assert re.fullmatch(r"\d{4}\.\d+", entry.before) if entry.when == "written" else not entry.before
    assert _is_prose(entry.does)
    assert _is_prose(entry.why)
    assert not entry.condition or _is_prose(entry.condition)
    assert all(number.isdigit() for number in entry.issue)


def test_the_types_that_the_plugin_adds_rightly_are_the_others():
    """Measured by default settings, on parameters: all pairs, or millions of them, without a difference."""
    wrong = {
        name
        for entry in deviations.departures("openvino-cpu")
        if entry.rule == "any" and entry.when in ("always", "values")
        for name in entry.types
    }
    assert set(ELEMENTS) - wrong == {"f16", "f32", "i4", "i16", "i32", "u4", "u16", "u32"}


def test_what_was_measured_is_the_peer_that_tests_use():
    version = openvino.__version__.split("-")[0]
    assert version.startswith("2026.4.")


def test_an_unknown_runtime_is_refused():
    with pytest.raises(InvalidInput) as caught:
        deviations.departures("openvino-npu")
    assert caught.value.fields == {"runtime": "openvino-npu"}
    assert "openvino-cpu" in caught.value.help


@pytest.mark.parametrize("name", ["openvino-reader", *sorted({entry.runtime for entry in DEPARTURES})])
def test_every_key_is_read(name):
    """A key that no field takes, or one that is missing, fails the loader."""
    with (FOLDER / f"{name}.toml").open("rb") as file:
        rows = tomllib.load(file)["difference" if name == "openvino-reader" else "departure"]
    kind = deviations.Reading if name == "openvino-reader" else deviations.Departure
    given = {} if kind is deviations.Reading else {"runtime": name}
    with pytest.raises(TypeError, match="unexpected"):
        kind(**rows[0], **given, colour="red")
    with pytest.raises(TypeError, match="missing"):
        kind(**{key: value for key, value in rows[0].items() if key != "why"}, **given)


def _is_prose(text):
    return bool(text) and text == text.strip() and not text.endswith(".") and len(text) < 200
