"""A real browser, the engine behind a real socket, and a merchant who sells something."""

import os
import shutil
from pathlib import Path

import pytest

from tests.browser.fonts import configured
from tests.browser.shop import open_shop
from tests.browser.site import Site
from tests.browser.window import Window
from tests.served import served


PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
HERE = Path(__file__).parent


def wants_pictures():
    return bool(os.environ.get("BILLSTREAM_SCREENSHOTS"))


def pytest_collection_modifyitems(items):
    """Everything here needs a browser."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")
            item.add_marker(pytest.mark.timeout(120))


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    """One browser for the tests of a module; each window in it is a profile of its own."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 an optional part

    program = next(filter(None, map(shutil.which, PROGRAMS)))
    letters = configured(tmp_path_factory.mktemp("fonts")) if wants_pictures() else {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=list(FLAGS), env={**os.environ, **letters}
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(module_database_url):
    """The engine, and a merchant's backend that speaks to its API."""
    with served(module_database_url) as (core, _), open_shop() as shop, Site(core, shop) as opened:
        yield opened


@pytest.fixture
def window(chromium, site):
    """Opens windows; whatever a page complains about in the console fails the test."""
    opened = []

    def opener(path="", **wishes):
        shown = Window(chromium, site.address, **wishes)
        opened.append(shown)
        return shown.opens(path) if path else shown

    yield opener
    for each in opened:
        each.close()
    assert [complaint for each in opened for complaint in each.complaints] == []


@pytest.fixture
def pictures():
    """Where screenshots go; None: nobody asked for any (BILLSTREAM_SCREENSHOTS=1)."""
    if not wants_pictures():
        return None
    folder = HERE.parents[1] / "docs" / "screenshots"
    folder.mkdir(exist_ok=True)
    return folder
