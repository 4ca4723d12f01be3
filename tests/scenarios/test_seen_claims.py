"""Claims of what one player sees: of whatever has registers, by its name, its number or its kind."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.scenarios.scenario import Failed, run_scenario

SCRIPT = """
def do_order(a):
    create("order", words = a.args.words)
    put(a.by, "words", a.args.words)
    put("game", "words", a.args.words)
    put(rule("1"), "words", a.args.words)
    put(submit("Orders", []), "words", a.args.words)

def decide_number(p):
    return 1
"""
SEALED = {"words": {"type": "string", "sealed": "author", "optional": True}}
RULE = {
    "rule": "1",
    "title": "Orders",
    "text": "Players write orders that nobody else reads.",
    "script": SCRIPT,
    "actions": {"order": {"arguments": {"words": {"type": "string", "sealed": "author"}}}},
    "defines": {
        "kinds": {"order": {"registers": SEALED}},
        **dict.fromkeys(("player", "game", "rule", "proposal"), SEALED),
    },
}
CLAIMS = (
    {"kind": "order", "count": 1},
    {"kind": "order"},
    {"thing": "order-1"},
    {"player": "ann"},
    {"game": True},
    {"rule": "1"},
    {"proposal": 1},
)


def play(claim: dict[str, Any]) -> None:
    steps = [{"by": "ann", "do": "order", "args": {"words": "hold"}}]
    told = {"scenario": "x", "ruleset": "orders", "players": ["ann", "bob"], "steps": steps, "expect": [claim]}
    run_scenario(told, lambda _name: {"title": "Orders", "rules": [RULE]})


@pytest.mark.parametrize("claim", CLAIMS)
def test_every_claim_of_registers_says_what_a_player_sees(claim: dict[str, Any]) -> None:
    play({**claim, "words": "sealed", "seen_by": "bob"})
    play({**claim, "words": "hold", "seen_by": "ann"})
    play({**claim, "words": "hold"})
    for untrue in ({"words": "hold", "seen_by": "bob"}, {"words": "sealed", "seen_by": "ann"}, {"words": "sealed"}):
        with pytest.raises(Failed):
            play({**claim, **untrue})
