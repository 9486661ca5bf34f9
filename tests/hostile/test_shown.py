"""Damaged files are shown, as far as there is a model in them, in every form, and nothing else comes of it."""

import json as standard
import random
from xml.etree import ElementTree

import jsonschema
import pytest

from addison.ir.reader import examine
from addison.report import diff_json, diff_text, json, show_json
from addison.report.diff import diff
from addison.report.show_html import html
from addison.report.show_terminal import tree
from addison.report.show_text import text
from addison.report.svg import svg
from tests.hostile.test_damaged_files import SMALL
from tests.ir.build import FLOATS
from tests.report.models import album
from tests.report.test_json import schema

FITS = jsonschema.Draft202012Validator(schema("show-1")).validate
DIFF_FITS = jsonschema.Draft202012Validator(schema("show-diff-1")).validate


def damaged(seed, count):
    """The small file with a bit turned, a digit replaced, a piece left out, or a piece repeated."""
    chance = random.Random(seed)
    for _ in range(count):
        data = bytearray(SMALL)
        at, other = chance.randrange(len(data)), chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                data[at] = chance.choice(b"0123456789")
            case 2:
                del data[at : at + chance.randrange(1, 30)]
            case 3:
                data[at:at] = data[other : other + chance.randrange(1, 200)]
        yield bytes(data)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_left_of_a_model_is_shown(seed):
    sound = examine(SMALL, FLOATS)[0]
    shown = 0
    for data in damaged(seed, 150):
        model, _ = examine(data, FLOATS)
        if model is None:
            continue
        shown += 1
        made = album(data, FLOATS)
        pictures = [made.picture(number) for number in range(len(made.graphs))]
        FITS(standard.loads(json.dumps(show_json.document(made, pictures))))
        pictures += [made.picture(one.number, made.near(one.number, made.centre(one.number), 1))
                     for one in pictures if one.layers]  # fmt: skip
        for picture in pictures:
            ElementTree.fromstring(svg(picture, made.findings))
            assert html(made, picture).isascii()
            assert all(line.isprintable() for line in text(made, picture).splitlines())
            assert tree(made, picture, 80)
        found = diff(sound, model)
        DIFF_FITS(standard.loads(json.dumps(diff_json.document(found))))
        assert diff_text.text(found)
        assert not diff(model, model)
        assert bool(found) == bool(diff(model, sound))
    assert shown > 20
