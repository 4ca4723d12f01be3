"""A game's front page from one sentence on, a player and a proposal at a glance."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html
from folkmoot.wording.prose import phrase
from tests.support.site_game import game, render_game


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return render_game(game())


def test_the_front_page_goes_from_one_sentence_to_the_registers(files: dict[str, str]) -> None:
    page = files["index.md"]
    places = [page.index(f'id="{name}"') for name in ("standing", "owed", "coming", "board", "latest", "join", "rest")]
    assert places == sorted(places)
    assert page.index('class="status"') < page.index("open until") < page.index("Newest change") < places[0]


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


def test_the_script_of_a_new_rule_is_folded(files: dict[str, str]) -> None:
    page = files["proposals/310.md"]
    folded = re.findall(r"<details><summary>Its script</summary>(.*?)</details>", page, re.DOTALL)
    assert len(folded) == 1
    assert "def" in folded[0]
    assert "<pre" not in page.replace(folded[0], "")


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
