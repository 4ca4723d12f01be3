"""What holds in A Nomic after each entry, whatever people do: money, Cards, Stones and Objects come and go by rules only.

Each check raises an AssertionError whose first word names what does not hold.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from folkmoot.kernel.sealed_data.values import seen_by
from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Run

Record = dict[str, Any]
CARDS = 208
CREATED = re.compile(r"joins the game$|players voted in nweek \d+$|(^|: )motion \d+$")
"""Why money may come from nowhere or go there: rules 379, 378, and 341 and 342, also where a Judge takes that back."""
OWNED = ["stone", "stamp", "extra_vote", "dunce_cap", "debt", "home", "place", "contract_offer"]
PLACES = ["home", "place"]
RANKS = ["Ace", *map(str, range(2, 11)), "Jack", "Queen", "King"]
SUITS = ["Diamonds", "Spades", "Hearts", "Clubs"]
BACKS = ["Red", "Blue", "Fish", "Corporate"]


def name_of(number: int) -> str:
    """Return the name of a Card by its number, from 1."""
    pack, place = divmod(number - 1, 52)
    return f"{BACKS[pack]} {RANKS[place % 13]} of {SUITS[place // 13]}"


class Invariants:
    """What holds in a game; `funds` are what all Agents had together when it was last looked at, in Pennies."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.funds = sum(100 * points + pennies for points, pennies in self._purses())

    def of(self, kind: str) -> dict[str, Record]:
        """Return all things of a kind, each with its registers."""
        return dict(self.run.kernel.documents.find(f"things/{kind}") or {})

    def unsealed(self, value: Any) -> list[Any]:
        """Return a list with what is sealed in it."""
        return list(seen_by(self.run.kernel.play, value, None))

    def hold(self) -> None:
        """Check all of them."""
        self.money()
        self.cards()
        self.stones()
        self.owners()
        self.places()

    def _agents(self) -> list[str]:
        return [*things(self.run.kernel.play, "player"), "bank"]

    def _purses(self) -> list[tuple[int, int]]:
        purses = [*self.of("player").values(), self.of("bank")["bank"]]
        return [(purse.get("points", 0), purse.get("pennies", 0)) for purse in purses]

    def money(self) -> None:
        """Check that nobody has less than nothing, and that only the rules that may do so make money or destroy it."""
        held = self._purses()
        assert all(points >= 0 for points, _ in held), f"points are below zero: {held}"
        assert all(0 <= pennies < 100 for _, pennies in held), f"pennies are below zero or make a point: {held}"
        funds = sum(100 * points + pennies for points, pennies in held)
        worth, made = {"points": 100, "pennies": 1}, 0
        for line in self.run.entries[-1].get("effects", ()) if self.run.entries else ():
            if line["effect"] == "award" and CREATED.search(str(line.get("reason") or line.get("why"))):
                made += worth[line["name"]] * line["applied"]
        assert funds - self.funds == made, f"funds are {funds - self.funds} more, of which {made} by rules"
        self.funds = funds

    def cards(self) -> None:
        """Check that Deck, Hands and Bank have all Cards together, and 52 of each Back at most are seen."""
        game = self.of("game")["game"]
        size = game.get("deck_size")
        seen = Counter[str](game["bank_backs"])
        for values in self.of("player").values():
            seen.update(values["backs"])
        hands = [self.unsealed(values["hand"]) for values in self.of("player").values()]
        held = [card for hand in [*hands, self.unsealed(game["bank_hand"])] for card in hand]
        assert all(0 <= many <= CARDS // 4 for many in seen.values()), f"backs are more than a pack has: {seen}"
        assert len(held) == seen.total(), f"hands have {len(held)} Cards, and {seen.total()} Backs are seen"
        assert (CARDS if size is None else size) + len(held) == CARDS, f"cards are {size} and {len(held)}"
        if size is not None:
            deck = [name_of(number) for number in self.unsealed(game["deck"])]
            assert sorted([*deck, *held]) == sorted(map(name_of, range(1, CARDS + 1))), "cards are there twice or gone"

    def stones(self) -> None:
        """Check that the Stones of the three states are all, and that those In Play lie in one place each."""
        stones = self.of("stone").values()
        states = Counter(values.get("state", "reserve") for values in stones)
        known = states["reserve"] + states["in-play"] + states["captured"]
        assert known == len(stones), f"stones are in other states: {states}"
        lying = [values.get("at") for values in stones if values.get("state") == "in-play"]
        assert None not in lying, "stones are In Play and lie nowhere"
        assert len(set(lying)) == len(lying), f"stones lie at one place: {lying}"
        lost = [values for values in stones if values.get("state") != "in-play" and values.get("at") is not None]
        assert lost == [], f"stones lie on the board and are not In Play: {lost}"

    def owners(self) -> None:
        """Check that each Object has an owner, who is an Agent; Rules are Objects, too."""
        agents = self._agents()
        for kind in OWNED:
            for each, values in self.of(kind).items():
                assert values.get("owner") in agents, f"owner of {each}: {values.get('owner')}"
        if self.run.entries and self.run.entries[-1].get("with") == {"timer": "midnight"}:
            play = self.run.kernel.play
            owners = {uid: play.ask("rule_owner", uid) for uid in play.law.in_force()}
            assert all(owner in (None, *agents) for owner in owners.values()), f"owner of a Rule: {owners}"

    def places(self) -> None:
        """Check that nothing is in two Places, and nobody in one who is no Player."""
        found = [place for kind in PLACES for place in self.of(kind).values()]
        inside = [each for place in found for each in place.get("objects") or ()]
        assert len(set(inside)) == len(inside), f"places hold something twice: {inside}"
        guests = {each for place in found for each in place.get("players") or ()}
        assert guests <= set(self._agents()), f"places hold those who are no Players: {guests}"
