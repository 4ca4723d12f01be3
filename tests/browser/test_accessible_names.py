"""What axe found: a dialog without a name, code that no key reaches, links told by colour alone, an empty heading."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from selenium import webdriver

from tests.support.chromium import chromium, served
from tests.support.site_game import build, game, write
from tests.support.sites import plain_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plain_site(tmp_path_factory)


def test_the_search_dialog_has_a_name(site: Path) -> None:
    for page in site.rglob("*.html"):
        for dialog in re.findall(r'<[^>]*role="dialog"[^>]*>', page.read_text("utf-8")):
            assert 'aria-label="Search"' in dialog, page


def test_code_is_reached_by_keyboard(site: Path) -> None:
    found = 0
    for page in site.rglob("*.html"):
        blocks = re.findall(r"<pre\b[^>]*>", page.read_text("utf-8"))
        assert all('tabindex="0"' in block for block in blocks), page
        found += len(blocks)
    assert found > 20


def test_no_head_of_a_column_is_empty(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert not re.search(r"<th\b[^>]*>\s*</th>", page.read_text("utf-8")), page


@pytest.mark.browser
def test_links_of_guides_are_told_by_more_than_their_colour(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "site_src" / "guide.md").write_text("# A guide\n\nAbout [games](index.md).\n", "utf-8")
    with served(build(tmp_path, game())) as home, chromium(tmp_path / "profile") as driver:
        driver.get(f"{home}/guide.html")
        assert lines_under(driver) == {"underline"}


def lines_under(driver: webdriver.Chrome) -> set[str]:
    """Return how the links inside paragraphs are set off."""
    script = """return [...document.querySelectorAll("article p a:not(.headerlink)")]
        .map(each => getComputedStyle(each).textDecorationLine)"""
    return set(driver.execute_script(script))
