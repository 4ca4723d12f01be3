"""What scripts say stands in the language of the page, and so does the page for addresses that lead nowhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from folkmoot.wording.translation import languages
from tests.browser.chromium import chromium, served
from tests.site.sites import plain_site

OVERRIDES = Path(__file__).parents[2] / "site_src" / "overrides"
PAGES = ("law/index.html", "law-time/index.html")


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[webdriver.Chrome, str]]:
    site = shutil.copytree(plain_site(tmp_path_factory), tmp_path_factory.mktemp("german") / "site")
    for name in PAGES:  # as the pages of a game are whose language is German
        page = site / "demo" / name
        text = page.read_text("utf-8")
        assert '<div class="fm" data-game' in text
        page.write_text(text.replace('<div class="fm" data-game', '<div class="fm" lang="de" data-game'), "utf-8")
    with served(site) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver, f"{address}/demo"


def _wait(driver: webdriver.Chrome, selector: str) -> str:
    found = WebDriverWait(driver, 10).until(lambda it: it.find_elements(By.CSS_SELECTOR, selector))
    return found[0].text


@pytest.mark.browser
def test_the_field_above_a_list_speaks_the_language_of_the_page(german: tuple[webdriver.Chrome, str]) -> None:
    driver, address = german
    driver.get(f"{address}/law/index.html")
    assert _wait(driver, ".fm-filter label").startswith("Unter ")
    driver.find_element(By.CSS_SELECTOR, ".fm-filter input").send_keys("304")
    assert driver.find_element(By.CSS_SELECTOR, ".fm-filter [role=status]").text.endswith(" gezeigt")


@pytest.mark.browser
def test_search_and_the_bar_of_time_speak_the_language_of_the_page(german: tuple[webdriver.Chrome, str]) -> None:
    driver, address = german
    driver.get(f"{address}/law-time/index.html#at=1")
    assert _wait(driver, ".fm-time [role=status]").startswith("Geltende Regeln nach Eintrag 1, 2026-01-05: ")
    driver.find_element(By.CSS_SELECTOR, ".fm-find").click()
    assert _wait(driver, ".fm-search button") == "Schließen"


@pytest.mark.parametrize("language", [*languages(), "nl"])
def test_the_missing_page_speaks_the_language_of_the_site(language: str) -> None:
    around = DictLoader({"main.html": "{% block content %}{% endblock %}{% block scripts %}{% endblock %}"})
    within = Environment(loader=ChoiceLoader([around, FileSystemLoader(OVERRIDES)]), autoescape=True)
    within.filters["url"] = str
    page = within.get_template("404.html").render(
        config={"theme": {"language": language}}, nav={"homepage": {"url": "index.html"}}
    )
    title = {"de": "Diese Seite gibt es nicht", "fr": "Cette page n&#39;existe pas"}.get(
        language, "There is no such page"
    )
    assert f"<h1>{title}</h1>" in page
    assert '<a href="index.html">' in page
    assert "<a></a>" in page
    assert page.count("<a data-to=") == 5
    assert "%s" not in page
