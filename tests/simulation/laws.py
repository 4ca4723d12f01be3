"""The laws that are played in simulations, and what of them a simulation has to know to tell right from wrong."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from folkmoot.game.rulesets import founding
from tests.support.keeper import SECRET
from tests.support.quick import POINTS, VOTES
from tests.support.table import rule

DAY = 86_400

STRIKES = rule(
    "3",
    """
    def on_strike(e):
        add("game", "strikes", 1)
        for p in things("player"):
            if get(p, "bid", None) != None:
                put(p, "shown", reveal(get(p, "bid")))
                put(p, "bid", None)

    def do_bid(a):
        put(a.by, "bid", a.args.amount)
    """,
    timers={"strike": {"every": "day", "edge": "start"}},
    defines={
        "game": {"strikes": {"type": "integer", "initial": 0}},
        "player": {
            "bid": {"type": "any", "sealed": "nobody", "optional": True},
            "shown": {"type": "any", "optional": True},
        },
    },
    actions={"bid": {"arguments": {"amount": {"type": "any", "sealed": "nobody"}}}},
)
"""Bids are sealed until midnight, when they are shown."""


class Law(Struct, frozen=True):
    """A law: for how long a vote is open, whether by turns, and whether ballots are hidden until they are counted."""

    name: str
    rules: list[dict[str, Any]]
    period: int = 7 * DAY
    settings: dict[str, str] = {}
    strikes: bool = True
    turns: bool = False
    hidden: bool = False

    def founding(self, players: int) -> dict[str, Any]:
        """Return what the game of so many players is founded on."""
        people = [{"id": who, "email": f"{who}@x.org"} for who in names(players)]
        return {"title": self.name, "zone": "UTC", "rules": self.rules, "settings": self.settings, "players": people}


def names(players: int) -> list[str]:
    """Return the ids of the players; the first is an administrator."""
    return ["ann", *(f"p{number}" for number in range(1, players))]


def _endless(rules: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rules of Lanterns, of which so many win that nobody does."""
    return [{**found, "script": str(found.get("script") or "").replace(">= 12", ">= 99999")} for found in rules]


OPEN = Law("open", [VOTES, POINTS, STRIKES])
HIDDEN = Law("hidden", [VOTES, POINTS, STRIKES, {**SECRET, "rule": "4"}], hidden=True)
LANTERNS = Law("lanterns", _endless(founding("lanterns")["rules"]), DAY, {"pace": "1440"}, strikes=False, turns=True)
LAWS = {law.name: law for law in (OPEN, HIDDEN, LANTERNS)}
