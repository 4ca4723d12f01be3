"""Random play of both rulesets: whatever players try, no rule's script fails and the law's own bounds hold."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec import Struct

from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.things import things
from folkmoot.language import shortcuts
from folkmoot.language.shortcuts import without_shortcuts
from folkmoot.scenarios.scenario import Run, found

Record = dict[str, Any]
ROUNDS = 30
LIMIT = 25
NEEDED = (
    "112",
    "311",
)  # others keep their scores and positions in what these declare; players may repeal them, we do not
PEOPLE = ["ann", "bob", "cid", "dee"]


class Table(Struct):
    """A game at which everybody acts at random, but mostly to the purpose."""

    run: Run
    dice: random.Random

    @property
    def game(self) -> Record:
        """Return the game's registers."""
        registers: Record = self.run.kernel.documents["things/game"]["game"]
        return registers

    @property
    def players(self) -> list[str]:
        """Return the players of the moment."""
        return things(self.run.kernel.play, "player")

    def do(self, act: str, by: str | None, **arguments: Any) -> None:
        """Act if the law offers it, whether or not it is accepted."""
        if act == "vote" or act in self.run.kernel.play.law.declared("actions"):
            outcome = self.run.apply(act, by, None, arguments)
            assert outcome.failures == [], f"{by} {act} {arguments}: {outcome.failures}"

    def everybody(self, act: str, **arguments: Any) -> None:
        """Let everybody try an action."""
        for player in self.players:
            self.do(act, player, **arguments)

    def change(self, name: str) -> Record:
        """Return some rule-change."""
        law = [
            document["rule"] for uid, (document, _) in self.run.kernel.play.law.in_force().items() if uid not in NEEDED
        ]
        kind = self.dice.choice(["enact", "enact", "amend", "repeal", "transmute"])
        if kind == "enact":
            return {"enact": {"title": name, "text": f"{name} is a rule."}}
        rest = {"amend": {"text": f"Now {name}."}, "transmute": {"to": self.dice.choice(["mutable", "immutable"])}}
        return {kind: self.dice.choice(law), **rest.get(kind, {})}

    def go_on(self, name: str) -> None:
        """Do what the game waits for."""
        waiting = self.run.kernel.documents["game"]["open"]
        if not waiting:
            self.everybody("vote_scribe", player=self.players[0])
            self.everybody("consent_next_turn")
            self.everybody("confirm_scribe_vote")
            self.everybody("throw_die")
            self.do("propose", self.game.get("mover"), title=name, changes=[self.change(name)])
            return
        self.everybody("finalise")
        self.everybody("vote", choice="for", proposal=waiting[0])
        self.everybody("open_vote")
        for player in self.players:
            self.do("vote", player, choice=self.dice.choice(["for"] * 9 + ["against"]), proposal=waiting[0])

    def disturb(self) -> None:
        """Do something that nobody waits for."""
        one, other = self.dice.choices(self.players, k=2)
        code = self.dice.choice(["MAW", "GBR", "MED", "SPA", "XXX"])
        acts: list[tuple[str, Record]] = [
            ("invoke_judgment", {"question": f"May {other} do that?"}),
            ("judge", {"ruling": "It stands.", "switch": {"denominator": "all"}}),
            ("overrule_vote", {"choice": "yes"}),
            ("roll_expansions", {}),
            ("appoint_oo", {"player": other}),
            ("resign_office", {"office": "scribe"}),
            ("time_off", {}),
            ("end_time_off", {}),
            ("zoid_offer", {"to": other, "amount": 3}),
            ("zoid_accept", {}),
            ("confirm_roll", {}),
            ("publish_result", {}),
            *[(act, {"code": code}) for act in ("post_position", "expand", "relocate")],
        ]
        act, arguments = self.dice.choice(acts)
        self.do(act, one, **arguments)

    def wait(self) -> None:
        """Let time pass."""
        before = len(self.run.entries)
        self.run.advance(self.run.now + self.dice.choice([1, 24, 48, 72]) * 3600, after_deadlines=True)
        assert [entry["failures"] for entry in self.run.entries[before:] if entry.get("failures")] == []

    def bounds_hold(self) -> None:
        """Check what the law says of the state at all times."""
        law = {uid: document for uid, (document, _) in self.run.kernel.play.law.in_force().items()}
        mutable = [uid for uid, document in law.items() if document["labels"]["status"] == "mutable"]
        assert mutable
        assert "209" not in law or len(mutable) <= LIMIT
        assert self.game.get("mover") in (*self.players, None)


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
