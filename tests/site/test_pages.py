"""The pages of a game: all of them there, their links true, and nothing shown too early."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from folkmoot.site.chrome import chrome
from folkmoot.site.page_data import PageData
from folkmoot.site.render import cards_of, data_files, game_pages
from folkmoot.wording.game_view import GameView, natural, seconds
from folkmoot.wording.page_links import anchor_name, rule_path
from tests.conftest import FUZZ
from tests.support.site_game import DAY, game, render_front, render_game
from tests.support.site_game import view as view_of_table
from tests.support.site_law import RULES
from tests.support.table import Table, rule
from tests.untrusted.sinks import hostile


@pytest.fixture(scope="module")
def view() -> GameView:
    return game()


@pytest.fixture(scope="module")
def files(view: GameView) -> dict[str, str]:
    return render_game(view)


def test_every_kind_of_page_is_there(files: dict[str, str]) -> None:
    rules = {f"law/{uid}.md" for uid in RULES}
    others = {"index.md", "law/index.md", "law/203.md", "proposals/index.md", "proposals/312.md", "scores/index.md",
              "players/index.md", "players/ann.md", "offices.md", "settings.md", "chance/index.md", "journal/index.md",
              "journal/0001.md", "boards/world.md"}  # fmt: skip
    assert rules | others <= set(files)


def _links(path: str, text: str) -> Iterator[tuple[str, str]]:
    for address in re.findall(r' href="([^"]+)"(?! rel="nofollow)(?! title="[^"]*" rel="nofollow)', text):
        if not re.match(r"[a-z]+:", address):
            target, _, anchor = address.partition("#")
            where = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            yield f"{where.removesuffix('.html')}.md" if where.endswith(".html") else where, anchor


ASSETS = Path(__file__).parents[2] / "site_src" / "assets"


@pytest.fixture(scope="module", params=[game, partial(hostile, every=1 if FUZZ else 3)], ids=["game", "hostile"])
def seen(request: pytest.FixtureRequest) -> GameView:
    view: GameView = request.param()
    return view


@pytest.fixture(scope="module")
def made(seen: GameView) -> dict[str, str]:
    return render_game(seen)


def test_every_link_leads_to_a_page_and_a_place_on_it(seen: GameView, made: dict[str, str]) -> None:
    files = made | data_files(seen) | dict.fromkeys(cards_of(seen), "")
    anchors = {path: set(re.findall(r'[ {](?:id="|#)([^" }]+)', text)) for path, text in files.items()}
    for path, text in files.items():
        for target, anchor in _links(path, text):
            if target.startswith("data/"):  # what the page is made of
                continue
            if target.startswith("../assets/"):
                assert (ASSETS / target.removeprefix("../assets/")).is_file()
                continue
            assert target in files, (path, target)
            if anchor.startswith(("at=", "since=")):  # a moment, which a script shows
                assert target == "law-time/index.md"
                continue
            assert not anchor or anchor in anchors[target], (path, target, anchor)


def test_what_opens_a_fold_holds_no_link(made: dict[str, str]) -> None:
    """Of two controls, one inside of the other, nobody knows which a key or a finger means."""
    for path, text in made.items():
        assert [each for each in re.findall(r"<summary>.*?</summary>", text) if "<a " in each] == [], path


def test_every_line_is_a_heading_or_one_finished_block(made: dict[str, str]) -> None:
    for text in made.values():
        for line in text.splitlines()[6:] if "<main" not in text else ():
            assert not line or re.match(
                r'(#{1,4} (\w| |&#\d+;)+( \{ #[\w-]+ \})?$|<div class="fm"( data-game="\w+")?>.*</div>$)', line
            ), line[:200]


def test_pages_are_the_same_every_time(files: dict[str, str]) -> None:
    assert render_game(game()) == files


def test_no_page_is_made_twice(view: GameView) -> None:
    paths = [page.path for page in game_pages(view)]
    assert len(paths) == len(set(paths))


def test_ballots_and_reasons_stay_hidden_until_the_count(files: dict[str, str]) -> None:
    assert "SECRET-REASON" not in "".join(files.values())
    page = files["proposals/311.md"]
    assert "<b>2</b> voted</span><span><b>4</b> not yet" in page
    assert "against" not in page.partition("<main")[2]
    journal = files["journal/0001.md"]
    assert "not displayed before the count" in journal
    assert "It is <em>never</em> that simple." in files["proposals/301.md"]


def test_a_proposal_is_a_redline_against_the_law_then_in_force(files: dict[str, str]) -> None:
    assert re.search(r"<del>[^<]*75", files["proposals/302.md"])
    assert "<del>Whoever has 200 points" in files["proposals/305.md"]
    assert "status <del>immutable</del> <ins>mutable</ins>" in files["proposals/303.md"]


def test_a_rule_shows_its_numbers_wordings_failures_and_reconstruction(files: dict[str, str]) -> None:
    page = files["law/304.md"]
    assert page.count('id="revision-') == 3
    assert "Former numbers</dt><dd>304" in page
    assert "../proposals/302.html" in page
    assert "at the founding" in page
    assert "Its script is asleep" in files["law/313.md"]
    assert "has no attribute `rung_by`" in files["law/313.md"]
    assert "Since entry" in files["law/313.md"]
    assert "A reconstruction." in files["law/311.md"]
    assert "No longer in force." in files["law/203.md"]


def _lines(row: str) -> int:
    """Return how many changes a row of the ledger tells."""
    return max(row.count("<li>"), 1)


def test_every_line_of_the_ledger_names_its_rule_and_entry(files: dict[str, str], view: GameView) -> None:
    rows = re.findall(r"<tr>.*?</tr>", files["scores/index.md"].partition('id="ledger"')[2].partition("<tbody>")[2])
    rows = rows[: next(n for n in range(len(rows)) if sum(map(_lines, rows[: n + 1])) == len(view.ledger)) + 1]
    assert len(rows) > 20
    assert all("/journal/0001.html#e" in row for row in rows)
    (corrected,) = (row for row in rows if "/law/" not in row)
    assert "correction: " in corrected, "what an administrator does rests on no rule"


def test_scores_on_the_page_are_those_of_the_state(files: dict[str, str], view: GameView) -> None:
    held = view.document("things/player")
    for player in view.present:
        last = [line for line in view.ledger if line.owner == player and line.currency == "score"]
        assert (last[-1].balance if last else 0) == held[player]["score"]
        assert f"</a> <b>{str(held[player]['score']).replace('-', '−')}</b>" in files["scores/index.md"]


def test_what_was_asked_is_shown_where_it_was_not_paid(files: dict[str, str]) -> None:
    assert "asked +2" in files["scores/index.md"]
    assert "credited to" in files["scores/index.md"]


def test_a_refused_act_is_marked_with_its_reasons(files: dict[str, str], view: GameView) -> None:
    (refused,) = (entry["seq"] for entry in view.entries if entry.get("code"))
    found = files["journal/0001.md"].partition(f'id="e{refused}"')[2].partition("</li>\n")[0]
    assert '<span class="badge bad">refused</span>' in found
    assert "<code>E-ORDER</code>" in found
    assert "“it is the turn of Ann”" in found
    assert 'href="../law/202.html"' in found


def test_the_dashboard_says_what_one_wants_to_know_in_the_morning(files: dict[str, str]) -> None:
    page = files["index.md"]
    for words in (
        '<p class="status">',
        "is before the players. It waits for ",
        "What the rules keep of the game</summary>",
        "Sun 15 Feb, 19:00",
        "<b>2</b> voted",
        "vote on proposal 311",
        "The mover loses the turn",
    ):
        assert words in page, words


def test_times_are_told_in_the_zone_of_the_game(files: dict[str, str]) -> None:
    assert (
        '<time datetime="2026-01-05T12:00:00Z" title="2026-01-05 12:00:00 UTC">Mon 5 Jan, 13:00</time>'
        in files["law/101.md"]
    )


def test_the_navigation_has_six_parts_and_names_the_one_where_the_reader_is(view: GameView) -> None:
    around = chrome(view, PageData(path="law/304.md", title="Rule 304", part="rules", at="law/index.md"))
    assert [entry.words for entry in around.parts] == ["Now", "Rules", "Votes", "Scores", "Players", "History"]
    assert [entry.words for entry in around.parts if entry.here] == ["Rules"]
    assert [entry.to for entry in around.second if entry.here] == ["index.html"]


def test_nothing_is_left_out_of_the_search_in_big_games(view: GameView) -> None:
    proposals = {
        f"proposals/900/{n}": {**view.proposals["proposal/301"], "id": f"proposal/{n}", "number": n}
        for n in range(901, 1600)
    }
    grown = GameView(slug="x", documents={**view.documents, **proposals}, entries=view.entries)
    files = render_game(grown)
    sought = {path for path, text in files.items() if "search: {exclude: true}" not in text}
    assert {"law/101.md", "players/ann.md", *(f"proposals/{number}.md" for number in range(901, 1600))} <= sought
    assert "journal/index.md" not in sought, "it repeats what other pages say"


def test_an_empty_game_has_pages_too() -> None:
    files = render_game(GameView(slug="new", documents={"game": {"title": "New"}}))
    assert "Nobody plays." in files["players/index.md"]
    assert "No dice have been rolled." in files["chance/index.md"]


PAYING = rule(
    "1",
    """
    def do_work(a):
        roll(6, "luck")
        for currency in ["score", "zoids", "tea"]:
            award(a.by, currency, 1)
    """,
    defines={"currencies": {"score": {}, "zoids": {}, "tea": {}}},
    actions={"work": {}},
)


def test_long_journals_and_ledgers_are_cut_into_pages() -> None:
    table = Table(PAYING)
    for _ in range(600):
        table.now += DAY
        table.ok("ann", "work")
    files = render_game(view_of_table(table, "x"))
    assert {"journal/0001.md", "journal/0007.md", "scores/ledger-0003.md", "chance/0001.md"} <= set(files)
    assert 'id="e601"' in files["journal/0007.md"]
    assert "Earlier entries</a>" in files["journal/0004.md"]


def test_the_front_page_has_a_card_for_every_game() -> None:
    front = render_front([game("one"), game("two")], "# Games\n\n<!-- games -->\n")
    assert 'href="one/index.html"' in front
    assert 'href="two/index.html"' in front


def test_numbers_sort_as_numbers_and_stamps_as_times() -> None:
    assert sorted(["10", "9", "8-2", "8-10"], key=natural) == ["8-2", "8-10", "9", "10"]
    assert seconds("2026-01-05T12:00:00Z") == seconds(1767614400) == 1767614400
    assert seconds("soon") is None


def test_the_site_says_how_players_are_known() -> None:
    met = game()
    met.documents["game"]["forge"] = "local"
    assert "this group trusts itself" in render_game(met)["players/index.md"]
    key = {"key": "ssh-ed25519 AAAAsecretive", "since": 1, "until": None}
    player = met.present[0]
    met.documents["roster"][player] |= {"email": "somebody@x.org", "keys": [key]}
    texts = render_game(met)
    assert "counts only if it is signed" in texts["players/index.md"]
    assert any("secretive" in text for text in texts.values())
    assert not any("somebody@x.org" in text for text in texts.values())


def test_a_rule_says_beside_its_text_how_it_is_read_and_by_which_ruling(made: dict[str, str], seen: GameView) -> None:
    asking = [uid for uid in seen.ranked if seen.rule(uid).get("settings")]
    assert asking
    for uid in asking:
        page = made[rule_path(uid)]
        assert 'id="settings"' in page
        first = next(iter(seen.rule(uid)["settings"]))
        assert f"settings.html#{anchor_name('setting', first)}" in page
    ruled = {str(what["name"]): entry["seq"] for entry, what in seen.effects("setting")}
    known = [(uid, name) for uid in asking for name in seen.rule(uid)["settings"] if name in ruled]
    assert all(f"#e{ruled[name]}" in made[rule_path(uid)] for uid, name in known)
