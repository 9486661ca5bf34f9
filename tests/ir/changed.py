"""Models that are read, changed and written."""

import dataclasses

from addison.ir.reader import read_model
from addison.ir.writer import save_model
from tests.ir.build import FLOATS, sum_of


def with_layer(model, index, **changes):
    """The model with one layer changed."""
    layers = list(model.layers)
    layers[index] = layers[index]._replace(**changes)
    return dataclasses.replace(model, graph=dataclasses.replace(model.graph, layers=tuple(layers)))


def summed(**how):
    return read_model(sum_of(**how).encode(), FLOATS)


def rewritten(model, tmp_path):
    """The text of the file, and the model that is read from it."""
    save_model(model, tmp_path / "net.xml")
    return (tmp_path / "net.xml").read_text("utf-8"), read_model(tmp_path / "net.xml")
