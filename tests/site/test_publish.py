"""Pages on disk, and the site that MkDocs makes of them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import yaml

from folkmoot.core.problems import ProblemError
from folkmoot.site.output import LIST
from folkmoot.site.search import index_site
from tests.support.site_game import build, game, render_game, write, write_pages
from tests.support.sites import hostile_site, plain_site, sought

ROOT = Path(__file__).parents[2]


def test_only_changed_pages_are_written(tmp_path: Path) -> None:
    first = write_pages([game()], tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.html")}
    assert len(first.written) > 40
    again = write_pages([game()], tmp_path)
    assert (again.written, again.removed) == ([], [])
    assert again.unchanged == len(first.written)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.html")} == times


def test_stale_pages_are_removed(tmp_path: Path) -> None:
    write_pages([game("one"), game("two")], tmp_path)
    (tmp_path / "one" / "law" / "old").mkdir()
    (tmp_path / "one" / "law" / "old" / "x.html").write_text("stale")
    assert "one/law/old/x.html" in write_pages([game("one")], tmp_path).removed
    assert sorted(path.name for path in tmp_path.iterdir()) == [LIST, "index.html", "one"]


def test_a_view_is_gathered_from_what_is_recorded_and_what_the_rules_say() -> None:
    view = game()
    said = {"mover": "ann", "headline": None, "pitch": None, "to_win": None, "front_page": None}
    coming = {"coming:sunday-gain": "", "coming:turn-lost": "", "coming:voting-ends": ""}  # no rule says more
    assert view.answers == {**said, **coming, "holder:scribe": None, "holder:judge": None}
    shown = {page.name: (page.title, page.failure) for page in view.shown}
    assert shown == {
        "world": ("World", ""),
        "chequers": ("Chequers", ""),
        "ruins": ("Ruins", "Index `2` is out of bound"),
    }
    assert "proposal/301" in view.proposals, "what is archived too"
    assert view.order[:2] == ["101", "110"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plain_site(tmp_path_factory)


def test_every_page_is_built(site: Path) -> None:
    assert (site / "demo" / "law" / "304.html").exists()
    assert not (site / "overrides").exists()
    assert not (site / "front.html").exists()


def test_the_site_asks_nobody_else_for_anything(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        loads = re.findall(r"<(?:script|link|img|iframe|source)[^>]+(?:src|href)=\"?([^\"\s>]+)", text)
        assert [each for each in loads if re.match(r"(https?:)?//", each)] == [], page


def test_the_navigation_does_not_grow_with_the_game(site: Path) -> None:
    text = (site / "demo" / "law" / "304.html").read_text("utf-8")
    theme = text.partition("<main")[0]
    assert "proposals/301.html" not in theme
    assert "law/101.html" not in theme


def test_the_search_knows_the_law_but_not_the_journal(site: Path) -> None:
    places = {each["url"] for each in sought(site)}
    assert {"/demo/law/304.html", "/demo/settings.html", "/demo/boards/chequers.html", "/guide.html"} <= places
    assert not [place for place in places if "/journal/" in place or "/scores/" in place or "404" in place]
    assert not (site / "search").exists(), "no index that every page would fetch whole"


def test_a_rule_is_sought_by_its_former_number_too(site: Path) -> None:
    said = {each["url"]: each["content"] for each in sought(site)}
    assert "was rule 304" in said["/demo/law/304.html"]
    called = {each["url"]: each["meta"] for each in sought(site)}
    assert called["/demo/law/304.html"] == {
        "title": "Rule 302: Sixty per cent",
        "game": "The mail game",
        "former": "was rule 304",
    }


def test_an_index_is_made_again_only_where_something_changed(site: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (site / "pagefind").rglob("*")}
    index_site(site)
    after = {path: path.stat().st_mtime_ns for path in (site / "pagefind").rglob("*") if path.is_file()}
    assert after
    assert all(before[path] == at for path, at in after.items())


def test_a_site_that_cannot_be_indexed_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, site = tmp_path / "pagefind", tmp_path / "site"
    program.write_text("#!/bin/sh\necho No room is left. >&2\nexit 3\n", "utf-8")
    program.chmod(0o755)
    (site / "pagefind").mkdir(parents=True)
    (site / "pagefind" / "pagefind.js").write_text("the old one", "utf-8")
    monkeypatch.setattr("folkmoot.site.search.program", lambda: program)
    with pytest.raises(ProblemError, match="No room is left") as caught:
        index_site(site)
    assert caught.value.problems[0].code == "E-SITE"
    assert (site / "pagefind" / "pagefind.js").read_text("utf-8") == "the old one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pagefind", "site"]


def test_an_installation_without_the_indexer_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pagefind_bin", None)
    with pytest.raises(ProblemError, match="lacks pagefind-bin"):
        index_site(tmp_path / "site")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_site(tmp_path_factory)


def test_the_search_index_holds_no_markup_of_players(hostile: Path) -> None:
    """What Pagefind keeps is text; the search puts it into a page as text, as a browser test shows."""
    kept = sought(hostile)
    assert len([each for each in kept if each["url"].startswith("/hostile/")]) > 30
    assert {type(value) for each in kept for value in (each["content"], *each["meta"].values())} == {str}


@pytest.mark.threat("T-37")
def test_players_text_is_no_template(hostile: Path) -> None:
    page = (hostile / "hostile" / "law" / "rule-text-00.html").read_text("utf-8")
    assert "{{ config.site_name }}" in page
    assert "{% for x in range(9) %}" in page


def test_a_site_that_cannot_be_built_says_why(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "site_src" / "guide.md").write_text("[x](missing.md)")
    with pytest.raises(ProblemError) as caught:
        build(tmp_path, game())
    assert any("missing.md" in problem.message for problem in caught.value.problems)


def test_the_configuration_reads_alike_in_both_dialects_of_yaml() -> None:
    from ruamel.yaml import YAML

    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert YAML(typ="safe", pure=True).load(text) == yaml.safe_load(text)


def _blocks(css: str) -> dict[str, dict[str, str]]:
    found = {}
    for selector in (
        "[data-md-color-scheme]",
        '[data-md-color-scheme="default"]',
    ):
        body = re.search(rf"^ *{re.escape(selector)} \{{(.*?)\}}", css, re.MULTILINE | re.DOTALL)
        assert body, selector
        found[selector] = dict(re.findall(r"(--?[\w-]+): ([^;]+);", body[1]))
    return found


def test_what_is_a_colour_by_day_is_one_by_night() -> None:
    light, dark = _blocks((ROOT / "site_src" / "assets" / "folkmoot.css").read_text("utf-8")).values()
    assert {name for name in light if name.startswith("--fm")} == {name for name in dark if name.startswith("--fm")}


def _brightness(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, two: str) -> float:
    high, low = sorted((_brightness(one), _brightness(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1])
def test_text_stands_out_from_its_ground(scheme: int) -> None:
    colours = list(_blocks((ROOT / "site_src" / "assets" / "folkmoot.css").read_text("utf-8")).values())[scheme]
    ground = colours["--md-default-bg-color"]
    for name in (
        "--md-typeset-color",
        "--md-typeset-a-color",
        "--fm-mute",
        "--fm-good",
        "--fm-bad",
        "--fm-wait",
        "--fm-open",
    ):
        assert _contrast(colours[name], ground) >= 4.5, name
    for number in range(8):
        assert _contrast(colours[f"--fm-c{number}"], ground) >= 4.5, number
        assert _contrast(colours[f"--fm-c{number}"], colours["--fm-ink"]) >= 4.5, number


def test_a_page_that_fails_says_so() -> None:
    assert "The rule could not show this page: " in render_game(game())["boards/ruins.md"]


def test_every_page_of_a_game_leads_feed_readers_to_its_feed(site: Path) -> None:
    for page in ("index.html", "law/304.html"):
        text = (site / "demo" / page).read_text("utf-8")
        up = "../" * (page.count("/") + 1)
        feed = f'rel="feed alternate" type="application/atom+xml" title="What happens" href="{up}demo/events.atom"'
        assert feed in text
    assert (site / "demo" / "events.atom").exists()
    assert "events.atom" not in (site / "index.html").read_text("utf-8")
