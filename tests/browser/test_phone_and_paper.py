"""What readers have on a phone and on paper: nothing in front of what they came for, rows of two lines, a rule on few pages."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.chromium import as_screen, chromium, served, without_scripts
from tests.support.looks import READABLE, focus
from tests.support.sites import plain_site

At = tuple[webdriver.Chrome, str]


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    with served(plain_site(tmp_path_factory)) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver, address


@pytest.mark.parametrize("page", ["demo/journal/0001.html#e60", "demo/law-text/0001.html#rule-206"])
def test_what_an_address_leads_to_stands_at_the_top(at: At, page: str) -> None:
    driver, address = at
    as_screen(driver, 390, "light")
    driver.get("about:blank")
    driver.get(f"{address}/{page}")
    top = f"return document.getElementById('{page.partition('#')[2]}').getBoundingClientRect().top"
    WebDriverWait(driver, 10).until(lambda there: there.execute_script("return scrollY") > 100)
    assert 0 <= driver.execute_script(top) <= 200


@pytest.mark.parametrize("page", ["demo/index.html", "demo/law/306.html", "demo/scores/index.html", "demo/act.html"])
def test_whoever_comes_by_keyboard_sees_where_they_are_both_ways(at: At, page: str) -> None:
    """WCAG 2.2, success criterion 2.4.11."""
    driver, address = at
    as_screen(driver, 390, "light")
    driver.get(f"{address}/{page}")
    places = set()
    for shift in (False, True):
        for _ in range(45):
            keys = ActionChains(driver)
            (
                keys.key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT) if shift else keys.send_keys(Keys.TAB)
            ).perform()
            if driver.execute_script("return document.activeElement !== document.body"):
                places.add(focus(driver)["words"])
    assert len(places) > 15


@pytest.mark.parametrize(
    ("page", "rows"),
    [
        ("demo/scores/index.html", ".ledger tbody tr"), ("demo/proposals/index.html", "#decided .people > li"),
        ("demo/law/index.html", ".rules > li"), ("demo/journal/index.html", ".events > ul > li"),
    ],
)  # fmt: skip
def test_rows_of_lists_are_low(at: At, page: str, rows: str) -> None:
    """A quarter of a screen at most."""
    driver, address = at
    as_screen(driver, 390, "light")
    driver.get(f"{address}/{page}")
    heights = driver.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(each => each.getBoundingClientRect().height)", rows
    )
    assert len(heights) > 5
    assert max(heights) <= 225


def test_what_changed_in_a_ledger_stands_at_the_right(at: At) -> None:
    driver, address = at
    as_screen(driver, 390, "light")
    driver.get(f"{address}/demo/scores/index.html")
    rights = driver.execute_script(
        "return [...document.querySelectorAll('.ledger tbody td:nth-child(2)')].map(e => e.getBoundingClientRect().right)"
    )
    assert len(rights) > 3
    assert max(rights) - min(rights) < 2
    assert min(rights) > 340


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", ["demo/law/306.html", "demo/law/206.html", "demo/law/203.html"])
def test_a_rule_prints_on_three_pages_at_most_in_dark_ink(at: At, page: str, scheme: str) -> None:
    driver, address = at
    as_screen(driver, 1280, scheme)
    driver.get(f"{address}/{page}")
    printed = driver.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    pages = re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed["data"]))
    assert 1 <= len(pages) <= 3
    try:
        dark = {"name": "prefers-color-scheme", "value": scheme}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [dark]})
        ground = "return getComputedStyle(document.documentElement).backgroundColor"
        assert driver.execute_script(ground) == "rgb(255, 255, 255)"
        WebDriverWait(driver, 5).until(lambda there: there.execute_script(READABLE) == {})  # colours pass over
        assert (
            driver.execute_script("return document.querySelectorAll('pre.code')[0]?.getClientRects().length ?? 0") == 0
        )
    finally:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_light_without_scripts_too(at: At, scheme: str) -> None:
    driver, address = at
    as_screen(driver, 1280, scheme)
    with without_scripts(driver):
        driver.get(f"{address}/demo/law/306.html")
        dark = {"name": "prefers-color-scheme", "value": scheme}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [dark]})
        told = {"expression": "getComputedStyle(document.querySelector('h1')).color", "returnByValue": True}
        ink = driver.execute_cdp_cmd("Runtime.evaluate", told)["result"]["value"]
        assert ink == "rgb(0, 0, 0)"
