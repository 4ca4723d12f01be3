"""Every kind of page is looked at by axe-core, whose findings are those of WCAG 2.2 up to AA and of good practice.

FOLKMOOT_STANDINS names the folder where it is installed (`npm install axe-core`), beside the stand-ins for forges.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from tests.support.accessibility import PLACE, REQUIRED, findings
from tests.support.chromium import as_screen, chromium, served
from tests.support.looks import PAGES
from tests.support.sites import plain_site

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not PLACE and not REQUIRED, reason="needs axe-core: FOLKMOOT_STANDINS=folder"),
]


@pytest.fixture(scope="module")
def looking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[webdriver.Chrome, str, str]]:
    axe = (Path(PLACE) / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
    with served(plain_site(tmp_path_factory)) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver, address, axe


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_any_kind_of_page(
    looking: tuple[webdriver.Chrome, str, str], width: int, scheme: str
) -> None:
    driver, address, axe = looking
    as_screen(driver, width, scheme)
    left = {}
    for page in PAGES:
        driver.get(f"{address}/{page}")
        found = findings(driver, axe)
        if found:
            left[page] = found
    assert left == {}


def test_axe_finds_what_is_wrong(looking: tuple[webdriver.Chrome, str, str]) -> None:
    driver, address, axe = looking
    as_screen(driver, 1280, "light")
    driver.get(f"{address}/{PAGES[0]}")
    driver.execute_script("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=x.png>')")
    assert "image-alt" in [rule for rule, *_ in findings(driver, axe)]
