"""What a site says is found once it was indexed, a page once, and what went is found no more."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from folkmoot.site.search import index_site
from tests.support.chromium import chromium, served
from tests.support.looks import FOUND, searched
from tests.support.sites import plain_site

RULE, OTHER, UNLISTED = "demo/law/304.html", "demo/law/306.html", "demo/journal/index.html"
Search = Callable[[str], tuple[list[str], str]]


@pytest.fixture
def site(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an indexed site in a folder of a server."""
    folder = shutil.copytree(plain_site(tmp_path_factory), tmp_path / "ann" / "games")
    index_site(folder)
    return folder


@pytest.fixture
def search(site: Path, tmp_path: Path) -> Iterator[Search]:
    with served(site.parents[1]) as address, chromium(tmp_path / "profile") as driver:
        yield lambda words: searched(driver, f"{address}/ann/games/index.html", words)


def _says(site: Path, page: str, words: str) -> None:
    path = site / page
    text = path.read_text("utf-8")
    assert "data-pagefind-body" in text
    path.write_text(text.replace("</main>", f"<p>{words}</p></main>"), "utf-8")


def test_new_words_are_found_and_a_page_once(site: Path, search: Search) -> None:
    assert search("quincunx")[0] == []
    before = search("unanimity")[1]
    _says(site, RULE, "A quincunx stands here now.")
    index_site(site)
    assert search("quincunx") == ([f"/ann/games/{RULE}"], "1 page found")
    assert search("unanimity")[1] == before, "the page as it was counts no more"
    _says(site, OTHER, "A quincunx stands there too.")
    index_site(site)
    assert set(search("quincunx")[0]) == {f"/ann/games/{RULE}", f"/ann/games/{OTHER}"}


def test_a_page_that_is_gone_is_found_no_more(site: Path, search: Search) -> None:
    _says(site, RULE, "A quincunx stands here now.")
    index_site(site)
    assert search("quincunx")[1] == "1 page found"
    (site / RULE).unlink()
    index_site(site)
    assert search("quincunx")[0] == []


def test_a_page_that_is_not_for_searching_stays_out(site: Path, search: Search) -> None:
    page = site / UNLISTED
    text = page.read_text("utf-8").replace("</main>", "<p>A quincunx stands here now.</p></main>")
    assert "data-pagefind-body" not in text
    page.write_text(text, "utf-8")
    index_site(site)
    assert search("quincunx")[0] == []


def test_more_shows_all_that_was_found_and_no_page_twice(site: Path, tmp_path: Path) -> None:
    for number in range(1, 31):
        shutil.copy(site / OTHER, site / f"demo/proposals/{900 + number}.html")
    index_site(site)
    with served(site.parents[1]) as address, chromium(tmp_path / "profile") as driver:
        told = searched(driver, f"{address}/ann/games/index.html", "the")[1]
        button = driver.find_element(By.CSS_SELECTOR, ".fm-search__more")
        while button.is_displayed():
            count = len(driver.execute_script(FOUND))
            button.click()
            WebDriverWait(driver, 10).until(
                lambda it, n=count: len(it.execute_script(FOUND)) > n or not button.is_displayed()
            )
        found = driver.execute_script(FOUND)
        assert len(found) == len(set(found)) > 30
        assert told == f"{len(found)} pages found"
