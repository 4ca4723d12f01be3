"""A heading skipped a level, a landmark stood twice: what holds of every page of a site, whatever it is a page of."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.looks import PAGES
from tests.support.outline import Outline, dead_links, outline_of
from tests.support.sites import plain_site

Pages = dict[Path, Outline]
SOURCES = Path(__file__).parents[2] / "site_src"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plain_site(tmp_path_factory).resolve()


@pytest.fixture(scope="module")
def pages(site: Path) -> Pages:
    found = {page: outline_of(page) for page in site.rglob("*.html")}
    assert len(found) > 60
    return found


def skips(levels: list[int]) -> bool:
    """Say whether headings are no outline: one title first, and no level left out on the way down."""
    return levels[:1] != [1] or levels.count(1) != 1 or any(below > above + 1 for above, below in pairwise(levels))


def test_headings_never_skip_a_level(pages: Pages) -> None:
    assert {str(page): outline.levels for page, outline in pages.items() if skips(outline.levels)} == {}
    assert skips([1, 3])
    assert skips([2])


def test_no_two_landmarks_of_a_page_sound_alike(pages: Pages) -> None:
    for page, outline in pages.items():
        parts = outline.parts()
        assert [part for part, number in Counter(parts).items() if number > 1] == [], page
        roles = Counter(part.role for part in parts)
        assert [part.role for part in parts if roles[part.role] > 1 and not part.name] == [], page
        assert [part for part in parts if part.role == "region" and not part.name] == [], page


def test_every_link_leads_somewhere_and_no_anchor_is_there_twice(site: Path, pages: Pages) -> None:
    dead = [link for _, link in dead_links(site, pages)]  # this site has no guides
    assert [link for link in dead if not (SOURCES / link).with_suffix(".md").is_file()] == []
    doubled = {str(page): Counter(outline.ids).most_common(1)[0] for page, outline in pages.items() if outline.ids}
    assert {page: found for page, found in doubled.items() if found[1] > 1} == {}
    assert sum(len(outline.links) for outline in pages.values()) > 2000


def kind(page: str) -> str:
    """Return of which kind a page is: one of many numbered or named ones, or one by itself."""
    return re.sub(r"(law|proposals|players|journal|boards|chance|scores|embed)/(?!index)[^/]+$", r"\1/*", page)


def test_what_a_browser_looks_at_has_a_page_of_every_kind(site: Path) -> None:
    """So that no kind of page is left out where overflow and contrast are measured (tests/browser/test_looks.py)."""
    looked_at = {kind(page) for page in [*PAGES, "404.html"]}
    every = {kind(page.relative_to(site).as_posix()) for page in site.rglob("*.html")}
    written = {path.with_suffix(".html").name for path in SOURCES.glob("*.md")} | {"guide.html"}
    assert {page for page in every - written if not page.startswith("second/")} - looked_at == set()


def test_headings_of_the_guides_never_skip_a_level() -> None:
    """A guide's title may be made of its first heading; below it no level is left out."""
    for guide in SOURCES.rglob("*.md"):
        text = re.sub(r"^```.*?^```", "", guide.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        levels = [len(marks) for marks in re.findall(r"^(#{1,6}) ", text, re.MULTILINE)]
        if "overrides" not in guide.parts and (guide.parent / ".gitignore").exists() is False and levels:
            assert not skips(levels), (guide, levels)
