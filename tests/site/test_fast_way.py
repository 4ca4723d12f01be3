"""The fast way to the site leads to the pages of the reference way."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from folkmoot.site.build import pages_are_written, write_site
from folkmoot.site.consent import require_consent
from folkmoot.site.fast_publish import publish_games
from folkmoot.site.publish import Report, build, write_pages
from folkmoot.site.site_cache import SiteCache
from folkmoot.wording.game_view import GameView
from tests.conftest import FUZZ
from tests.site.game import game, write
from tests.site.sites import GUIDE, plain_site, sought
from tests.untrusted.sinks import hostile

ORDERED = re.compile(r"^pagefind/.*(\.pf_index|\.pf_meta|pagefind-entry\.json)$")
ADDRESS = "https://games.example/moot/"


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[GameView]]:
    """Return a repository for a harmless and a hostile game with a guide, and the games."""
    root = tmp_path_factory.mktemp("ways")
    views = [replace(view, address=ADDRESS) for view in (game(), hostile(every=3 if FUZZ else 8))]
    write(root, *views)
    (root / "site_src" / "guide.md").write_text(GUIDE, "utf-8")
    config = root / "mkdocs.yml"
    addressed = config.read_text("utf-8").replace("site_dir:", f'site_url: "{ADDRESS}"\nsite_dir:')
    config.write_text(addressed, "utf-8")
    return root, views


@pytest.fixture(scope="module")
def ways(laid: tuple[Path, list[GameView]]) -> tuple[Path, Path]:
    """Return the site built in the reference way and in the fast way."""
    root, views = laid
    assert publish_games(root, views, root / "fast").stamped, "the fast way was not taken"
    with pages_are_written(root):
        reference = build(root / "mkdocs.yml", root / "reference")
    return reference, root / "fast"


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


def test_a_site_that_somebody_touched_is_made_right(laid: tuple[Path, list[GameView]]) -> None:
    root, views = laid
    site, sources = root / "again", root / "site_src" / "demo"
    publish_games(root, views, site, index=False)
    before = files(site)
    for path in (site / "demo" / "act.html", site / "demo" / "events.atom", sources / "act.md", sources / "law.txt"):
        path.write_text("Somebody was here.", "utf-8")
    (site / "demo" / "law" / "101.html").unlink()
    (site / "demo" / "more.html").write_text("Somebody was here.", "utf-8")
    shutil.rmtree(site / "hostile" / "law")
    publish_games(root, views, site, index=False)
    assert files(site) == before
    assert "Somebody" not in (sources / "act.md").read_text("utf-8") + (sources / "law.txt").read_text("utf-8")


def test_a_page_that_says_the_same_is_not_written_again(laid: tuple[Path, list[GameView]]) -> None:
    root, views = laid
    publish_games(root, views, root / "still", index=False)
    before = {path: path.stat().st_mtime_ns for path in (root / "still").rglob("*.*")}
    report = publish_games(root, views, root / "still", index=False)
    assert (report.written, report.built) == ([], False)
    assert {path: path.stat().st_mtime_ns for path in (root / "still").rglob("*.*")} == before


def test_a_site_is_made_without_markdown_which_is_kept_where_it_lies(
    laid: tuple[Path, list[GameView]], ways: tuple[Path, Path], tmp_path: Path
) -> None:
    root, views = laid
    shutil.copytree(
        root, tmp_path / "bare", ignore=shutil.ignore_patterns("fast", "reference", "again", "still", "build")
    )
    sources = tmp_path / "bare" / "site_src"
    shutil.rmtree(sources / "hostile")
    (sources / "demo" / "act.md").write_text("Somebody was here.", "utf-8")
    (sources / "demo" / "gone.md").write_text("A page that is no more.", "utf-8")
    report = publish_games(tmp_path / "bare", views, tmp_path / "site", index=False)
    assert report.stamped
    assert not (sources / "hostile").exists()
    assert read_below(sources / "demo") == read_below(root / "site_src" / "demo")
    fast = {name: data for name, data in files(ways[1]).items() if not name.startswith("pagefind/")}
    assert files(tmp_path / "site") == fast
    publish_games(tmp_path / "bare", views, tmp_path / "site", index=False)
    assert files(tmp_path / "site") == fast
    write_pages(views, sources)
    assert read_below(sources / "hostile") == read_below(root / "site_src" / "hostile")


def test_a_page_that_is_gone_leaves_the_site_though_its_markdown_was_just_laid(
    laid: tuple[Path, list[GameView]], tmp_path: Path
) -> None:
    root, views = laid
    bare, site = tmp_path / "bare", tmp_path / "site"
    shutil.copytree(root, bare, ignore=shutil.ignore_patterns("fast", "reference", "again", "still"))
    for name in ("demo", "hostile"):
        shutil.rmtree(bare / "site_src" / name)
    for notes in (*bare.glob("build/site/*.kept"), *bare.glob("build/site/*.notes")):
        notes.unlink()
    memory = SiteCache.of(bare)
    publish_games(bare, views, site, memory=memory, index=False)
    assert any((site / "demo" / "boards").iterdir())
    write_pages(views, bare / "site_src")
    fewer = [replace(view, shown=[]) for view in views]
    publish_games(bare, fewer, site, memory=memory, index=False)
    publish_games(bare, fewer, tmp_path / "fresh", memory=SiteCache.of(bare), index=False)
    assert files(site) == files(tmp_path / "fresh")
    assert read_below(bare / "site_src" / "demo").keys() < read_below(root / "site_src" / "demo").keys()


def read_below(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("said", "instead"),
    [("use_directory_urls: false", "use_directory_urls: true"), ("plugins:", 'hooks: ["other.py"]\nplugins:')],
)
def test_in_doubt_the_reference_way_is_taken(
    said: str, instead: str, laid: tuple[Path, list[GameView]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, views = laid
    shutil.copytree(root / "site_src", tmp_path / "site_src")
    (tmp_path / "other.py").write_text("", "utf-8")
    text = (root / "mkdocs.yml").read_text("utf-8")
    assert said in text
    (tmp_path / "mkdocs.yml").write_text(text.replace(said, instead, 1), "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{tmp_path}-settings")
    require_consent(tmp_path, given=True)
    taken: list[Path] = []

    def build_instead(config: Path, site: Path) -> Path:
        taken.append(config)
        return site

    monkeypatch.setattr("folkmoot.site.fast_publish.build", build_instead)
    assert not publish_games(tmp_path, views, tmp_path / "site").stamped
    assert taken == [(tmp_path / "mkdocs.yml").resolve()]


def test_a_shape_that_the_theme_draws_in_another_way_takes_the_reference_way(
    laid: tuple[Path, list[GameView]], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, views = laid
    monkeypatch.setattr("folkmoot.site.fast_publish.build", lambda _config, site: site)
    monkeypatch.setattr("folkmoot.site.page_filling.shape_of", lambda _page: "another")
    assert not publish_games(root, views, root / "unfit", index=False).stamped


def test_pages_that_were_just_written_are_not_made_again(laid: tuple[Path, list[GameView]]) -> None:
    root, _ = laid
    with pages_are_written(root):
        assert write_site(root) == Report()


def test_a_page_says_what_a_link_to_it_looks_like(ways: tuple[Path, Path]) -> None:
    """In words, whatever stands in them."""
    for way in ways:
        page = (way / "demo" / "law" / "304.html").read_text("utf-8")
        assert '<meta property="og:title" content="Rule 302: Sixty per cent · The mail game">' in page
        assert '<meta property="og:type" content="article">' in page
        assert page.count('property="og:description"') == 1


def test_a_page_with_a_headline_brings_the_face_in_which_that_is_set(tmp_path_factory: pytest.TempPathFactory) -> None:
    site = plain_site(tmp_path_factory)
    headed = [path for path in site.rglob("*.html") if 'class="fm-headline"' in path.read_text("utf-8")]
    assert site / "index.html" in headed
    lacking = [path for path in headed if 'literata.woff2" as="font"' not in path.read_text("utf-8")]
    assert not [path for path in lacking if "embed" not in path.parts]
