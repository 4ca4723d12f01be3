"""The page of a proposal shows every part of what is proposed: whoever votes can read all of it."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.site.page_model import made
from folkmoot.site.pages.proposal import proposal_sheets
from folkmoot.site.pages.rule import rule_sheets
from folkmoot.wording.game_view import GameView

NEW: dict[str, Any] = {
    "title": "Tea", "labels": {"status": "mutable"}, "text": "There is tea.", "script": "def on_steep(e):\n    pass\n",
    "defines": {"game": {"steeped": {"type": "integer", "initial": 7}}},
    "actions": {"brew": {"summary": "Brew it", "arguments": {"leaves": {"type": "integer"}}}},
    "timers": {"steep": {"every": "week", "weekday": "friday"}},
    "settings": {"milk": {"question": "Is there milk?", "default": "never"}},
    "sealed": {"leaves_left": "Whether any are left"}, "precedence": {"over": ["207"]}, "about": "petition", "examples": [{"name": "a cup is poured", "then": []}],
}  # fmt: skip
WORDS = {"title": "Tea", "labels": "mutable", "text": "There is tea", "script": "on_steep", "defines": "steeped",
         "actions": "leaves", "timers": "friday", "settings": "milk", "precedence": "207",
         "sealed": "leaves_left", "about": "petition", "examples": "a cup is poured"}  # fmt: skip
OLD = {"rule": "301", "uid": "301", "title": "Old", "text": "Nothing.", "labels": {"status": "immutable"}}
META = {"number": "301", "in_force": True, "revision": 1}


def view(change: dict[str, Any], rule: dict[str, Any] = OLD) -> GameView:
    proposal = {"id": "proposal/302", "kind": "proposal", "number": 302, "title": "P", "state": "open", "author": "ann",
                "ballots": {}, "electorate": [], "changes": [change]}  # fmt: skip
    documents = {"proposals/302": proposal, "law": {"rules": {"301": META}}, "rules/301": rule}
    return GameView(slug="g", documents=documents)


def told(game: GameView) -> str:
    return str(made(game, next(sheet for sheet in game.index(proposal_sheets).values() if "302" in sheet.path)).body)


@pytest.mark.parametrize("change", [{"kind": "enact", "parts": NEW}, {"kind": "amend", "rule": "301", "parts": NEW}])
def test_every_part_is_shown(change: dict[str, Any]) -> None:
    assert set(WORDS) == set(RULE_PARTS)
    shown = told(view(change))
    assert [part for part, words in WORDS.items() if words not in shown] == []


def test_what_is_taken_away_is_shown_too() -> None:
    gone = {**OLD, "timers": {"steep": {"every": "week"}}}
    shown = told(view({"kind": "amend", "rule": "301", "parts": {"timers": {}}}, gone))
    assert "every: week" in shown
    assert "stayed as it was" not in shown


def test_what_stays_is_not_shown_as_changed() -> None:
    assert "Timers" not in told(view({"kind": "amend", "rule": "301", "parts": {"text": "Else."}}, {**OLD, **NEW}))


def test_the_page_of_a_rule_shows_its_examples() -> None:
    game = view({"kind": "repeal", "rule": "301"}, {**OLD, "examples": NEW["examples"]})
    page = next(sheet for sheet in game.index(rule_sheets).values() if "301" in sheet.path).make(game)
    assert "a cup is poured" in page.examples
