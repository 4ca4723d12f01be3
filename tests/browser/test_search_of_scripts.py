"""A word that stands on a page is found in any script: with accents, from right to left, or without any spaces."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from folkmoot.site.search import index_site
from tests.support.chromium import chromium, served
from tests.support.looks import searched
from tests.support.sites import plain_site

PAGE = "demo/law/304.html"
SAID = (
    "玩家可以提出修改規則的提案、然後投票。この提案を修正して、投票を行う。ผู้เล่นลงคะแนนเสียง. Цветы растут медленно. "
    "العدالة للجميع. Frédéric a crêpé l'Œuvre straße; 규칙을 바꾸다. प्रस्ताव पारित हुआ"
)
FOUND = ["投票", "修改規則", "提案", "修正", "คะแนน", "Цветы", "медлен", "العدالة", "Frédéric", "crêpé", "straße", "규칙", "प्रस्ताव", "票"]  # fmt: skip
ABSENT = ["票投", "改修", "則規", "Ящерица"]


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[webdriver.Chrome, str]]:
    folder = shutil.copytree(plain_site(tmp_path_factory), tmp_path_factory.mktemp("served") / "games")
    page = folder / PAGE
    page.write_text(page.read_text("utf-8").replace("</main>", f"<p>{SAID}</p></main>"), "utf-8")
    index_site(folder)
    with served(folder.parent) as address, chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found, f"{address}/games/index.html"


@pytest.mark.parametrize("words", FOUND)
def test_a_word_is_found_in_any_script(driver: tuple[webdriver.Chrome, str], words: str) -> None:
    pages, _ = searched(*driver, words)
    assert [Path(page).name for page in pages] == ["304.html"]
    excerpt = driver[0].find_element(By.CSS_SELECTOR, ".fm-search li p").text
    assert words[:2] in excerpt


@pytest.mark.parametrize("words", ABSENT)
def test_what_does_not_stand_there_in_this_order_is_not_found(driver: tuple[webdriver.Chrome, str], words: str) -> None:
    assert searched(*driver, words)[0] == []
