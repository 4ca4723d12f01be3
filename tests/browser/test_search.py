"""What a site says is found once it was indexed, in any script, first things first; and a page that is missing leads on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from folkmoot.site.search import index_site
from tests.support.chromium import as_screen, requests, served
from tests.support.looks import RESULT, complaints, found, search_field

FOUND = "return [...document.querySelectorAll('.fm-search li > a')].map(each => new URL(each.href).pathname)"
TOLD = ".fm-search [role=status]"


def searched(driver: webdriver.Chrome, words: str) -> tuple[list[str], str]:
    """Return the pages that the search finds for some words, and how many it says there are; it opens once on a page."""
    if not driver.find_elements(By.CSS_SELECTOR, ".fm-search[open]"):
        driver.find_element(By.CSS_SELECTOR, ".find[data-ready]").click()
    field = search_field(driver)
    field.clear()
    driver.execute_script("document.querySelector(arguments[0]).textContent = ''", TOLD)
    field.send_keys(words)
    told = WebDriverWait(driver, 10, 0.05).until(
        lambda it: (text := it.find_element(By.CSS_SELECTOR, TOLD).text) and text.endswith("found") and text
    )
    least = min(int(told.split()[0]), 1)
    WebDriverWait(driver, 10, 0.05).until(lambda it: len(it.execute_script(FOUND)) >= least)
    pages: list[str] = driver.execute_script(FOUND)
    assert complaints(driver) == []
    return pages, told


At = tuple[webdriver.Chrome, str]
RULE, OTHER, UNLISTED = "demo/law/304.html", "demo/law/306.html", "demo/journal/index.html"
SAID = (
    "玩家可以提出修改規則的提案、然後投票。この提案を修正して、投票を行う。ผู้เล่นลงคะแนนเสียง. Цветы растут медленно. "
    "العدالة للجميع. Frédéric a crêpé l'Œuvre straße; 규칙을 바꾸다. प्रस्ताव पारित हुआ"
)
WORDS = ["投票", "修改規則", "คะแนน", "медлен", "العدالة", "Frédéric", "straße", "규칙", "प्रस्ताव"]
SHOWN = "return [...document.querySelectorAll('main p:not([hidden]) a')].map(each => each.href)"
SECTIONS = [f"{part}index.html" for part in ("", "law/", "proposals/", "scores/", "players/", "journal/")]


@pytest.fixture(scope="module")
def site(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the site in a folder of a server."""
    return shutil.copytree(plain, tmp_path_factory.mktemp("server") / "ann" / "games")


@pytest.fixture(scope="module")
def home(site: Path) -> Iterator[str]:
    with served(site.parents[1]) as address:
        yield f"{address}/ann/games"


def says(site: Path, page: str, words: str) -> None:
    path = site / page
    path.write_text(path.read_text("utf-8").replace("</main>", f"<p>{words}</p></main>"), "utf-8")


def test_new_words_are_found_once_in_any_script_and_what_is_gone_or_not_for_searching_is_not(
    driver: webdriver.Chrome, site: Path, home: str
) -> None:
    def index() -> None:
        index_site(site)
        driver.get(f"{home}/index.html")

    driver.get(f"{home}/index.html")
    assert searched(driver, "quincunx")[0] == []
    before = searched(driver, "unanimity")[1]
    says(site, RULE, f"A quincunx stands here now. {SAID}")
    says(site, UNLISTED, "A quincunx stands here now.")
    index()
    assert searched(driver, "quincunx") == ([f"/ann/games/{RULE}"], "1 page found")
    assert searched(driver, "unanimity")[1] == before, "the page as it was counts no more"
    for words in WORDS:
        assert [Path(page).name for page in searched(driver, words)[0]] == ["304.html"], words
        assert words[:2] in driver.find_element(By.CSS_SELECTOR, ".fm-search li p").text
    assert [searched(driver, words)[0] for words in ("票投", "則規", "Ящерица")] == [[]] * 3, (
        "not in this order, and not at all"
    )
    (site / RULE).rename(site.parent / "away.html")
    for number in range(1, 31):
        shutil.copy(site / OTHER, site / f"demo/proposals/{900 + number}.html")
    index()
    assert searched(driver, "quincunx")[0] == []
    status = searched(driver, "the")[1]
    button = driver.find_element(By.CSS_SELECTOR, ".fm-search__more")
    while button.is_displayed():
        count = len(driver.execute_script(FOUND))
        button.click()
        WebDriverWait(driver, 10).until(
            lambda it, n=count: len(it.execute_script(FOUND)) > n or not button.is_displayed()
        )
    pages = driver.execute_script(FOUND)
    assert len(pages) == len(set(pages)) > 30
    assert status == f"{len(pages)} pages found"


FIRST = {
    "304": ("Rule 302", "Proposal 304"), "rule 206": "Rule 206: ", "rule 304": "Rule 302: ",
    "rule 302": ("Rule 302: ", "Rule 302"), "Chequers for all": "Proposal 312",
}  # fmt: skip


def test_numbers_and_titles_come_first(at: At) -> None:
    driver, address = at
    driver.get(f"{address}/demo/index.html")
    titles = {words: found(driver, words, is_open=number > 0) for number, words in enumerate(FIRST)}
    assert [words for words, first in FIRST.items() if not titles[words][0].startswith(first)] == [], titles


def test_a_reader_searches_with_keys_alone_and_nothing_is_fetched_before(at: At) -> None:
    driver, address = at
    as_screen(driver, 375, "dark")
    driver.get(f"{address}/demo/index.html")
    assert not [url for url in requests(driver) if "pagefind" in url]
    driver.find_element(By.TAG_NAME, "body").send_keys("/")
    titles = found(driver, "poem", is_open=True)
    assert [url for url in requests(driver) if "/pagefind/" in url]
    assert any(title.startswith("Proposal 304") for title in titles)
    WebDriverWait(driver, 60).until(lambda there: there.find_elements(By.CSS_SELECTOR, f"{RESULT} > p"))
    said = [each.text for each in driver.find_elements(By.CSS_SELECTOR, RESULT)]
    assert any("poem from A to Z" in text for text in said), said
    assert not any("Rulings" in text for text in said), "what a page says, and not its navigation"
    for key in (Keys.ARROW_DOWN, Keys.ARROW_DOWN):
        driver.switch_to.active_element.send_keys(key)
    assert driver.switch_to.active_element.text == titles[1]
    for key in (Keys.ARROW_UP, Keys.ENTER):
        driver.switch_to.active_element.send_keys(key)
    WebDriverWait(driver, 10).until(lambda there: titles[0].split(" ·")[0] in there.title)
    driver.get(f"{address}/demo/index.html")
    driver.find_element(By.TAG_NAME, "body").send_keys("/")
    search_field(driver).send_keys(Keys.ESCAPE)
    WebDriverWait(driver, 10).until(lambda there: there.switch_to.active_element.tag_name == "body")


def test_no_address_leads_a_missing_page_to_another_host(driver: webdriver.Chrome, site: Path) -> None:
    (folder := site / "evil.example" / "demo").mkdir(parents=True)
    shutil.copy(site / "404.html", folder / "x.html")  # as a server would answer
    with served(site) as address:
        driver.get(f"{address}//evil.example/demo/x.html")
        assert driver.execute_script("return location.pathname").startswith("//evil")
        assert driver.execute_script("return document.baseURI") == f"{address}/evil.example/"
    shutil.rmtree(folder.parent)


def test_a_missing_page_leads_to_the_sections_of_its_game_and_to_what_was_meant(
    driver: webdriver.Chrome, site: Path, home: str
) -> None:
    missing = (site / "404.html").read_text("utf-8")
    for name in ("demo/law/999.html", "demo/law/306/index.html", "assets/none.html"):  # as a server would answer
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_text(missing, "utf-8")

    def links(path: str, count: int) -> list[str]:
        driver.get(f"{home}/{path}")
        WebDriverWait(driver, 10).until(lambda it: len(it.execute_script(SHOWN)) >= count)
        return list(driver.execute_script(SHOWN))

    assert f"{home}/demo/law/306.html" in links("demo/law/306/", 8), "an address without its ending"
    assert links("assets/none.html", 1) == [f"{home}/index.html"], "where there is no game"
    assert links("demo/law/999.html", 7) == [f"{home}/index.html", *(f"{home}/demo/{each}" for each in SECTIONS)]
    ground = driver.execute_script("return getComputedStyle(document.documentElement).backgroundColor")
    assert ground == "rgb(251, 250, 245)", "it has its style below a path, too"
    words = "return document.querySelector('main').innerText"
    WebDriverWait(driver, 10).until(lambda it: "the games, or search." in it.execute_script(words))
    driver.find_element(By.CSS_SELECTOR, "main a").click()
    main = "return document.querySelector('main')?.innerText ?? ''"
    WebDriverWait(driver, 10).until(lambda it: "The mail game" in it.execute_script(main))
