"""The fast way to the site leads to the pages of the reference way, and a build after others to those of a fresh one."""

from __future__ import annotations

import copy
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from folkmoot.site.build import pages_are_written, write_site
from folkmoot.site.document import Page
from folkmoot.site.fast import CACHE, build_pages
from folkmoot.site.publish import Report, build, write_pages
from folkmoot.wording.markup import el
from tests.site.game import game, write
from tests.site.sites import GUIDE, sought
from tests.untrusted.sinks import hostile

ORDERED = re.compile(r"^pagefind/.*(\.pf_index|\.pf_meta|pagefind-entry\.json)$")
ADDRESS = "https://games.example/moot/"


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """Return a repository with the pages of a harmless and a hostile game and a guide, and what was written."""
    root = tmp_path_factory.mktemp("ways")
    write(root, game(), hostile(every=3))
    (root / "site_src" / "guide.md").write_text(GUIDE, "utf-8")
    config = root / "mkdocs.yml"
    addressed = config.read_text("utf-8").replace("site_dir:", f'site_url: "{ADDRESS}"\nsite_dir:')
    config.write_text(addressed, "utf-8")
    return root, write_pages([game(), hostile(every=3)], root / "site_src")


@pytest.fixture(scope="module")
def ways(laid: tuple[Path, Report]) -> tuple[Path, Path]:
    """Return the site built in the reference way and in the fast way."""
    root, report = laid
    with pages_are_written(root):
        reference = build(root / "mkdocs.yml", root / "reference")
    fast = build_pages(root, report, root / "fast")
    assert (root / CACHE / "pages.json").exists(), "the fast way was not taken"
    return reference, fast


def files(site: Path) -> dict[str, bytes]:
    """Return the files of a site but those of its index that are named by the order in which pages were found."""
    found = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    return {name: data for name, data in found.items() if not ORDERED.search(name)}


def read(page: bytes) -> str:
    """Return a page without the white space that no reader sees."""
    return re.sub(r">\s+<", "><", re.sub(r"\s+", " ", page.decode()))


def test_both_ways_make_the_same_files(ways: tuple[Path, Path]) -> None:
    reference, fast = map(files, ways)
    assert set(reference) == set(fast)
    others = [name for name in reference if not name.endswith(".html") and "sitemap" not in name]
    assert [name for name in others if reference[name] != fast[name]] == []


def test_both_ways_make_the_same_pages(ways: tuple[Path, Path]) -> None:
    reference, fast = map(files, ways)
    pages = [name for name in reference if name.endswith(".html")]
    assert len(pages) > 90
    assert [name for name in pages if read(reference[name]) != read(fast[name])] == []


def test_both_ways_find_the_same(ways: tuple[Path, Path]) -> None:
    kept = [sorted(sought(site), key=lambda each: str(each["url"])) for site in ways]
    assert kept[0] == kept[1]
    assert len(kept[0]) > 50
    maps = [set(re.findall("<loc>(.*?)</loc>", (site / "sitemap.xml").read_text("utf-8"))) for site in ways]
    assert maps[0] == maps[1]
    assert f"{ADDRESS}demo/index.html" in maps[0]


def _retitled(pages: list[Page], chance: random.Random) -> None:
    chance.choice(pages).title = f"Another title & <{chance.random()}>"


def _said_more(pages: list[Page], chance: random.Random) -> None:
    page = chance.choice(pages)
    page.add(el("p", f"More {chance.random()}"), heading=f"Heading {chance.randrange(3)}", level=chance.choice([2, 3]))


def _left_out(pages: list[Page], chance: random.Random) -> None:
    del pages[chance.randrange(len(pages))]


def _hidden(pages: list[Page], chance: random.Random) -> None:
    page = chance.choice(pages)
    page.searchable, page.summary = not page.searchable, "" if page.summary else "Told now"


CHANGES: list[Callable[[list[Page], random.Random], None]] = [_retitled, _said_more, _left_out, _hidden]


def test_a_build_after_others_equals_a_fresh_one(laid: tuple[Path, Report]) -> None:
    """After any sequence of changes; also where somebody touched a page of the site in between."""
    (root, report), seeded = laid, random.Random(20)
    pages = report.games[0].pages
    kept = pages[:]
    pages[:] = copy.deepcopy(kept)
    try:
        for turn in range(8):
            seeded.choice(CHANGES)(pages, seeded)
            if turn == 5:
                (root / "again" / "demo" / "act.html").write_text("Somebody was here.", "utf-8")
            build_pages(root, report, root / "again")
        grown = files(root / "again")
        shutil.rmtree(root / CACHE)
        assert files(build_pages(root, report, root / "fresh")) == grown
    finally:
        pages[:] = kept


def test_a_page_that_says_the_same_is_not_written_again(laid: tuple[Path, Report]) -> None:
    root, report = laid
    site = build_pages(root, report, root / "still")
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*.html")}
    build_pages(root, report, site)
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*.html")} == before


@pytest.mark.parametrize(
    ("said", "instead"),
    [("use_directory_urls: false", "use_directory_urls: true"), ("plugins:", 'hooks: ["other.py"]\nplugins:')],
)
def test_in_doubt_the_reference_way_is_taken(
    said: str, instead: str, laid: tuple[Path, Report], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, report = laid
    shutil.copytree(root / "site_src", tmp_path / "site_src")
    (tmp_path / "other.py").write_text("", "utf-8")
    text = (root / "mkdocs.yml").read_text("utf-8")
    assert said in text
    (tmp_path / "mkdocs.yml").write_text(text.replace(said, instead, 1), "utf-8")
    taken: list[Path] = []

    def build_instead(config: Path, site: Path) -> Path:
        taken.append(config)
        return site

    monkeypatch.setattr("folkmoot.site.fast.build", build_instead)
    build_pages(tmp_path, report, tmp_path / "site")
    assert taken == [(tmp_path / "mkdocs.yml").resolve()]


def test_pages_that_were_just_written_are_not_made_again(laid: tuple[Path, Report]) -> None:
    root, _ = laid
    with pages_are_written(root):
        assert write_site(root).games == []
