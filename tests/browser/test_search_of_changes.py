"""What changed since a large site was indexed is found at once, and what went with it is found no more."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from folkmoot.site import searching
from folkmoot.site.searching import index_changes, index_site
from tests.browser.chromium import chromium, served
from tests.browser.test_looks import search_field
from tests.site.sites import plain_site, sought

pytestmark = pytest.mark.browser
ONCE = "demo/proposals/902.html"
RULE, OTHER, UNLISTED = "demo/law/304.html", "demo/law/302.html", "demo/journal/index.html"
FOUND = "return [...document.querySelectorAll('.fm-search li > a')].map(each => new URL(each.href).pathname)"
TOLD = ".fm-search [role=status]"
Search = Callable[[str], tuple[list[str], str]]


@pytest.fixture
def site(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site in a folder of a server, that is taken for a large one and indexed."""
    folder = shutil.copytree(plain_site(tmp_path_factory), tmp_path / "ann" / "games")
    monkeypatch.setattr(searching, "SMALL", 0)
    index_site(folder)
    return folder


@pytest.fixture
def search(site: Path, tmp_path: Path) -> Iterator[Search]:
    with served(site.parents[1]) as address, chromium(tmp_path / "profile") as driver:
        yield lambda words: searched(driver, f"{address}/ann/games/index.html", words)


def searched(driver: webdriver.Chrome, address: str, words: str) -> tuple[list[str], str]:
    """Return the pages that a new visit finds for some words, and how many it says there are."""
    driver.get(address)
    driver.find_element(By.CSS_SELECTOR, ".find[data-ready]").click()
    search_field(driver).send_keys(words)
    told = WebDriverWait(driver, 10).until(
        lambda it: (text := it.find_element(By.CSS_SELECTOR, TOLD).text) and text.endswith(("found", "far")) and text
    )
    least = min(int(told.split()[0]), 1)
    WebDriverWait(driver, 10).until(lambda it: len(it.execute_script(FOUND)) >= least)
    pages: list[str] = driver.execute_script(FOUND)
    severe = [line["message"] for line in driver.get_log("browser") if line["level"] == "SEVERE"]
    assert severe == []
    return pages, told


def _says(site: Path, page: str, words: str) -> None:
    path = site / page
    text = path.read_text("utf-8")
    assert "data-pagefind-body" in text
    path.write_text(text.replace("</main>", f"<p>{words}</p></main>"), "utf-8")


def test_new_words_are_found_and_a_page_once(site: Path, search: Search) -> None:
    assert search("quincunx")[0] == []
    before = search("unanimity")[1]
    index = {path: path.read_bytes() for path in (site / "pagefind" / "fragment").iterdir()}
    _says(site, RULE, "A quincunx stands here now.")
    assert not index_changes(site)
    assert search("quincunx") == ([f"/ann/games/{RULE}"], "1 page found")
    assert search("unanimity")[1] == before, "the page as it was counts no more"
    _says(site, OTHER, "A quincunx stands there too.")
    assert not index_changes(site)
    assert set(search("quincunx")[0]) == {f"/ann/games/{RULE}", f"/ann/games/{OTHER}"}
    assert {path: path.read_bytes() for path in (site / "pagefind" / "fragment").iterdir()} == index, (
        "only what changed"
    )
    index_site(site)
    assert set(search("quincunx")[0]) == {f"/ann/games/{RULE}", f"/ann/games/{OTHER}"}


def test_a_page_that_is_gone_is_found_no_more(site: Path, search: Search) -> None:
    _says(site, RULE, "A quincunx stands here now.")
    index_site(site)
    assert search("quincunx")[1] == "1 page found"
    (site / RULE).unlink()
    assert not index_changes(site)
    assert search("quincunx")[0] == []


def test_a_page_that_is_not_for_searching_stays_out(site: Path, search: Search) -> None:
    page = site / UNLISTED
    text = page.read_text("utf-8").replace("</main>", "<p>A quincunx stands here now.</p></main>")
    assert "data-pagefind-body" not in text
    page.write_text(text, "utf-8")
    assert not index_changes(site)
    assert search("quincunx")[0] == []


def test_where_much_changed_the_whole_is_indexed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MANY", 1)
    for page in (RULE, OTHER):
        _says(site, page, "A quincunx stands here now.")
    assert index_changes(site), "time for a new index of the whole"
    assert (site / "pagefind" / "recent").is_dir()
    monkeypatch.setattr(searching, "MOST", 1)
    assert not index_changes(site)
    assert not [path for path in (site / "pagefind" / "recent").rglob("*") if path.is_file()]


def _parts_fetched(driver: webdriver.Chrome) -> set[str]:
    """Return which of the indexes beside the first one were fetched."""
    names: list[str] = driver.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")
    return {found[0] for name in names if (found := re.search(r"part-\d+", name))}


@pytest.fixture
def large(site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site whose pages stand in several indexes, those of the law in the first."""
    for number in range(1, 31):
        name = f"demo/proposals/{900 + number}.html"
        shutil.copy(site / OTHER, site / name)
        _says(site, name, "A quincunx stood here once." if number == 2 else "A gnomon stands here.")
    monkeypatch.setattr(searching, "PART", -(-len([*site.rglob("*.html")]) // 3))
    monkeypatch.setattr(searching, "FEW", 0)
    index_site(site)
    return site


def test_a_large_site_has_several_indexes(large: Path) -> None:
    told = json.loads((large / "pagefind" / "recent.json").read_text("utf-8"))
    assert told["parts"] == ["part-1", "part-2"]
    urls = [{about["url"] for about in sought(large, folder)} for folder in ("", *told["parts"])]
    assert all(urls)
    assert sum(map(len, urls)) == len(set().union(*urls)), "each page stands in one of them"
    assert f"/{RULE}" in urls[0]
    assert not [*(large / "pagefind").glob("part-*/*.js")], "the program is there once"


def test_further_indexes_are_fetched_where_too_little_was_found(large: Path, tmp_path: Path) -> None:
    with served(large.parents[1]) as address, chromium(tmp_path / "profile") as driver:
        page = f"{address}/ann/games/index.html"
        assert searched(driver, page, "the")[1].endswith("so far")
        assert _parts_fetched(driver) == set()
        searched(driver, page, "gnomon")
        WebDriverWait(driver, 10).until(lambda it: len(it.execute_script(FOUND)) >= 10)
        found = driver.execute_script(FOUND)
        assert {url.rpartition("/")[0] for url in found} == {"/ann/games/demo/proposals"}
        (holding,) = {
            part for part in ("part-1", "part-2") if any(about["url"] == f"/{ONCE}" for about in sought(large, part))
        }
        searched(driver, page, "quincunx")
        WebDriverWait(driver, 10).until(lambda it: it.execute_script(FOUND) == [f"/ann/games/{ONCE}"])
        assert _parts_fetched(driver) == {holding}, "the other has no such word"
        assert _searched_all(driver, page, "quincunx")[0] == f"/ann/games/{ONCE}"
        assert _parts_fetched(driver) == {"part-1", "part-2"}, "whoever wants more gets all"


def test_what_is_nowhere_fetches_no_further_index(large: Path, tmp_path: Path) -> None:
    with served(large.parents[1]) as address, chromium(tmp_path / "profile") as driver:
        searched(driver, f"{address}/ann/games/index.html", "xylophone")
        time.sleep(1)
        assert _parts_fetched(driver) == set()


def test_names_and_numbers_are_there_before_the_index(large: Path, tmp_path: Path) -> None:
    with served(large.parents[1]) as address, chromium(tmp_path / "profile") as driver:
        page = f"{address}/ann/games/index.html"
        driver.get(page)
        driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*.pf_index", "*.pf_fragment"]})
        driver.find_element(By.CSS_SELECTOR, ".find[data-ready]").click()
        for words, first in (("206", "Rule 206: "), ("rule 304", "Rule 302: "), ("penalty for", "Rule 206: ")):
            field = search_field(driver)
            field.clear()
            field.send_keys(words)
            WebDriverWait(driver, 10).until(
                lambda it, first=first: (
                    (links := it.find_elements(By.CSS_SELECTOR, ".fm-search li > a"))
                    and links[0].text.startswith(first)
                )
            )


def test_more_goes_through_all_indexes_and_shows_no_page_twice(large: Path, tmp_path: Path) -> None:
    with served(large.parents[1]) as address, chromium(tmp_path / "profile") as driver:
        searched(driver, f"{address}/ann/games/index.html", "the")
        button = driver.find_element(By.CSS_SELECTOR, ".fm-search__more")
        while button.is_displayed():
            count = len(driver.execute_script(FOUND))
            button.click()
            WebDriverWait(driver, 10).until(
                lambda it, n=count: len(it.execute_script(FOUND)) > n or not button.is_displayed()
            )
        found = driver.execute_script(FOUND)
        assert len(found) == len(set(found))
        said = driver.find_element(By.CSS_SELECTOR, TOLD).text
        assert said == f"{len(found)} pages found"


def test_changes_of_a_large_site_are_found_at_once(large: Path, tmp_path: Path) -> None:
    name = "demo/proposals/905.html"
    _says(large, name, "An orrery stands here now.")
    assert not index_changes(large)
    assert json.loads((large / "pagefind" / "recent.json").read_text("utf-8"))["parts"] == ["part-1", "part-2"]
    with served(large.parents[1]) as address, chromium(tmp_path / "profile") as driver:
        page = f"{address}/ann/games/index.html"
        assert _searched_all(driver, page, "orrery")[0] == f"/ann/games/{name}"
        assert _searched_all(driver, page, "quincunx")[0] == f"/ann/games/{ONCE}"


def _searched_all(driver: webdriver.Chrome, address: str, words: str) -> list[str]:
    """Return the pages that a new visit finds once all indexes are fetched."""
    searched(driver, address, words)

    def is_whole(it: webdriver.Chrome) -> bool:
        more = it.find_element(By.CSS_SELECTOR, ".fm-search__more")
        if more.is_displayed():
            more.click()
        return it.find_element(By.CSS_SELECTOR, TOLD).text.endswith("found")

    WebDriverWait(driver, 20).until(is_whole)
    WebDriverWait(driver, 10).until(lambda it: it.execute_script(FOUND))
    pages: list[str] = driver.execute_script(FOUND)
    return pages
