"""Readers with a keyboard alone, or a pointer, do what readers do: read the law, step through a board, narrow lists, act."""

from __future__ import annotations

from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.chromium import requests, served, without_scripts
from tests.support.looks import MOVES, focus, found, shown

At = tuple[webdriver.Chrome, str]
FRAME = '<!doctype html><title>Elsewhere</title><iframe src="{}/demo/law/304.html"></iframe>'
RINGS = "[...document.querySelectorAll('.steps .ring')].filter(e => e.getClientRects().length).length"
TOLD = "[...document.querySelectorAll('.events li')].filter(e => e.getClientRects().length).length"
HEADS = "return [...document.querySelectorAll('.fm-time h2')].map(e => e.textContent)"


def press(driver: webdriver.Chrome, *keys: str) -> None:
    for key in keys:
        driver.switch_to.active_element.send_keys(key)


def tab_to(driver: webdriver.Chrome, selector: str, words: str = "", most: int = 120) -> Any:
    """Press Tab until what a selector finds has the focus, and make sure on the way that the focus is always seen."""
    for _ in range(most):
        press(driver, Keys.TAB)
        has = focus(driver)
        if words in has["words"] and driver.execute_script(
            "return document.activeElement.matches(arguments[0])", selector
        ):
            return driver.switch_to.active_element
    raise AssertionError(f"no {selector} {words} within {most} steps")


def arrived(driver: webdriver.Chrome, title: str) -> None:
    WebDriverWait(driver, 20).until(lambda there: title in there.title)


@pytest.mark.parametrize("page", ["demo/index.html", "demo/law/304.html"])
def test_the_skip_link_comes_first_and_leads_to_what_the_page_says(at: At, page: str) -> None:
    driver, address = at
    driver.get(f"{address}/{page}")
    press(driver, Keys.TAB)
    assert "Skip to the content" in focus(driver)["words"]
    press(driver, Keys.ENTER)
    assert driver.current_url.endswith("#main")
    press(driver, Keys.TAB)
    assert driver.execute_script("return !!document.activeElement.closest('main')")


def test_a_reader_with_keys_alone_reads_the_law(at: At) -> None:
    """From home by search to a rule, its past, its script; and the index narrowed."""
    driver, address = at
    driver.get(f"{address}/index.html")
    press(driver, "/")
    assert found(driver, "rule 206", is_open=True)[0].startswith("Rule 206: ")
    press(driver, Keys.ARROW_DOWN, Keys.ENTER)
    arrived(driver, "Rule 206")
    for words in ("Its words then", "on_"):
        fold = tab_to(driver, "summary", words)
        press(driver, Keys.ENTER)
        assert fold.find_element(By.XPATH, "..").get_attribute("open")
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


def test_a_reader_steps_through_earlier_positions_and_narrows_the_history_without_scripts(at: At) -> None:
    driver, address = at
    with without_scripts(driver):
        driver.get(f"{address}/demo/boards/chequers.html")
        assert shown(driver, MOVES) == "Move 3"
        for _ in range(60):
            ActionChains(driver).send_keys(Keys.TAB).perform()
            if driver.switch_to.active_element.tag_name == "input":
                break
        ActionChains(driver).send_keys(Keys.ARROW_LEFT).perform()
        assert (shown(driver, MOVES), shown(driver, RINGS)) == ("Move 2", 1)
        driver.find_element(By.CSS_SELECTOR, ".track label").click()
        assert (shown(driver, MOVES), shown(driver, RINGS)) == ("Move 1", 0)
        driver.get(f"{address}/demo/journal/0001.html")
        everything, choose = shown(driver, TOLD), "(document.getElementById('{}').checked = true, " + TOLD + ")"
        said = shown(driver, choose.format("h-say"))
        assert 0 < said < shown(driver, choose.format("h-law")) < everything
        assert shown(driver, choose.format("h-all")) == everything


@pytest.mark.parametrize(
    ("page", "rows", "words"),
    [
        ("demo/law/index.html", ".rules > li", "rule TURN"), ("demo/act.html", "li[data-k]", "VOTE open"),
        ("demo/scores/index.html", ".ledger tbody tr", "bob Proposal"),
    ],
)  # fmt: skip
def test_a_list_is_narrowed_by_typing(at: At, page: str, rows: str, words: str) -> None:
    driver, address = at
    driver.get(f"{address}/{page}")
    texts = (
        f"return [...document.querySelectorAll('{rows}')].map(e => [e.textContent.toLowerCase(), e.checkVisibility()])"
    )
    everything = [text for text, _ in driver.execute_script(texts)]
    field = driver.find_element(By.CSS_SELECTOR, ".field > input[type=search]")
    field.send_keys(words)
    visible = [text for text, is_shown in driver.execute_script(texts) if is_shown]
    assert visible == [text for text in everything if all(word in text for word in words.lower().split())]
    assert 0 < len(visible) < len(everything)
    field.clear()
    field.send_keys(Keys.SPACE)
    assert not driver.find_elements(By.CSS_SELECTOR, f":is({rows})[hidden]")


def test_an_address_opens_the_ballots_among_which_it_lies(at: At) -> None:
    driver, address = at
    driver.get(f"{address}/demo/journal/0001.html#e10")
    assert driver.find_element(By.ID, "e10").is_displayed()
    assert not driver.find_element(By.ID, "e17").is_displayed()
    driver.execute_script("location.hash = 'e17'")
    WebDriverWait(driver, 10).until(lambda there: there.find_element(By.ID, "e17").is_displayed())


def test_no_page_stands_in_a_frame(at: At, tmp_path: Any) -> None:
    driver, address = at
    (tmp_path / "elsewhere.html").write_text(FRAME.format(address), "utf-8")
    with served(tmp_path) as elsewhere:
        driver.get(f"{elsewhere}/elsewhere.html")
        driver.switch_to.frame(driver.find_element(By.TAG_NAME, "iframe"))
        only = WebDriverWait(driver, 10).until(lambda there: there.find_elements(By.CSS_SELECTOR, "body > a"))[-1]
        assert not driver.find_elements(By.CSS_SELECTOR, "main")
        assert only.get_attribute("target") == "_top"
        driver.switch_to.default_content()


# -- the law over time


def told(driver: webdriver.Chrome) -> str:
    return str(driver.execute_script("return document.querySelector('.fm-time [role=status]')?.textContent ?? ''"))


def moved(driver: webdriver.Chrome, place: int, to: int) -> str:
    """Put one of the two bars of time to a place, and return what is then said to be shown."""
    move = "const bar = document.querySelectorAll('.fm-time [type=range]')[arguments[0]]; bar.value = arguments[1];"
    driver.execute_script(move + "bar.dispatchEvent(new Event('input'))", place, to)
    return told(driver)


def test_the_law_is_shown_as_of_any_moment_and_two_of_them_are_compared(at: At) -> None:
    driver, address = at
    driver.get(f"{address}/demo/law-time/index.html")
    assert not [url for url in requests(driver) if "law.json" in url], "nothing is fetched before it is wanted"
    driver.find_element(By.CSS_SELECTOR, ".fm-time > button").click()
    WebDriverWait(driver, 10).until(lambda d: d.find_elements(By.CSS_SELECTOR, ".fm-time [type=range]"))
    assert "302 Sixty per cent" in driver.execute_script(HEADS)
    assert moved(driver, 0, 0).startswith("Rules in force after entry 1, 2026-01-05: 11.")
    assert {"203 Old majority", "304 Unanimity"} <= set(driver.execute_script(HEADS))
    driver.find_element(By.CSS_SELECTOR, ".fm-time [type=checkbox]").click()
    assert moved(driver, 1, 0).endswith(": 0.")
    assert moved(driver, 0, 2).startswith("Rules that differ between entry 1, 2026-01-05")
    struck = driver.execute_script("return document.querySelector('.fm-time .redline del').textContent")
    assert struck == "A simple majority adopts."
    assert driver.current_url.endswith("#at=21&since=1")
    driver.get("about:blank")
    driver.get(f"{address}/demo/law-time/index.html#at=21&since=1")
    WebDriverWait(driver, 10).until(lambda d: told(d).endswith(": 2."), "an address leads to two moments")
    day = "const day = document.querySelector('.fm-time [type=date]'); day.value = '2026-01-05';"
    driver.execute_script(f"{day} day.dispatchEvent(new Event('change'))")
    assert driver.current_url.endswith("#at=1&since=1")


def test_the_law_is_shown_as_it_governs_a_submission_and_says_who_changed_what(at: At) -> None:
    driver, address = at
    driver.get(f"{address}/demo/law-time/index.html")
    for place in ("#at=1", "#at=21&since=1", "#submission=301"):  # while on it, as the way back
        driver.execute_script("location.hash = arguments[0]", place)
    WebDriverWait(driver, 10).until(lambda d: told(d).startswith("Rules that govern submission 301: "))
    assert "304 Three quarters" in driver.execute_script(HEADS)
    for selector, number in ((".moments > label > [type=number]", "302"), (".fm-time fieldset [type=number]", "21")):
        field = driver.find_element(By.CSS_SELECTOR, selector)
        field.clear()
        field.send_keys(number, Keys.TAB)
        assert "302 Sixty per cent" in driver.execute_script(HEADS)
    assert driver.current_url.endswith("#at=21")
    driver.find_element(By.CSS_SELECTOR, ".fm-time [type=checkbox]").click()
    moved(driver, 1, 0)
    said = driver.execute_script("return [...document.querySelectorAll('.fm-time h2 + .soft')].map(e => e.textContent)")
    assert any("by proposal 301; entry 21, 2026-01-07, by proposal 302" in each for each in said), said
    links = driver.execute_script("return [...document.querySelectorAll('.fm-time h2 a')].map(e => e.href)")
    assert f"{address}/demo/law/304.html" in links
