"""Every kind of page on a phone and on a desk, light and dark, with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.chromium import as_screen, chromium, elsewhere, requests, served, without_scripts
from tests.support.looks import MOVES, PAGES, READABLE, RESULT, found, search_field
from tests.support.sites import plain_site

WIDTH = "return document.documentElement.scrollWidth - innerWidth"
INSIDE = """
const edge = innerWidth + 1;
const scrolls = e => { for (; e; e = e.parentElement) if (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX)
  && e !== document.body && e !== document.documentElement) return true; };
return [...document.querySelectorAll('body *')]
  .filter(e => e.checkVisibility() && e.getClientRects().length && e.getBoundingClientRect().right > edge && !scrolls(e))
  .map(e => e.outerHTML.slice(0, 100));
"""


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[webdriver.Chrome, str]]:
    with served(plain_site(tmp_path_factory)) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver, address


def test_nothing_is_asked_of_anybody_else_and_nothing_goes_wrong(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    requests(driver)
    driver.get_log("browser")
    for page in PAGES[:4]:
        driver.get(f"{address}/{page}")
    assert elsewhere(requests(driver), address) == []
    assert [line["message"] for line in driver.get_log("browser") if line["level"] == "SEVERE"] == []


def _shown(driver: webdriver.Chrome, expression: str) -> Any:
    """Return what an expression gives on a page whose own scripts do not run."""
    answer = driver.execute_cdp_cmd("Runtime.evaluate", {"expression": expression, "returnByValue": True})
    return answer["result"].get("value")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_follow_the_system_and_are_read_without_scripts(at: tuple[webdriver.Chrome, str], scheme: str) -> None:
    driver, address = at
    as_screen(driver, 1280, scheme)
    with without_scripts(driver):
        driver.get(f"{address}/demo/index.html")
        ground = _shown(driver, "getComputedStyle(document.documentElement).backgroundColor")
        assert ground == {"light": "rgb(251, 250, 245)", "dark": "rgb(18, 24, 21)"}[scheme]
        assert "Poets’ corner" in _shown(driver, "document.querySelector('main').innerText")
        assert _shown(driver, "document.querySelector('.nav').getBoundingClientRect().height") > 0


def test_a_board_has_a_name_and_words_for_those_who_cannot_see_it(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    driver.get(f"{address}/demo/boards/world.html")
    tree = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = [n["name"]["value"] for n in tree if n.get("role", {}).get("value") in ("image", "img") and n.get("name")]
    assert any("The World" in name and "Ann Abel at Mawson" in name for name in named), named


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (390, "dark"), (1280, "light"), (1280, "dark")])
def test_no_page_is_wider_than_the_screen_and_every_text_stands_out(
    at: tuple[webdriver.Chrome, str], width: int, scheme: str
) -> None:
    """4.5 to 1, large text 3 to 1 (WCAG 2.2, success criterion 1.4.3)."""
    driver, address = at
    as_screen(driver, width, scheme)
    for page in [*PAGES, "404.html"]:
        driver.get(f"{address}/{page}")
        for opened in (False, True):
            assert driver.execute_script(WIDTH) <= 0, (page, opened)
            assert driver.execute_script(INSIDE) == [], (page, opened)
            driver.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert driver.execute_script(READABLE) == {}, page
    driver.execute_script(
        "document.querySelector('h1').style.color = 'color-mix(in srgb, currentColor 30%, transparent)'"
    )
    assert len(driver.execute_script(READABLE)) == 1, "the measure notices what is pale"


def test_a_chart_is_whole_on_a_phone_and_names_its_lines(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    texts = """
      const chart = document.querySelector('.chart');
      const drawn = [...chart.querySelectorAll('svg')].filter(each => each.getClientRects().length);
      const box = drawn[0].getBoundingClientRect();
      return [drawn.length, [...drawn[0].querySelectorAll('text')].map(each => [each, each.getBoundingClientRect()])
        .map(([each, place]) => [each.textContent, each.matches('.lab'), place.height,
          place.left >= box.left - 1 && place.right <= Math.min(box.right, innerWidth) + 1])];
    """
    for width in (320, 390, 1280):
        as_screen(driver, width, "light")
        driver.get(f"{address}/demo/scores/index.html")
        drawn, told = driver.execute_script(texts)
        assert drawn == 1, "one of the two drawings"
        names = [words for words, is_name, *_ in told if is_name]
        assert {name.split()[0] for name in names} == {"Ann", "Bob", "Cid", "Dee", "Eve", "Zed"}
        assert [each for each in told if not each[3] or each[2] < 9] == [], width


def test_labels_of_states_stay_in_one_piece(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 390, "light")
    sizes = """return [...document.querySelectorAll('.badge')].filter(each => each.getClientRects().length)
      .map(each => [each.getClientRects().length, each.getBoundingClientRect().height, each.textContent])"""
    found = []
    for page in PAGES:
        driver.get(f"{address}/{page}")
        found += [(page, *each) for each in driver.execute_script(sizes)]
    assert len(found) > 5
    assert [each for each in found if each[1] > 1 or each[2] >= 28] == []


def test_search_shows_what_a_page_says_and_not_its_navigation(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    driver.get(f"{address}/demo/law/index.html")
    assert any(title.startswith("Proposal 304") for title in found(driver, "poem"))
    WebDriverWait(driver, 60).until(lambda there: there.find_elements(By.CSS_SELECTOR, f"{RESULT} > p"))
    said = [each.text for each in driver.find_elements(By.CSS_SELECTOR, RESULT)]
    assert any("poem from A to Z" in text for text in said), said
    assert not any("Rulings" in text for text in said), said


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("304", ("Rule 302", "Proposal 304")),
        ("rule 206", ("Rule 206: ",)),
        ("rule 304", ("Rule 302: ",)),
        ("rule 302", ("Rule 302: ", "Rule 302")),
        ("Chequers for all", ("Proposal 312",)),
        ("penalty for defeat", ("Rule 206: ",)),
    ],
)
def test_numbers_and_titles_come_first(at: tuple[webdriver.Chrome, str], words: str, first: tuple[str, ...]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    driver.get(f"{address}/demo/index.html")
    titles = found(driver, words)
    assert titles[0].startswith(first), titles


def test_nothing_of_the_index_is_fetched_before_somebody_searches(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    driver.get("about:blank")  # a page before may still have been searching
    requests(driver)
    driver.get(f"{address}/demo/law/304.html")
    assert not [url for url in requests(driver) if "pagefind" in url]
    driver.find_element(By.TAG_NAME, "body").send_keys("/")
    assert found(driver, "majority", is_open=True)
    assert [url for url in requests(driver) if "/pagefind/" in url]


def test_a_reader_searches_with_keys_alone(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 375, "dark")
    driver.get(f"{address}/demo/index.html")
    driver.find_element(By.TAG_NAME, "body").send_keys("/")
    titles = found(driver, "poem", is_open=True)
    field = driver.switch_to.active_element
    field.send_keys(Keys.ARROW_DOWN)
    driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    assert driver.switch_to.active_element.text == titles[1]
    driver.switch_to.active_element.send_keys(Keys.ARROW_UP)
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    WebDriverWait(driver, 10).until(lambda there: titles[0].split(" ·")[0] in there.title)
    driver.get(f"{address}/demo/index.html")
    driver.find_element(By.TAG_NAME, "body").send_keys("/")
    search_field(driver).send_keys(Keys.ESCAPE)
    WebDriverWait(driver, 10).until(lambda there: there.switch_to.active_element.tag_name == "body")


def _moved(driver: webdriver.Chrome, place: int, to: int) -> str:
    """Put one of the two bars of time to a place, and return what is then said to be shown."""
    move = "const bar = document.querySelectorAll('.fm-time [type=range]')[arguments[0]]; bar.value = arguments[1];"
    driver.execute_script(move + "bar.dispatchEvent(new Event('input'))", place, to)
    return driver.find_element(By.CSS_SELECTOR, ".fm-time [role=status]").text


def test_the_law_is_shown_as_of_any_moment_and_two_of_them_are_compared(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    requests(driver)
    driver.get(f"{address}/demo/law-time/index.html")
    assert not [url for url in requests(driver) if "law.json" in url], "nothing is fetched before it is wanted"
    driver.find_element(By.CSS_SELECTOR, ".fm-time > button").click()
    bar = WebDriverWait(driver, 10).until(lambda d: d.find_elements(By.CSS_SELECTOR, ".fm-time [type=range]"))[0]
    assert driver.switch_to.active_element == bar
    heads = "return [...document.querySelectorAll('.fm-time h2')].map(e => e.textContent)"
    assert "302 Sixty per cent" in driver.execute_script(heads)
    assert _moved(driver, 0, 0).startswith("Rules in force after entry 1, 2026-01-05: 11.")
    assert {"203 Old majority", "304 Unanimity"} <= set(driver.execute_script(heads))
    driver.find_element(By.CSS_SELECTOR, ".fm-time [type=checkbox]").click()
    assert _moved(driver, 1, 0).endswith(": 0.")
    assert _moved(driver, 0, 2).startswith("Rules that differ between entry 1, 2026-01-05")
    assert driver.execute_script("return document.querySelector('.fm-time .redline del').textContent") == (
        "A simple majority adopts."
    )
    assert driver.current_url.endswith("#at=21&since=1")
    driver.get("about:blank")
    driver.get(f"{address}/demo/law-time/index.html#at=21&since=1")
    told = WebDriverWait(driver, 10).until(lambda d: d.find_elements(By.CSS_SELECTOR, ".fm-time [role=status]"))[0]
    assert told.text.endswith(": 2."), "an address leads to two moments"
    driver.execute_script(
        "const day = document.querySelector('.fm-time [type=date]'); day.value = '2026-01-05';"
        "day.dispatchEvent(new Event('change'))"
    )
    assert driver.current_url.endswith("#at=1&since=1")


def _told(driver: webdriver.Chrome) -> str:
    return driver.execute_script("return document.querySelector('.fm-time [role=status]')?.textContent ?? ''")


def test_the_law_is_shown_as_it_governs_a_submission_and_says_who_changed_what(
    at: tuple[webdriver.Chrome, str],
) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    driver.get(f"{address}/demo/law-time/index.html")
    for place in ("#at=1", "#at=21&since=1", "#submission=301"):  # while on it, as the way back
        driver.execute_script("location.hash = arguments[0]", place)
    WebDriverWait(driver, 10).until(lambda d: _told(d).startswith("Rules that govern submission 301: "))
    heads = "return [...document.querySelectorAll('.fm-time h2')].map(e => e.textContent)"
    assert "304 Three quarters" in driver.execute_script(heads)
    field = driver.find_element(By.CSS_SELECTOR, ".moments > label > [type=number]")
    field.clear()
    field.send_keys("302", Keys.TAB)
    assert "302 Sixty per cent" in driver.execute_script(heads)
    entry = driver.find_element(By.CSS_SELECTOR, ".fm-time fieldset [type=number]")
    entry.clear()
    entry.send_keys("21", Keys.TAB)
    assert driver.current_url.endswith("#at=21")
    driver.find_element(By.CSS_SELECTOR, ".fm-time [type=checkbox]").click()
    _moved(driver, 1, 0)
    said = driver.execute_script("return [...document.querySelectorAll('.fm-time h2 + .soft')].map(e => e.textContent)")
    assert any("by proposal 301; entry 21, 2026-01-07, by proposal 302" in each for each in said), said
    links = driver.execute_script("return [...document.querySelectorAll('.fm-time h2 a')].map(e => e.href)")
    assert f"{address}/demo/law/304.html" in links


RINGS = "[...document.querySelectorAll('.steps .ring')].filter(e => e.getClientRects().length).length"


def test_a_reader_steps_through_earlier_positions_with_keys_alone_and_without_scripts(
    at: tuple[webdriver.Chrome, str],
) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    with without_scripts(driver):
        driver.get(f"{address}/demo/boards/chequers.html")
        assert _shown(driver, MOVES) == "Move 3"
        for _ in range(60):
            ActionChains(driver).send_keys(Keys.TAB).perform()
            if driver.switch_to.active_element.tag_name == "input":
                break
        ActionChains(driver).send_keys(Keys.ARROW_LEFT).perform()
        assert _shown(driver, MOVES) == "Move 2"
        assert _shown(driver, RINGS) == 1
        driver.find_element(By.CSS_SELECTOR, ".track label").click()
        assert _shown(driver, MOVES) == "Move 1"
        assert _shown(driver, RINGS) == 0


def test_a_missing_page_leads_back(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    driver.get(f"{address}/404.html")
    driver.find_element(By.CSS_SELECTOR, "main a").click()
    assert "The mail game" in driver.find_element(By.CSS_SELECTOR, "main").text


def test_whoever_uses_keys_sees_where_they_are(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "dark")
    driver.get(f"{address}/demo/law/304.html")
    driver.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
    seen = set()
    for _ in range(60):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        focus = driver.execute_script(
            "const e = document.activeElement, s = getComputedStyle(e);"
            "return e.closest('main') && [e.tagName, s.outlineStyle, parseFloat(s.outlineWidth)]"
        )
        if focus:
            seen.add(focus[0])
            assert focus[2] >= 2, focus
            assert focus[1] != "none", focus
    assert {"A", "SUMMARY", "PRE"} <= seen, "links, what opens, and what scrolls can be reached"


@pytest.mark.parametrize(
    ("page", "rows", "words"),
    [
        ("demo/law/index.html", ".rules > li", "rule TURN"),
        ("demo/act.html", "li[data-k]", "VOTE open"),
        ("demo/scores/index.html", ".ledger tbody tr", "bob Proposal"),
    ],
)
def test_a_list_is_narrowed_by_typing(at: tuple[webdriver.Chrome, str], page: str, rows: str, words: str) -> None:
    driver, address = at
    as_screen(driver, 390, "light")
    driver.get(f"{address}/{page}")
    texts = (
        f"return [...document.querySelectorAll('{rows}')].map(e => [e.textContent.toLowerCase(), e.checkVisibility()])"
    )
    everything = driver.execute_script(texts)
    field = driver.find_element(By.CSS_SELECTOR, ".field > input[type=search]")
    field.send_keys(words)
    shown = [text for text, is_shown in driver.execute_script(texts) if is_shown]
    wanted = [text for text, _ in everything if all(word in text for word in words.lower().split())]
    assert shown == wanted
    assert 0 < len(shown) < len(everything)
    field.clear()
    field.send_keys(Keys.SPACE)
    assert not driver.find_elements(By.CSS_SELECTOR, f":is({rows})[hidden]")


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_all_parts_of_a_game_are_in_sight_in_one_row(at: tuple[webdriver.Chrome, str], width: int) -> None:
    driver, address = at
    as_screen(driver, width, "light")
    driver.get(f"{address}/demo/journal/index.html")
    places = """return [...document.querySelectorAll('.nav a')].map(each => [each, each.getBoundingClientRect()])
      .map(([each, place]) => [each.textContent, place.top, place.left >= 0 && place.right <= innerWidth])"""
    told = driver.execute_script(places)
    assert [words for words, *_ in told] == ["Now", "Rules", "Votes", "Scores", "Players", "History"]
    assert len({top for _, top, _ in told}) == 1
    assert all(inside for *_, inside in told)
    assert driver.find_element(By.CSS_SELECTOR, ".nav [aria-current]").text == "History"


def test_the_crest_of_a_game_is_no_larger_than_its_name(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    tall = "return [...document.querySelectorAll('.crest')].map(e => e.getBoundingClientRect().height)"
    for width in (390, 1280):
        as_screen(driver, width, "light")
        for page in ("demo/index.html", "demo/law/304.html"):
            driver.get(f"{address}/{page}")
            sizes = driver.execute_script(tall)
            assert sizes, page
            assert max(sizes) < 48, (page, width)


@pytest.mark.parametrize(("now", "is_up"), [("2026-02-15T17:00:00Z", False), ("2026-02-15T19:00:00Z", True)])
def test_a_deadline_that_has_passed_says_so(at: tuple[webdriver.Chrome, str], now: str, is_up: bool) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    clock = driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": f"Date.now = () => new Date('{now}').getTime()"}
    )
    try:
        driver.get(f"{address}/demo/index.html")
        told = [each.text for each in driver.find_elements(By.CSS_SELECTOR, ".due-time")]
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", clock)
    assert told
    assert all("Sun 15 Feb, 19:00" in each and ("that time is up" in each) == is_up for each in told), told


TOLD = "[...document.querySelectorAll('.events li')].filter(e => e.getClientRects().length).length"


def test_a_reader_narrows_the_history_without_scripts(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    with without_scripts(driver):
        driver.get(f"{address}/demo/journal/0001.html")
        choose = "(document.getElementById('{}').checked = true, " + TOLD + ")"
        everything = _shown(driver, TOLD)
        said = _shown(driver, choose.format("h-say"))
        assert 0 < said < everything
        assert said < _shown(driver, choose.format("h-law")) < everything
        assert _shown(driver, choose.format("h-all")) == everything


def test_an_address_opens_the_ballots_among_which_it_lies(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    as_screen(driver, 1280, "light")
    driver.get("about:blank")
    driver.get(f"{address}/demo/journal/0001.html#e10")
    assert driver.find_element(By.ID, "e10").is_displayed()
    assert not driver.find_element(By.ID, "e17").is_displayed()
    driver.execute_script("location.hash = 'e17'")
    WebDriverWait(driver, 10).until(lambda there: there.find_element(By.ID, "e17").is_displayed())
