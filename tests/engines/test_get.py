"""Finding engines; their one signature; pickling."""

import inspect
import pickle
import subprocess
import sys

import pytest

import addison
from addison import InvalidInput, engines


def test_the_default_comes_first_and_none_means_it():
    assert engines.names()[0] == engines.DEFAULT
    assert engines.get() == engines.get(None) == engines.get(engines.DEFAULT)
    assert {"reference", "oracle"} <= set(engines.names())


def test_an_engine_has_its_name_and_a_line_about_itself(engine):
    assert engine.name in engines.names()
    assert engine.says


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("refrence", "did you mean reference?"),
        ("orakle", "did you mean oracle?"),
        ("zzz", "one of " + ", ".join(engines.names())),
    ],
)
def test_an_unknown_engine_gets_the_nearest_name(name, near):
    with pytest.raises(InvalidInput) as refused:
        engines.get(name)
    assert refused.value.fields == {"engine": name}
    assert refused.value.help == near


def test_every_engine_has_the_signature_of_add(engine):
    shown = [(one.name, one.kind.name, one.default) for one in inspect.signature(engine.add).parameters.values()]
    empty = inspect.Parameter.empty  # a C function's signature has no annotations
    assert shown == [
        ("a", "POSITIONAL_ONLY", empty),
        ("b", "POSITIONAL_ONLY", empty),
        ("auto_broadcast", "KEYWORD_ONLY", "numpy"),
        ("axis", "KEYWORD_ONLY", -1),
        ("out", "KEYWORD_ONLY", None),
    ]
    assert engine.add.__doc__


def test_add_is_the_default_engines_and_pickles_as_addison_add():
    assert addison.add is engines.get().add
    assert pickle.loads(pickle.dumps(addison.add)) is addison.add
    assert b"addison\n" in pickle.dumps(addison.add, 0)
    assert b"engines" not in pickle.dumps(addison.add)


def test_a_pickled_add_is_found_by_a_fresh_process():
    script = "import pickle, sys; add = pickle.load(sys.stdin.buffer); import addison; assert add is addison.add"
    subprocess.run([sys.executable, "-c", script], input=pickle.dumps(addison.add), check=True)


def test_every_engines_add_pickles(engine):
    assert pickle.loads(pickle.dumps(engine)) == engine


@pytest.mark.parametrize("name", [["oracle"], 3, {}])
def test_a_name_that_is_no_string(name):
    with pytest.raises(InvalidInput) as caught:
        engines.get(name)
    assert caught.value.fields["engine"] == name
