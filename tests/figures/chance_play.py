"""Games of the packaged rulesets in which everybody acts by chance; nothing here knows what any of them is about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec import Struct

from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found

Record = dict[str, Any]
PEOPLE = [("ann", "Ann", "Abel"), ("bob", "Bob", "Baker"), ("cid", "Cid", "Castro"), ("dee", "Dee", "Drew")]
PAUSES = (1, 40, 900, 7_200, 90_000, 300_000)
"""Seconds between acts."""
WORDS = ("lantern", "three ducks", "Because of rule 101.", "no more than 4")


class Played(Struct):
    """What is recorded of a game: entries in order, documents by key, and the pages that its rules show, by name."""

    name: str
    entries: list[Record]
    documents: dict[str, Record]
    order: list[str]
    """The uids of the rules in force, the first in precedence first."""
    run: Run


class Table:
    """A table at which everybody tries what the law offers."""

    def __init__(self, name: str, seed: int) -> None:
        """Found a game of a packaged ruleset."""
        self.chance = Random(f"{name} {seed}")
        scenario = {"scenario": name, "ruleset": name, "starts": "2026-03-01T09:30:00Z", "administrators": ["ann"]}
        people = (
            {}
            if founding(name).get("players")
            else {"players": [{"id": id_, "name": name, "surname": surname} for id_, name, surname in PEOPLE]}
        )
        self.run = found({**scenario, **people}, founding, lambda event: open_chance(name, str(event.seq)))
        for office in self.run.kernel.documents.find("things/office") or {}:
            if self.chance.random() < 0.7:
                self._do(
                    "appoint", self.chance.choice(self.players), office=office, player=self.chance.choice(self.players)
                )

    @property
    def players(self) -> list[str]:
        """Who plays now."""
        roster = self.run.kernel.documents.find("roster") or {}
        return [player for player, entry in roster.items() if entry.get("until") is None]

    @property
    def open(self) -> list[Record]:
        """What is not resolved."""
        everything = self.run.kernel.documents.everything().values()
        return [each for each in everything if "ballots" in each and "changes" in each and not each["outcome"]]

    def play(self, rounds: int) -> Played:
        """Go on for some rounds, or until the game is over or deserted."""
        for act in [self._propose, self._vote, *[self._anything] * 4, self._pause] * rounds:
            if self.run.kernel.documents["game"]["over"] or len(self.players) < 2:
                break
            act()
        entries = json.loads(json.dumps(self.run.entries))
        documents = json.loads(json.dumps(self.run.kernel.documents.everything()))
        return Played(
            str(documents["game"]["ruleset"]), entries, documents, self.run.kernel.order(self.run.now), self.run
        )

    def _pause(self) -> None:
        self.run.advance(self.run.now + self.chance.choice(PAUSES), after_deadlines=True)

    def _declared(self) -> Mapping[str, Record]:
        return {name: about or {} for name, (_uid, about) in self.run.kernel.play.law.declared("actions").items()}

    def _do(self, do: str, by: str, as_: str | None = None, **given: Any) -> bool:
        self.run.now += 1
        self.run.advance(self.run.now, after_deadlines=False)
        return self.run.apply(do, by, as_, given).accepted

    def _propose(self) -> None:
        """Let somebody propose whom the law lets: a new rule, an amendment or a repeal."""
        for name, about in self._declared().items():
            arguments = about.get("arguments") or {}
            if not any((spec or {}).get("type") == "changes" for spec in arguments.values()):
                continue
            for player in self.chance.sample(self.players, len(self.players)):
                if self._do(name, player, about.get("as"), **self._given(arguments, fill=True)):
                    break
        for name in ("finalise", "open_vote", "call_vote"):
            if name in self._declared():
                self._do(name, self.chance.choice(self.players))

    def _changes(self) -> list[Record]:
        numbers = [meta["number"] for meta in self.run.kernel.documents["law"]["rules"].values() if meta["in_force"]]
        rule, number = self.chance.choice(numbers), self.chance.randrange(9)
        kind = self.chance.choice(("enact", "enact", "amend", "repeal"))
        text = f"Whoever finds {number} ducks keeps {self.chance.randrange(2, 9)} of them."
        enacted: Record = {"title": f"Ducks {number}", "text": text}
        return [
            {"enact": enacted}
            if kind == "enact"
            else {"amend": rule, "text": text}
            if kind == "amend"
            else {"repeal": rule}
        ]

    def _vote(self) -> None:
        """Let most of those vote who may, mostly for what is proposed."""
        for proposal in self.open:
            kind, number = proposal.get("kind") or "proposal", proposal.get("number")
            for player in self.chance.sample(self.players, len(self.players)):
                if proposal["state"] != "open" or self.chance.random() < 0.1:
                    continue
                known = self.run.kernel.ask("choices", [proposal["id"]], self.run.now) or ["for", "against"]
                choice = str(known[0] if self.chance.random() < 0.8 else self.chance.choice(known))
                reason = self.chance.choice(("", *WORDS))
                self._do("vote", player, choice=choice, reason=reason, **{kind: number or proposal["id"]})

    def _anything(self) -> None:
        """Try some action with whatever it takes."""
        declared = self._declared()
        name = self.chance.choice([*declared, "state"])
        if name in ("leave", "quit") and len(self.players) < 4:
            return
        about = declared.get(name, {"arguments": {"text": {"type": "text"}}})
        self._do(name, self.chance.choice(self.players), about.get("as"), **self._given(about.get("arguments") or {}))

    def _given(self, arguments: Mapping[str, Record | None], *, fill: bool = False) -> Record:
        given = {}
        for name, spec in arguments.items():
            about = spec or {}
            if fill and name == "title":
                given[name] = self.chance.choice(("Seven ducks", "A change", "Of 12 things"))
            elif not (about.get("optional") or "default" in about) or self.chance.random() < 0.3:
                given[name] = self._value(about)
        return given

    def _value(self, about: Record) -> Any:
        kind, chance = about.get("type", "text"), self.chance
        if about.get("of"):
            return chance.choice(list(about["of"]))
        documents = self.run.kernel.documents
        things = {key: [*held] for key, held in documents.everything().items() if key.startswith("things/") and held}
        if kind == "thing":
            named = things.get(f"things/{about.get('kind')}") or next(iter(things.values()))
            return chance.choice(named)
        numbers = [each["number"] for each in self.open if each.get("number")] or [1]
        values: dict[str, Any] = {
            "integer": lambda: chance.randrange(about.get("minimum") or 0, (about.get("maximum") or 9) + 1),
            "boolean": lambda: chance.random() < 0.5,
            "player": lambda: chance.choice(self.players),
            "proposal": lambda: chance.choice(numbers),
            "rule": lambda: chance.choice([meta["number"] for meta in documents["law"]["rules"].values()]),
            "office": lambda: chance.choice(things.get("things/office") or ["chair"]),
            "changes": self._changes,
            "list": list,
            "map": dict,
            "settings": dict,
            "square": lambda: f"{chance.choice('abcdefgh')}{chance.randrange(1, 9)}",
            "time": lambda: self.run.now + chance.choice(PAUSES),
        }
        return values.get(kind, lambda: chance.choice(WORDS))()
