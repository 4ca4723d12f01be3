"""Registers and currencies that rules keep for themselves: kept and looked up, and not told where people look first."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.cli.outcomes import told, told_effects
from folkmoot.core.declared_kinds import OWNERS
from folkmoot.referee.preview import of_effects
from folkmoot.wording.game_view import GameView
from folkmoot.wording.page_links import Here
from tests.support.site_game import render_game

RULE: dict[str, Any] = {
    "rule": "1",
    "title": "Marks",
    "text": "",
    "defines": {
        "currencies": {"shame": {"bookkeeping": True}, "fame": {"summary": "Fame"}},
        "game": {"year": {"type": "integer"}, "ticks": {"type": "integer", "bookkeeping": True}},
        "proposal": {"weight": {"type": "integer", "bookkeeping": True}, "colour": {"type": "string"}},
        "kinds": {"clock": {"registers": {"hand": {"type": "list", "bookkeeping": True}, "face": {"type": "string"}}}},
        "player": {"room": {"type": "string"}, "stamp": {"type": "list", "bookkeeping": True}},
    },
}
META = {"number": "1", "in_force": True, "at": 0, "cause": "founding", "revision": 1}
HELD = {"ann": {"shame": 9, "fame": 1, "room": "hall", "stamp": [7]}, "bob": {"shame": 0, "fame": 2, "room": "hall"}}
DOCUMENTS: dict[str, Any] = {
    "game": {"title": "Marks", "open": []},
    "law": {"version": 1, "rules": {"1": META}},
    "rules/1": RULE,
    "roster": {name: {"until": None, "since": 0, "handles": {}} for name in HELD},
    "things/player": HELD,
    "things/game": {"game": {"year": 1742, "ticks": 252300}},
    "things/clock": {"clock-1": {"hand": [], "face": "white"}},
}
HERE = Here(GameView(slug="x", documents=DOCUMENTS, entries=[]), "index.md")


def page_at(path: str) -> str:
    return next(str(text) for name, text in render_game(HERE.view).items() if name.endswith(path))


def put(of: str, name: str, to: object) -> dict[str, Any]:
    return {"effect": "put", "of": of, "name": name, "from": None, "to": to}


def test_the_front_page_tells_no_bookkeeping_and_ranks_by_the_rest() -> None:
    page = page_at("index.md")
    assert "1742" in page
    assert "252300" not in page
    assert "Shame" not in page
    assert page.index("bob") < page.index("ann"), "more fame, whatever the shame"


def test_the_page_of_scores_has_all_currencies_and_what_one_ranks_by_first() -> None:
    page = page_at("scores/index.md")
    assert page.index("Fame") < page.index("Shame")


def test_what_happened_leaves_bookkeeping_out() -> None:
    sentences = of_effects(HERE, [put("ann", "stamp", [8]), put("ann", "room", "cellar"), put("game", "ticks", 3)])
    assert len(sentences) == 1
    assert "cellar" in sentences[0]


def test_a_terminal_tells_it_of_a_trial_and_not_of_what_was_done() -> None:
    changes = [put("game", "ticks", 3), put("ann", "room", "cellar")]
    entry = {"seq": 2, "at": 0, "do": "state", "by": "ann", "with": {"text": "Tea."}, "effects": changes}
    assert [word in " ".join(told_effects(HERE, entry, whole=True)) for word in ("Ticks", "cellar")] == [True, True]
    assert [word in " ".join(told(HERE, entry)) for word in ("Ticks", "cellar")] == [False, True]


def test_so_it_is_whatever_keeps_it_and_however_it_changes() -> None:
    grown = {"effect": "append", "of": "clock-1", "name": "hand", "to": 12}
    kept = [grown, put("proposal/301", "weight", 7), {**grown, "of": "ann", "name": "stamp"}]
    shown = of_effects(HERE, [*kept, put("clock-1", "face", "ivory"), put("proposal/301", "colour", "beige")])
    assert [word in " ".join(shown) for word in ("ivory", "beige", "12", "eight")] == [True, True, False, False]
    assert len(shown) == 2


OF = {"game": "game", "player": "ann", "rule": "rule/1", "proposal": "proposal/301", "office": "office/judge"}


@pytest.mark.parametrize("owner", [*OWNERS, "clock"])
def test_registers_of_every_owner_are_known_by_their_declaration(owner: str) -> None:
    kept = {
        "due": {"type": "time"},
        "name": {"type": "string", "initial": ""},
        "quiet": {"type": "integer", "bookkeeping": True},
    }
    block = {owner: kept} if owner in OWNERS else {"kinds": {owner: {"registers": kept}}}
    rule = {**RULE, "defines": {"offices": {"judge": {}}, **block}}
    here = Here(GameView(slug="x", documents={**DOCUMENTS, "rules/1": rule}, entries=[]), "index.md")
    of = OF.get(owner, "clock-1")
    named = put(of, "name", "Bo") | {"from": ""}
    shown = of_effects(here, [put(of, "due", 1_767_614_400), named, put(of, "quiet", 5)])
    assert [word in " ".join(shown) for word in ("2026", "empty → Bo", "Quiet")] == [True, True, False]
    assert len(shown) == 2


def test_where_all_is_bookkeeping_players_rank_by_it() -> None:
    rule = {**RULE, "defines": {"currencies": {"shame": {"bookkeeping": True}}}}
    view = GameView(slug="x", documents={**DOCUMENTS, "rules/1": rule}, entries=[])
    assert (view.told_currencies, view.bookkept_currencies) == (["shame"], [])
