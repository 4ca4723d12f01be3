"""A game that is played by a schedule, and what must be true of it at the end of each day."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pygit2
from msgspec import Struct, field

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.refs import LETTERS
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.port import Person
from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.game.session import Session
from folkmoot.player.hand import seal_ballot
from folkmoot.player.sealing import seal_arguments
from folkmoot.referee.hand_edits import revert
from folkmoot.referee.run import Referee
from folkmoot.sealing.keys import make_key
from folkmoot.site.game_views import view_of
from folkmoot.site.page_json import encoded
from folkmoot.site.render import sheets
from tests.simulation.laws import DAY, Law
from tests.simulation.schedule import FILES, Event
from tests.simulation.virtual import Issues, Trouble, VirtualForge
from tests.support.meeting import GAME, START, rule
from tests.support.quick import FORGE, MAIN, QuickMeeting

SETTLE = 120
SKEWS = {"table": 0, "cloud": 45, "laptop": -45}
"""By how many seconds the clock of each referee is off: less than half of `SETTLE`."""


class Ballot(Struct, frozen=True):
    """A ballot as it was sent: by the name of its letter, on a pull request; a review is one of its head alone."""

    letter: str
    voter: str
    pull: int
    choice: str
    head: str = ""


class World(QuickMeeting):
    """A hub, the people who send things to it, and the referees of whom any may run, fail, and run again."""

    def __init__(self, folder: Path, law: Law, players: int) -> None:
        super().__init__(folder, law=law.founding(players))
        self.law, self.trouble = law, None
        self.issues, self.stamps = Issues(), dict[str, tuple[int, int]]()
        self.referees: dict[str, Referee] = {}
        self.pulls: dict[int, int] = {}
        self.awaited: dict[str, str] = {}
        self.ballots_sent: list[Ballot] = []
        self.bids: dict[str, list[tuple[str, str]]] = {}
        self.latest: dict[str, Any] = {}
        self.over: dict[int, int] = {}
        self.unique = 0
        self.seen = Seen()
        if law.hidden:
            self.say("ann", 0, "/do open_sealing")
        self.settle()

    # -- people, whose clocks say anything

    def signature(self, person: str) -> pygit2.Signature:
        given = super().signature(person)
        wrong = (0, 3_600, -86_400, 10**8, -(10**8))[sum(map(ord, person)) % 5]
        return pygit2.Signature(given.name, given.email, self.now + wrong, 0)

    def send(self, person: str, letter: Letter, chain: str = "") -> str:
        made = self.latest[person] = super().send(person, letter, chain)
        return made

    def await_answer(self, name: str, person: str) -> None:
        """Note that something was sent to which there must be one answer."""
        self.awaited[name] = f"{person}@x.org"

    def do(self, event: Event) -> None:
        """Let something happen; what makes no sense any more, because a part of the schedule is gone, does not."""
        self.now = max(self.now, START + event.at)
        if event.pull and event.pull not in self.pulls and event.do != "propose":
            return
        getattr(self, f"do_{event.do}")(event)

    def do_propose(self, event: Event) -> None:
        who = event.who or str(self.register("mover") or "ann")
        name = f"rules/new-{event.pull}.yaml"
        self.pulls[event.pull] = pull = self.open(who, {name: rule(event.text)}, event.text)
        self.await_answer(self.head(pull), who)

    def do_push(self, event: Event) -> None:
        pull = self.pulls[event.pull]
        path = f"state/{GAME}/rules/new-{event.pull}.yaml"
        self.awaited.pop(self.head(pull), None)  # a content that nobody saw was never there
        self.put(f"refs/pull/{pull}/head", self.change(event.who or "ann", {path: rule(event.text)}))

    def do_vote(self, event: Event, kind: str = "comment") -> None:
        pull, word = self.pulls[event.pull], f"/vote {event.text}"
        if self.law.hidden:
            number = next((n for n, p in self.open_votes().items() if p["via"].get("pull") == pull), None)
            if number is None:
                return
            with Session.on(self.game()) as session:
                box = seal_ballot(session, event.who, session.proposal(f"proposal/{number}"), event.text, "")
            word, kind = f"/vote {box}", "comment"
        made = self.say(event.who, pull, "" if kind != "comment" else word, kind)
        self.ballots_sent.append(
            Ballot(made, event.who, pull, event.text, "" if kind == "comment" else self.head(pull))
        )
        self.await_answer(made, event.who)

    def do_deadline(self, event: Event) -> None:
        """Let a ballot be given just before the deadline in an issue that the forge shows just after it."""
        for number, proposal in self.open_votes().items():
            due = (proposal["opened_at"] or 0) + self.law.period
            if (
                proposal["via"].get("pull") == self.pulls[event.pull]
                and self.now < due - 30 < self.now + DAY
                and not self.law.hidden
            ):
                self.now = due - 30
                who = Person(id=f"{event.who}@x.org", handle=event.who)
                made = f"i{self.issues.open(who, self.now, f'/vote {event.text} proposal={number}', 60)}-0"
                self.ballots_sent.append(Ballot(made, event.who, self.pulls[event.pull], event.text))
                self.await_answer(made, event.who)
                self.now = due + 5
                self.run("table")

    def do_review(self, event: Event) -> None:
        self.do_vote(event, "approve" if event.text == "for" else "request_changes")

    def open_votes(self) -> dict[int, Any]:
        return {
            int(n.partition("/")[2]): self.proposal(int(n.partition("/")[2])) for n in self.document("game")["open"]
        }

    def do_again(self, event: Event) -> None:
        """Let the last letter of somebody arrive a second time, in another chain."""
        if event.who in self.latest:
            self.put(f"{LETTERS}again-{len(self.latest[event.who])}-{event.at}", self.latest[event.who])

    def do_say(self, event: Event) -> None:
        self.unique += 1
        body = event.text.replace("hello", f"u{self.unique}")
        self.await_answer(self.say(event.who, 0, body), event.who)

    def do_issue(self, event: Event) -> None:
        who = Person(id=f"{event.who}@x.org", handle=event.who)
        number = self.issues.open(who, self.now, event.text, event.late)
        self.await_answer(f"i{number}-0", event.who)
        self.await_answer(self.issues.comment(number, who, self.now, "/do state text=more", event.late), event.who)

    def do_bid(self, event: Event) -> None:
        with Session.on(self.game()) as session:
            words = seal_arguments(session, event.who, "bid", {"amount": event.text})
        made = self.say(event.who, 0, f"/do bid amount={words['amount']}")
        self.bids.setdefault(event.who, []).append((made, event.text))
        self.await_answer(made, event.who)

    def do_chat(self, event: Event) -> None:
        self.say("eve", self.pulls.get(event.pull, 0), "How is it going?")

    def do_nonsense(self, event: Event) -> None:
        self.say(event.who, self.pulls.get(event.pull, 0), event.text)

    def do_file(self, event: Event) -> None:
        args = {"give": "{to: ann, amount: 1}", "state": "{text: by file}"}[event.text]
        pull = self.open(event.who, {"inbox/x.yaml": f"do: {event.text}\nargs: {args}\n".encode()}, f"Act {event.at}")
        self.await_answer(self.head(pull), event.who)

    def do_broken(self, event: Event) -> None:
        name = "rules/broken.yaml" if int(event.text) % 2 else "inbox/broken.yaml"
        self.open(event.who, {name: FILES[int(event.text)]}, f"Broken {event.at}")

    def do_raw(self, event: Event) -> None:
        """Put something into a chain that is no letter."""
        self.put(f"{LETTERS}raw-{event.at}", self.change(event.who, {"letter.yaml": b"pull: ["}))

    def do_join(self, event: Event) -> None:
        self.await_answer(self.say(f"new{event.at}", 0, f"/join id=new{event.at}"), f"new{event.at}")

    def do_hand(self, event: Event) -> None:
        """Let somebody push to the branch what is no game's."""
        self.unique += 1
        self.put(MAIN, self.change("root", {"readme.md": f"{self.unique}\n".encode()}))
        self.seen.readme = f"{self.unique}\n"

    def do_tamper(self, event: Event) -> None:
        """Let somebody change the game by hand."""
        self.put(MAIN, self.change("root", {f"state/{GAME}/things/player.yaml": b"ann: {score: 99}\n"}))

    def do_later(self, event: Event) -> None:
        self.now += 30

    def register(self, name: str) -> Any:
        """Return a register of the game."""
        return self.document("things/game")["game"].get(name)

    # -- referees

    def do_run(self, event: Event) -> None:
        self.run(event.who, event.faults)

    def run(self, who: str, faults: tuple[tuple[int, str], ...] = ()) -> None:
        """Let a referee run; one that dies comes back with what is on its disk."""
        trouble = Trouble(faults, self.meddle)
        if who == "cloud":
            self.dismiss(who)
            for part in ("refs", "packed-refs", "config"):  # a new clone; that it has old objects, too, saves time
                shutil.rmtree(self.folder / who / part, ignore_errors=True)
        referee = self.referees.get(who) or self.hire(who)
        git, before = referee.forge.git, referee.forge.git.trouble  # type: ignore[attr-defined]
        git.trouble = trouble
        try:
            if trouble.run(referee.run):
                self.dismiss(who)
        finally:
            git.trouble = before

    def meddle(self, what: str) -> None:
        """Let others do something while a referee stands at a point."""
        self.run(what) if what in SKEWS else getattr(self, f"do_{what}")(Event(0, what))

    def hire(self, who: str) -> Referee:
        folder, remote = self.bare, None
        if who != "table":
            folder, remote = self.folder / who, str(self.bare)
            pygit2.init_repository(str(folder), bare=True, initial_head="main")
        forge = VirtualForge(folder, remote, self.issues, self.stamps, SETTLE)
        self.referees[who] = Referee(forge, forge.refs.repo, lambda: self.now + SKEWS[who])
        return self.referees[who]

    def dismiss(self, who: str) -> None:
        """Forget all that a referee kept in memory."""
        if who in self.referees:
            self.referees.pop(who).close()

    def settle(self) -> None:
        """Let the network be well, hand edits be taken back, and a referee come to rest."""
        self.repair()
        self.run("table")
        self.now += SETTLE + max(SKEWS.values()) + 60
        for _ in range(6):
            before = self.tip(), self.tip(FORGE)
            self.run("table")
            if (self.tip(), self.tip(FORGE)) == before:
                return
        raise AssertionError("the referee does not come to rest")

    def repair(self) -> None:
        known = ForgeCache(self.repo, self.tip(FORGE)).standing.known
        if known and b"score: 99" in (self.game().read("things/player.yaml") or b""):
            self.put(MAIN, revert(self.repo, known, self.tip(), GAME, self.now))

    # -- what must be true

    def check(self) -> None:
        """See that what is recorded of this day is what was sent, once each, and that nothing due was left."""
        game = self.game()
        new = list(game.entries(self.seen.seq + 1))
        self.seen.take(new)
        self.seen.seq = game.head.seq
        self.check_answers()
        self.check_timers()
        for entry in new:
            for effect in entry.get("effects") or ():
                if effect["effect"] == "resolve":
                    self.check_ballots(int(str(effect["of"]).partition("/")[2]))
        if self.seen.readme:
            readme = self.repo[self.tip()].peel(pygit2.Tree)["readme.md"]
            assert readme.data.decode() == self.seen.readme, "somebody's push to the branch is lost"  # type: ignore[union-attr]

    def check_answers(self) -> None:
        cache = ForgeCache(self.repo, self.tip(FORGE))
        for name, mail in self.awaited.items():
            entries = [seq for fact, seq in self.seen.facts.items() if fact.partition("/")[0] == name]
            answers = (*cache.answers(mail), *self.issues.heard.values())
            heard = [each for each in answers if each.fact.partition("/")[0] == name]
            heard = [each for each in heard if each.state != "waiting"] or heard  # what waited was answered later
            assert len(entries) <= 1, f"{name} of {mail} was recorded twice: {entries}"
            assert entries or heard, f"{name} of {mail} was never answered"
            assert len(heard) <= 1, f"{name} of {mail} has several answers: {heard}"
            if heard and entries:
                assert (heard[0].seq, heard[0].state in ("recorded", "refused")) == (entries[0], True), heard
        self.awaited.clear()

    def check_timers(self) -> None:
        """See that no timer is overdue, that none fired twice, and that the clock has struck each midnight."""
        twice = [fired for fired, times in self.seen.fired.items() if times > 1]
        assert not twice, f"a timer fired twice: {twice}"
        horizon = self.now - SETTLE
        for key, timer in self.document("things/timer").items():
            number = (timer.get("payload") or {}).get("number")
            if number is not None and self.proposal(number)["outcome"]:
                continue  # it changes nothing any more, and what fires without a trace is recorded with what comes next
            assert timer["due"] > horizon, f"the timer {key} was due at {timer['due']}, and it is {horizon}"
        if self.law.strikes:
            assert self.register("strikes") == horizon // DAY - START // DAY, "midnights"
            self.check_bids(horizon // DAY * DAY)

    def check_bids(self, midnight: int) -> None:
        """See that what was sealed last before midnight is what was shown."""
        players = self.document("things/player")
        for who, bids in self.bids.items():
            in_time = [bid for name, bid in bids if self.stamps[name][0] < midnight]
            shown = players[who].get("shown")
            assert str(shown) == (in_time or ["None"])[-1], f"{who} bid {bids}; shown is {shown}"

    def check_ballots(self, number: int) -> None:
        """See that a vote that is over counted of each voter the last ballot that arrived in time."""
        proposal = self.proposal(number)
        ended, pull = proposal["resolved_at"], proposal["via"].get("pull")
        opened, electorate = proposal["opened_at"], set(proposal.get("electorate") or ())
        heads = ("", proposal["via"].get("head"))
        sent = [each for each in self.ballots_sent if each.pull == pull and each.head in heads]
        possible: dict[str, set[str]] = {}
        before = self.over.get(pull, 0)  # what was said of an earlier proposal there counted then
        for at, ballot in sorted(((self.stamps[each.letter][0], each) for each in sent), key=lambda pair: pair[0]):
            if before < at < ended and ballot.voter in electorate:
                possible[ballot.voter] = {ballot.choice}
            elif at in (before, ended) and ballot.voter in electorate:
                possible.setdefault(ballot.voter, {""}).add(ballot.choice)
        counted = {voter: ballot["choice"] for voter, ballot in (proposal.get("ballots") or {}).items()}
        for voter in electorate:
            allowed = possible.get(voter, {""}) | (
                {""} if proposal["outcome"] == "withdrawn" and self.law.hidden else set()
            )
            assert counted.get(voter, "") in allowed, (
                f"{voter} voted {allowed} on {number}; counted: {counted.get(voter)}"
            )
        self.over[pull] = ended
        assert ended == opened + self.law.period or counted.keys() >= electorate or self.ended_by_act(number)

    def ended_by_act(self, number: int) -> bool:
        entries = [e for e in self.journal() if e["do"] in ("withdraw", "snuff") and not e.get("code")]
        return any(str(effect.get("of")) == f"proposal/{number}" for e in entries for effect in e.get("effects") or ())

    def check_all(self) -> None:
        """See that the whole record can be proved, and that all pages can be made of it."""
        assert self.sound(), "the record cannot be proved"
        with Session.on(self.game()) as session:
            view = view_of(session)
            assert all(encoded(sheet.make(view)) for sheet in sheets(view))


class Seen(Struct):
    """What was read of the journal so far: which entry records a fact, and how often a timer fired at a time."""

    seq: int = 0
    facts: dict[str, int] = field(default_factory=dict)
    fired: Counter[tuple[str, str]] = field(default_factory=Counter)
    readme: str = ""

    def take(self, entries: list[dict[str, Any]]) -> None:
        for entry in entries:
            fact = (entry.get("via") or {}).get("fact")
            assert fact is None or fact not in self.facts, (
                f"{fact} was recorded as {self.facts[fact]} and {entry['seq']}"
            )
            if fact:
                self.facts[fact] = entry["seq"]
            if entry["do"] == "tick":
                self.fired[str(entry["with"]["timer"]), str(entry["at"])] += 1


@contextmanager
def keeper(law: Law) -> Iterator[None]:
    """Let a referee have a key where something is sealed."""
    secret = {secret_store.SEALING: keeper_word(1, make_key())} if law.hidden else {}
    with patch.dict(secret_store.HIDDEN, secret):
        yield


def play(law: Law, events: list[Event], folder: Path, *, players: int = 8, rest: int = 1) -> World:
    """Play a schedule; each so many days the referee comes to rest, and the whole record is proved once in thirty."""
    with keeper(law):
        world = World(folder, law, players)
        days = max((event.at for event in events), default=0) // DAY + 1
        of_day: dict[int, list[Event]] = {}
        for event in events:
            of_day.setdefault(event.at // DAY, []).append(event)
        for day in range(days):
            for event in of_day.get(day, ()):
                world.do(event)
            if day % rest == rest - 1 or day == days - 1:
                world.now = max(world.now, START + (day + 1) * DAY - 600)
                world.settle()
                world.check()
            if day % (30 * rest) == 30 * rest - 1 or day == days - 1:
                world.check_all()
        for who in SKEWS:
            world.dismiss(who)
    return world
