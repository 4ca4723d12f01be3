"""A page that is missing leads on: to the sections of the game below whose folder it was sought, and to what was meant."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.chromium import chromium, served
from tests.support.sites import plain_site

SHOWN = "return [...document.querySelectorAll('main p:not([hidden]) a')].map(each => each.href)"
SECTIONS = [
    "index.html",
    "law/index.html",
    "proposals/index.html",
    "scores/index.html",
    "players/index.html",
    "journal/index.html",
]
SOUGHT = ("demo/law/999.html", "demo/law/304/index.html", "assets/none.html")


@pytest.fixture(scope="module")
def looking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[webdriver.Chrome, str, Path]]:
    root = tmp_path_factory.mktemp("server")
    site = shutil.copytree(plain_site(tmp_path_factory), root / "ann" / "games")
    for name in SOUGHT:  # as a server would answer
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_bytes((site / "404.html").read_bytes())
    with served(root) as home, chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver, f"{home}/ann/games", site


def links(driver: webdriver.Chrome, address: str, count: int) -> list[str]:
    """Return where the shown paragraphs of a page lead, once there are so many links."""
    driver.get(address)
    WebDriverWait(driver, 10).until(lambda it: len(it.execute_script(SHOWN)) >= count)
    found: list[str] = driver.execute_script(SHOWN)
    return found


def test_the_sections_of_the_game_are_offered_and_are_there(looking: tuple[webdriver.Chrome, str, Path]) -> None:
    driver, home, site = looking
    found = links(driver, f"{home}/demo/law/999.html", 7)
    assert found == [f"{home}/index.html", *(f"{home}/demo/{each}" for each in SECTIONS)]
    assert [each for each in SECTIONS if not (site / "demo" / each).exists()] == []


def test_an_address_without_its_ending_leads_to_the_page(looking: tuple[webdriver.Chrome, str, Path]) -> None:
    driver, home, _site = looking
    assert f"{home}/demo/law/304.html" in links(driver, f"{home}/demo/law/304/", 8)


def test_nothing_of_a_game_is_offered_where_there_is_none(looking: tuple[webdriver.Chrome, str, Path]) -> None:
    driver, home, _site = looking
    found = links(driver, f"{home}/assets/none.html", 1)
    WebDriverWait(driver, 10).until(lambda it: any("404" in line["message"] for line in it.get_log("browser")))
    assert found == driver.execute_script(SHOWN) == [f"{home}/index.html"]


def test_the_search_is_offered_where_there_is_one(looking: tuple[webdriver.Chrome, str, Path]) -> None:
    driver, home, site = looking
    words = "return document.querySelector('main').innerText"
    links(driver, f"{home}/demo/law/999.html", 7)
    assert "Look for it from the games." in driver.execute_script(words), "a site without an address has no search here"
    found_here = site / "with-its-scripts.html"
    text = (site / "404.html").read_text("utf-8")
    found_here.write_text(text.replace("</body>", '<script src="assets/site.js"></script></body>'), "utf-8")
    driver.get(f"{home}/{found_here.name}")
    WebDriverWait(driver, 10).until(lambda it: "the games, or search." in it.execute_script(words))
