"""A site is what MkDocs makes of the hand-written pages with the games' pages in its frames, however it is built."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import struct
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from folkmoot.core.problems import Problem, ProblemError
from folkmoot.game.session import Session
from folkmoot.site.cards import png_of
from folkmoot.site.configuration import require_consent
from folkmoot.site.output import LIST
from folkmoot.site.pages.now import game_card
from folkmoot.site.publish import Publisher, publish
from folkmoot.site.search import index_site
from folkmoot.wording.game_view import GameView
from tests.support.meeting import git
from tests.support.moot import Moot
from tests.support.site_game import SECRET, build, game, write
from tests.support.sites import GUIDE, configure, files_below, hostile_site, lay_small_site, plain_site
from tests.support.table import VOTING, rule


def sought(site: Path) -> list[dict[str, Any]]:
    """Return what a site's search knows of each page: its address, words and what it is called."""
    folder = site / "pagefind" / "fragment"
    kept = (gzip.decompress(path.read_bytes()) for path in sorted(folder.iterdir()))
    return [json.loads(each.removeprefix(b"pagefind_dcd")) for each in kept]


ADDRESS = "https://games.example/moot/"
SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PAGES = ("index.html", "demo/index.html", "demo/law/304.html", "demo/proposals/301.html", "demo/players/ann.html")
MOTTO = '{% extends "packaged/now.html" %}{% block main %}<p class="motto">Tea at five.</p>{{ super() }}{% endblock %}'
MARKS = "fm0123456789abcdefbody {{ 7 * 7 }} fmshelltitle {% raw %}"
"""Looks like what stands for a page's words in a frame, which is random."""


def files(site: Path) -> dict[str, bytes]:
    """Return the files of a site but its index."""
    return {name: data for name, data in files_below(site).items() if not name.startswith("pagefind/")}


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[GameView]]:
    """Return a repository with the site of two games and a guide, and the games."""
    root = tmp_path_factory.mktemp("laid")
    views = [replace(view, address=ADDRESS) for view in (game(), game("second"))]
    write(root)
    (root / "site_src" / "guide.md").write_text(GUIDE, "utf-8")
    configure(root, "site_dir:", f'site_url: "{ADDRESS}"\nsite_dir:')
    Publisher(root).publish_games(views, root / "site", index=False)
    return root, views


@pytest.fixture
def site(laid: tuple[Path, list[GameView]], tmp_path: Path) -> Path:
    """Return a copy of that site."""
    return shutil.copytree(laid[0] / "site", tmp_path / "site")


def test_mkdocs_itself_makes_the_same_site(tmp_path: Path) -> None:
    root = lay_small_site(tmp_path / "game")
    configure(root, "site_dir:", f'site_url: "{ADDRESS}"\nsite_dir:')
    git(root, "init", "--quiet")
    law = {"title": "Long", "rules": [VOTING, rule("101", text="Be merry.")], "players": [{"id": "ann"}]}
    assert Session.found(root / "state" / "long", law, 1_767_614_400).accepted
    publish(root, tmp_path / "ours")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "theirs")]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    ours, theirs = files(tmp_path / "ours"), files(tmp_path / "theirs")
    assert "long/law/101.html" in ours
    assert ours.keys() == {*theirs, LIST}, "MkDocs makes all of it each time"
    assert [name for name in theirs if ours[name] != theirs[name] and not name.endswith(".gz")] == []
    assert (tmp_path / "theirs" / "pagefind" / "pagefind-entry.json").is_file()


def test_what_says_the_same_is_not_written_again_and_what_somebody_touched_is_made_right(
    laid: tuple[Path, list[GameView]], site: Path
) -> None:
    root, views = laid
    before, times = files(site), {path: path.stat().st_mtime_ns for path in site.rglob("*.*")}
    report = Publisher(root).publish_games(views, site, index=False)
    assert (report.written, report.built) == ([], False)
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*.*")} == times
    for path in (site / "demo" / "act.html", site / "demo" / "events.atom", site / "demo" / "more.html"):
        path.write_text("Somebody was here.", "utf-8")
    (site / "demo" / "law" / "101.html").unlink()
    shutil.rmtree(site / "second" / "law")
    Publisher(root).publish_games(views, site, index=False)
    assert files(site) == before


def test_what_is_gone_leaves_the_site_and_a_game_that_cannot_be_read_keeps_its_pages(
    laid: tuple[Path, list[GameView]], site: Path
) -> None:
    root, views = laid
    both, problem = files(site), Problem("E-DERIVED", "the record is damaged")
    fewer = [replace(views[0], shown=[])]
    report = Publisher(root).publish_games(fewer, site, {"second": problem}, index=False)
    assert report.problems == [problem]
    kept = files(site)
    assert all(kept[name] == data for name, data in both.items() if name.startswith("second/"))
    assert {name for name in both if name.startswith("demo/")} - {*kept} == {
        f"demo/{folder}{name}.{kind}" for folder, kind in (("boards/", "html"), ("data/boards/", "json"))
        for name in ("world", "chequers", "ruins")
    }  # fmt: skip
    Publisher(root).publish_games(fewer, site, index=False)
    assert not (site / "second").exists()
    assert not list((root / "build" / "site").glob("second.*"))


def test_an_address_makes_a_map_and_says_what_to_show_beside_a_link(site: Path) -> None:
    found = [each.text for each in ET.parse(site / "sitemap.xml").getroot().iter(f"{SITEMAPS}loc")]
    assert {f"{ADDRESS}demo/law/index.html", f"{ADDRESS}guide.html"} <= {*found}
    assert len(found) == len({*found})
    assert not [each for each in found if each is None or "fm-frame" in each or not each.startswith(ADDRESS)]
    assert 'href="/moot/assets/' in (site / "404.html").read_text("utf-8")
    for path in PAGES:
        page = (site / path).read_text("utf-8")
        found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', page)
        assert len(found) == len(dict(found)), "each is said once"
        said = {name: unescape(content) for name, content in found}
        title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
        assert title
        assert said["og:title"] in unescape(title[1])
        assert said["og:description"]
        assert said["og:url"] == f"{ADDRESS}{path}"
        assert said["og:image"] == f"{ADDRESS}{'demo' if path.startswith('demo') else 'assets'}/card.png"
        data = (site / said["og:image"].removeprefix(ADDRESS)).read_bytes()
        assert data.startswith(b"\x89PNG")
        assert struct.unpack(">II", data[16:24]) == (int(said["og:image:width"]), int(said["og:image:height"]))
        assert len(data) < 100_000


def test_a_card_is_drawn_anew_where_it_shows_something_new_in_signs_that_its_fonts_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = game_card(game())
    assert shown.title == game().title
    assert "leads" in shown.above
    assert png_of(shown) == png_of.__wrapped__(game_card(game())) != png_of(replace(shown, title="Another game"))
    assert png_of(replace(shown, title="六朝", above="<image href='file:///etc/passwd'/>")).startswith(b"\x89PNG")
    drawn: list[str] = []
    monkeypatch.setattr(
        "folkmoot.site.cards.resvg_py.svg_to_bytes", lambda svg_string, **_: drawn.append(svg_string) or b""
    )
    for title in ("Season", "Сезон"):
        png_of(replace(shown, title=title))
    assert ["Literata" in each for each in drawn] == [True, False]


@pytest.mark.parametrize("changes", [
    {"use_directory_urls: false": "use_directory_urls: true"},
    {"\nplugins: []": '\nhooks: ["other.py"]\nplugins: [search]', "theme:": "theme:\n  icon: {logo: material/library}",
     'site_name: "Folkmoot"': f'site_name: "{MARKS}"'},
], ids=["addresses", "others"])  # fmt: skip
def test_a_site_is_made_with_a_groups_own_settings(
    changes: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages of games lie where they always lie, and their links lead to hand-written pages wherever those lie."""
    write(tmp_path)
    (tmp_path / "site_src" / "guide.md").write_text(GUIDE, "utf-8")
    template = tmp_path / "site_src" / "overrides" / "pages" / "now.html"
    template.parent.mkdir()
    template.write_text(MOTTO, "utf-8")
    hook = "def on_post_page(output, **_):\n    return output + '<!-- by a hook -->'\n"
    (tmp_path / "other.py").write_text(hook, "utf-8")
    for said, instead in changes.items():
        configure(tmp_path, said, instead)
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{tmp_path}-settings")
    require_consent(tmp_path, given=True)
    site = build(tmp_path, game())
    page = (site / "demo" / "law" / "304.html").read_text("utf-8")
    assert ("by a hook" in page, f"· {MARKS}</title>" in page) == (len(changes) > 1, len(changes) > 1)
    places = {re.sub(r"[#?].*", "", link) for link in re.findall(r'(?:href|src)="((?!\w+:)[^"#]+)"', page)}
    assert [link for link in places if not (site / "demo" / "law" / link).resolve().exists()] == []
    indexed = site / "search" / "search_index.json"
    assert "fm-frame" not in (indexed.read_text("utf-8") if indexed.is_file() else "")
    assert "Tea at five." in (site / "demo" / "index.html").read_text("utf-8")


def test_pages_written_by_hand_are_not_hidden_by_those_of_a_game_and_what_cannot_be_built_says_why(
    tmp_path: Path,
) -> None:
    write(tmp_path)
    (tmp_path / "site_src" / "guides").mkdir()
    (tmp_path / "site_src" / "guides" / "play.md").write_text("by hand", "utf-8")
    with pytest.raises(ProblemError, match="rename the game or move the pages"):
        build(tmp_path, game("guides"))
    with pytest.raises(ProblemError, match="rename the game"):
        build(tmp_path, game("pagefind"))
    (tmp_path / "site_src" / "tea.md").write_text("by hand", "utf-8")
    assert (build(tmp_path, game("tea")) / "tea.html").is_file()
    configure(tmp_path, "use_directory_urls: false", "")
    with pytest.raises(ProblemError, match="rename the game"):  # both would lie at tea/index.html
        build(tmp_path, game("tea"))
    (tmp_path / "site_src" / "index.md").write_text("# Mine", "utf-8")
    with pytest.raises(ProblemError, match=r"front\.md"):
        build(tmp_path, game())
    (tmp_path / "site_src" / "index.md").unlink()
    (tmp_path / "site_src" / "tea.md").write_text("[x](missing.md)", "utf-8")
    with pytest.raises(ProblemError, match=r"missing\.md"):
        build(tmp_path, game())


@pytest.mark.threat("T-80")
def test_one_game_that_cannot_be_read_keeps_no_other_from_being_published(table: Moot, tmp_path: Path) -> None:
    assert table("new", "fen", "-r", "suber", "-p", "ann", "--at", "2026-01-05T12:00:00Z").code == 0
    lay_small_site(tmp_path)
    (tmp_path / "state" / "fen" / "head.yaml").write_text("seq: [\n")
    said = table("serve", "--build")
    assert said.code in (1, 4)
    assert "no pages of fen: " in said.err
    assert (tmp_path / "site" / "table" / "index.html").is_file()


# -- what every page of a site has


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plain_site(tmp_path_factory)


def test_every_page_is_built_and_asks_nobody_else_for_anything(plain: Path) -> None:
    pages = {path.relative_to(plain).as_posix(): path.read_text("utf-8") for path in plain.rglob("*.html")}
    assert "demo/law/304.html" in pages
    assert not (plain / "overrides").exists()
    assert not {"front.html", "sitemap.xml"} & {path.name for path in plain.iterdir()}
    for path, text in pages.items():
        loads = re.findall(r"<(?:script|link|img|iframe|source)[^>]+(?:src|href)=\"?([^\"\s>]+)", text)
        assert [each for each in loads if re.match(r"(https?:)?//", each)] == [], path
        assert path.split("/")[0] not in ("index.html", "demo") or 'literata.woff2" as="font"' in text, path
        assert SECRET not in text, path
    theme = pages["demo/law/304.html"].partition("<main")[0]
    assert not any(page in theme for page in ("proposals/301.html", "law/101.html")), "it does not grow with the game"
    for page in ("index.html", "law/304.html"):
        up = "../" * (page.count("/") + 1)
        feed = f'rel="feed alternate" type="application/atom+xml" title="What happens" href="{up}demo/events.atom"'
        assert feed in pages[f"demo/{page}"]
    assert "events.atom" not in pages["index.html"]


def test_the_search_knows_the_law_and_former_numbers_but_not_the_journal(plain: Path) -> None:
    known = {each["url"]: each for each in sought(plain)}
    assert {"/demo/law/304.html", "/demo/settings.html", "/demo/boards/chequers.html", "/guide.html"} <= {*known}
    assert not [place for place in known if "/journal/" in place or "/scores/" in place or "404" in place]
    assert not (plain / "search").exists(), "no index that every page would fetch whole"
    assert "was rule 304" in known["/demo/law/304.html"]["content"]
    called = {"title": "Rule 302: Sixty per cent", "game": "The mail game", "former": "was rule 304"}
    assert known["/demo/law/304.html"]["meta"] == called


def test_a_site_that_cannot_be_indexed_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, site = tmp_path / "pagefind", tmp_path / "site"
    program.write_text("#!/bin/sh\necho No room is left. >&2\nexit 3\n", "utf-8")
    program.chmod(0o755)
    (site / "pagefind").mkdir(parents=True)
    (site / "pagefind" / "pagefind.js").write_text("the old one", "utf-8")
    with monkeypatch.context() as patch:
        patch.setattr("folkmoot.site.search.program", lambda: program)
        with pytest.raises(ProblemError, match="No room is left") as caught:
            index_site(site)
    assert caught.value.problems[0].code == "E-SITE"
    assert (site / "pagefind" / "pagefind.js").read_text("utf-8") == "the old one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pagefind", "site"]
    monkeypatch.setitem(sys.modules, "pagefind_bin", None)
    with pytest.raises(ProblemError, match="lacks pagefind-bin"):
        index_site(site)


@pytest.mark.threat("T-37")
def test_players_text_is_no_template_and_no_markup_of_it_is_in_the_index(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """What Pagefind keeps is text; the search puts it into a page as text, as a browser test shows."""
    site = hostile_site(tmp_path_factory)
    page = (site / "hostile" / "law" / "rule-text-00.html").read_text("utf-8")
    assert "{{ config.site_name }}" in page
    assert "{% for x in range(9) %}" in page
    kept = sought(site)
    assert len([each for each in kept if each["url"].startswith("/hostile/")]) > 30
    assert {type(value) for each in kept for value in (each["content"], *each["meta"].values())} == {str}
