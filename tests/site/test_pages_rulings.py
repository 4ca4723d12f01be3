"""How the clauses of a law are read that can be read in several ways, and how much rules may take."""

from __future__ import annotations

import re

from msgspec.structs import replace

from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.rulings import rulings
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from tests.support.site_game import game


def test_each_clause_says_how_it_is_read_in_what_other_ways_and_who_ruled_so() -> None:
    page = rulings(game())
    titles = [each.title for each in page.readings]
    assert titles.index("Adoption") < titles.index("Rounding")
    (rounding,) = (each for each in page.readings if each.title == "Rounding")
    assert rounding.present.word == "even"
    assert rounding.others
    (ruling,) = rounding.rulings
    assert "Halves go to the even neighbour." in strip(ruling)
    assert "#e" in ruling
    assert rounding.present.word not in {each.word for each in rounding.others}


def test_a_limit_says_what_is_usual_where_it_is_another() -> None:
    view = game()
    name = rulings(view).limits[0].name
    assert all(each.value == each.default for each in rulings(view).limits)
    document = {**view.documents["game"], "limits": {name: 7}}
    (changed,) = (
        each
        for each in rulings(replace(view, documents={**view.documents, "game": document})).limits
        if each.value != each.default
    )
    assert (changed.name, changed.value) == (name, 7)


def test_a_game_that_asks_nothing_has_a_page_too() -> None:
    page = rulings(GameView(slug="new", documents={"game": {"title": "New"}}))
    assert page.readings == ()
    assert "No rule asks how it is to be read." in drawn_page(GameView(slug="new", documents={}), page).body


def test_each_clause_can_be_led_to() -> None:
    said = drawn_page(game(), rulings(game())).body
    assert {f"setting-{name}" for name in game().declared("settings")} | {"limits"} <= {
        *re.findall(r'id="([^"]+)"', said)
    }
