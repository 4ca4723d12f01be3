"""The journal as a story by day, a game's front page from one sentence on, a player and a proposal at a glance."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.site.journal_days import MOST_CHOSEN, Story
from folkmoot.site.page_model import Page
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, el, strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import phrase
from tests.site.game import game, render_game
from tests.untrusted.sinks import hostile

SOURCES = Path(__file__).parents[2] / "site_src"


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return render_game(game())


def _headings(page: str) -> list[str]:
    return re.findall(r"^## .*? \{ #([\w-]+) \}$", page, re.MULTILINE)


def test_the_journal_is_told_by_days(files: dict[str, str]) -> None:
    page = files["journal/0001.md"]
    assert _headings(page)[:3] == ["day-2026-01-05", "day-2026-01-06", "day-2026-01-07"]
    days = re.split(r"^## ", page, flags=re.MULTILINE)
    told = re.findall(r'<article id="e(\d+)"', days[2])
    assert told == [str(seq) for seq in range(8, 15)]


def test_every_entry_stands_on_its_page_once_and_in_order(files: dict[str, str]) -> None:
    told = re.findall(r'<article id="e(\d+)"', files["journal/0001.md"])
    assert told == [str(entry["seq"]) for entry in game().entries]


def test_ballots_that_follow_one_another_are_folded_to_how_many_went_which_way(files: dict[str, str]) -> None:
    page = files["journal/0001.md"]
    assert re.search(r"<summary>6 for on proposal 301</summary>", page)
    assert re.search(r"<summary>5 for, 1 against on proposal 302</summary>", page)
    assert re.search(r"<summary>2 ballots on proposal 311, not displayed before the count</summary>", page)


def test_what_came_of_folded_ballots_stands_below_them(files: dict[str, str]) -> None:
    page = files["journal/0001.md"]
    behind = page.partition("6 for on ")[2].partition("</article></details><ul")[2].partition("</ul></div>")[0]
    assert "proposal 301</a> <strong>adopted</strong>" in strip_tags(behind)


def strip_tags(markup: str) -> str:
    """Return markup with nothing but links' ends and words set strongly."""
    return re.sub(r"<(?!/a>|/?strong>)[^>]*>", "", markup)


def test_what_is_recorded_of_an_entry_is_folded_and_what_it_tells_is_not(files: dict[str, str]) -> None:
    page = files["journal/0001.md"]
    said = next(each for each in re.findall(r"<article .*?</article>", page) if "I <em>protest</em>" in each)
    assert said.index("protest") < (said.find("<details") if "<details" in said else len(said))
    judged = next(each for each in re.findall(r"<article .*?</article>", page) if "So the bank does it" in each)
    assert judged.index("<summary>As recorded</summary>") < judged.index("So the bank does it")


def test_a_reader_chooses_among_kinds_and_players_that_are_there(files: dict[str, str]) -> None:
    page = files["journal/0001.md"]
    kinds, people = re.findall(r"<select.*?</select>", page)
    assert re.findall(r'value="([\w-]*)"', kinds) == [
        "", "k-votes", "k-proposals", "k-law", "k-points", "k-said", "k-refused", "k-rest",
    ]  # fmt: skip
    numbers = dict(re.findall(r'value="w-(\d+)">([^<]*)<', people))
    assert set(numbers.values()) == {game().name(player) for player in game().players}
    (ann,) = (number for number, name in numbers.items() if name == "Ann Abel")
    identified = re.findall(r'<article id="e2" class="([^"]*)"', page)
    assert identified == [f"fm-entry fm-told fm-k-rest fm-w-{ann}"]


def test_the_style_sheet_knows_whatever_can_be_chosen(files: dict[str, str]) -> None:
    sheet = (SOURCES / "assets" / "folkmoot.css").read_text("utf-8")
    chosen = re.findall(r'<option value="([kw]-\w+)"', files["journal/0001.md"])
    for value in (*chosen, f"w-{MOST_CHOSEN - 1}"):
        assert f'[value="{value}"]:checked) .fm-told:not(.fm-{value})' in sheet, value


def _story(*entries: dict[str, Any], **documents: Any) -> Page:
    view = GameView(slug="x", documents=documents, entries=list(entries))
    page = Page("journal/0001.md", "J")
    drawn = lambda entry, classes: el("i", str(entry["seq"]), class_=classes)  # noqa: E731
    Story(Here(view, page.path), list(entries), drawn, lambda _entry: Html("")).tell(page)
    return page


def test_a_day_begins_in_the_zone_of_the_game() -> None:
    late = {"seq": 1, "at": "2026-01-05T23:30:00Z"}
    assert [each.anchor for each in _story(late).sections] == ["day-2026-01-05"]
    page = _story(late, {"seq": 2, "at": "2026-01-06T10:00:00Z"}, game={"zone": "Europe/Warsaw"})
    assert [(each.anchor, strip(each.parts[0])) for each in page.sections] == [("day-2026-01-06", "1")]


def test_times_that_no_calendar_has_leave_entries_where_they_are() -> None:
    page = _story({"seq": 1, "at": 10**18}, {"seq": 2}, {"seq": 3, "at": "soon"}, {"seq": 4, "at": 0})
    assert [strip(part) for each in page.sections for part in each.parts] == ["1", "2", "3", "4"]


def test_a_day_that_comes_again_has_an_anchor_of_its_own() -> None:
    page = _story(*({"seq": n, "at": at} for n, at in enumerate((0, 90_000, 0), 1)))
    assert [each.anchor for each in page.sections] == ["day-1970-01-01", "day-1970-01-02", "day-1970-01-01-2"]


def test_names_of_players_in_lists_are_text() -> None:
    for text in render_game(hostile(every=3)).values():
        for found in re.findall(r"<option[^>]*>(.*?)</option>", text):
            assert "<" not in found


def test_the_front_page_goes_from_one_sentence_to_the_registers(files: dict[str, str]) -> None:
    page = files["index.md"]
    places = [page.index(f'id="{name}"') for name in ("standing", "owed", "coming", "board", "latest", "join", "rest")]
    assert places == sorted(places)
    assert page.index('class="status"') < page.index("open until") < page.index("Newest rule") < places[0]


def test_a_front_page_gives_nothing_a_heading() -> None:
    page = render_game(GameView(slug="new", documents={"game": {"title": "New"}}))["index.md"]
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["What happened", "New here?"]
    assert "Nothing is before the players." in page


def test_what_waits_for_a_vote_is_no_open_vote() -> None:
    now = game()
    open_one = {name: each for name, each in now.documents.items() if each.get("number") == 311 and "ballots" in each}
    page = render_game(replace(now, documents={k: v for k, v in now.documents.items() if k not in open_one}))[
        "index.md"
    ]
    assert "Chequers for all" in page
    assert "<h2>Not voted on yet</h2>" in page


def test_a_board_that_cannot_be_drawn_leaves_the_front_page_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_given: Any) -> Html:
        raise ZeroDivisionError

    monkeypatch.setattr("folkmoot.site.pages.now.small_board", failing)
    assert 'id="latest"' in render_game(game())["index.md"]


def test_ballots_on_one_thing_are_one_of_the_latest_events(files: dict[str, str]) -> None:
    shown = files["journal/index.md"].partition('class="fm-events">')[2].partition("</ol>")[0]
    latest = shown.split('<li><span class="fm-events__when">')[1:]
    told = [strip(Html(each)) for each in latest]
    assert 0 < len(told) <= 20
    assert any("2 ballots on proposal 311, not displayed before the count" in each for each in told), told
    assert any("propose: Poets’ corner" in each and "→ proposal 311" not in each for each in told)
    assert any("proposals/311.html" in each for each in latest)


def test_the_script_of_a_new_rule_is_folded(files: dict[str, str]) -> None:
    page = files["proposals/310.md"]
    folded = re.findall(r"<details><summary>Its script</summary>(.*?)</details>", page, re.DOTALL)
    assert len(folded) == 1
    assert "def" in folded[0]
    assert "<pre" not in page.replace(folded[0], "")


def test_an_entry_says_its_hour_below_its_day(files: dict[str, str]) -> None:
    page = files["journal/0001.md"]
    assert re.search(r'#e1"[^>]*>#1</a> <time [^>]*title="2026-01-05 [^"]*UTC">\d\d:\d\d</time>', page)


def test_of_many_votes_the_first_have_their_words_and_of_many_voters_the_first_are_named() -> None:
    view = game()
    open_ = next(each for each in view.unresolved.values() if each.get("state") == "open")
    voters = [f"v{n}" for n in range(20)]
    votes = {f"proposal/{900 + n}": {**open_, "id": f"proposal/{900 + n}", "number": 900 + n, "electorate": voters, "ballots": {}}
             for n in range(5)}  # fmt: skip
    documents = {key: found for key, found in view.documents.items() if not key.startswith("proposals/")}
    now = replace(view, documents={**documents, **{f"proposals/{n}": vote for n, vote in enumerate(votes.values())}})
    page = render_game(now)["index.md"]
    assert page.count('class="card stack vote"') == 5
    assert page.count('<div class="words"><p>') == 4, "three votes in their words, and the newest rule"
    assert page.count("and 8 more") == 5


def test_what_several_owe_alike_is_one_line_of_the_front_page(files: dict[str, str]) -> None:
    owed = files["index.md"].partition('id="owed"')[2].partition("</ul>")[0]
    assert owed.count("vote on proposal 311") == 1
    assert [owed.count(str(phrase(name))) for name in ("Ann Abel", "Cid Castro", "Zed Zhou")] == [1, 1, 1]


def test_a_proposal_tells_how_it_went_and_folds_what_is_for_checking(files: dict[str, str]) -> None:
    page = files["proposals/301.md"]
    steps = re.findall(r"<li[^>]*><time[^>]*>.*?</time><br>(?:<bdi>)?([a-z ]+)", page.partition('<ol class="tl">')[2])
    assert [each.strip() for each in steps] == ["proposed by", "the vote opened", "the vote closed", "adopted"]
    assert page.index("<summary>More about this proposal</summary>") < page.index("Digest of the frozen text")
    assert re.search(r"<time[^>]*>Sun 15 Feb, 19:00</time><br>the vote ends", files["proposals/311.md"])
