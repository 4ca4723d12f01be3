"""The page in front of all games: each has a card with its board, how it stands, its newest law and its scores."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.site.headline import headline, together
from folkmoot.site.home import game_card
from folkmoot.site.last_law_change import law_line
from folkmoot.site.sparkline import acts
from folkmoot.site.thumbnail import small_board, thumbnail
from folkmoot.wording.game_view import GameView, ShownPage
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.site.game import game
from tests.untrusted.sinks import hostile

DAY = 86_400


def told(now: GameView) -> str:
    """Return how a game stands, without markup."""
    return strip(headline(Here(now, "index.md")))


def with_documents(**documents: Any) -> GameView:
    """Return the game with other documents."""
    now = game()
    return replace(
        now, documents={**now.documents, **{key.replace("__", "/"): each for key, each in documents.items()}}
    )


def test_a_card_says_how_a_game_stands_and_what_its_law_became_last() -> None:
    card = game_card(game())
    assert 'class="fm-thumb"' in card
    assert 'href="demo/boards/world.html" class="fm-game__board"' in card
    assert "Ann Abel, Cid Castro and 2 more must “vote on proposal 311” by Sun 15 Feb 2026, 19:00." in strip(card)
    assert "Latest law: rule 310 Alphabet: Whoever posts a" in strip(card)
    assert 'aria-label="Scores over time: Cid Castro 33, Bob Baker 25, Eve Ekström 19"' in card
    assert "6 players · 11 rules in force · 1 open vote · Last event" in strip(card)


def test_every_link_of_a_card_leads_below_the_folder_of_its_game() -> None:
    for now in (game("tea"), hostile(every=3)):
        found = re.findall(r'href="([^"]*)"', game_card(now))
        assert found
        assert all(address.startswith((f"{now.slug}/", "https://")) for address in found), found


def test_a_card_of_a_hostile_game_holds_no_markup_of_players() -> None:
    card = game_card(hostile(every=1))
    assert "<script" not in card.lower()
    assert not re.search(
        r"<(?!/?(article|p|a|svg|path|span|bdi|div|circle|rect|g|strong|time|del|ins|tspan|code)\b)", card
    )


def _due(player: str, what: str, by: int | None, **more: Any) -> dict[str, Any]:
    return {"player": player, "what": what, "by": by, **more}


def test_the_most_pressing_is_said_first() -> None:
    soon, late = _due("ann", "propose", 9 * DAY), _due("bob", "roll", 12 * DAY)
    assert told(with_documents(things__duty={"a": late, "b": soon})).startswith("Ann Abel must “propose” by ")
    overdue = {**soon, "overdue": True}
    assert told(with_documents(things__duty={"a": late, "b": overdue})).startswith("Bob Baker must “roll” by ")
    assert told(with_documents(things__duty={"a": _due("bob", "roll", None)})) == "It is the turn of Ann Abel."


def test_what_the_law_says_of_the_game_stands_before_what_is_owed_but_not_before_its_end() -> None:
    now = game()
    said = replace(now, answers={**now.answers, "headline": " The  moon is\nfull <b>. "})
    assert told(said).startswith(
        "The law says: “The moon is full <b>.” Ann Abel, Cid Castro and 2 more must “vote on proposal 311” by "
    )
    assert (
        told(replace(said, documents={**now.documents, "things/duty": {}})) == "The law says: “The moon is full <b>.”"
    )
    assert "<b>" not in headline(Here(said, "index.md")).replace("<bdi>", "")
    won = replace(said, documents={**now.documents, "game": {**now.document("game"), "over": {"winner": ["bob"]}}})
    assert told(won) == "Bob Baker won."


@pytest.mark.parametrize("answer", [None, "", "  ", 7, [], [["x"]], [""], {"a": 1}])
def test_an_answer_that_is_no_sentence_is_not_said(answer: object) -> None:
    now = game()
    assert "must “vote on proposal 311”" in told(replace(now, answers={**now.answers, "headline": answer}))


def test_a_list_is_put_together_and_what_it_names_is_a_link() -> None:
    now = replace(game(), documents={**game().documents, "things/duty": {}})
    parts = ["Turn 3 of", "ann", ":", "rule 203", "<i>is</i>", "asleep", "."]
    said = replace(now, answers={**now.answers, "headline": parts})
    assert told(said) == "The law says: “Turn 3 of Ann Abel: rule 203 <i>is</i> asleep.”"
    shown = headline(Here(said, "index.md"))
    assert 'href="players/ann.html"' in shown
    assert 'href="law/203.html"' in shown
    assert "<i>" not in shown
    long = replace(now, answers={**now.answers, "headline": ["word " * 100, "ann"]})
    assert len(told(long)) <= 241 + len("The law says: “”")


def test_a_game_in_which_nothing_happens_says_so() -> None:
    assert told(GameView(slug="new", documents={"game": {"title": "New"}})) == (
        "Nothing is being voted on, and nobody owes anything."
    )


def test_what_several_owe_alike_is_said_once() -> None:
    same = [_due(player, "vote", 5) for player in ("ann", "bob", "cid")]
    assert [[each["player"] for each in group] for group in together([*same, _due("ann", "vote", 6)])] == [
        ["ann", "bob", "cid"], ["ann"],
    ]  # fmt: skip


def _law_line(uid: str) -> str:
    """Return what is told of the last change of the law where that of one rule was the last."""
    now = game()
    documents: dict[str, Any] = dict(now.documents)
    if now.law[uid]["in_force"]:
        rules = {**now.law, uid: {**now.law[uid], "seq": 9999}}
        documents["law"] = {**documents["law"], "rules": rules}
    else:
        *earlier, last = documents[f"history/{uid}"]["revisions"]
        documents[f"history/{uid}"] = {"revisions": [*earlier, {**last, "seq": 9999}]}
    return law_line(Here(replace(now, documents=documents), "index.md"))


def test_a_law_is_told_by_the_words_that_changed() -> None:
    assert "<ins><bdi>Alphabet: Whoever posts" in law_line(Here(game(), "index.md"))
    amended = _law_line("206")
    assert "<ins><bdi>" in amended
    assert "<del><bdi>" in amended
    assert len(strip(amended)) < 400
    repealed = _law_line("203")
    assert "<del><bdi>" in repealed
    assert "<ins>" not in repealed


def test_a_law_that_never_changed_has_no_line() -> None:
    assert law_line(Here(GameView(slug="new", documents={}), "index.md")) == ""


def _board(**parts: Any) -> dict[str, Any]:
    return {"block": "board", "grid": {"shape": "square", "columns": 4, "rows": 4}, **parts}


def _small(*blocks: Any) -> str:
    now = replace(game(), shown=[ShownPage(name="b", title="B", rule="202", blocks=blocks)])
    found = small_board(Here(now, "index.md"))
    return found[1] if found else ""


def test_boards_are_drawn_small_with_what_stands_on_them() -> None:
    drawn = _small(_board(pieces=[{"at": "a1", "name": "x", "owner": "bob"}, {"at": "z9", "name": "y"}], caption="C"))
    assert drawn.count("<circle") == 1
    assert 'cx="5" cy="35"' in drawn
    assert 'aria-label="C"' in drawn
    assert "fm-crossing" in _small(_board(lines=True))
    assert "<path" in _small(_board(grid={"shape": "hexagonal", "columns": 5, "rows": 5}))
    assert "fm-z0" in _small(_board(zones={"b2": "lake"}))


def test_of_a_series_the_last_state_is_drawn() -> None:
    states = [{"title": "1", "blocks": [_board(caption="first")]}, {"title": "2", "blocks": [_board(caption="last")]}]
    assert 'aria-label="last"' in _small({"block": "frames", "pages": states})


@pytest.mark.parametrize("block", [
    _board(grid={"shape": "square", "columns": 40, "rows": 40}), _board(grid={"shape": "square"}), {"block": "board"},
    _board(grid={"shape": "square", "columns": 2, "rows": 30}), _board(grid={"around": {"x": ["y"]}, "shape": "map"}),
    _board(grid={"shape": "free", "width": 9, "height": 9, "cells": {}}), _board(grid=7), "board", None,
])  # fmt: skip
def test_what_cannot_be_drawn_small_is_not(block: Any) -> None:
    assert _small(block) == ""


def test_a_board_that_fails_keeps_no_card_from_being_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_here: Here, _block: Any) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr("folkmoot.site.thumbnail.thumbnail", failing)
    card = game_card(game())
    assert "fm-thumb" not in card
    assert "Latest law:" in strip(card)
    assert thumbnail is not failing


def test_without_scores_a_card_shows_how_much_was_done() -> None:
    drawn = acts(Here(game(), "index.md"))
    assert re.search(r'aria-label="\d+ acts in 60 days"', drawn)
    assert drawn.count("h2v") > 3
    assert acts(Here(GameView(slug="new", documents={}), "index.md")) == ""
