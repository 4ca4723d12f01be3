"""A game under the judge: whose acts are believed and heard, how many a day, and what is recorded and committed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.documents import FactsDocument, Proposal, Roster
from folkmoot.core.event_names import makes_law
from folkmoot.core.events import Outcome
from folkmoot.core.keys import (
    DAY,
    GAME,
    ROSTER,
    accepted_key,
    came_here,
    facts_key,
    forge_kind,
    place_here,
    refusals_key,
)
from folkmoot.core.limits import is_unlimited, limit_of
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.records import Application, Arguments, Entry, SeenEntry, Via
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.sealed_data import MORE_SEALED, depends_on_sealed, read_box, told_in
from folkmoot.forges.cache.seen_history import OBSERVATION, proved
from folkmoot.forges.error_isolation import FAULT, Stage, guarded
from folkmoot.forges.port import Answer, Issue, Person, Pull, Snapshot
from folkmoot.game.epoch_secrets import with_secrets
from folkmoot.game.session import Done, Session
from folkmoot.journal.comparison import entry_seen
from folkmoot.journal.tree import GameTree
from folkmoot.kernel.act_declarations import JOIN, VOTE, doers, joining_action
from folkmoot.referee.commands import Asked
from folkmoot.referee.comment import mark_of
from folkmoot.referee.content import Content
from folkmoot.referee.facts import Fact, head_at
from folkmoot.referee.markdown import written
from folkmoot.referee.people import distrust, new_id, player_of, plays, whose
from folkmoot.referee.report import PushLimits, State, Verdict, not_taken, reason_of
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


def _is_of(via: Via, here: Via) -> bool:
    """Say whether an act came by the forge that is looked at, and not by an earlier one of its kind."""
    return (via.get("forge"), via.get("stay", 0)) == (here["forge"], here.get("stay", 0))


# -- acts: whether they are believed, who may do what, how much a day, and what the engine fails over


WARNED_AT = (4, 5)  # of a limit
TIMES_SEALED = 2
"""How many times the limit on refused acts is recorded of what depends on something sealed, before it is answered."""
UNRECORDED = "more are answered only, and not recorded; votes, what you owe and what"
PREFIX = "fault-"
SHARE = 100  # of what one person does, and as many of votes and what they owe: the rest lets others go first


class Acts:
    """Has an act recorded if who it comes from may be believed, and may do it at all, so much of it a day.

    `put_off` says that somebody did more than their share of this run, the rest of which is for the next ones. What is
    taken `early` is judged at the time of the last entry. `failed` are the keys of what was said before to have failed,
    by pull request and issue; `faults` those of this run that stand in no record, because nobody plays who made them.
    What the forge does not take (`limits`) is void, too.
    """

    def __init__(self, recorder: Recorder, failed: Mapping[int, frozenset[str]], limits: PushLimits) -> None:
        self.recorder = recorder
        self.failed = failed
        self.limits = limits
        self.faults: dict[int, set[str]] = {}
        self.put_off = False
        self.early = False
        self._shares: Counter[tuple[str, bool]] = Counter()
        self._slips: Counter[tuple[str, int]] = Counter()

    def act(self, fact: Fact, wanted: Asked, identifier: str, content: Content | None = None) -> None:
        """Have an act judged and recorded, if who it comes from may be believed."""
        recorder = self.recorder
        via = recorder.via(fact, identifier, content)
        if wanted.review:
            via["review"] = wanted.review
        player = recorder.player(fact.person)
        if fact.kind != "content" and self.lets_others_go_first(player, wanted.do):
            return
        if player is not None and plays(recorder.roster, player, fact.at):
            doubt = distrust(recorder.roster, player, fact.key, fact.at)
            if doubt:
                recorder.note(fact, wanted.do, "void", code="E-SIGNATURE", why=doubt, id_=identifier)
            elif slip := slip_in(wanted, recorder.session.actions()):
                self.slip(fact, wanted.do, slip, identifier)
            elif why := self._joins_again(fact, wanted, player, via):
                recorder.note(fact, wanted.do, "void", code="E-DUP", why=why, id_=identifier)
            elif not self.bar(fact, wanted, identifier, player, via):
                self._judge(fact, wanted, identifier, player, via)
                self.warn(fact, wanted, player)
            return
        actions = recorder.session.actions()
        wanted = replace(wanted, do=joining_action(actions)) if wanted.do == JOIN else wanted
        declared = actions.get(wanted.do) or {}
        if "anyone" in doers(declared):
            self._newcomer(fact, wanted, identifier, player, declared, via)
        else:
            recorder.note(fact, wanted.do, "void", code="E-NOT-PLAYER", why=self.no_player(fact), id_=identifier)

    def no_player(self, fact: Fact) -> str:
        """Return what a stranger is told whose act only players may do."""
        return f"{self.recorder.named(fact.person)} is no player of this game; the comment /join asks to become one"

    def lets_others_go_first(self, player: str | None, do: str) -> bool:
        """Say whether an act waits for the next run, because so many of its author's are recorded in this one.

        Whatever else they send waits as well, in its order; votes and what they owe have a share of their own, so that
        nobody loses a vote to what they said. What others sent later is judged in this run.
        """
        if player is None or self.early:
            return False
        waits = self._shares[player, self.is_unlimited(do, player)] >= SHARE
        self.put_off |= waits
        return waits

    def _joins_again(self, fact: Fact, wanted: Asked, player: str, via: Via) -> str:
        """Return what a player is told who asks to become one again, "" where the rules make something else of it."""
        if wanted.do != JOIN:
            return ""
        outcome = self.recorder.session.would(player, wanted.do, dict(wanted.args), at=fact.at, via=via)
        return "" if outcome.accepted else f"you are {player} in this game already"

    def _newcomer(
        self,
        fact: Fact,
        wanted: Asked,
        identifier: str,
        former: str | None,
        declared: ActionSpec,
        via: Via,
    ) -> None:
        """Let a stranger do what anybody may; what the rules refuse them is answered, not recorded."""
        recorder, args = self.recorder, dict(wanted.args)
        administrators = recorder.session.kept(GAME).get("administrators") or ()
        named = str(args.get("id") or "")
        asked_id = "" if "id" in (declared.get("arguments") or {}) else str(args.pop("id", "") or "")
        if former and (doubt := distrust(recorder.roster, former, fact.key, fact.at)):
            recorder.note(fact, wanted.do, "void", code="E-SIGNATURE", why=doubt, id_=identifier)
            return
        if not former and named.lower() in {each.lower() for each in administrators}:
            why = f"{named} is the name of an administrator of this game; ask for another, as in /join id=NAME"
            recorder.note(fact, wanted.do, "void", code="E-DUP", why=why, id_=identifier)
            return
        by = former or self._applied(fact, asked_id) or self._new(fact, administrators, asked_id)
        via = {**via, "person": {"id": fact.person.id, "login": fact.person.handle}}
        if wanted.do == JOIN:
            args = _with_attributes(args, declared.get("arguments") or {})
        outcome = recorder.session.would(by, wanted.do, args, at=fact.at, via=via)
        if outcome.accepted:
            self._judge(fact, Asked(wanted.do, args, wanted.as_), identifier, by, via)
        else:
            why = reason_of(outcome.code, outcome.reasons)[0] or "the rules do not allow it"
            recorder.note(fact, wanted.do, "void", code=outcome.code, why=why, id_=identifier)

    def _applied(self, fact: Fact, asked: str) -> str:
        """Return the id that is kept for somebody who asked to come in, "" where none is or they want another."""
        return "" if asked else next(iter(self._applications(fact)), "")

    def applied_at(self, fact: Fact) -> bool:
        """Say whether somebody asked to come in where a fact arrived, and is not in."""
        found = self._applications(fact).values()
        return any(application.get("pull") == fact.number for application in found)

    def _applications(self, fact: Fact) -> dict[str, Application]:
        """Return what is kept of somebody who asked to come in, by the id that they asked for."""
        account = self.recorder.forge, fact.person.id
        known = (self.recorder.session.kept(GAME).get("applications") or {}).items()
        return {name: asked for name, asked in known if (asked["forge"], asked["account"]["id"]) == account}

    def _new(self, fact: Fact, administrators: Iterable[str], asked: str) -> str:
        taken = [*self.recorder.roster, *administrators, *(self.recorder.session.kept(GAME).get("applications") or {})]
        return new_id(taken, fact.person.handle, asked)

    def _judge(self, fact: Fact, wanted: Asked, identifier: str, player: str, via: Via) -> None:
        self._shares[player, self.is_unlimited(wanted.do, player)] += 1
        now = self.recorder.session.at
        self.recorder.judge(fact, wanted, identifier, player, via, now if self.early else max(fact.at, now))

    # How much is heard of one person a day: told before it bites, and never in the way of votes

    def is_unlimited(self, do: str, player: str) -> bool:
        """Say whether an act is limited in no way: a vote, what is owed, an administrator's."""
        session = self.recorder.session
        administrators = session.kept(GAME).get("administrators") or ()
        return is_unlimited(do, player, administrators, session.document("things/duty"))

    def bar(self, fact: Fact, wanted: Asked, identifier: str, player: str, via: Via) -> bool:
        """Say whether an act is answered only, because its author has done enough today, and answer it."""
        return self._has_done_enough(fact, wanted, player) or self._is_held_back(fact, wanted, identifier, player, via)

    def _has_done_enough(self, fact: Fact, wanted: Asked, player: str) -> bool:
        """Say whether an act is answered only, once in its place, because as many of its author's day were accepted."""
        limit = self._limit("accepted_acts_a_day")
        if self._used(accepted_key, player, fact) < limit or not self._counts(wanted, player):
            return False
        why = (
            f"{limit} acts of {player} were accepted today (the limit accepted_acts_a_day): this, and what else "
            "they do today, is not recorded; votes, what they owe and what an office does are as ever"
        )
        id_, who = f"enough/{player}/{fact.at // DAY}", self.recorder.named(fact.person)
        self.recorder.note_once(fact, fact.number, id_, who=who, what=wanted.do, why=why)
        return True

    def _is_held_back(self, fact: Fact, wanted: Asked, identifier: str, player: str, via: Via) -> bool:
        """Say whether an act is answered only: it is refused, and its author had as many refused acts as a day has.

        What the rules accept is recorded in any case, and so are votes, what is owed and the acts of administrators.
        What is accepted or refused for something sealed is never found out without a record: so much of it is recorded,
        whatever comes of it, and then no more.
        """
        limit = self._limit("refused_acts_a_day")
        used = self._used(refusals_key, player, fact)
        if used < limit or self.is_unlimited(wanted.do, player):
            return False
        session, args = self.recorder.session, dict(wanted.args)
        outcome = session.would(player, wanted.do, args, at=fact.at, via=via)
        refused = reason_of(outcome.code, outcome.reasons)[0] or "it is refused"
        if _depends_on_sealed(outcome, args):
            if used < limit * TIMES_SEALED:
                return False
            refused = "it depends on what is sealed, which nobody looks into"
        elif outcome.accepted:
            return False
        why = f"{refused}; this is answered only, because {used} acts of {player} were refused today"
        self.recorder.note(fact, wanted.do, "void", code="E-RATE", why=why, id_=identifier)
        return True

    def warn(self, fact: Fact, wanted: Asked, player: str) -> None:
        """Tell in the games' thread who has used up most of their acts of a day, or all of them."""
        if not self.recorder.done or not self._counts(wanted, player):
            return
        accepted = self.recorder.done[-1].accepted
        what, key = ("accepted", accepted_key) if accepted else ("refused", refusals_key)
        then = f"{UNRECORDED} {'an office does' if accepted else 'the rules accept'} count as ever"
        used = self._used(key, player, fact)
        self._tell(fact, player, f"{what} acts", used, warning(player, f"{what} acts", used,
                   self._limit(f"{what}_acts_a_day"), then))  # fmt: skip

    def slip(self, fact: Fact, what: str, why: str, identifier: str = "") -> None:
        """Answer a message that is no act because of an error of form; so many of a day are answered one by one."""
        limit, about = self._limit("typing_errors_a_day"), (fact.person.id, fact.at // DAY)
        self._slips[about] += 1
        used, who = self._slips[about], self.recorder.named(fact.person)
        if used <= limit:
            self.recorder.note(fact, what, "void", code="E-ARGS", why=why, id_=identifier)
        told = warning(who, "errors of form", used, limit, "more are not answered one by one")
        self._tell(fact, who, "errors of form", used, told)

    def _tell(self, fact: Fact, who: str, what: str, used: int, why: str) -> None:
        """Say in the games' thread that somebody is near a limit, once."""
        if why:
            self.recorder.note_once(fact, 0, f"limit/{what}/{who}/{fact.at // DAY}/{used}", who=who, what=what, why=why)

    def _counts(self, wanted: Asked, player: str) -> bool:
        """Say whether the limit on accepted acts counts an act: no vote, nothing owed, and no office does it."""
        declared = self.recorder.session.actions().get(wanted.do) or {}
        return not (wanted.as_ or declared.get("as") or self.is_unlimited(wanted.do, player))

    def _limit(self, name: str) -> int:
        return limit_of(self.recorder.session.kept(GAME), name)

    def _used(self, key: Callable[[str, int], str], player: str, fact: Fact) -> int:
        return int(self.recorder.session.document(key(self.recorder.forge, fact.at)).get(player, 0))

    # An input that the engine fails over is void, on record, told to its author, and not tried again

    def treat(self, stage: Stage, fact: Fact, identifier: str, do: Callable[[], None]) -> None:
        """Treat one input within a boundary; one over which the engine failed before is not tried again."""
        recorder = self.recorder
        key = (recorder.record.name, fact.number, identifier)
        if key in self.limits.unrecordable:
            self._give_up(fact, identifier, not_taken())
        elif fault_key(identifier) in self.failed.get(fact.number, ()):
            self._give_up(fact, identifier)
        elif identifier in (recorder.facts_at(fact.place, fact.at).get("faults") or ()):
            recorder.tell(fact, recorder.record.entry(recorder.entry_of(fact, identifier) or 0), identifier)
        elif key in self.limits.refused and recorder.entry_of(fact, identifier) is None:
            self._record(fact, identifier, not_taken())
        else:
            guarded(stage, do, partial(self._fail, fact, identifier))

    def _fail(self, fact: Fact, identifier: str, problem: Problem) -> None:
        """Undo what an input began over which the engine failed, and note it; what was recorded in full stays."""
        self.recorder.begin_anew()
        if self.recorder.entry_of(fact, identifier) is None:
            guarded(
                Stage.FAULT, partial(self._record, fact, identifier, problem), partial(self._lose, fact, identifier)
            )

    def _record(self, fact: Fact, identifier: str, problem: Problem) -> None:
        """Record that an input is void, where a player made it."""
        recorder = self.recorder
        player, roster = recorder.player(fact.person), recorder.roster
        if player is None or not plays(roster, player, fact.at) or distrust(roster, player, fact.key, fact.at):
            self._give_up(fact, identifier, problem)
        else:
            args: Arguments = {"code": problem.code, "why": problem.message}
            at, via = max(fact.at, recorder.session.at), recorder.via(fact, identifier)
            recorder.enter(fact, identifier, recorder.session.act(player, "fault", args, at=at, via=via))

    def _lose(self, fact: Fact, identifier: str, problem: Problem) -> None:
        """Note an input that cannot even be recorded as void."""
        self.recorder.begin_anew()
        self._give_up(fact, identifier, problem)

    def _give_up(self, fact: Fact, identifier: str, problem: Problem | None = None) -> None:
        self.faults.setdefault(fact.number, set()).add(fault_key(identifier))
        code = problem.code if problem is not None else FAULT
        why = "it is not tried again; say it anew, in other words" if problem is None else problem.message
        self.recorder.note(fact, "this", "void", code=code, why=why, id_=identifier)


def _with_attributes(args: Arguments, declared: Mapping[str, ArgumentSpec]) -> Arguments:
    """Return the arguments of joining, those that the action does not know as attributes of the person."""
    more = {name: value for name, value in args.items() if name not in declared}
    given = args.get("attributes") or {}
    if "attributes" not in declared or not more or not isinstance(given, dict):
        return args
    return {**{name: value for name, value in args.items() if name in declared}, "attributes": {**given, **more}}


def _depends_on_sealed(outcome: Outcome, given: Arguments) -> bool:
    """Say whether what comes of an act that was tried without any key may be otherwise for what is sealed."""
    if depends_on_sealed(outcome.code, outcome.reasons, outcome.sealed):
        return True
    return outcome.accepted and any(map(read_box, given.values()))


def warning(who: str, what: str, used: int, limit: int, then: str) -> str:
    """Return what somebody is told who has used up most of a limit just now, or all of it; "" for anybody else.

    >>> warning("bob", "refused acts", 40, 50, "more are answered only")
    '40 of the 50 refused acts that bob has a day are used; from then on more are answered only'
    >>> warning("bob", "refused acts", 41, 50, "more are answered only")
    ''
    """
    if used == limit:
        return f"all {limit} {what} that {who} has a day are used; {then} until tomorrow"
    if used == -(-limit * WARNED_AT[0] // WARNED_AT[1]):
        return f"{used} of the {limit} {what} that {who} has a day are used; from then on {then}"
    return ""


def slip_in(wanted: Asked, actions: Mapping[str, ActionSpec]) -> str:
    """Return what is misspelt in an act, "" if nothing is: an unknown argument, no whole number, none of the choices.

    The acts of the kernel that take any argument are left to it.
    """
    declared = (actions.get(wanted.do) or {}).get("arguments") or {}
    if wanted.do in (VOTE, JOIN, "admit") or wanted.do not in actions:
        return ""
    for name, value in wanted.args.items():
        if name not in declared:
            if name == "requests":
                continue
            near = meant_by(name, declared)
            hint = f", did you mean {near}?" if near else f"; it takes {', '.join(declared) or 'none'}"
            return f"{wanted.do} takes no argument {name[:40]}{hint}"
        flaw = _flaw(name, value, declared[name] or {})
        if flaw:
            return flaw
    return ""


def _flaw(name: str, value: Any, spec: ArgumentSpec) -> str:
    if spec.get("sealed") and read_box(value):
        return ""
    if spec.get("type") == "integer" and type(value) is not int:
        return f"{name} is a whole number, and {str(value)[:40]!r} is none"
    choices = spec.get("of")
    if spec.get("type") == "choice" and isinstance(choices, list) and value not in choices:
        near = meant_by(str(value)[:40], [str(choice) for choice in choices])
        return f"{name} is one of ({', '.join(map(str, choices))}){f'; did you mean {near}?' if near else ''}"
    return ""


def fault_key(identifier: str) -> str:
    """Return the key by which a comment of ours remembers that the engine failed over something."""
    return PREFIX + mark_of(identifier)


# -- where very many want something at once: nobody's crowd keeps the others waiting


MOST_OF_PLAYER = 100
MOST_OF_STRANGER = 20
MOST_OF_STRANGERS = 200
MOST_ANSWERS = 200  # that are written in one run; the rest follow in the next ones

Place = Pull | Issue


def heard(
    snapshot: Snapshot, recorded: Callable[[Place], bool], plays: Callable[[Person], bool]
) -> tuple[Snapshot, list[Answer]]:
    """Return what is heard of a snapshot, in the order in which it is answered, and what those are told who wait.

    `recorded` says whether a game has recorded something of a place, `plays` whether somebody is or was a player.
    """
    counted: Counter[str] = Counter()
    strangers = 0
    ranks: dict[int, tuple[int, int, int]] = {}
    waiting: list[Place] = []
    places: list[Place] = [*snapshot.pulls, *snapshot.issues]
    for place, turn in _turns(places):
        player = plays(place.author)
        if place.state != "open" or recorded(place):
            ranks[place.number] = (0, 0, place.number)
            continue
        counted[place.author.id] += 1
        strangers += not player
        most = MOST_OF_PLAYER if player else MOST_OF_STRANGER
        if counted[place.author.id] > most or (not player and strangers > MOST_OF_STRANGERS):
            waiting.append(place)
        else:
            ranks[place.number] = (1 if player else 2, turn, place.number)
    if not waiting and len(places) <= MOST_OF_STRANGER:
        return snapshot, []
    pulls = sorted((p for p in snapshot.pulls if p.number in ranks), key=lambda p: ranks[p.number])
    issues = sorted((i for i in snapshot.issues if i.number in ranks), key=lambda i: ranks[i.number])
    limits = {"of_player": MOST_OF_PLAYER, "of_stranger": MOST_OF_STRANGER, "of_strangers": MOST_OF_STRANGERS}
    text = written("crowd.md", **limits) if waiting else ""
    told = [Answer(pull=place.number, text=text) for place in waiting]
    return replace(snapshot, pulls=tuple(pulls), issues=tuple(issues)), told


def _turns(places: Iterable[Place]) -> list[tuple[Place, int]]:
    """Return what is open with which of its author's it is: everybody's first, then everybody's second."""
    seen: Counter[str] = Counter()
    found = []
    for place in sorted(places, key=lambda place: place.number):
        found.append((place, seen[place.author.id]))
        seen[place.author.id] += 1
    return sorted(found, key=lambda each: (each[1], each[0].number))
