"""`Skip to content` led past the law, to the script of a rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.site.sites import plain_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plain_site(tmp_path_factory)


def test_it_leads_to_the_title_of_every_page(site: Path) -> None:
    there = (page for page in site.rglob("*.html") if page.name != "404.html")
    pages = [page for page in there if page.parent.name != "embed"]  # for frames: nothing stands before the title there
    assert len(pages) > 20
    for page in pages:
        text = page.read_text("utf-8")
        link = re.search(r'<a href="#([^"]*)" class="md-skip">', text)
        title = re.search(r"<h1\b[^>]*>", text)
        assert title, page
        assert link, page
        assert f'id="{link[1]}"' in title[0], page


def test_the_contents_still_list_the_parts_of_a_page(site: Path) -> None:
    text = (site / "demo" / "law-text" / "0001.html").read_text("utf-8")
    listed = re.findall(r'<a href="(#[^"]+)" class="md-nav__link">', text)
    assert any(each.startswith("#rule-") for each in listed)
    assert "#page-title" not in listed
