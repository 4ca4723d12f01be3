"""The pages of a game: all of them there, their links and redlines true, nothing too early."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from folkmoot.site.chrome import CHARGES, COLOURS, chrome, crest
from folkmoot.site.page_data import PageData
from folkmoot.site.render import cards_of
from folkmoot.wording.game_view import GameView
from folkmoot.wording.page_links import anchor_name, rule_path
from tests.conftest import FUZZ
from tests.support.site_game import RULES, data_files, game, render_game, rendered
from tests.untrusted.sinks import hostile

ASSETS = Path(__file__).parents[2] / "site_src" / "assets"
IN_DIGITS = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
NOT_WORDS = re.compile(r"<pre.*?</pre>|<[^>]*>", re.DOTALL)
EMPTY = re.compile(r"<tbody></tbody>|<dd>(?:<bdi></bdi>)?</dd>")


@pytest.fixture(scope="module")
def view() -> GameView:
    return game()


@pytest.fixture(scope="module")
def files(view: GameView) -> dict[str, str]:
    return rendered()


@pytest.fixture(scope="module", params=[game, partial(hostile, every=1 if FUZZ else 3)], ids=["game", "hostile"])
def seen(request: pytest.FixtureRequest) -> GameView:
    view: GameView = request.param()
    return view


@pytest.fixture(scope="module")
def made(seen: GameView) -> dict[str, str]:
    return render_game(seen)


def test_every_kind_of_page_is_there_once_and_the_same_every_time(files: dict[str, str], view: GameView) -> None:
    rules = {f"law/{uid}.md" for uid in RULES}
    others = {"index.md", "law/index.md", "law/203.md", "proposals/index.md", "proposals/312.md", "scores/index.md",
              "players/index.md", "players/ann.md", "offices.md", "settings.md", "chance/index.md", "journal/index.md",
              "journal/0001.md", "boards/world.md"}  # fmt: skip
    assert rules | others <= set(files)
    assert render_game(view) == files


def test_no_page_has_an_empty_table_or_fact_or_a_time_in_digits(files: dict[str, str]) -> None:
    assert [path for path, text in files.items() if EMPTY.search(text)] == []
    assert {path: found for path, text in files.items() if (found := IN_DIGITS.findall(NOT_WORDS.sub(" ", text)))} == {}


def _links(path: str, text: str) -> Iterator[tuple[str, str]]:
    for address in re.findall(r' href="([^"]+)"(?! rel="nofollow)(?! title="[^"]*" rel="nofollow)', text):
        if not re.match(r"[a-z]+:", address):
            target, _, anchor = address.partition("#")
            where = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            yield f"{where.removesuffix('.html')}.md" if where.endswith(".html") else where, anchor


def test_every_link_leads_to_a_page_and_a_place_on_it_and_none_stands_in_what_opens_a_fold(
    seen: GameView, made: dict[str, str]
) -> None:
    """Of two controls, one inside of the other, nobody knows which a key or a finger means."""
    files = made | data_files(seen) | dict.fromkeys(cards_of(seen), "")
    anchors = {path: set(re.findall(r'[ {](?:id="|#)([^" }]+)', text)) for path, text in files.items()}
    for path, text in files.items():
        ids = re.findall(r' id="([^"]*)"', text)
        assert len(ids) == len(set(ids)), path
        assert [each for each in re.findall(r"<summary>.*?</summary>", text) if "<a " in each] == [], path
        for target, anchor in _links(path, text):
            if target.startswith("../assets/"):
                assert (ASSETS / target.removeprefix("../assets/")).is_file()
            elif anchor.startswith(("at=", "since=")):  # a moment, which a script shows
                assert target == "law-time/index.md"
            elif not target.startswith("data/"):  # what the page is made of
                assert target in files, (path, target)
                assert not anchor or anchor in anchors[target], (path, target, anchor)


def test_a_proposal_is_a_redline_against_the_law_then_in_force(files: dict[str, str]) -> None:
    assert re.search(r"<del>[^<]*75", files["proposals/302.md"])
    assert "<del>Whoever has 200 points" in files["proposals/305.md"]
    assert "status <del>immutable</del> <ins>mutable</ins>" in files["proposals/303.md"]


def test_a_rule_shows_its_numbers_wordings_failures_and_reconstruction(files: dict[str, str]) -> None:
    page = files["law/304.md"]
    assert page.count('id="revision-') == 3
    assert all(words in page for words in ("was rule 304", "../proposals/302.html", "at the founding"))
    for words in ("Its script is asleep", "has no attribute `rung_by`", "Since entry"):
        assert words in files["law/313.md"]
    assert "A reconstruction." in files["law/311.md"]
    assert "No longer in force." in files["law/203.md"]
    assert "The rule could not show this page: " in files["boards/ruins.md"]


def test_a_refused_act_is_marked_with_its_reasons(files: dict[str, str], view: GameView) -> None:
    (refused,) = (entry["seq"] for entry in view.entries if entry.get("code"))
    found = files["journal/0001.md"].partition(f'id="e{refused}"')[2].partition("</li>\n")[0]
    for words in ('<span class="badge bad">refused</span>', "<code>E-ORDER</code>", "“it is the turn of Ann”",
                  'href="../law/202.html"'):  # fmt: skip
        assert words in found


def test_the_navigation_has_six_parts_and_names_the_one_where_the_reader_is(view: GameView) -> None:
    around = chrome(view, PageData(path="law/304.md", title="Rule 304", at="law/index.md"))
    assert [entry.words for entry in around.parts] == ["Now", "Rules", "Votes", "Scores", "Players", "History"]
    assert [entry.words for entry in around.parts if entry.here] == ["Rules"]
    assert [entry.to for entry in around.second if entry.here] == ["index.html"]


def test_an_empty_game_has_pages_too() -> None:
    files = render_game(GameView(slug="new", documents={"game": {"title": "New"}}))
    assert "Nobody plays." in files["players/index.md"]
    assert "No dice have been rolled." in files["chance/index.md"]
    assert "No rule asks how it is to be read." in files["settings.md"]


def test_the_site_says_how_players_are_known() -> None:
    met = game()
    met.documents["game"]["forge"] = "local"  # type: ignore[index]
    assert "this group trusts itself" in render_game(met)["players/index.md"]
    key = {"key": "ssh-ed25519 AAAAsecretive", "since": 1, "until": None}
    met.documents["roster"][met.present[0]] |= {"email": "somebody@x.org", "keys": [key]}
    texts = render_game(met)
    assert "counts only if it is signed" in texts["players/index.md"]
    assert any("secretive" in text for text in texts.values())
    assert not any("somebody@x.org" in text for text in texts.values())


def test_a_rule_says_beside_its_text_how_it_is_read_and_by_which_ruling(made: dict[str, str], seen: GameView) -> None:
    asking = {uid: settings for uid in seen.ranked if (settings := seen.rule(uid).get("settings"))}
    assert asking
    ruled = {str(what["name"]): entry["seq"] for entry, what in seen.effects("setting")}
    for uid, settings in asking.items():
        page = made[rule_path(uid)]
        assert 'id="settings"' in page
        assert f"settings.html#{anchor_name('setting', next(iter(settings)))}" in page
        assert all(f"#e{ruled[name]}" in page for name in settings if name in ruled)


def test_a_game_keeps_its_crest_which_goes_with_it_and_not_with_its_folder() -> None:
    tea, coffee = (crest(GameView(slug=slug, documents={})) for slug in ("tea", "coffee"))
    assert tea == crest(GameView(slug="tea", documents={})) != coffee
    founded = ({"seq": 1}, {"seq": 2, "prev": "abc"})
    assert len({crest(GameView(slug=slug, documents={}, entries=founded)) for slug in ("tea", "moved")}) == 1
    kinds = COLOURS * len(CHARGES)
    assert len({crest(GameView(slug=f"game {n}", documents={})) for n in range(20 * kinds)}) == kinds
