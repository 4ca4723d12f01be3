"""Random play: everybody at a table tries whatever the law of a ruleset offers; nothing here knows what a game is about.

Arguments are drawn by what the law declares of them, and mostly somebody acts who has to do with what they name. After
each entry no script has failed, and every balance is what the ledger says, as is whatever else a ruleset promises.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from folkmoot.core.calendar import DAY
from folkmoot.core.events import Event
from folkmoot.core.keys import GAME, proposal_key, things_key
from folkmoot.core.records import Founding
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import Chance, open_chance
from folkmoot.kernel.next_timer import fires_before
from folkmoot.kernel.replay import replay
from folkmoot.kernel.sealed_data.values import seen_by
from folkmoot.kernel.step import Kernel
from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Run, found
from tests.scenarios.conftest import with_lists

Record = dict[str, Any]
PEOPLE: list[Record] = [
    {"id": "ann", "name": "Ann", "surname": "Abel"},
    {"id": "bob", "name": "Bob", "surname": "Baker"},
    {"id": "cid", "name": "Cid", "surname": "Castro"},
    {"id": "dee", "name": "Dee", "surname": "Drew"},
]
PAUSES = (1, 40, 900, 7_200, 90_000, 300_000)
"""Seconds between acts."""
WORDS = ("lantern", "three ducks", "Because of rule 101.", "no more than 4")
NONSENSE = (None, "", -1, 0, [], {}, [[]], {"do": 1}, "zero\u200b", 2**60, "x" * 300, [None], True, "nobody")
LEAVING = ("leave", "quit", "forfeit")


class Manners(Struct):
    """How a game is begun and what of it chance has to know, so that more of what is tried is to the purpose."""

    people: list[Record] = field(default_factory=lambda: PEOPLE)
    given: list[Record] = field(default_factory=list)
    """What the game opens with."""
    often: dict[str, float] = field(default_factory=dict)
    """How often an act is tried; others are once, and nothing is that is tried 0 times."""
    values: dict[str, Callable[[Table], Any]] = field(default_factory=dict)
    """Values of arguments by their names, or by the act and the name."""
    promises: Sequence[Callable[[Table, Record], None]] = ()
    """What holds after each entry."""
    starts: str = "2026-03-01T09:30:00Z"
    pauses: Sequence[int] = PAUSES
    acts: int = 4
    """How many other acts are tried in a round."""
    tries: int = 1
    """How often an act is drawn anew that was refused."""
    nonsense: float = 0.0
    """How often a value is nonsense."""
    least: int = 3
    """How many players stay."""


class Table:
    """A table at which everybody tries what the law offers."""

    def __init__(
        self, ruleset: str, seed: object = 0, manners: Manners | None = None, law: Founding | None = None, **more: Any
    ) -> None:
        """Found a game by a packaged ruleset, or by a law that is given; `more` is said in the scenario."""
        self.dice, self.manners = random.Random(f"{ruleset} {seed}"), manners or Manners()
        self.told, self.balances, self.notes = Counter[tuple[str, str]](), dict[tuple[str, str], int](), Record()
        scenario: Record = {
            "scenario": ruleset,
            "ruleset": ruleset,
            "starts": self.manners.starts,
            "administrators": ["ann"],
        }
        if ruleset != "suber-mail":  # which begins with its own people
            scenario |= {"players": [dict(person) for person in self.manners.people], "given": self.manners.given}
        rulesets: Callable[[str], Founding] = (lambda _name: law) if law else founding
        chance: Callable[[Event], Chance] = lambda event: open_chance(ruleset, str(event.seq))  # noqa: E731
        self.run: Run = found(scenario | more, rulesets, chance, with_lists)
        self.begun, self.first = json.dumps(self.run.kernel.documents.everything()), len(self.run.entries)
        self._hold(dict(self.run.entries[-1]))

    # -- what there is

    def of(self, kind: str) -> dict[str, Record]:
        return dict(self.run.kernel.documents.find(things_key(kind)) or {})

    @property
    def game(self) -> Record:
        return self.of("game")["game"]

    @property
    def players(self) -> list[str]:
        return things(self.run.kernel.play, "player")

    @property
    def over(self) -> bool:
        return bool(self.run.kernel.documents[GAME]["over"]) or len(self.players) < 2

    @property
    def settled(self) -> bool:
        """Whether all that is due by now has happened."""
        return not fires_before(self.run.kernel.next_due(), self.run.now, True)

    @property
    def undecided(self) -> list[Record]:
        keys = self.run.kernel.documents[GAME]["open"]
        known: list[Any] = [self.run.kernel.documents.find(proposal_key(key)) for key in keys]
        return [each for each in known if each and not each["outcome"]]

    def holder(self, office: str) -> str:
        return (self.of("office").get(office) or {}).get("holder") or self.dice.choice(self.players)

    def unsealed(self, value: Any) -> Any:
        """Return a value with what is sealed in it."""
        return seen_by(self.run.kernel.play, value, None)

    def acts(self) -> dict[str, Record]:
        declared = self.run.kernel.play.law.declared("actions")
        return {name: dict(about or {}) for name, (_uid, about) in declared.items()}

    # -- playing

    def play(self, rounds: int) -> Table:
        for act in [self.propose, self.vote, *[self.anything] * self.manners.acts, self.pause] * rounds:
            if self.over:
                break
            act()
        return self

    def pause(self) -> None:
        self.wait(self.dice.choice(self.manners.pauses))

    def propose(self) -> None:
        """Let somebody propose whom the law lets, by an action that takes changes."""
        declared, ways = self.acts(), [*self._ways()]
        name = self.dice.choices(ways, [self.manners.often.get(way, 1) for way in ways])[0] if ways else ""
        for player in self.dice.sample(self.players, len(self.players)) if name else ():
            if self.do(name, player, **self.arguments(name, declared[name], fill=True)):
                break
        for do in ("finalise", "open_vote"):
            if do in declared:
                self.do(do, self.dice.choice(self.players))

    def _ways(self) -> Iterator[str]:
        """Yield the actions by which whoever plays proposes changes."""
        for name, about in self.acts().items():
            arguments = about.get("arguments") or {}
            if "changes" in arguments and not about.get("as") and not arguments.keys() & {"proposal", "motion"}:
                yield name

    def vote(self) -> None:
        """Let most of those vote who may, mostly for what is proposed."""
        for proposal in self.dice.sample(self.undecided, min(2, len(self.undecided))):
            kind, number = proposal.get("kind") or "proposal", proposal.get("number")
            known = self.run.kernel.ask("choices", [], self.run.now, about=proposal["id"]) or ["for", "against"]
            for player in self.dice.sample(self.players, len(self.players)):
                if proposal["state"] == "open" and self.dice.random() < 0.9:
                    choice = str(known[0] if self.dice.random() < 0.8 else self.dice.choice(known))
                    reason = self.dice.choice(("", *WORDS))
                    self.do("vote", player, choice=choice, reason=reason, **{kind: number or proposal["id"]})

    def anything(self) -> None:
        """Try some action with whatever it takes; what is refused is mostly taken back and drawn anew."""
        for left in reversed(range(self.manners.tries)):
            do, by, as_, given = self._drawn()
            if do in LEAVING and len(self.players) <= self.manners.least:
                return
            if self.do(do, by, as_, undone=left > 0 and self.dice.random() < 0.9, **given):
                return

    def _drawn(self) -> tuple[str, str, str | None, Record]:
        """Return an action, who tries it, as holder of which office, and with what."""
        declared = {"state": {"arguments": {"text": {}}}, **self.acts()}
        do = self.dice.choices([*declared], [self.manners.often.get(name, 1) for name in declared])[0]
        given = self.arguments(do, declared[do])
        if declared[do].get("travels") and self.dice.random() < 0.7:
            given, do = {"title": "A wish", "requests": [{do: given}]}, next(self._ways(), "state")
        as_ = declared[do].get("as")
        involved = [*self._involved(given)]
        if as_ and self.dice.random() < 0.9:
            return do, self.holder(as_), as_, given
        return do, self.dice.choice(involved if involved and self.dice.random() < 0.7 else self.players), None, given

    def _involved(self, given: Mapping[str, Any]) -> Iterator[str]:
        """Yield the players who are named in the registers of what arguments name."""
        present = {*self.players}
        for name, value in given.items():
            kinds = [kind for kind in (name, *self.run.kernel.play.law.declared("defines.kinds")) if self.of(kind)]
            known = [self.of(kind).get(str(value)) for kind in kinds] if isinstance(value, str) else []
            known += [each for each in self.of(name).values() if each.get("number", "") == value]
            known += [{"author": each["author"]} for each in self.undecided if value in (each["number"], each["id"])]
            for registers in filter(None, known):
                for said in registers.values():
                    yield from present.intersection([said] if isinstance(said, str) else [])

    def do(self, do: str, by: str | None, as_: str | None = None, /, undone: bool = False, **given: Any) -> bool:
        """Act, check what came of it and say whether it was accepted; a refused act can be undone."""
        outcome = self.run.apply(do, by, as_, given)
        self.told[do, outcome.code] += 1
        entry = dict(self.run.entries[-1])
        assert not outcome.failures, (by, do, given, outcome.failures)
        if undone and not outcome.accepted:
            self.run.entries.pop()
            self.run.kernel.undo()
            return False
        self._hold(entry)
        return outcome.accepted

    def wait(self, seconds: int) -> None:
        until = self.run.now + seconds
        while fires_before(due := self.run.kernel.next_due(), until, True):
            assert due is not None
            self.run.now = due[0]
            self.do("tick", None, timer=due[2])
        self.run.now = until

    # -- values

    def arguments(self, do: str, about: Record, *, fill: bool = False) -> Record:
        """Return arguments of an action; where they are to be filled, with a title, and changes where it takes any."""
        given, optional = Record(), self.dice.choice((0.0, 0.2, 0.6))
        for name, said in (about.get("arguments") or {}).items():
            spec = said or {}
            if fill and name == "title":
                given[name] = self.dice.choice(("Seven ducks", "A change", "Of 12 things"))
            elif (
                not (spec.get("optional") or "default" in spec)
                or self.dice.random() < optional
                or (fill and name == "changes")
            ):
                given[name] = self.value(do, name, spec)
        return given

    def value(self, do: str, name: str, about: Record) -> Any:
        """Return a value for an argument: what is known of it by its name or its type, or nonsense."""
        dice, kind = self.dice, about.get("type", "text")
        if dice.random() < self.manners.nonsense:
            return dice.choice(NONSENSE)
        drawn = self.manners.values.get(f"{do}.{name}") or self.manners.values.get(name)
        if drawn:
            return drawn(self)
        if about.get("of"):
            return dice.choice(list(about["of"]))
        if kind == "thing" or (kind in ("string", "integer", "any") and self.of(name)):
            known = self.of(about.get("kind", name)) or {"nothing": {}}
            chosen = dice.choice([*known])
            return known[chosen].get("number", chosen) if kind in ("integer", "any") else chosen
        law = self.run.kernel.documents["law"]["rules"]
        values: dict[str, Callable[[], Any]] = {
            "integer": lambda: dice.randrange(about.get("minimum") or 0, (about.get("maximum") or 9) + 1),
            "boolean": lambda: dice.random() < 0.5,
            "player": lambda: dice.choice(self.players),
            "proposal": lambda: dice.choice([each["number"] or each["id"] for each in self.undecided] or [1]),
            "rule": lambda: dice.choice([meta["number"] for meta in law.values()]),
            "office": lambda: dice.choice([*self.of("office")] or ["chair"]),
            "changes": self.changes,
            "list": list,
            "map": dict,
            "settings": dict,
            "square": lambda: f"{dice.choice('abcdefgh')}{dice.randrange(1, 9)}",
            "time": lambda: self.run.now + dice.randint(1, 20) * DAY,
        }
        return values.get(kind, lambda: dice.choice(WORDS))()

    def changes(self) -> list[Record]:
        numbers = [meta["number"] for meta in self.run.kernel.documents["law"]["rules"].values() if meta["in_force"]]
        rule, number = self.dice.choice(numbers), self.dice.randrange(9)
        text = f"Whoever finds {number} ducks keeps {self.dice.randrange(2, 9)} of them."
        enacted: Record = {"enact": {"title": f"Ducks {number}", "text": text}}
        return [self.dice.choice([enacted, enacted, {"amend": rule, "text": text}, {"repeal": rule}])]

    # -- what holds

    def _hold(self, entry: Record) -> None:
        """Check what holds after an entry."""
        for effect in entry.get("effects") or ():
            key = str(effect.get("of")), str(effect.get("name"))
            if effect["effect"] == "award":
                assert effect["to"] - effect["from"] == effect["applied"], effect
                assert self.balances.get(key, effect["from"]) == effect["from"], effect
                self.balances[key] = effect["to"]
            elif effect["effect"] == "put" and key in self.balances:
                self.balances[key] = effect["to"]
        for promise in self.manners.promises:
            promise(self, entry)

    def end(self) -> None:
        """Check what holds at the end: balances, every page, and that the journal replays to the same documents."""
        play = self.run.kernel.play
        for (owner, name), balance in self.balances.items():
            kind = next(
                (kind for kind in ("player", "game", *play.law.declared("defines.kinds")) if owner in self.of(kind)), ""
            )
            assert not kind or self.of(kind)[owner].get(name, balance) == balance, (owner, name, balance)
        assert {
            name: page["error"] for name, page in self.run.kernel.pages(self.run.now).items() if "error" in page
        } == {}
        again = Kernel(json.loads(self.begun))
        with_lists(again)
        replay(json.loads(json.dumps(self.run.entries[self.first :])), again)
        assert again.documents.everything() == self.run.kernel.documents.everything()
