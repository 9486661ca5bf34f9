"""The page: what is in it, what cannot get out of it, and that it needs nothing else."""

import json
import re

import pytest

from addison.report import show_html
from addison.report.show_html import html
from tests.ir.build import add, port, sum_of
from tests.report.models import HOSTILE, album, clashing, named, wired, with_bodies
from tests.report.test_page import Elements


def page(made, number=0, around=None):
    return html(made, made.picture(number, around))


def data(text):
    """What the script reads."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


def test_the_page_has_the_drawing_the_search_box_and_the_data():
    text = page(album(sum_of(), file="dir/net.xml"))
    seen = Elements(text)
    ids = {attributes.get("id") for _, attributes in seen.attributes}
    assert {"view", "search", "count", "in", "out", "scale", "fit", "side", "details", "summary", "data"} <= ids
    assert sum(attributes.get("class", "").startswith("node") for _, attributes in seen.attributes) == 4
    assert "".join(seen.texts["title"]).startswith("net.xml - addison show")
    read = data(text)
    assert [layer["name"] for layer in read["graph"]["layers"]] == ["a", "b", "add", "r"]


def test_it_loads_nothing_and_allows_nothing():
    text = page(album(clashing()))
    assert not re.search(r"""\s(src|href|action|on\w+|style)\s*=|url\(|@import|<link|<iframe|<object""", text)
    assert set(re.findall(r"https?://[^\"' ]*", text)) == {"http://www.w3.org/2000/svg"}
    assert text.isascii()


def test_hostile_names_stay_text():
    text = page(album(named(HOSTILE), file=f"dir/{HOSTILE.replace('/', '')}.xml"))
    seen = Elements(text)
    assert seen.tags.count("script") == 2
    assert "img" not in seen.tags
    assert seen.tags.count("style") == 1
    shown = data(text)["graph"]["layers"][2]["name"]
    assert shown == HOSTILE.replace("\u202e", "\\u202e")


def test_commands_for_bodies_are_quoted():
    made = album(with_bodies("x; rm -rf 'y'"), file="a b.xml")
    assert data(page(made))["commands"]["x; rm -rf 'y'/else_body"] == (
        """addison show 'a b.xml' --body 'x; rm -rf '"'"'y'"'"'/else_body'"""
    )


def test_a_part_says_so_at_the_top():
    made = album(wired(9, [(k, k + 1) for k in range(8)]))
    whole, part = page(made), page(made, around=made.near(0, 4, 1))
    assert '<p class="note" hidden></p>' in whole
    assert re.search(r'<p class="note">Drawn: 3 of 9 layers: those within 1 edge of n4\. addison show net', part)


def test_what_a_page_cannot_show_is_cut_and_said(monkeypatch):
    monkeypatch.setattr(show_html, "_MOST_PORTS", 3)
    made = album(sum_of(add_layer=add(outputs=[port(k) for k in range(5)])))
    layer = data(page(made))["graph"]["layers"][2]
    assert (len(layer["outputs"]), layer["more"]) == (3, ["2 more outputs"])


def test_long_values_are_cut():
    made = album(sum_of(add_layer=add(inside=f'<data x="{"y" * 100_000}"/>')))
    assert len(data(page(made))["graph"]["layers"][2]["attributes"]["x"]) == show_html._LONGEST


def test_findings_are_in_the_data():
    read = data(page(album(clashing())))
    assert (read["found"], [one["code"] for one in read["findings"]]) == (1, ["A302"])
    assert read["graph"]["layers"][2]["findings"] == [0]


@pytest.mark.parametrize("name", ["</script>", "<!--<script>", "\u2028", "&quot;"])
def test_the_data_cannot_end_its_element(name):
    text = page(album(named(name)))
    assert Elements(text).tags.count("script") == 2
    assert data(text)["graph"]["layers"][2]["name"] == name.replace("\u2028", "\\u2028")


def test_the_same_model_gives_the_same_bytes():
    assert page(album(with_bodies())) == page(album(with_bodies()))
