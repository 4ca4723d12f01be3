"""One browser for all tests that a process runs, and the addresses of sites that are built once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from tests.support.chromium import as_screen, chromium, requests, served
from tests.support.sites import hostile_site, plain_site

At = tuple[webdriver.Chrome, str]


@pytest.fixture(scope="session")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        driver.set_script_timeout(60)
        yield driver


@pytest.fixture
def driver(chrome: webdriver.Chrome) -> webdriver.Chrome:
    """Return the browser as a light screen that shows nothing, and has asked for nothing and complained of nothing yet."""
    chrome.switch_to.default_content()
    chrome.get("about:blank")
    as_screen(chrome, 1280, "light")
    requests(chrome)
    chrome.get_log("browser")  # type: ignore[no-untyped-call]
    return chrome


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plain_site(tmp_path_factory)


@pytest.fixture(scope="session")
def hostile_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_site(tmp_path_factory)


@pytest.fixture(scope="session")
def address(plain: Path) -> Iterator[str]:
    with served(plain) as found:
        yield found


@pytest.fixture
def at(driver: webdriver.Chrome, address: str) -> At:
    return driver, address
