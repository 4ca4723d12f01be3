"""A reader who has a keyboard alone does what readers do, and sees at each step where they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.chromium import as_screen, chromium, served
from tests.support.looks import MOVES, focus, found
from tests.support.sites import plain_site


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[webdriver.Chrome, str]]:
    with served(plain_site(tmp_path_factory)) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver, address


def press(driver: webdriver.Chrome, *keys: str) -> None:
    for key in keys:
        driver.switch_to.active_element.send_keys(key)


def tab_to(driver: webdriver.Chrome, selector: str, words: str = "", most: int = 120) -> Any:
    """Press Tab until what a selector finds has the focus, and make sure on the way that the focus is always seen."""
    for _ in range(most):
        press(driver, Keys.TAB)
        has = focus(driver)
        here = driver.switch_to.active_element
        if driver.execute_script("return arguments[0].matches(arguments[1])", here, selector) and words in has["words"]:
            return here
    raise AssertionError(f"no {selector} {words} within {most} steps")


def arrived(driver: webdriver.Chrome, title: str) -> None:
    WebDriverWait(driver, 20).until(lambda there: title in there.title)


def test_the_skip_link_comes_first_and_leads_to_what_the_page_says(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    for page in ("demo/index.html", "demo/law/304.html", "demo/law/index.html", "demo/boards/world.html", "index.html"):
        driver.get(f"{address}/{page}")
        press(driver, Keys.TAB)
        assert "Skip to the content" in focus(driver)["words"], page
        press(driver, Keys.ENTER)
        assert driver.current_url.endswith("#main")
        press(driver, Keys.TAB)
        assert driver.execute_script("return !!document.activeElement.closest('main')"), page


def test_a_reader_with_keys_alone_reads_the_law(at: tuple[webdriver.Chrome, str]) -> None:
    """From home by search to a rule, its past, its script; two moments compared; the index narrowed."""
    driver, address = at
    as_screen(driver, 1280, "light")
    driver.get(f"{address}/index.html")
    press(driver, "/")
    assert found(driver, "rule 206", is_open=True)[0].startswith("Rule 206: ")
    press(driver, Keys.ARROW_DOWN, Keys.ENTER)
    arrived(driver, "Rule 206")
    past = tab_to(driver, "summary", "Its words then")
    press(driver, Keys.ENTER)
    assert past.find_element(By.XPATH, "..").get_attribute("open")
    script = tab_to(driver, "summary", "on_")
    press(driver, Keys.ENTER)
    assert script.find_element(By.XPATH, "..").get_attribute("open")
    tab_to(driver, "pre.code", most=3)
    driver.get(driver.current_url)
    tab_to(driver, ".nav a", "Rules")
    press(driver, Keys.ENTER)
    arrived(driver, "Rules")
    field = tab_to(driver, "input[data-filter]")
    press(driver, "chequers")
    rows = driver.find_elements(By.CSS_SELECTOR, ".rules > li")
    assert 0 < len([row for row in rows if row.is_displayed()]) < len(rows)
    assert driver.switch_to.active_element == field
    driver.get(driver.current_url)
    tab_to(driver, "a", "Over time")
    press(driver, Keys.ENTER)
    arrived(driver, "The rules over time")
    tab_to(driver, ".fm-time > button")
    press(driver, Keys.ENTER)
    bar = WebDriverWait(driver, 10).until(lambda d: d.find_elements(By.CSS_SELECTOR, ".fm-time [type=range]"))[0]
    assert driver.switch_to.active_element == bar
    told = driver.find_element(By.CSS_SELECTOR, ".fm-time [role=status]")
    newest = told.text
    press(driver, Keys.ARROW_LEFT)
    assert told.text != newest
    tab_to(driver, ".fm-time [type=checkbox]", most=8)
    press(driver, Keys.SPACE)
    tab_to(driver, ".fm-time [type=range]", most=2)
    press(driver, Keys.HOME)
    assert told.text.startswith("Rules that differ between entry 1, ")
    focus(driver)


def test_a_reader_with_keys_alone_steps_through_a_board_and_finds_how_to_act(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    driver.get(f"{address}/demo/index.html")
    tab_to(driver, ".btn", "What you can do")
    press(driver, Keys.ENTER)
    arrived(driver, "What you can do")
    tab_to(driver, ".sub a", "Chequers")
    press(driver, Keys.ENTER)
    arrived(driver, "Chequers")
    tab_to(driver, ".track input")
    assert driver.execute_script(f"return {MOVES}") == "Move 3"
    press(driver, Keys.ARROW_LEFT)
    assert driver.execute_script(f"return {MOVES}") == "Move 2"
    driver.get(driver.current_url)
    tab_to(driver, ".sub a", "What you can do")
    press(driver, Keys.ENTER)
    arrived(driver, "What you can do")


FRAME = '<!doctype html><title>Elsewhere</title><iframe src="demo/law/304.html"></iframe>'


def test_no_page_stands_in_a_frame(at: tuple[webdriver.Chrome, str], tmp_path_factory: pytest.TempPathFactory) -> None:
    driver, address = at
    site = plain_site(tmp_path_factory)
    (site / "elsewhere.html").write_text(FRAME, "utf-8")
    try:
        driver.get(f"{address}/elsewhere.html")
        driver.switch_to.frame(driver.find_element(By.TAG_NAME, "iframe"))
        only = WebDriverWait(driver, 10).until(lambda there: there.find_elements(By.CSS_SELECTOR, "body > a"))[-1]
        assert not driver.find_elements(By.CSS_SELECTOR, "main")
        assert only.get_attribute("target") == "_top"
    finally:
        (site / "elsewhere.html").unlink()
        driver.switch_to.default_content()
