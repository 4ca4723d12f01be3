"""What changed since a large site was indexed is found at once, and what went with it is found no more."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from folkmoot.site import searching
from folkmoot.site.searching import index_changes, index_site
from tests.browser.chromium import chromium, served
from tests.site.sites import plain_site

pytestmark = pytest.mark.browser
RULE, OTHER, UNLISTED = "demo/law/304.html", "demo/law/302.html", "demo/journal/index.html"
FOUND = "return [...document.querySelectorAll('.fm-search li > a')].map(each => new URL(each.href).pathname)"
TOLD = ".fm-search [role=status]"
Search = Callable[[str], tuple[list[str], str]]


@pytest.fixture
def site(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site in a folder of a server, that is taken for a large one and indexed."""
    monkeypatch.setattr(searching, "SMALL", 0)
    folder = shutil.copytree(plain_site(tmp_path_factory), tmp_path / "ann" / "games")
    index_site(folder)
    return folder


@pytest.fixture
def search(site: Path, tmp_path: Path) -> Iterator[Search]:
    with served(site.parents[1]) as address, chromium(tmp_path / "profile") as driver:
        yield lambda words: _searched(driver, f"{address}/ann/games/index.html", words)


def _searched(driver: webdriver.Chrome, address: str, words: str) -> tuple[list[str], str]:
    """Return the pages that a new visit finds for some words, and how many it says there are."""
    driver.get(address)
    driver.find_element(By.CSS_SELECTOR, ".fm-find[data-ready]").click()
    WebDriverWait(driver, 10).until(lambda it: it.find_elements(By.CSS_SELECTOR, ".fm-search input"))
    driver.switch_to.active_element.send_keys(words)
    told = WebDriverWait(driver, 10).until(
        lambda it: (text := it.find_element(By.CSS_SELECTOR, TOLD).text) and text.endswith("found") and text
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
    path.write_text(text.replace("</article>", f"<p>{words}</p></article>"), "utf-8")


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
    text = page.read_text("utf-8").replace("</article>", "<p>A quincunx stands here now.</p></article>")
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
