"""Every case of tests.ir.oddities, read by OpenVINO and here: both accept it and agree, or both refuse it, or the
difference is listed with its reason, strictly both ways."""

import pytest

from addison import deviations
from tests.ir.oddities import CASES
from tests.ir.peer import ask
from tests.ir.readers import differing, read_here

UNSAFE = {"G109", "W103", "W104"}  # here OpenVINO reads memory that is not the file's, and may come to harm
LISTED = {case: entry for entry in deviations.readings() for case in entry.cases}


@pytest.fixture(scope="module")
def answers():
    """What OpenVINO makes of every case."""
    return ask(CASES)


def test_there_are_many_cases_and_both_verdicts_are_common(answers):
    verdicts = [answer["verdict"] for answer in answers.values()]
    assert len(answers) == len(CASES) > 900
    assert verdicts.count("reads") > 500
    assert verdicts.count("refuses") > 300


def test_what_is_listed_is_a_case():
    assert not LISTED.keys() - CASES.keys()
    assert len(LISTED) == sum(len(entry.cases) for entry in deviations.readings())


@pytest.mark.parametrize("name", [name for name in CASES if name not in LISTED])
def test_both_readers_agree(name, answers):
    here, there = read_here(CASES[name]), answers[name]
    assert (here.verdict, there["verdict"]) in (("reads", "reads"), ("refuses", "refuses")), there.get("message")
    if here.facts is not None:
        assert {fact: (here.facts[fact], there[fact]) for fact in differing(here.facts, there)} == {}


@pytest.mark.parametrize("name", LISTED)
def test_a_listed_difference_is_there_and_as_described(name, answers):
    entry, here, there = LISTED[name], read_here(CASES[name]), answers[name]
    assert here.verdict == entry.addison
    assert there["verdict"] in (entry.openvino, "crashes" if UNSAFE & set(entry.codes) else entry.openvino)
    assert (
        tuple(differing(here.facts, there) if (here.verdict, there["verdict"]) == ("reads", "reads") else ())
        == entry.facts
    )
    assert here.errors <= set(entry.codes) <= here.codes


def test_a_wrong_reading_is_seen(answers):
    name = "const/odd-offsets"
    facts = read_here(CASES[name]).facts
    assert facts["constants"] == [["c", "[1]", "i32", "01020304"], ["d", "[1]", "i32", "05060708"]]
    for fact, wrong in (
        ("inputs", [["a", [], "[2,3]", "f32"]]),
        ("outputs", []),
        ("adds", [["add", "none", None]]),
        ("constants", [["c", "[1]", "i32", "01020304"], ["d", "[1]", "i32", "05060709"]]),
    ):
        assert differing({**facts, fact: wrong}, answers[name]) == [fact]
