"""Every example in a docstring is run."""

import doctest
import importlib
import pkgutil

import pytest

import addison

MODULES = [
    "addison",
    *(
        module.name
        for module in pkgutil.walk_packages(addison.__path__, "addison.")
        if module.name != "addison.__main__"
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name, root, monkeypatch):
    monkeypatch.chdir(root)  # some read the files in examples/
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0


def test_there_are_examples(root, monkeypatch):
    monkeypatch.chdir(root)
    tried = sum(
        doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).attempted for name in MODULES
    )
    assert tried > 50


def test_every_public_function_has_one():
    public = [getattr(addison, name) for name in addison.__all__]
    without = [
        one.__name__
        for one in public
        if callable(one) and not isinstance(one, type) and ">>>" not in (one.__doc__ or "")
    ]
    assert without == []
