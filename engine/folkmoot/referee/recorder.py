"""A game under the judge: what is recorded of it, what is recorded anew, and the commits that keep it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from msgspec import Struct, field

from folkmoot.core.documents import FactsDocument, Proposal, Roster
from folkmoot.core.event_names import makes_law
from folkmoot.core.keys import GAME, ROSTER, came_here, facts_key, forge_kind, place_here
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Entry, SeenEntry, Via
from folkmoot.core.sealed_data import MORE_SEALED, told_in
from folkmoot.forges.cache.seen_history import OBSERVATION, proved
from folkmoot.forges.port import Issue, Pull
from folkmoot.forges.vocabulary import Person
from folkmoot.game.epoch_secrets import with_secrets
from folkmoot.game.session import Done, Session
from folkmoot.journal.comparison import entry_seen
from folkmoot.journal.tree import GameTree
from folkmoot.referee.commands import Asked
from folkmoot.referee.content import Content
from folkmoot.referee.facts import Fact, head_at
from folkmoot.referee.people import player_of, whose
from folkmoot.referee.report import State, Verdict, reason_of
from folkmoot.wording.game_view import was_refused

Read = Callable[[str], Content]

MOST_ENTRIES = 40  # of a pull request that its comment tells of
COMMITTER = "Folkmoot <referee@folkmoot.invalid>"


class Recorder(Struct):
    """Records what came of acts in one game, and says what is recorded of it.

    `verdicts` are those of this run by pull request or issue, 0 for the games' thread; `merges` the commits of some,
    `adopted` the heads that the next commit takes in, as parents where it `joins` them and `takes_in` says so;
    `joined` are all that were. `base_of` says where the branch of a commit left the game's, "" where that cannot be
    told. `done` are the acts that were judged, `fired` the entries of timers, `entries` counts what was recorded
    since entry `first`. `author` says who commits that merge name as their author (`Name <address>`), "" for us.
    """

    session: Session
    record: GameTree
    forge: str
    author: Callable[[], str] = str
    joins: bool = True
    takes_in: Callable[[str], bool] = bool
    base_of: Callable[[str], str] = lambda _head: ""
    verdicts: dict[int, list[Verdict]] = field(default_factory=dict)
    merges: dict[int, str] = field(default_factory=dict)
    adopted: dict[int, str] = field(default_factory=dict)
    done: list[Done] = field(default_factory=list)
    fired: list[Entry] = field(default_factory=list)
    entries: int = 0
    first: int = 0
    joined: tuple[int, ...] = ()
    here: Via = field(default_factory=lambda: Via(forge=""))
    _noted: set[tuple[int, str]] = field(default_factory=set)
    _archived: dict[str, FactsDocument] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Note by which forge the game is met in this run, as the record names it."""
        game = self.session.kept(GAME)
        self.here = place_here(game) if forge_kind(game) == self.forge else Via(forge=self.forge)

    @property
    def has_left(self) -> bool:
        """Say whether the game has gone to another forge in this run: what follows here is none of its play."""
        game = self.session.kept(GAME)
        return bool(game.get("left")) and not came_here(self.here, game)

    # -- recording

    def judge(self, fact: Fact, wanted: Asked, identifier: str, player: str, via: Via, at: int) -> None:
        """Have a player's act judged at a time (Unix seconds), and record what came of it."""
        try:
            args, secret = with_secrets(self.record, self.session.kept(GAME), player, wanted.do, wanted.args)
        except ProblemError as error:
            problem = error.problems[0]
            self.note(fact, wanted.do, "void", code=problem.code, why=problem.message, id_=identifier)
            return
        done = self.session.act(player, wanted.do, args, at=at, as_=wanted.as_, via=via, confided=secret)
        self.enter(fact, identifier, done)

    def enter(self, fact: Fact, identifier: str, done: Done) -> None:
        """Take up what came of an act."""
        self.done.append(done)
        self.look_at([*done.before, done.entry])
        self.tell(fact, done.entry, identifier)

    def tell(self, fact: Fact, entry: Entry, identifier: str) -> None:
        """Note what an entry says became of a fact."""
        code = str(entry.get("code") or "")
        why, rule = reason_of(code, entry.get("reasons") or ())
        why += f"; {MORE_SEALED}" if told_in(entry) else ""
        self.note(
            fact,
            str(entry["do"]),
            "waiting" if code == "HELD" else "refused" if code else "recorded",
            code=code,
            why=why,
            rule=rule,
            seq=int(entry["seq"]),
            id_=identifier,
        )

    def note(self, fact: Fact, what: str, state: State, *, id_: str = "", **more: Any) -> None:
        """Note what became of a fact; of the same one, what became of it last."""
        who = self.named(fact.person)
        verdict = Verdict(
            fact=id_ or fact.id, who=who, what=what, state=state, person=fact.person.id, at=fact.at, **more
        )
        noted = self.verdicts.setdefault(fact.number, [])
        if (fact.number, verdict.fact) in self._noted:  # looked for only then: there may be many thousands
            noted[:] = [each for each in noted if each.fact != verdict.fact]
        self._noted.add((fact.number, verdict.fact))
        noted.append(verdict)

    def note_once(self, fact: Fact, number: int, identifier: str, **about: Any) -> None:
        """Note something beside what became of a fact, once in a place."""
        if (number, identifier) not in self._noted:
            self._noted.add((number, identifier))
            self.verdicts.setdefault(number, []).append(
                Verdict(fact=identifier, state="void", person=fact.person.id, at=fact.at, code="E-RATE", **about)
            )

    def via(self, fact: Fact, identifier: str, content: Content | None = None) -> Via:
        """Return what the record says of how a fact came."""
        via = cast(Via, {**self.here, **fact.place, "fact": identifier, "arrived": fact.at})
        if fact.pull is not None:
            via["head"] = fact.push.commit if fact.push else head_at(fact.pull, fact.at).commit
        if found := self._seen(fact):
            via["seen"] = found if fact.key else {**found, "unsigned": True}
        if content is not None:
            via["digest"] = content.digest
        return via

    def _seen(self, fact: Fact) -> SeenEntry | None:
        """Return the last entry that somebody had seen: by their letter, or below what they pushed or reviewed."""
        if fact.remark is not None and fact.remark.seen:
            seen = fact.remark.seen
            return entry_seen(self.record, proved(self.record.repo, {OBSERVATION: seen}) or seen)
        commit = fact.push.commit if fact.push else fact.remark.commit if fact.remark else ""
        base = self.base_of(commit) if commit else ""
        return entry_seen(self.record, base) if base else None

    def begin_anew(self) -> None:
        """Give the game as it is recorded to a new judge."""
        self.session.close()
        self._archived.clear()
        muted, self.session = self.session.muted, Session(self.record, self.record.load(), self.record.head)
        self.session.muted = muted

    # -- commits

    def look_at(self, entries: Iterable[Entry]) -> None:
        """Note which pull requests entries adopt, and commit each such moment with their heads as parents."""
        outcomes = self.session.declared("defines", "outcomes")
        for entry in entries:
            self.entries += 1
            for effect in entry.get("effects") or ():
                if effect["effect"] == "resolve" and makes_law(effect.get("to"), outcomes):
                    via = self.session.proposal(str(effect["of"])).get("via") or {}
                    if _is_of(via, self.here) and via.get("pull") and via.get("head"):
                        self.adopted[via["pull"]] = via["head"]
        if self.adopted:
            self.commit()

    def commit(self) -> None:
        """Commit what was recorded since the last commit."""
        if not self.record.touched:
            return
        head = self.session.head
        span = f"{self.first}" if self.first == head.seq else f"{self.first} to {head.seq}"
        what = ", ".join(f"#{pull}" for pull in self.adopted)
        subject = f"Take in {what}" if what else f"Record {span}"
        message = f"{self.record.name}: {subject}\n\nEntries: {span}\n"
        author = (self.author() if self.adopted else "") or COMMITTER
        heads = {number: head for number, head in self.adopted.items() if self.joins and self.takes_in(head)}
        made = self.record.commit(message, author, head.at, list(heads.values()), COMMITTER)
        self.joined += tuple(heads)
        self.merges |= dict.fromkeys(self.adopted, made)
        self.adopted, self.first = {}, head.seq + 1

    # -- looking

    @property
    def roster(self) -> Roster:
        """Return who is and was in the game."""
        return self.session.kept(ROSTER)

    def player(self, person: Person) -> str | None:
        """Return the player whom the forge knows as somebody, also a former one; None for strangers."""
        return player_of(self.roster, self.forge, person)

    def named(self, person: Person) -> str:
        """Return how somebody is named in the game."""
        return whose(person, self.roster, self.forge)

    def facts_at(self, place: Via, arrived: int = 0) -> FactsDocument:
        """Return what is recorded of a place, `{issue: 12}` for instance, or of a day of the games' thread."""
        key = facts_key({**self.here, **place, "fact": "any", "arrived": arrived})
        if key is not None and (key in self.session.documents or key not in self._archived):
            self._archived[key] = self.session.document(key)
        return self._archived.get(key or "", {})

    def entry_of(self, fact: Fact, identifier: str) -> int | None:
        """Return the number of the entry that records a fact, None where none does."""
        found: int | None = (self.facts_at(fact.place, fact.at).get("facts") or {}).get(identifier)
        return found

    def proposal_at(self, place: Via) -> Proposal | None:
        """Return the newest proposal that was made at a place; the games' own thread makes none of its own."""
        made = self.facts_at(place).get("proposals") if any(place.values()) else None
        return self.session.proposal(made[-1]) if made else None

    def entries_at(self, place: Via) -> tuple[Entry, ...]:
        """Return the newest entries that came of a place, oldest first."""
        known = sorted((self.facts_at(place).get("facts") or {}).values())
        return tuple(self.record.entry(seq) for seq in known[-MOST_ENTRIES:])

    def refused(self, pull: Pull) -> bool:
        """Say whether a pull request did nothing but acts in its files, and all of them were refused."""
        known = self.facts_at({"pull": pull.number}).get("facts") or {}
        acts = [seq for identifier, seq in known.items() if identifier.startswith(f"{pull.head.commit}/")]
        return bool(acts) and all(was_refused(self.record.entry(seq)) for seq in acts)

    def author_of(self, place: Pull | Issue) -> str:
        """Return the player whose pull request or issue it is, or their handle."""
        return self.named(place.author)


def _is_of(via: Via, here: Via) -> bool:
    """Say whether an act came by the forge that is looked at, and not by an earlier one of its kind."""
    return (via.get("forge"), via.get("stay", 0)) == (here["forge"], here.get("stay", 0))
