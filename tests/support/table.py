"""A table to try made-up laws on: found a game from a few rules, act, let time pass, look, and replay it all.

Nothing here knows a game. Every table is replayed when its test ends, with a new kernel for each entry that recalls no
script and shows scripts their arguments whole: so nothing that a kernel remembers may decide anything.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.core.events import FOUNDING_DIGEST, Event, Outcome
from folkmoot.core.word_lists import spec_of
from folkmoot.kernel import registers
from folkmoot.kernel.chance import Chance, Scripted, open_chance
from folkmoot.kernel.next_timer import fires_before
from folkmoot.kernel.replay import Entry, entry_of, is_silent, replay
from folkmoot.kernel.step import Kernel
from folkmoot.kernel.things import canonical_digest
from folkmoot.language.shortcuts import KnownRuns
from folkmoot.scenarios.sealing import Keeper

START = 1_767_614_400  # 2026-01-05T12:00:00Z, a Monday
Record = dict[str, Any]
Dice = list[Any] | None


def rule(number: str, script: str = "", **parts: Any) -> Record:
    """Return a rule for a founding; the script may be indented."""
    given = {"rule": number, "title": f"Rule {number}", "text": "", "script": textwrap.dedent(script).lstrip("\n")}
    return given | parts


def script(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


VOTING = rule(
    "900",
    """
    def do_propose(a):
        open_voting(submit(a.args.title, a.args.changes, a.requests))

    def decide_electorate(p):
        return things("player")

    def decide_closed(p):
        return len(p.ballots) == len(p.electorate)

    def decide_adopted(p):
        return verdict(2 * ballots(p, "for") > len(p.electorate), "more than half")

    def decide_number(p):
        return get("game", "next_number") if p.kind == "proposal" else None

    def on_proposal_submitted(e):
        if e.proposal.kind == "proposal":
            add("game", "next_number", 1)
    """,
    defines={"game": {"next_number": {"type": "integer", "initial": 901}}},
    actions={"propose": {"arguments": {"title": {"type": "text", "optional": True}, "changes": {"type": "changes"}}}},
)
"""How proposals are made and adopted in most of these games: a simple majority once all have voted."""


class Table:
    """One game in memory and its journal."""

    def __init__(
        self,
        *rules: Record,
        players: tuple[str | Record, ...] = ("ann", "bob", "cid"),
        words: Mapping[str, str] | None = None,
        **founding: Any,
    ) -> None:
        """Found a game with word lists; `founding` may bring settings, offices, opening, zone, administrators."""
        self.words, self.fetched = words or {}, 0
        if self.words:
            founding["lists"] = {name: spec_of(text) for name, text in self.words.items()}
        self.kernel = self.new_kernel()
        self.keeper = Keeper()
        self.keeper.attend(self.kernel)
        self.now = START
        self.entries: list[Entry] = []
        people = [{"id": each} if isinstance(each, str) else each for each in players]
        given = {"rules": list(rules), "players": people, "administrators": ["root"], **founding}
        self.founded = self.judge("found", None, given)

    def new_kernel(self, documents: Record | None = None) -> Kernel:
        """Return a kernel that can have the word lists."""
        kernel = Kernel(documents)
        kernel.documents.fetch_list = self._fetch
        return kernel

    def _fetch(self, key: str) -> Record | None:
        self.fetched += 1
        name = key.split("/")[1]
        return {"words": self.words[name]} if name in self.words else None

    # -- playing

    def judge(
        self, do: str, by: str | None, with_: Record, as_: str | None = None, dice: Dice = None, **event: Any
    ) -> Outcome:
        """Judge one event now and keep its entry; a silent tick leaves none."""
        made = Event(
            seq=len(self.entries) + 1, at=self.now, do=do, by=by, as_=as_, with_=with_, prev=self.prev(), **event
        )
        chance: Chance = Chance(Scripted(dice)) if dice is not None else open_chance(made.prev, f"{made.seq} {do}")
        made = replace(made, with_=self.keeper.seal(self.kernel, do, made.with_, made.seq, by))
        outcome = self.kernel.apply(made, chance, partial(self.keeper.vault, made, chance))
        self.keeper.learn(self.kernel.play.vault)
        if do != "tick" or not is_silent(outcome):
            self.entries.append(json.loads(json.dumps(entry_of(made, outcome))))
        self.kernel.documents.release()
        return outcome

    def prev(self) -> str:
        return canonical_digest(self.entries[-1]) if self.entries else FOUNDING_DIGEST

    def act(self, by: str | None, do: str, as_: str | None = None, dice: Dice = None, **args: Any) -> Outcome:
        """Let somebody act now, after the timers that are due before."""
        self.pass_time(0, after_deadlines=False)
        return self.judge(do, by, args, as_, dice)

    def ok(self, by: str | None, do: str, as_: str | None = None, dice: Dice = None, **args: Any) -> Outcome:
        """Let somebody do what must be accepted."""
        outcome = self.act(by, do, as_, dice, **args)
        assert outcome.accepted, (outcome.code, outcome.reasons, outcome.failures)
        return outcome

    def refused(self, by: str | None, do: str, as_: str | None = None, **args: Any) -> str:
        """Let somebody do what must be refused, changing nothing, and return the code."""
        self.pass_time(0, after_deadlines=False)
        before = self.bytes(without_failures=True)
        outcome = self.judge(do, by, args, as_)
        assert not outcome.accepted, outcome
        assert outcome.effects == []
        assert self.bytes(without_failures=True) == before
        assert outcome.code in [reason["code"] for reason in outcome.reasons]
        return outcome.code

    def pass_time(self, seconds: int, after_deadlines: bool = True) -> list[Outcome]:
        """Let time pass and fire what falls due."""
        until, fired = self.now + seconds, []
        while fires_before(due := self.kernel.next_due(), until, after_deadlines):
            assert due is not None
            self.now = due[0]
            fired.append(self.judge("tick", None, {"timer": due[2]}))
        self.now = until
        return fired

    def propose(self, by: str, *changes: Record, title: str = "A change") -> int:
        outcome = self.ok(by, "propose", title=title, changes=list(changes))
        made = next(effect["of"] for effect in outcome.effects if effect["effect"] == "propose")
        return int(made.partition("/")[2])

    def adopt(self, *changes: Record, voters: tuple[str, ...] = ("ann", "bob", "cid")) -> Outcome:
        """Propose changes and let everybody vote for them; returns what came of the last vote."""
        number = self.propose(voters[0], *changes)
        outcomes = [self.ok(voter, "vote", proposal=number, choice="for") for voter in voters]
        assert self.proposal(number)["outcome"] == "adopted", self.proposal(number)
        return outcomes[-1]

    # -- looking

    def get(self, owner: Any, name: str) -> Any:
        return self.kernel.look(lambda play: registers.get(play, owner, name), self.now)

    def ask(self, question: str, *arguments: Any) -> Any:
        return self.kernel.ask(question, list(arguments), self.now)

    def proposal(self, number: int, kind: str = "proposal") -> Record:
        bucket = f"{number // 100 * 100:03d}/{number}"
        key = f"proposals/{bucket}" if kind == "proposal" else f"votes/{kind}/{bucket}"
        found = self.kernel.documents.find(key)
        assert found is not None
        return found

    def document(self, key: str) -> Record:
        found = self.kernel.documents.find(key)
        assert found is not None, key
        return found

    def in_force(self) -> list[str]:
        return [document["rule"] for document, _ in self.kernel.play.law.in_force().values()]

    def bytes(self, without_failures: bool = False) -> str:
        """Return every document as text in which the order of keys shows."""
        everything = json.loads(json.dumps(self.kernel.documents.everything()))
        if without_failures:
            for meta in everything.get("law", {}).get("rules", {}).values():
                meta.pop("failures", None)
        return json.dumps(everything)

    # -- replaying

    def replay_all(self) -> None:
        """Replay by who remembers nothing: with a new kernel for each entry and no shortcuts it must end at the same bytes."""
        if not self.founded.accepted:
            return
        kernel = self.new_kernel()
        with without_shortcuts():
            for entry in self.entries:
                replay([entry], kernel)
                kernel = self.new_kernel(json.loads(json.dumps(kernel.documents.everything())))
            assert self.settled(kernel) == self.settled(self.kernel)

    def settled(self, kernel: Kernel) -> str:
        """Return a kernel's documents once silent timers up to now have fired."""
        while fires_before(due := kernel.next_due(), self.now, after_deadlines=True):
            assert due is not None
            fired = kernel.apply(Event(seq=0, at=due[0], do="tick", with_={"timer": due[2]}))
            assert is_silent(fired), fired
        return json.dumps(kernel.documents.everything())


Found = Callable[..., Table]


def effects(outcome: Outcome, kind: str) -> list[Record]:
    return [effect for effect in outcome.effects if effect["effect"] == kind]


def said(outcome: Outcome) -> list[str]:
    """Return the announcements, in order; most of these laws announce what they see."""
    return [effect["text"] for effect in effects(outcome, "announce")]


def reasons(outcome: Outcome, code: str) -> list[Record]:
    return [reason for reason in outcome.reasons if reason["code"] == code]


def failed(outcome: Outcome) -> list[tuple[str, str]]:
    """Return (rule, hook) of the hooks that failed."""
    return [(failure["rule"], failure["hook"]) for failure in outcome.failures]


@pytest.fixture
def found() -> Iterator[Found]:
    """Give a function that founds a game on rules; every such game is replayed at the end."""
    tables: list[Table] = []

    def make(*rules: Record, **founding: Any) -> Table:
        tables.append(Table(*rules, **founding))
        assert tables[-1].founded.accepted, tables[-1].founded
        return tables[-1]

    yield make
    for table in tables:
        table.replay_all()


@contextmanager
def without_shortcuts() -> Iterator[None]:
    KnownRuns.on = False
    try:
        yield
    finally:
        KnownRuns.on = True
