"""The page and the drawing in a real browser."""

import re

import pytest

from addison.report.page import page
from addison.report.show_html import html
from addison.report.svg import svg
from tests.report.models import HOSTILE, album, clashing, named, wired, with_bodies

pytestmark = pytest.mark.browser


def shown(opened, made, number=0, around=None):
    return opened("net.html", html(made, made.picture(number, around)))


def node(driver, name):
    """The layer of that name in the drawing."""
    (found,) = [
        one
        for one in driver.find_elements("css selector", ".node")
        if name in [text.get_attribute("textContent") for text in one.find_elements("css selector", "text.name")]
    ]
    return found


def click(driver, element):
    from selenium.webdriver import ActionChains

    ActionChains(driver).move_to_element(element).click().perform()


def keys(driver, *pressed):
    from selenium.webdriver import ActionChains

    ActionChains(driver).send_keys(*pressed).perform()


def transform(driver):
    """Where the drawing stands, and how large: x, y, scale."""
    written = driver.find_element("css selector", ".scene").get_attribute("transform")
    return tuple(float(one) for one in re.findall(r"-?[\d.]+", written))


def details(driver):
    return driver.find_element("id", "details").text


def classes(element):
    return element.get_attribute("class").split()


def test_the_page_opens_without_a_complaint_and_asks_for_nothing(opened, complaints, requested):
    driver = shown(opened, album(clashing()))
    assert driver.title == "net.xml - addison show"
    assert "A302" in driver.find_element("id", "summary").text
    assert complaints() == []
    assert requested() == []


BAD = "<p onclick='x()'>x</p><img src='http://localhost:9/x.png'><script>window.hurt = 1</script>"


def test_what_a_page_may_not_do_is_refused_and_seen(opened, complaints, requested):
    driver = opened("bad.html", page("t", BAD))
    assert len(complaints()) >= 2
    assert driver.execute_script("return window.hurt") is None
    requested()
    driver = opened("worse.html", BAD)
    assert driver.execute_script("return window.hurt") == 1
    assert requested() == ["http://localhost:9/x.png"]


def test_a_click_on_a_layer_shows_its_details(opened):
    driver = shown(opened, album(clashing()))
    assert not driver.find_element("id", "details").is_displayed()
    click(driver, node(driver, "add"))
    assert "selected" in classes(node(driver, "add"))
    for words in ("Add", "axis -1: 3 against 4", "auto_broadcast", "numpy", "f32 [2,3]", "f32 [4]", "from a", "to r"):
        assert words in details(driver)
    assert len(driver.find_elements("css selector", ".wire.near")) == 3
    click(driver, node(driver, "b"))
    assert "Parameter" in details(driver)
    assert len(driver.find_elements("css selector", ".selected")) == 1
    keys(driver, "\ue00c")
    assert not driver.find_element("id", "details").is_displayed()


def test_a_link_in_the_panel_leads_to_the_layer(opened):
    driver = shown(opened, album(clashing()))
    click(driver, driver.find_element("xpath", "//section[@id='summary']//button[text()='at add']"))
    assert "selected" in classes(node(driver, "add"))
    click(driver, driver.find_element("xpath", "//section[@id='details']//button[text()='from b']"))
    assert "selected" in classes(node(driver, "b"))
    click(driver, driver.find_element("xpath", "//button[text()='Back to the model']"))
    assert driver.find_element("id", "summary").is_displayed()


def test_the_search_finds_highlights_and_moves_on(opened):
    driver = shown(opened, album(wired(40, [(k, k + 1) for k in range(39)])))
    box = driver.find_element("id", "search")
    before = transform(driver)
    keys(driver, "/", "N3")
    assert box.get_attribute("value") == "N3"
    hits = driver.find_elements("css selector", ".node.hit")
    assert len(hits) == 11  # n3, n30 to n39
    assert driver.find_element("id", "count").text == "1 of 11"
    assert "current" in classes(node(driver, "n3"))
    assert transform(driver) != before
    keys(driver, "\ue007")
    assert driver.find_element("id", "count").text == "2 of 11"
    assert "n30" in details(driver)
    box.send_keys("zzz")
    assert driver.find_element("id", "count").text == "none"
    keys(driver, "\ue00c")
    assert box.get_attribute("value") == ""
    assert driver.find_elements("css selector", ".hit") == []


def test_what_is_found_comes_into_view(opened):
    driver = shown(opened, album(wired(40, [(k, k + 1) for k in range(39)])))
    keys(driver, "/", "n39")
    at, view = node(driver, "n39").rect, driver.find_element("id", "view").rect
    assert view["x"] <= at["x"] <= view["x"] + view["width"]
    assert view["y"] <= at["y"] <= view["y"] + view["height"]


def test_buttons_zoom(opened):
    driver = shown(opened, album(clashing()))
    start = transform(driver)
    driver.find_element("id", "in").click()
    assert transform(driver)[2] == pytest.approx(start[2] * 1.25, rel=0.01)
    assert driver.find_element("id", "scale").text == f"{round(transform(driver)[2] * 100)}%"
    driver.find_element("id", "out").click()
    driver.find_element("id", "out").click()
    assert transform(driver)[2] == pytest.approx(start[2] * 0.8, rel=0.01)
    driver.find_element("id", "scale").click()
    assert transform(driver)[2] == 1
    driver.find_element("id", "fit").click()
    assert transform(driver) == start


def test_keys_zoom_and_move(opened):
    driver = shown(opened, album(clashing()))
    x, y, scale = transform(driver)
    keys(driver, "\ue014")
    assert transform(driver) == (pytest.approx(x - 60), y, scale)
    keys(driver, "\ue015", "+")
    assert transform(driver)[2] == pytest.approx(scale * 1.25, rel=0.01)
    keys(driver, "0")
    assert transform(driver) == (x, y, scale)


def test_the_wheel_moves_and_with_control_zooms(opened):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    driver = shown(opened, album(clashing()))
    x, y, scale = transform(driver)
    origin = ScrollOrigin.from_element(driver.find_element("id", "view"))
    ActionChains(driver).scroll_from_origin(origin, 0, 100).perform()
    assert transform(driver) == (x, pytest.approx(y - 100), scale)
    ActionChains(driver).key_down("\ue009").scroll_from_origin(origin, 0, -100).key_up("\ue009").perform()
    assert transform(driver)[2] > scale


def test_dragging_moves_and_is_no_click(opened):
    from selenium.webdriver import ActionChains

    driver = shown(opened, album(clashing()))
    x, y, scale = transform(driver)
    ActionChains(driver).click_and_hold(node(driver, "add")).move_by_offset(70, 40).release().perform()
    assert transform(driver) == (pytest.approx(x + 70), pytest.approx(y + 40), scale)
    assert driver.find_elements("css selector", ".selected") == []


def test_layers_are_reached_and_opened_with_the_keyboard(opened):
    driver = shown(opened, album(clashing()))
    driver.find_element("id", "view").click()
    driver.execute_script("document.getElementById('view').focus()")
    keys(driver, "\ue004", "\ue007")
    assert "Parameter" in details(driver)


def test_bodies_say_how_they_are_shown(opened):
    driver = shown(opened, album(with_bodies()))
    click(driver, node(driver, "if"))
    assert "addison show net.xml --body if/else_body" in details(driver)


def test_a_part_says_so(opened):
    made = album(wired(9, [(k, k + 1) for k in range(8)]))
    driver = shown(opened, made, around=made.near(0, 4, 1))
    assert "3 of 9 layers" in driver.find_element("css selector", ".note").text
    click(driver, node(driver, "n3"))
    assert "from (not shown)" in details(driver)


def test_a_hostile_name_does_not_run(opened, complaints, requested):
    driver = shown(opened, album(named(HOSTILE)))
    click(driver, driver.find_element("css selector", ".node.add"))
    assert driver.execute_script("return window.hurt") is None
    assert HOSTILE.replace("\u202e", "\\u202e") in details(driver)
    assert driver.find_elements("css selector", "img") == []
    keys(driver, "/", "hurt")
    assert driver.find_element("id", "count").text == "1 of 1"
    assert complaints() == []
    assert requested() == []


def test_the_drawing_opens_by_itself(opened, complaints, requested):
    made = album(named(HOSTILE, clashing()))
    driver = opened("net.svg", svg(made.picture(0), made.findings, label=made.file))
    assert len(driver.find_elements("css selector", ".node")) == 4
    assert driver.find_element("css selector", ".add rect").size["width"] > 50
    assert driver.execute_script("return window.hurt") is None
    assert complaints() == []
    assert requested() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_colour_schemes(opened, chromium, scheme):
    chromium.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    driver = shown(opened, album(clashing()))
    paper = driver.find_element("css selector", "html").value_of_css_property("background-color")
    drawing = driver.find_element("css selector", "svg.addison").value_of_css_property("background-color")
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    brightness = [int(one) for one in re.findall(r"\d+", paper)[:3]]
    assert paper == drawing
    assert (sum(brightness) > 600) == (scheme == "light")
