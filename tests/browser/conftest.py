"""A headless Chromium that reports what it does. Needs Debian's chromium and chromium-driver, and the browser extra."""

import json

import pytest

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
QUIET = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--window-size=1400,900",
)  # fmt: skip


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """The browser, its console and its requests recorded."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (*QUIET, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens a text as a file of that name, and hands the browser back."""
    chromium.get("about:blank")
    for kind in ("browser", "performance"):
        chromium.get_log(kind)

    def open_file(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        chromium.get(path.as_uri())
        return chromium

    return open_file


@pytest.fixture
def complaints(chromium):
    """What the console has said since the page was opened."""
    return lambda: [one["message"] for one in chromium.get_log("browser")]


@pytest.fixture
def requested(chromium):
    """The addresses, other than its own, that the page has asked for since it was opened."""

    def urls():
        events = [json.loads(one["message"])["message"] for one in chromium.get_log("performance")]
        asked = [one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"]
        assert asked.count(chromium.current_url) == 1
        return [url for url in asked if url != chromium.current_url]

    return urls
