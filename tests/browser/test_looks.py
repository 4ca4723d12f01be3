"""Every kind of page on a phone, on a desk and on paper, light and dark, with and without scripts."""

from __future__ import annotations

import base64
import re

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from tests.conftest import FUZZ
from tests.support.chromium import as_screen, elsewhere, requests, without_scripts
from tests.support.looks import PAGES, READABLE, complaints, findings, found, shown
from tests.support.standins import WANTED

At = tuple[webdriver.Chrome, str]
SCREENS = [(390, "dark"), (1280, "light"), *([(320, "light"), (1280, "dark")] if FUZZ else [])]
LOOKED_AT = [*PAGES, "404.html"] if FUZZ else [
    "guide.html", *(f"demo/{page}.html" for page in (
        "index", "law/304", "proposals/311", "scores/index", "act", "journal/0001", "boards/world")),
]  # fmt: skip
WIDTH = "return document.documentElement.scrollWidth - innerWidth"
INSIDE = """
const edge = innerWidth + 1;
const scrolls = e => { for (; e; e = e.parentElement) if (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX)
  && e !== document.body && e !== document.documentElement) return true; };
return [...document.querySelectorAll('body *')]
  .filter(e => e.checkVisibility() && e.getClientRects().length && e.getBoundingClientRect().right > edge && !scrolls(e))
  .map(e => e.outerHTML.slice(0, 100));
"""
USE = """
for (const each of document.querySelectorAll('details, label, .md-clipboard')) { each.open = true; each.click(); }
"""
BADGES = """return [...document.querySelectorAll('.badge')].filter(each => each.getClientRects().length)
  .map(each => [each.getClientRects().length, each.getBoundingClientRect().height, each.textContent])
  .filter(each => each[0] > 1 || each[1] >= 28)"""
PALE = "document.querySelector('h1').style.color = 'color-mix(in srgb, currentColor 30%, transparent)'"


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_every_kind_of_page_fits_the_screen_stands_out_and_needs_nothing_that_is_refused(
    at: At, width: int, scheme: str
) -> None:
    """4.5 to 1, large text 3 to 1 (WCAG 2.2, success criterion 1.4.3); and axe finds nothing else."""
    driver, address = at
    as_screen(driver, width, scheme)
    for page in LOOKED_AT:
        driver.get(f"{address}/{page}")
        for opened in (False, True):
            assert driver.execute_script(WIDTH) <= 0, (page, opened)
            assert driver.execute_script(INSIDE) == [], (page, opened)
            driver.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert driver.execute_script(READABLE) == {}, page
        assert driver.execute_script(BADGES) == [], "labels of states stay in one piece"
        if WANTED and (FUZZ or width < 600):
            assert findings(driver, contrast=FUZZ) == [], page
        if page in LOOKED_AT[:2]:
            assert found(driver, "rule")
        driver.execute_script(USE)
        assert complaints(driver) == [], page
    assert elsewhere(requests(driver), address) == []
    driver.get(f"{address}/{LOOKED_AT[0]}")
    driver.execute_script(PALE)
    assert len(driver.execute_script(READABLE)) == 1, "the measure notices what is pale"
    if WANTED:
        driver.execute_script("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=x.png>')")
        assert "image-alt" in [rule for rule, *_ in findings(driver, contrast=False)]


def test_a_forge_is_linked_and_not_asked_and_links_of_guides_are_told_by_more_than_their_colour(at: At) -> None:
    """With `repo_url` set the theme asked the forge's API on every page, which the content policy forbade."""
    driver, address = at
    driver.get(f"{address}/guide.html")
    source = WebDriverWait(driver, 10).until(lambda it: it.find_element(By.CSS_SELECTOR, "a.md-source"))
    assert source.get_attribute("href") == "https://github.com/ann/mail-game"
    assert (elsewhere(requests(driver), address), complaints(driver)) == ([], [])
    lines = """return [...document.querySelectorAll("article p a:not(.headerlink)")]
        .map(each => getComputedStyle(each).textDecorationLine)"""
    assert set(driver.execute_script(lines)) == {"underline"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_follow_the_system_and_are_read_and_printed_without_scripts(at: At, scheme: str) -> None:
    driver, address = at
    as_screen(driver, 1280, scheme)
    with without_scripts(driver):
        driver.get(f"{address}/demo/index.html")
        ground = shown(driver, "getComputedStyle(document.documentElement).backgroundColor")
        assert ground == {"light": "rgb(251, 250, 245)", "dark": "rgb(18, 24, 21)"}[scheme]
        assert "Poets’ corner" in shown(driver, "document.querySelector('main').innerText")
        assert shown(driver, "document.querySelector('.nav').getBoundingClientRect().height") > 0
        as_paper(driver, scheme)
        assert shown(driver, "getComputedStyle(document.querySelector('h1')).color") == "rgb(0, 0, 0)"


def as_paper(driver: webdriver.Chrome, scheme: str) -> None:
    """Show pages as they are printed; the next test has a screen again."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})


@pytest.mark.parametrize(("page", "scheme"), [("306", "light"), ("206", "dark")])
def test_a_rule_prints_on_three_pages_at_most_in_dark_ink(at: At, page: str, scheme: str) -> None:
    driver, address = at
    as_screen(driver, 1280, scheme)
    driver.get(f"{address}/demo/law/{page}.html")
    printed = driver.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed["data"]))) <= 3
    as_paper(driver, scheme)
    assert driver.execute_script("return getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    WebDriverWait(driver, 5).until(lambda there: there.execute_script(READABLE) == {})  # colours pass over
    code = "return document.querySelectorAll('pre.code')[0]?.getClientRects().length ?? 0"
    assert driver.execute_script(code) == 0


@pytest.mark.parametrize("width", [320, 1280])
def test_parts_of_a_game_stand_in_one_row_crests_are_small_and_charts_whole(at: At, width: int) -> None:
    driver, address = at
    as_screen(driver, width, "light")
    driver.get(f"{address}/demo/scores/index.html")
    places = """return [...document.querySelectorAll('.nav a')].map(each => [each, each.getBoundingClientRect()])
      .map(([each, place]) => [each.textContent, place.top, place.left >= 0 && place.right <= innerWidth])"""
    told = driver.execute_script(places)
    assert [words for words, *_ in told] == ["Now", "Rules", "Votes", "Scores", "Players", "History"]
    assert len({top for _, top, _ in told}) == 1
    assert all(inside for *_, inside in told)
    assert driver.find_element(By.CSS_SELECTOR, ".nav [aria-current]").text == "Scores"
    tall = "return [...document.querySelectorAll('.crest')].map(e => e.getBoundingClientRect().height)"
    assert 0 < max(driver.execute_script(tall)) < 48
    texts = """
      const drawn = [...document.querySelector('.chart').querySelectorAll('svg')].filter(each => each.getClientRects().length);
      const box = drawn[0].getBoundingClientRect();
      return [drawn.length, [...drawn[0].querySelectorAll('text')].map(each => [each, each.getBoundingClientRect()])
        .map(([each, place]) => [each.textContent, each.matches('.lab'), place.height,
          place.left >= box.left - 1 && place.right <= Math.min(box.right, innerWidth) + 1])];
    """
    drawn, words = driver.execute_script(texts)
    assert drawn == 1, "one of the two drawings"
    assert {each[0].split()[0] for each in words if each[1]} == {"Ann", "Bob", "Cid", "Dee", "Eve", "Zed"}
    assert [each for each in words if not each[3] or each[2] < 9] == []


@pytest.mark.parametrize("page", ["demo/journal/0001.html#e60", "demo/law-text/0001.html#rule-206"])
def test_what_an_address_leads_to_stands_at_the_top(at: At, page: str) -> None:
    driver, address = at
    as_screen(driver, 390, "light")
    driver.get(f"{address}/{page}")
    top = f"return document.getElementById('{page.partition('#')[2]}').getBoundingClientRect().top"
    WebDriverWait(driver, 10).until(lambda there: there.execute_script("return scrollY") > 100)
    assert 0 <= driver.execute_script(top) <= 200


@pytest.mark.parametrize(("now", "is_up"), [("2026-02-15T17:00:00Z", False), ("2026-02-15T19:00:00Z", True)])
def test_a_deadline_that_has_passed_says_so(at: At, now: str, is_up: bool) -> None:
    driver, address = at
    source = {"source": f"Date.now = () => new Date('{now}').getTime()"}
    clock = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", source)
    try:
        driver.get(f"{address}/demo/index.html")
        told = [each.text for each in driver.find_elements(By.CSS_SELECTOR, ".due-time")]
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", clock)
    assert told
    assert all("Sun 15 Feb, 19:00" in each and ("that time is up" in each) == is_up for each in told), told
