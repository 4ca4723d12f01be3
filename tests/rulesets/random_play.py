"""A game of Suber's rules in which everybody acts at random."""

from __future__ import annotations

import random
from typing import Any

from msgspec import Struct

from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Run

Record = dict[str, Any]
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
        code = self.dice.choice(["MAW", "GBR", "MED", "SPA", "QQQ"])
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
