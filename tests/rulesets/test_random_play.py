"""Random play of both rulesets: whatever players try, no rule's script fails and the law's own bounds hold."""

from __future__ import annotations

import random

import pytest

from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.language import shortcuts
from folkmoot.scenarios.scenario import found
from tests.rulesets.random_play import PEOPLE, Record, Table
from tests.support.shortcuts import without_shortcuts

ROUNDS = 30


def played(ruleset: str, mode: str, seed: int) -> Table:
    """Return a table after random play, of which the bounds were checked all along."""
    scenario: Record = {"scenario": "random play", "ruleset": ruleset, "settings": {"mode": mode}}
    if ruleset == "suber":
        scenario["players"] = PEOPLE
    run = found(scenario, founding, lambda event: open_chance(f"random {seed}", str(event.seq)))
    table = Table(run, random.Random(seed))
    for place in range(ROUNDS):
        if run.kernel.documents["game"]["over"]:
            break
        what = table.dice.random()
        if what < 0.65:
            table.go_on(f"rule {place}")
        elif what < 0.9:
            table.disturb()
        else:
            table.wait()
        table.bounds_hold()
    return table


GAMES = pytest.mark.parametrize(("ruleset", "mode"), [("suber", "table"), ("suber", "mail"), ("suber-mail", "mail")])


@pytest.mark.parametrize("seed", range(2))
@GAMES
def test_no_script_fails_in_random_play(ruleset: str, mode: str, seed: int) -> None:
    """Scripts of the packaged rules never fail, and play never leaves the bounds of the law."""
    played(ruleset, mode, seed)


@GAMES
def test_nobody_can_tell_what_was_recalled(ruleset: str, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record of a game is the same whether courses of scripts are recalled, forgotten at once, or never kept."""
    entries = played(ruleset, mode, 7).run.entries
    with monkeypatch.context() as patch:
        patch.setattr(shortcuts, "MOST", 300)
        patch.setattr(shortcuts, "LONG", 1)
        assert played(ruleset, mode, 7).run.entries == entries
    with without_shortcuts():
        assert played(ruleset, mode, 7).run.entries == entries
