"""Every kind of page on a phone and on a desk, light and dark, with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from tests.browser.chromium import as_screen, chromium, requests, served
from tests.pages.game import game, write

pytestmark = pytest.mark.browser

PAGES = [
    "index.html", "demo/index.html", "demo/law/index.html", "demo/law/304.html", "demo/law/202.html",
    "demo/law/203.html", "demo/proposals/index.html", "demo/proposals/308.html", "demo/proposals/311.html",
    "demo/scores/index.html", "demo/players/index.html",
    "demo/players/ann.html", "demo/offices.html", "demo/settings.html",
    "demo/chance/index.html", "demo/journal/index.html", "demo/journal/0001.html", "demo/boards/world.html",
    "demo/boards/chequers.html",
]  # fmt: skip
WIDTH = "return document.documentElement.scrollWidth - innerWidth"
INSIDE = """
const edge = innerWidth + 1;
const scrolls = e => { for (; e; e = e.parentElement) if (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX)
  && e !== document.body && e !== document.documentElement) return true; };
return [...document.querySelectorAll('.md-content__inner *')]
  .filter(e => e.getClientRects().length && e.getBoundingClientRect().right > edge && !scrolls(e))
  .map(e => e.outerHTML.slice(0, 100));
"""


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[webdriver.Chrome, str]]:
    from engine.publish import build

    folder = tmp_path_factory.mktemp("looks")
    write(folder, game(), game("second"))
    site: Path = build(folder / "mkdocs.yml")
    with served(site) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver, address


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_no_page_is_wider_than_the_screen(at: tuple[webdriver.Chrome, str], width: int, scheme: str) -> None:
    driver, address = at
    as_screen(driver, width, scheme)
    for page in PAGES:
        driver.get(f"{address}/{page}")
        assert driver.execute_script(WIDTH) <= 0, page
        assert driver.execute_script(INSIDE) == [], page


def test_nothing_is_asked_of_anybody_else_and_nothing_goes_wrong(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    requests(driver)
    driver.get_log("browser")
    for page in PAGES[:4]:
        driver.get(f"{address}/{page}")
    assert [url for url in requests(driver) if not url.startswith((address, "data:", "blob:", "chrome:"))] == []
    assert [line["message"] for line in driver.get_log("browser") if line["level"] == "SEVERE"] == []


def _shown(driver: webdriver.Chrome, expression: str) -> Any:
    """Return what an expression gives on a page whose own scripts do not run."""
    answer = driver.execute_cdp_cmd("Runtime.evaluate", {"expression": expression, "returnByValue": True})
    return answer["result"].get("value")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_follow_the_system_and_are_read_without_scripts(at: tuple[webdriver.Chrome, str], scheme: str) -> None:
    driver, address = at
    as_screen(driver, 1280, scheme, scripts=False)
    try:
        driver.get(f"{address}/demo/index.html")
        ground = _shown(driver, "getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(253, 252, 248)", "dark": "rgb(20, 25, 26)"}[scheme]
        assert "Poets’ corner" in _shown(driver, "document.querySelector('.md-content').innerText")
        assert _shown(driver, "document.querySelector('.fm-nav').getBoundingClientRect().height") > 0
    finally:
        as_screen(driver, 1280, scheme)


def test_a_board_has_a_name_and_words_for_those_who_cannot_see_it(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    driver.get(f"{address}/demo/boards/world.html")
    tree = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = [n["name"]["value"] for n in tree if n.get("role", {}).get("value") in ("image", "img") and n.get("name")]
    assert any("The World" in name and "Ann Abel at MAW" in name for name in named), named
