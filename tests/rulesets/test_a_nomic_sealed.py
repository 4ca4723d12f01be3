"""What is sealed in A Nomic: worlds with different cards, Parties, answers and notes are the same in public, byte by byte."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from folkmoot.core.events import Event
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import Chance, Source, Specification, open_chance
from folkmoot.kernel.sealed_data.values import seen_by
from folkmoot.kernel.sealed_data.vaults import Vault
from folkmoot.scenarios.scenario import Run, found
from folkmoot.scenarios.sealing import Keeper
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists

PEOPLE = ["ann", "bob", "cid", "dee", "eve"]
CARDS, PACK = 208, 52
COMMITMENT = re.compile(r"[0-9a-f]{64}")
Record = dict[str, Any]
SECRETS = ("canary-zithern", "canary-wombats")
"""Words of one length that nobody writes by chance: all that is sealed in a world has its own."""
LAW = ("ruleset", "rules_by_date")  # pages that show the rules, whose texts name Cards
PARTIES = ("party-1", "party-2")


class Shuffled(Source):
    """Sealed draws of a world: every deck has the same Backs in the same places, and other Cards behind them."""

    name = "script"

    def __init__(self, seed: int, world: int, first: list[bool]) -> None:
        self._random, self._world, self._first = random.Random(seed), world, first

    def draw(self, specification: Specification, label: str) -> Any:
        """Return the result of the next draw."""
        if specification.kind != "permutation":
            return self._random.randint(specification.low, specification.high)
        order = self._random.sample(range(specification.high), specification.high)
        if self._first and specification.high == CARDS:
            self._first.clear()
            return [place // PACK * PACK + (place + 17 * self._world) % PACK for place in order]
        return order


class Worldly(Keeper):
    """The keeper of a world."""

    world = 0

    def __init__(self) -> None:
        super().__init__()
        self.first = [True]

    def vault(self, event: Event, chance: Chance) -> Vault:
        """Return the vault of an event, whose sealed draws are those of the world."""
        made = super().vault(event, chance)
        self._source = Shuffled(event.seq, self.world, self.first)
        return made


class World:
    """A game in one of two worlds, and all that anybody sees of it, act by act."""

    def __init__(self, world: int) -> None:
        given = [{"player": who, "points": 50} for who in PEOPLE] + [
            {"office": "dealer", "holder": "ann"},
            {"thing": "contest-similarity", "master": "ann"},
        ]
        scenario: Record = {
            "scenario": "sealed",
            "ruleset": "a-nomic",
            "players": PEOPLE,
            "starts": "2001-05-01T12:00:00Z",
            "given": given,
        }
        self.run: Run = found(scenario, founding, lambda event: open_chance("same", str(event.seq)), with_lists)
        self.world, self.seen, self.done = world, list[str](), list[tuple[str, str | None]]()
        self.run.keeper = Worldly()
        self.run.keeper.world = world
        self.run.keeper.attend(self.run.kernel)

    def act(self, by: str, do: str, **args: Any) -> None:
        """Let somebody act; of a tuple everybody gets what is for their world."""
        given = {name: value[self.world] if isinstance(value, tuple) else value for name, value in args.items()}
        outcome = self.run.apply(do, by, None, given)
        assert not outcome.failures, (do, by, outcome.failures)
        self.done.append((do, outcome.code))
        self.look(outcome.code, outcome.reasons, len(outcome.confided))

    def wait(self, hours: int) -> None:
        """Let time pass."""
        before = len(self.run.entries)
        self.run.advance(self.run.now + hours * 3600, True)
        failed = [entry for entry in self.run.entries[before:] if entry.get("failures")]
        assert not failed, failed
        self.look(len(self.run.entries) - before)

    def look(self, *told: Any) -> None:
        """Note all that is public: the new entry, the documents, what the act cost, and the pages, in CI now and then."""
        everything = self.run.kernel.documents.everything()
        documents = {key: value for key, value in everything.items() if not key.startswith(("boxes/", "rules/"))}
        spent = dict(self.run.kernel.play.budget.spent)
        shown = self.run.kernel.pages(self.run.now) if FUZZ or len(self.seen) % 8 == 7 or told[0] == "end" else {}
        pages = {name: page for name, page in shown.items() if name not in LAW}
        whole = json.dumps([told, self.run.entries[-1], documents, spent, pages], sort_keys=True, default=str)
        self.seen.append(COMMITMENT.sub("#64", whole))

    def reads(self, who: str) -> str:
        """Return what somebody reads of Hands and Parties."""
        kept = self.run.kernel.documents.everything()
        held = [kept["things/player"], kept.get("things/party") or {}]
        return json.dumps([seen_by(self.run.kernel.play, each, who) for each in held], default=str)


def secret(text: str) -> tuple[str, str]:
    """Return a text of each world."""
    return text.replace("?", SECRETS[0]), text.replace("?", SECRETS[1])


def deal(table: World, rounds: int) -> None:
    for _ in range(rounds):
        for who in [who for who in PEOPLE[1:] if who != "dee" or "forfeit" not in dict(table.done)]:
            table.act("ann", "deal", player=who)


def found_parties(table: World) -> None:
    table.act("bob", "create_party", name="Elders", rules=secret("The ? comes first."))
    table.act("cid", "create_party", name="Youths", rules=secret("The ? comes last."))
    table.act("bob", "join_party", party="Elders")
    table.act("cid", "join_party", party="Youths")
    for who in ("dee", "eve"):
        table.act(who, "join_party", party=PARTIES)
    table.act(
        "dee",
        "change_party_rules",
        party=PARTIES,
        rules=secret("The ? is dear."),
        variables=({"a": SECRETS[0]}, {"a": SECRETS[1]}),
    )
    table.act("eve", "leave_party", party=PARTIES)
    table.act("ann", "join_party", party=PARTIES[::-1])


def hide(table: World) -> None:
    changes = [{"enact": {"title": "Beginnings", "text": "In the beginning there was tea."}}]
    table.act("bob", "submit_proposal", title="Beginnings", changes=changes)
    table.act("bob", "note_verse", proposal=465, verse=secret("It is ? 1:1"))


def played(world: int) -> World:
    """Return a game in which everything that can be sealed is."""
    table = World(world)
    deal(table, 3)
    found_parties(table)
    hide(table)
    table.act(
        "bob",
        "propose_trade",
        partner="dee",
        give=(["Red 2 of Clubs"], ["Red 3 of Clubs"]),
        get=(["Red 4 of Clubs"], ["Red 5 of Clubs"]),
    )
    table.wait(24)
    table.act("dee", "forfeit")
    table.wait(24 * 12)
    deal(table, 2)
    table.act("ann", "post_challenge", game="similarity", items=["lime", "leaf", "frog"])
    for who in ("bob", "cid"):
        table.act(who, "submit_answer", game="similarity", answer=secret(f"{who} says ?"))
    table.look("end")
    return table


@pytest.fixture(scope="module")
def worlds() -> list[World]:
    return [played(0), played(1)]


def test_two_worlds_with_different_deals_are_the_same_in_public(worlds: list[World]) -> None:
    one, other = worlds
    assert [do for do, code in one.done if code] in ([], ["propose_trade"])
    assert one.done == other.done
    for place, (here, there) in enumerate(zip(one.seen, other.seen, strict=True)):
        assert here == there, one.done[min(place, len(one.done) - 1)]


def test_the_worlds_differ_for_those_who_may_read(worlds: list[World]) -> None:
    one, other = worlds
    for who in ("bob", "cid", "eve"):
        assert one.reads(who) != other.reads(who), who
    assert SECRETS[0] in one.reads("bob")


def test_no_byte_of_what_is_sealed_is_public(worlds: list[World]) -> None:
    for table, word in zip(worlds, SECRETS, strict=True):
        told = "".join(table.seen) + json.dumps(table.run.entries[1:], default=str)
        ways = [word, word.encode().hex(), "".join(f"\\u{ord(letter):04x}" for letter in word)]
        assert not [way for way in ways if way in told]
        assert not re.search(r"(Ace|King|Queen|Jack|10|[2-9]) of (Hearts|Spades|Clubs|Diamonds)", told)
