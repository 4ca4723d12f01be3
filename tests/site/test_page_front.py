"""The page in front of all games: each has a card with its board, how it stands, its newest law and its scores."""

from __future__ import annotations

import re
from typing import Any

import pytest

from folkmoot.site.pages.now import cards, example, front_of
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import game
from tests.untrusted.sinks import hostile


def card(now: GameView) -> str:
    return cards([front_of(now)])


def test_a_card_says_how_a_game_stands_who_leads_and_what_is_voted_on() -> None:
    said = " ".join(strip(card(game())).split())
    assert "is before the players. It waits for " in said
    assert "Cid Castro 33, Bob Baker 25, Eve Ekström 19" in said
    assert "6 players · 11 rules" in said
    assert front_of(game()).vote is not None


def test_every_link_of_a_card_leads_below_the_folder_of_its_game() -> None:
    for now in (game("tea"), hostile(every=3)):
        found = re.findall(r'href="([^"]*)"', card(now) + example([front_of(now)]))
        assert found
        assert all(address.startswith((f"{now.slug}/", "https://")) for address in found), found
        assert not any(address.startswith(f"{now.slug}/{now.slug}/") for address in found), found


def test_a_card_of_a_hostile_game_holds_no_markup_of_players() -> None:
    assert "<script" not in card(hostile(every=1)).lower()


def test_the_example_is_an_amendment_that_was_adopted_with_who_voted_for_it() -> None:
    found = front_of(game()).example
    assert found is not None
    assert "<del>" in found.words
    assert "<ins>" in found.words
    assert found.yes > found.no
    assert len(found.voters) == found.yes
    assert "It is law" in strip(example([front_of(game())]))


def test_without_an_amendment_there_is_no_example() -> None:
    assert example([front_of(GameView(slug="new", documents={"game": {"title": "New"}}))]) == ""
    assert "No game is kept here yet." in cards([])


def test_a_board_that_fails_keeps_no_card_from_being_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_here: Here) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr("folkmoot.site.pages.now.small_board", failing)
    assert front_of(game()).board == ""
