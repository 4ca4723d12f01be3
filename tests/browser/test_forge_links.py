"""From the site to the forge, clicked in a real browser: the pencil, a new rule, an act that is begun already."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.chromium import as_screen, chromium, requests, served
from tests.support.site_game import HOME
from tests.support.sites import plain_site


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[webdriver.Chrome, str]]:
    with served(plain_site(tmp_path_factory)) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        as_screen(driver, 1280, "light")
        yield driver, address


def followed(driver: webdriver.Chrome, words: str) -> str:
    """Click a link, and return what the browser asked for; the forge itself is not there."""
    requests(driver)
    driver.find_element(By.PARTIAL_LINK_TEXT, words).click()
    found: list[str] = []

    def asked(there: webdriver.Chrome) -> bool:
        found.extend(url for url in requests(there) if url.startswith("https://"))
        return bool(found)

    WebDriverWait(driver, 60).until(asked)
    return found[0]


def test_the_pencil_is_seen_and_leads_to_the_editor(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    driver.get(f"{address}/demo/law/206.html")
    pencil = driver.find_element(By.PARTIAL_LINK_TEXT, "Propose a change of it")
    assert pencil.is_displayed()
    assert pencil.get_attribute("rel") == "noopener noreferrer nofollow"
    assert followed(driver, "Propose a change of it") == f"{HOME}/edit/main/state/demo/rules/206.yaml"


def test_an_act_is_begun_by_a_form(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    driver.get(f"{address}/demo/act.html#act-vote")
    link = driver.find_element(By.CSS_SELECTOR, "#act-vote").find_element(By.PARTIAL_LINK_TEXT, "by a form")
    form = parse_qs(urlsplit(link.get_property("href")).query)
    assert (form["template"], form["action"]) == (["act.yml"], ["vote"])
    assert form["arguments"][0].splitlines() == ["choice: ", "proposal: ", "kind: ", "reason: "]


def test_an_action_of_a_rule_leads_to_how_it_is_done(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    driver.get(f"{address}/demo/law/202.html")
    driver.find_element(By.CSS_SELECTOR, "a[href$='act.html#act-propose']").click()
    WebDriverWait(driver, 60).until(lambda there: there.current_url.endswith("/demo/act.html#act-propose"))
    assert followed(driver, "Propose by a form") == f"{HOME}/issues/new?template=propose.yml"


def test_a_new_rule_is_begun_from_the_law(at: tuple[webdriver.Chrome, str]) -> None:
    driver, address = at
    driver.get(f"{address}/demo/law/index.html")
    asked = urlsplit(followed(driver, "Propose a new rule"))
    assert parse_qs(asked.query)["filename"] == ["state/demo/rules/new-rule.yaml"]
