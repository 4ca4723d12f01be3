"""`Skip to content` led past the law, to the script of a rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.sites import plain_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plain_site(tmp_path_factory)


def test_it_leads_to_the_title_of_every_page(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if page.parent.name != "embed"]  # for frames: the title comes first
    assert len(pages) > 20
    for page in pages:
        text = page.read_text("utf-8")
        link = re.search(r'<a (?:class="skip" )?href="#([^"]*)"(?: class="md-skip")?>', text)
        assert link, page
        target = re.search(rf'<(main|h1) id="{link[1]}"', text)
        assert target, page
        assert re.findall(r"<h\d", text[target.start() :])[0] == "<h1", page
