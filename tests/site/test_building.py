"""A site is what MkDocs makes of the hand-written pages with the games' pages in its frames, however it is built."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from folkmoot.core.problems import Problem, ProblemError
from folkmoot.site.configuration import require_consent
from folkmoot.site.output import LIST
from folkmoot.site.preparation import MARK_TEXT, lay_site, prepare_site
from folkmoot.site.publish import Publisher, publish
from folkmoot.wording.game_view import GameView
from tests.conftest import FUZZ
from tests.large.game import repository
from tests.support.site_game import build, game, write
from tests.support.sites import GUIDE, plain_site
from tests.untrusted.sinks import hostile

ADDRESS = "https://games.example/moot/"


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[GameView]]:
    """Return a repository for a harmless and a hostile game with a guide, and the games."""
    root = tmp_path_factory.mktemp("laid")
    views = [replace(view, address=ADDRESS) for view in (game(), hostile(every=3 if FUZZ else 8))]
    write(root)
    (root / "site_src" / "guide.md").write_text(GUIDE, "utf-8")
    config = root / "mkdocs.yml"
    addressed = config.read_text("utf-8").replace("site_dir:", f'site_url: "{ADDRESS}"\nsite_dir:')
    config.write_text(addressed, "utf-8")
    return root, views


def files(site: Path) -> dict[str, bytes]:
    """Return the files of a site but its index."""
    found = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    return {name: data for name, data in found.items() if not name.startswith("pagefind/")}


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_mkdocs_itself_makes_the_same_site(address: str, tmp_path: Path) -> None:
    root = repository(tmp_path / "game", 40)
    config = root / "mkdocs.yml"
    said = f'site_url: "{address}"\n' if address else ""
    config.write_text(said + config.read_text("utf-8"), "utf-8")
    publish(root, tmp_path / "ours")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "theirs")]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    ours, theirs = files(tmp_path / "ours"), files(tmp_path / "theirs")
    assert "long/law/101.html" in ours
    assert ours.keys() == {*theirs, LIST}, "MkDocs makes all of it each time"
    assert [name for name in theirs if ours[name] != theirs[name] and not name.endswith(".gz")] == []
    assert (tmp_path / "theirs" / "pagefind" / "pagefind-entry.json").is_file()
    assert ("sitemap.xml" in ours) == bool(address)


def test_a_site_that_somebody_touched_is_made_right(laid: tuple[Path, list[GameView]]) -> None:
    root, views = laid
    site = root / "again"
    Publisher(root).publish_games(views, site, index=False)
    before = files(site)
    for path in (site / "demo" / "act.html", site / "demo" / "events.atom"):
        path.write_text("Somebody was here.", "utf-8")
    (site / "demo" / "law" / "101.html").unlink()
    (site / "demo" / "more.html").write_text("Somebody was here.", "utf-8")
    shutil.rmtree(site / "hostile" / "law")
    Publisher(root).publish_games(views, site, index=False)
    assert files(site) == before


def test_a_page_that_says_the_same_is_not_written_again(laid: tuple[Path, list[GameView]]) -> None:
    root, views = laid
    Publisher(root).publish_games(views, root / "still", index=False)
    before = {path: path.stat().st_mtime_ns for path in (root / "still").rglob("*.*")}
    report = Publisher(root).publish_games(views, root / "still", index=False)
    assert (report.written, report.built) == ([], False)
    assert {path: path.stat().st_mtime_ns for path in (root / "still").rglob("*.*")} == before


def test_a_page_that_is_gone_leaves_the_site(laid: tuple[Path, list[GameView]], tmp_path: Path) -> None:
    root, views = laid
    Publisher(root).publish_games(views, tmp_path / "site", index=False)
    assert any((tmp_path / "site" / "demo" / "boards").iterdir())
    fewer = [replace(view, shown=[]) for view in views]
    Publisher(root).publish_games(fewer, tmp_path / "site", index=False)
    Publisher(root).publish_games(fewer, tmp_path / "fresh", index=False)
    assert files(tmp_path / "site") == files(tmp_path / "fresh")
    assert not list((tmp_path / "site" / "demo" / "boards").glob("world*"))


def test_a_game_that_is_gone_leaves_the_site_and_one_that_cannot_be_read_keeps_its_pages(
    laid: tuple[Path, list[GameView]], tmp_path: Path
) -> None:
    root, views = laid
    Publisher(root).publish_games(views, tmp_path / "site", index=False)
    both = files(tmp_path / "site")
    problem = Problem("E-DERIVED", "the record is damaged")
    report = Publisher(root).publish_games(views[:1], tmp_path / "site", {"hostile": problem}, index=False)
    assert report.problems == [problem]
    kept = files(tmp_path / "site")
    assert {name for name in both if name.startswith("hostile/")} == {
        name for name in kept if name.startswith("hostile/")
    }
    Publisher(root).publish_games(views[:1], tmp_path / "site", index=False)
    assert not (tmp_path / "site" / "hostile").exists()
    assert not list((root / "build" / "site").glob("hostile.*"))


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("use_directory_urls: false", "use_directory_urls: true"),
        ("plugins:", 'hooks: ["other.py"]\nplugins:'),
        ("theme:", "theme:\n  icon: {logo: material/library}"),
        ("plugins: []", "plugins: [search]"),
    ],
)
def test_a_site_is_made_with_a_groups_own_settings(
    said: str, instead: str, laid: tuple[Path, list[GameView]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages of games lie where they always lie, and their links lead to hand-written pages wherever those lie."""
    root, views = laid
    shutil.copytree(root / "site_src", tmp_path / "site_src")
    (tmp_path / "other.py").write_text(
        "def on_post_page(output, **_):\n    return output + '<!-- by a hook -->'\n", "utf-8"
    )
    text = (root / "mkdocs.yml").read_text("utf-8")
    assert said in text
    (tmp_path / "mkdocs.yml").write_text(text.replace(said, instead, 1), "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{tmp_path}-settings")
    require_consent(tmp_path, given=True)
    site = build(tmp_path, *views[:1])
    page = (site / "demo" / "law" / "304.html").read_text("utf-8")
    assert ("by a hook" in page) == ("hooks" in instead)
    places = {re.sub(r"[#?].*", "", link) for link in re.findall(r'(?:href|src)="((?!\w+:)[^"#]+)"', page)}
    missing = [link for link in places if not (site / "demo" / "law" / link).resolve().exists()]
    assert missing == []
    indexed = site / "search" / "search_index.json"
    assert "fm-frame" not in (indexed.read_text("utf-8") if indexed.is_file() else "")


def test_words_that_look_like_marks_stay_words(tmp_path: Path) -> None:
    """What stands for a page's words in a frame is random; templates in settings are none."""
    write(tmp_path)
    config = tmp_path / "mkdocs.yml"
    name = "fm0123456789abcdefbody {{ 7 * 7 }} fmshelltitle {% raw %}"
    config.write_text(config.read_text("utf-8").replace('site_name: "Folkmoot"', f'site_name: "{name}"'), "utf-8")
    page = (build(tmp_path, game()) / "demo" / "law" / "304.html").read_text("utf-8")
    assert f"· {name}</title>" in page


def test_markdown_that_was_written_of_games_in_former_times_goes(tmp_path: Path) -> None:
    lay_site(tmp_path)
    former, own = tmp_path / "site_src" / "tea", tmp_path / "site_src" / "guides"
    former.mkdir()
    (former / ".gitignore").write_text(MARK_TEXT, "utf-8")
    (former / "index.md").write_text("# Tea", "utf-8")
    front = tmp_path / "site_src" / "index.md"
    front.write_text('# Games\n\n<div class="fm"><div class="fm-games"></div></div>\n', "utf-8")
    prepare_site(tmp_path)
    assert (former.exists(), front.exists(), own.exists()) == (False, False, True)


def test_pages_written_by_hand_are_not_hidden_by_those_of_a_game(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "site_src" / "guides").mkdir()
    (tmp_path / "site_src" / "guides" / "play.md").write_text("by hand", "utf-8")
    with pytest.raises(ProblemError, match="rename the game or move the pages"):
        build(tmp_path, game("guides"))
    with pytest.raises(ProblemError, match="rename the game"):
        build(tmp_path, game("pagefind"))
    (tmp_path / "site_src" / "tea.md").write_text("by hand", "utf-8")
    assert (build(tmp_path, game("tea")) / "tea.html").is_file()
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(settings.read_text("utf-8").replace("use_directory_urls: false", ""), "utf-8")
    with pytest.raises(ProblemError, match="rename the game"):  # both would lie at tea/index.html
        build(tmp_path, game("tea"))
    (tmp_path / "site_src" / "index.md").write_text("# Mine", "utf-8")
    with pytest.raises(ProblemError, match=r"front\.md"):
        build(tmp_path, game())


def test_a_page_says_what_a_link_to_it_looks_like(tmp_path_factory: pytest.TempPathFactory) -> None:
    """In words, whatever stands in them."""
    page = (plain_site(tmp_path_factory) / "demo" / "law" / "304.html").read_text("utf-8")
    assert '<meta property="og:title" content="Rule 302: Sixty per cent · The mail game">' in page
    assert '<meta property="og:type" content="article">' in page
    assert page.count('property="og:description"') == 1


def test_pages_of_games_bring_the_face_in_which_headings_are_set(tmp_path_factory: pytest.TempPathFactory) -> None:
    site = plain_site(tmp_path_factory)
    headed = [site / "index.html", *(site / "demo").rglob("*.html")]
    assert len(headed) > 30
    assert [path for path in headed if 'literata.woff2" as="font"' not in path.read_text("utf-8")] == []
