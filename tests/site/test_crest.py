"""The crest of a game is its own, the same on every page and from run to run."""

from __future__ import annotations

from folkmoot.site.chrome import CHARGES, COLOURS, Crest, crest
from folkmoot.wording.game_view import GameView


def of(name: str) -> Crest:
    return crest(GameView(slug=name, documents={}))


def test_a_game_keeps_its_crest() -> None:
    assert of("tea") == of("tea") != of("coffee")


def test_games_have_many_crests() -> None:
    kinds = COLOURS * len(CHARGES)
    assert len({of(f"game {number}") for number in range(20 * kinds)}) == kinds


def test_a_crest_goes_with_the_game_and_not_with_its_folder() -> None:
    entries = ({"seq": 1}, {"seq": 2, "prev": "abc"})
    assert crest(GameView(slug="tea", documents={}, entries=entries)) == crest(
        GameView(slug="moved", documents={}, entries=entries)
    )
