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

KEPT = {"bookkeeping": True}
RULE: dict[str, Any] = {
    "rule": "1", "title": "Marks", "text": "",
    "defines": {
        "currencies": {"shame": KEPT, "fame": {"summary": "Fame"}},
        "game": {"year": {"type": "integer"}, "ticks": {"type": "integer", **KEPT}},
        "player": {"room": {"type": "string"}, "stamp": {"type": "list", **KEPT}},
    },
}  # fmt: skip
HELD = {"ann": {"shame": 9, "fame": 1, "room": "hall", "stamp": [7]}, "bob": {"shame": 0, "fame": 2, "room": "hall"}}
DOCUMENTS: dict[str, Any] = {
    "game": {"title": "Marks", "open": []},
    "law": {
        "version": 1,
        "rules": {"1": {"number": "1", "in_force": True, "at": 0, "cause": "founding", "revision": 1}},
    },
    "rules/1": RULE,
    "roster": {name: {"until": None, "since": 0, "handles": {}} for name in HELD},
    "things/player": HELD,
    "things/game": {"game": {"year": 1742, "ticks": 252300}},
    "things/clock": {"clock-1": {"hand": [], "face": "white"}},
}
OF = {"game": "game", "player": "ann", "rule": "rule/1", "proposal": "proposal/301", "office": "office/judge"}


def here(**defines: Any) -> Here:
    """Return the game, whose rule may define other things."""
    rule = {**RULE, "defines": defines or RULE["defines"]}
    return Here(GameView(slug="x", documents={**DOCUMENTS, "rules/1": rule}, entries=[]), "index.md")


def put(of: str, name: str, to: object, was: object = None) -> dict[str, Any]:
    return {"effect": "put", "of": of, "name": name, "from": was, "to": to}


def test_the_front_page_tells_no_bookkeeping_and_ranks_by_the_rest_and_scores_have_it_last() -> None:
    pages = render_game(here().view)
    front, scores = pages["index.md"], pages["scores/index.md"]
    assert [word in front for word in ("1742", "252300", "Shame")] == [True, False, False]
    assert front.index("bob") < front.index("ann"), "more fame, whatever the shame"
    assert scores.index("Fame") < scores.index("Shame")
    view = here(currencies={"shame": KEPT}).view
    assert (view.told_currencies, view.bookkept_currencies) == (["shame"], []), "where there is nothing else"


def test_a_terminal_tells_it_of_a_trial_and_not_of_what_was_done() -> None:
    changes = [put("game", "ticks", 3), put("ann", "room", "cellar")]
    entry = {"seq": 2, "at": 0, "do": "state", "by": "ann", "with": {"text": "Tea."}, "effects": changes}
    assert [word in " ".join(told_effects(here(), entry, whole=True)) for word in ("Ticks", "cellar")] == [True, True]
    assert [word in " ".join(told(here(), entry)) for word in ("Ticks", "cellar")] == [False, True]


@pytest.mark.parametrize("owner", [*OWNERS, "clock"])
def test_what_happened_leaves_it_out_whatever_keeps_it_and_however_it_changes(owner: str) -> None:
    registers = {"due": {"type": "time"}, "name": {"type": "string", "initial": ""},
                 "quiet": {"type": "integer", **KEPT}, "hand": {"type": "list", **KEPT}}  # fmt: skip
    block = {owner: registers} if owner in OWNERS else {"kinds": {owner: {"registers": registers}}}
    of = OF.get(owner, "clock-1")
    grown = {"effect": "append", "of": of, "name": "hand", "to": 12}
    changes = [put(of, "due", 1_767_614_400), put(of, "name", "Bo", ""), put(of, "quiet", 5), grown]
    shown = of_effects(here(offices={"judge": {}}, **block), changes)
    assert [word in " ".join(shown) for word in ("2026", "empty → Bo", "Quiet", "Hand")] == [True, True, False, False]
    assert len(shown) == 2
