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
from folkmoot.forges.port import Answer, Person, Pull, Snapshot
from folkmoot.game.epoch_secrets import with_secrets
from folkmoot.game.session import Done, Session
from folkmoot.journal.comparison import entry_seen
from folkmoot.journal.tree import GameTree
from folkmoot.kernel.act_declarations import JOIN, VOTE, doers, joining_action
from folkmoot.referee.commands import Asked
from folkmoot.referee.comment import mark_of
from folkmoot.referee.content import Content
from folkmoot.referee.facts import Fact, Place, head_at
from folkmoot.referee.markdown import written
from folkmoot.referee.people import distrust, new_id, player_of, plays, whose
from folkmoot.referee.report import NOT_TAKEN, WHY, PushLimits, State, Verdict, reason_of
from folkmoot.wording.game_view import was_refused

Read = Callable[[str], Content]

MOST_ENTRIES = 40  # of a pull request that its comment tells of
COMMITTER = "Folkmoot <referee@folkmoot.invalid>"


class Recorder(Struct):
    """Records what came of acts in one game, and says what is recorded of it.

    `verdicts` are those of this run by pull request or issue, 0 for the games' thread; `merges` the commits of some,
    `adopted` the heads that the next commit takes in, as parents where it `joins` them; `joined` are all that were.
    `base_of` says where the branch of a commit left the game's, "" where that cannot be told. `done` are the acts that
    were judged, `fired` the entries of timers, `entries` counts what was recorded since entry `first`. `author` says
    who commits that merge name as their author (`Name <address>`), "" for us.
    """

    session: Session
    record: GameTree
    forge: str
    author: Callable[[], str] = str
    joins: bool = True
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

    def enter(self, fact: Fact, done: Done) -> None:
        """Take up what came of an act."""
        self.done.append(done)
        self.look_at([*done.before, done.entry])
        self.tell(fact, done.entry)

    def tell(self, fact: Fact, entry: Entry) -> None:
        """Note what an entry says became of a fact."""
        code = str(entry.get("code") or "")
        why, rule = reason_of(code, entry.get("reasons") or ())
        why += f"; {MORE_SEALED}" if told_in(entry) else ""
        state: State = "waiting" if code == "HELD" else "refused" if code else "recorded"
        self.note(fact, str(entry["do"]), state, code=code, why=why, rule=rule, seq=int(entry["seq"]))

    def void(self, fact: Fact, what: str, why: str, **more: Any) -> None:
        """Note that a fact has no effect."""
        self.note(fact, what, "void", why=why, **more)

    def note(self, fact: Fact, what: str, state: State, **more: Any) -> None:
        """Note what became of a fact; of the same one, what became of it last."""
        noted = self.verdicts.setdefault(fact.number, [])
        if (fact.number, fact.id) in self._noted:  # looked for only then: there may be many thousands
            noted[:] = [each for each in noted if each.fact != fact.id]
        self._noted.add((fact.number, fact.id))
        noted.append(self._verdict(fact, what, state, **more))

    def note_once(self, fact: Fact, number: int, what: str, why: str) -> None:
        """Note something beside what became of a fact, once in a place."""
        if (number, fact.id) not in self._noted:
            self._noted.add((number, fact.id))
            told = self._verdict(fact, what, "void", why=why, code="E-RATE")
            self.verdicts.setdefault(number, []).append(told)

    def _verdict(self, fact: Fact, what: str, state: State, **more: Any) -> Verdict:
        who, person = self.named(fact.person), fact.person.id
        return Verdict(fact=fact.id, who=who, what=what, state=state, person=person, at=fact.at, **more)

    def via(self, fact: Fact, content: Content | None = None) -> Via:
        """Return what the record says of how a fact came."""
        via = cast(Via, {**self.here, **fact.place, "fact": fact.id, "arrived": fact.at})
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

    def look_at(self, entries: Iterable[Entry]) -> None:
        """Note which pull requests entries adopt, and commit each such moment with their heads as parents."""
        outcomes = self.session.declared("defines", "outcomes")
        for entry in entries:
            self.entries += 1
            for effect in entry.get("effects") or ():
                if effect["effect"] == "resolve" and makes_law(effect.get("to"), outcomes):
                    via = self.session.proposal(str(effect["of"])).get("via") or {}
                    stays = via.get("stay", 0) == self.here.get("stay", 0)  # or it was an earlier forge of its kind
                    if via.get("forge") == self.here["forge"] and stays and via.get("pull") and via.get("head"):
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
        heads = self.adopted if self.joins else {}
        made = self.record.commit(message, author, head.at, list(heads.values()), COMMITTER)
        self.joined += tuple(heads)
        self.merges |= dict.fromkeys(self.adopted, made)
        self.adopted, self.first = {}, head.seq + 1

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

    def entry_of(self, fact: Fact) -> int | None:
        """Return the number of the entry that records a fact, None where none does."""
        found: int | None = (self.facts_at(fact.place, fact.at).get("facts") or {}).get(fact.id)
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

    @property
    def session(self) -> Session:
        """Return the open game."""
        return self.recorder.session

    def act(self, fact: Fact, wanted: Asked, content: Content | None = None) -> None:
        """Have an act judged and recorded, if who it comes from may be believed."""
        recorder, actions = self.recorder, self.session.actions()
        via = recorder.via(fact, content)
        if wanted.review:
            via["review"] = wanted.review
        player = recorder.player(fact.person)
        if fact.kind != "content" and self.lets_others_go_first(player, wanted.do):
            return
        if player is None or not plays(recorder.roster, player, fact.at):
            self._newcomer(fact, wanted, player, via)
        elif doubt := distrust(recorder.roster, player, fact.key, fact.at):
            recorder.void(fact, wanted.do, doubt, code="E-SIGNATURE")
        elif slip := slip_in(wanted, actions):
            self.slip(fact, wanted.do, slip)
        elif wanted.do == JOIN and not self._would(fact, wanted, player, via).accepted:
            recorder.void(fact, wanted.do, f"you are {player} in this game already", code="E-DUP")
        elif not self.bar(fact, wanted, player, via):
            self._judge(fact, wanted, player, via)
            self.warn(fact, wanted, player)

    def _would(self, fact: Fact, wanted: Asked, player: str, via: Via) -> Outcome:
        return self.session.would(player, wanted.do, dict(wanted.args), at=fact.at, via=via)

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

    def _newcomer(self, fact: Fact, wanted: Asked, former: str | None, via: Via) -> None:
        """Let a stranger do what anybody may; what the rules refuse them is answered, not recorded."""
        recorder, args = self.recorder, dict(wanted.args)
        do = joining_action(self.session.actions()) if wanted.do == JOIN else wanted.do
        declared = self.session.actions().get(do) or {}
        known = declared.get("arguments") or {}
        if "anyone" not in doers(declared):
            recorder.void(fact, do, self.no_player(fact), code="E-NOT-PLAYER")
            return
        administrators = self.session.kept(GAME).get("administrators") or ()
        named = str(args.get("id") or "")
        asked_id = "" if "id" in known else str(args.pop("id", "") or "")
        if former and (doubt := distrust(recorder.roster, former, fact.key, fact.at)):
            recorder.void(fact, do, doubt, code="E-SIGNATURE")
            return
        if not former and named.lower() in {each.lower() for each in administrators}:
            why = f"{named} is the name of an administrator of this game; ask for another, as in /join id=NAME"
            recorder.void(fact, do, why, code="E-DUP")
            return
        applied = "" if asked_id else next(iter(self.applications(fact)), "")  # the id that is kept for them
        taken = [*recorder.roster, *administrators, *(self.session.kept(GAME).get("applications") or {})]
        by = former or applied or new_id(taken, fact.person.handle, asked_id)
        via = {**via, "person": {"id": fact.person.id, "login": fact.person.handle}}
        wanted = replace(wanted, do=do, args=_with_attributes(args, known) if do == JOIN else args)
        outcome = self._would(fact, wanted, by, via)
        if outcome.accepted:
            self._judge(fact, wanted, by, via)
        else:
            why = reason_of(outcome.code, outcome.reasons)[0] or "the rules do not allow it"
            recorder.void(fact, do, why, code=outcome.code)

    def applications(self, fact: Fact) -> dict[str, Application]:
        """Return what is kept of somebody who asked to come in, by the id that they asked for."""
        account = self.recorder.forge, fact.person.id
        known = (self.session.kept(GAME).get("applications") or {}).items()
        return {name: asked for name, asked in known if (asked["forge"], asked["account"]["id"]) == account}

    def _judge(self, fact: Fact, wanted: Asked, player: str, via: Via) -> None:
        """Have a player's act judged, and record what came of it."""
        self._shares[player, self.is_unlimited(wanted.do, player)] += 1
        recorder, session, do = self.recorder, self.session, wanted.do
        at = session.at if self.early else max(fact.at, session.at)
        try:
            args, secret = with_secrets(recorder.record, session.kept(GAME), player, do, wanted.args)
        except ProblemError as error:
            recorder.void(fact, do, error.problems[0].message, code=error.problems[0].code)
        else:
            recorder.enter(fact, session.act(player, do, args, at=at, as_=wanted.as_, via=via, confided=secret))

    # How much is heard of one person a day: told before it bites, and never in the way of votes

    def is_unlimited(self, do: str, player: str) -> bool:
        """Say whether an act is limited in no way: a vote, what is owed, an administrator's."""
        administrators = self.session.kept(GAME).get("administrators") or ()
        return is_unlimited(do, player, administrators, self.session.document("things/duty"))

    def bar(self, fact: Fact, wanted: Asked, player: str, via: Via) -> bool:
        """Say whether an act is answered only, because its author has done enough today, and answer it.

        Where as many of their acts were accepted as a day has, that is said once in a place. Where as many were refused
        and this is, too, it is said of each. What is accepted or refused for something sealed is never found out
        without a record: so much of it is recorded, whatever comes of it, and then no more.
        """
        limit = self._limit("accepted_acts_a_day")
        if self._used(accepted_key, player, fact) >= limit and self._counts(wanted, player):
            why = (
                f"{limit} acts of {player} were accepted today (the limit accepted_acts_a_day): this, and what else "
                "they do today, is not recorded; votes, what they owe and what an office does are as ever"
            )
            enough = replace(fact, id=f"enough/{player}/{fact.at // DAY}")
            self.recorder.note_once(enough, fact.number, wanted.do, why)
            return True
        limit, used = self._limit("refused_acts_a_day"), self._used(refusals_key, player, fact)
        if used < limit or self.is_unlimited(wanted.do, player):
            return False
        outcome = self._would(fact, wanted, player, via)
        refused = reason_of(outcome.code, outcome.reasons)[0] or "it is refused"
        sealed = outcome.accepted and any(map(read_box, wanted.args.values()))  # it was tried without any key
        if sealed or depends_on_sealed(outcome.code, outcome.reasons, outcome.sealed):
            if used < limit * TIMES_SEALED:
                return False
            refused = "it depends on what is sealed, which nobody looks into"
        elif outcome.accepted:
            return False
        why = f"{refused}; this is answered only, because {used} acts of {player} were refused today"
        self.recorder.void(fact, wanted.do, why, code="E-RATE")
        return True

    def warn(self, fact: Fact, wanted: Asked, player: str) -> None:
        """Tell in the games' thread who has used up most of their acts of a day, or all of them."""
        if not self.recorder.done or not self._counts(wanted, player):
            return
        accepted = self.recorder.done[-1].accepted
        what, key = ("accepted", accepted_key) if accepted else ("refused", refusals_key)
        then = f"{UNRECORDED} {'an office does' if accepted else 'the rules accept'} count as ever"
        used = self._used(key, player, fact)
        self._tell(fact, player, f"{what} acts", used, self._limit(f"{what}_acts_a_day"), then)

    def slip(self, fact: Fact, what: str, why: str) -> None:
        """Answer a message that is no act because of an error of form; so many of a day are answered one by one."""
        limit, about = self._limit("typing_errors_a_day"), (fact.person.id, fact.at // DAY)
        self._slips[about] += 1
        used, who = self._slips[about], self.recorder.named(fact.person)
        if used <= limit:
            self.recorder.void(fact, what, why, code="E-ARGS")
        self._tell(fact, who, "errors of form", used, limit, "more are not answered one by one")

    def _tell(self, fact: Fact, who: str, what: str, used: int, limit: int, then: str) -> None:
        """Say in the games' thread, once, that somebody has used up most of a limit just now, or all of it."""
        if used == limit:
            why = f"all {limit} {what} that {who} has a day are used; {then} until tomorrow"
        elif used == -(-limit * WARNED_AT[0] // WARNED_AT[1]):
            why = f"{used} of the {limit} {what} that {who} has a day are used; from then on {then}"
        else:
            return
        self.recorder.note_once(replace(fact, id=f"limit/{what}/{who}/{fact.at // DAY}/{used}"), 0, what, why)

    def _counts(self, wanted: Asked, player: str) -> bool:
        """Say whether the limit on accepted acts counts an act: no vote, nothing owed, and no office does it."""
        declared = self.session.actions().get(wanted.do) or {}
        return not (wanted.as_ or declared.get("as") or self.is_unlimited(wanted.do, player))

    def _limit(self, name: str) -> int:
        return limit_of(self.session.kept(GAME), name)

    def _used(self, key: Callable[[str, int], str], player: str, fact: Fact) -> int:
        return int(self.session.document(key(self.recorder.forge, fact.at)).get(player, 0))

    # An input that the engine fails over is void, on record, told to its author, and not tried again

    def treat(self, stage: Stage, fact: Fact, do: Callable[[], None]) -> None:
        """Treat one input within a boundary; one over which the engine failed before is not tried again."""
        recorder = self.recorder
        key = (recorder.record.name, fact.number, fact.id)
        if key in self.limits.unrecordable:
            self._give_up(fact, Problem(NOT_TAKEN, WHY))
        elif fault_key(fact.id) in self.failed.get(fact.number, ()):
            self._give_up(fact, Problem(FAULT, "it is not tried again; say it anew, in other words"))
        elif fact.id in (recorder.facts_at(fact.place, fact.at).get("faults") or ()):
            recorder.tell(fact, recorder.record.entry(recorder.entry_of(fact) or 0))
        elif key in self.limits.refused and recorder.entry_of(fact) is None:
            self._record(fact, Problem(NOT_TAKEN, WHY))
        else:
            guarded(stage, do, partial(self._fail, fact))

    def _fail(self, fact: Fact, problem: Problem) -> None:
        """Undo what an input began over which the engine failed, and note it; what was recorded in full stays."""

        def lose(worse: Problem) -> None:
            """Note an input that cannot even be recorded as void."""
            self.recorder.begin_anew()
            self._give_up(fact, worse)

        self.recorder.begin_anew()
        if self.recorder.entry_of(fact) is None:
            guarded(Stage.FAULT, partial(self._record, fact, problem), lose)

    def _record(self, fact: Fact, problem: Problem) -> None:
        """Record that an input is void, where a player made it."""
        recorder = self.recorder
        player, roster = recorder.player(fact.person), recorder.roster
        if player is None or not plays(roster, player, fact.at) or distrust(roster, player, fact.key, fact.at):
            self._give_up(fact, problem)
        else:
            args: Arguments = {"code": problem.code, "why": problem.message}
            at = max(fact.at, self.session.at)
            recorder.enter(fact, self.session.act(player, "fault", args, at=at, via=recorder.via(fact)))

    def _give_up(self, fact: Fact, problem: Problem) -> None:
        self.faults.setdefault(fact.number, set()).add(fault_key(fact.id))
        self.recorder.void(fact, "this", problem.message, code=problem.code)


def _with_attributes(args: Arguments, declared: Mapping[str, ArgumentSpec]) -> Arguments:
    """Return the arguments of joining, those that the action does not know as attributes of the person."""
    more = {name: value for name, value in args.items() if name not in declared}
    given = args.get("attributes") or {}
    if "attributes" not in declared or not more or not isinstance(given, dict):
        return args
    return {**{name: value for name, value in args.items() if name in declared}, "attributes": {**given, **more}}


def slip_in(wanted: Asked, actions: Mapping[str, ActionSpec]) -> str:
    """Return what is misspelt in an act, "" if nothing is: an unknown argument, no whole number, none of the choices.

    The acts of the kernel that take any argument are left to it.
    """
    declared = (actions.get(wanted.do) or {}).get("arguments") or {}
    if wanted.do in (VOTE, JOIN, "admit") or wanted.do not in actions:
        return ""
    for name, value in wanted.args.items():
        spec, shown = declared.get(name) or {}, str(value)[:40]
        choices = spec.get("of") or ()
        if name not in declared and name != "requests":
            near = meant_by(name, declared)
            hint = f", did you mean {near}?" if near else f"; it takes {', '.join(declared) or 'none'}"
            return f"{wanted.do} takes no argument {name[:40]}{hint}"
        if spec.get("sealed") and read_box(value):
            continue
        if spec.get("type") == "integer" and type(value) is not int:
            return f"{name} is a whole number, and {shown!r} is none"
        if spec.get("type") == "choice" and choices and value not in choices:
            near = meant_by(shown, map(str, choices))
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


def heard(
    snapshot: Snapshot, recorded: Callable[[Place], object], plays: Callable[[Person], bool]
) -> tuple[Snapshot, list[Answer]]:
    """Return what is heard of a snapshot, in the order in which it is answered, and what those are told who wait.

    `recorded` says whether a game has recorded something of a place, `plays` whether somebody is or was a player.
    """
    places: list[Place] = [*snapshot.pulls, *snapshot.issues]
    ranks = {place.number: (0, 0, place.number) for place in places}
    turns: Counter[str] = Counter()
    fresh: list[tuple[int, int, Place]] = []  # with which of its author's it is: everybody's first comes first
    for place in sorted(places, key=lambda place: place.number):
        if place.state == "open" and not recorded(place):
            fresh.append((turns[place.author.id], place.number, place))
            turns[place.author.id] += 1
    strangers, waiting = 0, list[int]()
    for turn, number, place in sorted(fresh, key=lambda each: each[:2]):
        player = plays(place.author)
        strangers += not player
        ranks[number] = (1 if player else 2, turn, number)
        if turn >= (MOST_OF_PLAYER if player else MOST_OF_STRANGER) or (not player and strangers > MOST_OF_STRANGERS):
            del ranks[number]
            waiting.append(number)
    if not waiting and len(places) <= MOST_OF_STRANGER:
        return snapshot, []
    pulls = sorted((p for p in snapshot.pulls if p.number in ranks), key=lambda p: ranks[p.number])
    issues = sorted((i for i in snapshot.issues if i.number in ranks), key=lambda i: ranks[i.number])
    limits = {"of_player": MOST_OF_PLAYER, "of_stranger": MOST_OF_STRANGER, "of_strangers": MOST_OF_STRANGERS}
    told = [Answer(pull=number, text=written("crowd.md", **limits)) for number in waiting]
    return replace(snapshot, pulls=tuple(pulls), issues=tuple(issues)), told
