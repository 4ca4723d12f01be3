"""A ballot of an open vote that named no proposal was shown on the journal's pages, choice and reason.

The deciding function has tests of its own (`test_first_hour_2`); here a browser reads the pages as anybody would.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.chromium import as_screen, chromium, served
from tests.support.sites import plain_site

OPEN = ("bob", "dee")  # of whom one named the proposal and one did not
OPENED = "document.querySelectorAll('details').forEach(each => each.open = true); return document.body.innerText"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plain_site(tmp_path_factory)


def test_no_file_of_the_site_holds_the_reason(site: Path) -> None:
    pages = [*site.rglob("*.html"), *site.rglob("*.json"), *site.rglob("*.xml")]
    assert len(pages) > 40
    assert [page for page in pages if "SECRET-REASON" in page.read_text("utf-8")] == []


@pytest.mark.browser
def test_a_reader_sees_that_they_voted_and_not_what(site: Path, tmp_path: Path) -> None:
    journal = max(site.glob("demo/journal/0*.html")).name
    pages = ["index.html", "proposals/311.html", f"journal/{journal}", *(f"players/{who}.html" for who in OPEN)]
    with served(site) as home, chromium(tmp_path / "profile") as driver:
        as_screen(driver, 1280, "light")
        said = {}
        for page in pages:
            driver.get(f"{home}/demo/{page}")
            said[page] = str(driver.execute_script(OPENED))
            assert "SECRET-REASON" not in driver.page_source, page
    told = " ".join(said[f"journal/{journal}"].split())
    assert "Bob Baker voted on proposal 311 (not displayed before the count)" in told
    assert "Dee Dąbrowska voted on proposal 311 (not displayed before the count)" in told
    assert "Bob Baker voted on proposal 301: against" in told or "Ann Abel voted on proposal 301: for" in told, (
        "what was counted is shown"
    )
