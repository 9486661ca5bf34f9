"""Models in notebooks."""

import re
from xml.etree import ElementTree

from addison import read_model
from tests.report.models import HOSTILE, named, wired
from tests.report.test_page import Elements


def test_a_small_model_is_drawn_whole():
    made = read_model("examples/bias.xml")._repr_html_()
    assert made.startswith('<div class="addison-model"><p>bias.xml: bias, IR v11, 5 layers, 1 Add, no findings</p>')
    assert len(re.findall('class="node', made)) == 5
    ElementTree.fromstring(made)


def test_a_large_one_around_its_first_add_or_finding():
    made = read_model(wired(100, [(k, k + 1) for k in range(99)]).encode())._repr_html_()
    assert "60 of 100 layers" in made or "59 of 100 layers" in made
    assert len(re.findall('class="node', made)) <= 60


def test_it_runs_nothing_and_its_styles_reach_nothing_else():
    made = read_model(named(HOSTILE).encode())._repr_html_()
    assert "script" not in Elements(made).tags
    sheet = re.search("<style>(.*?)</style>", made, re.DOTALL)[1]
    selectors = re.findall(r"(?:^|\})\s*([^{}@]+)\{", re.sub(r"@media[^{]*\{", "}", sheet))
    assert len(selectors) > 20
    for selector in selectors:
        assert all(one.strip().startswith((".addison", "svg.addison")) for one in selector.split(",")), selector
