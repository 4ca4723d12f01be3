"""Scenarios: tests that read like the rules, in a fixed form (see the reference), run on the kernel in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import cycle
from typing import Any

from msgspec import Struct, field

from folkmoot.core.calendar import DAY, FIRST, LAST, read_moment, read_stamp, seconds_of
from folkmoot.core.declared_kinds import OWNERS
from folkmoot.core.events import Event, Outcome
from folkmoot.core.past_dates import span_of
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Arguments, Entry, Failure, Founding, Written
from folkmoot.core.values import told
from folkmoot.files.file_forms import VOTE_STEP
from folkmoot.files.reader import NO_FILES, Files, placed, where
from folkmoot.kernel import registers
from folkmoot.kernel.act_declarations import SET_CLOCK
from folkmoot.kernel.answers import flaw_of_integer
from folkmoot.kernel.chance import Chance, Sealed, open_chance
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.founding import give
from folkmoot.kernel.next_timer import fires_before
from folkmoot.kernel.play import Play
from folkmoot.kernel.replay import entry_of
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.claims import Levels, as_yaml, changes_claimed, is_claimed, levels, meets
from folkmoot.scenarios.dice import ScenarioDice, Streams, enumerate_outcomes
from folkmoot.scenarios.sealing import Keeper

Rulesets = Callable[[str], Founding]
Attend = Callable[[Kernel], None]
MOST_DEBUG = 8  # lines of what scripts debug, shown where a scenario fails
UNDRAWN = "E-SECRET"  # what draws fail with while it is tried which steps draw


class Failed(Exception):
    """A scenario does not hold; the message names the step (counted from 1) and what was otherwise."""


class Run(Struct):
    """One running scenario; `files` are those of rules whose failures are told with their place."""

    kernel: Kernel
    now: int
    chance: Callable[[Event], Chance]
    entries: list[Entry] = field(default_factory=list)
    files: Files = field(default_factory=dict)
    keeper: Keeper = field(default_factory=Keeper)
    claimed: set[int] = field(default_factory=set)  # entries that were refused as a step says, because a script failed
    debug: list[Failure] = field(default_factory=list)  # what scripts show to those who try them
    changing: list[tuple[str, str]] = field(default_factory=list)  # registers of whose change it is claimed
    before: Levels | None = None  # what those held before the last step

    def apply(self, do: str, by: str | None = None, as_: str | None = None, with_: Arguments | None = None) -> Outcome:
        """Judge an event now and keep its entry."""
        given = self.keeper.seal(self.kernel, do, with_ or {}, seq := len(self.entries) + 1, by)
        back = (given.get("seconds") or 0) if do == SET_CLOCK else 0
        event = Event(seq=seq, at=self.now - back, do=do, by=by, as_=as_, with_=given)
        chance = self.chance(event)
        outcome = self.kernel.apply(event, chance, partial(self.keeper.vault, event, chance))
        self.now -= back if outcome.accepted else 0
        self.keeper.learn(self.kernel.play.vault)
        self.entries.append(entry_of(event, outcome))
        self.kernel.documents.release()
        return outcome

    def advance(self, until: int, after_deadlines: bool) -> None:
        """Fire what is due up to a time."""
        while fires_before(due := self.kernel.next_due(), until, after_deadlines):
            assert due is not None
            self.now = due[0]
            self.apply("tick", with_={"timer": due[2]})
        self.now = max(self.now, until)


def in_turn(offices: Sequence[str], players: Sequence[str]) -> dict[str, str]:
    """Return office → player where offices fall to players one each in turn, and to the first again after the last.

    >>> in_turn(["chair", "clerk", "dealer"], ["ann", "bob"])
    {'chair': 'ann', 'clerk': 'bob', 'dealer': 'ann'}
    """
    return dict(zip(offices, cycle(players), strict=False))


def law_of(scenario: Written, rulesets: Rulesets) -> Founding:
    """Return the founding of a scenario: its ruleset with its own people, administrators and settings."""
    law = dict(rulesets(scenario["ruleset"]))
    for of_new_games in ("offices_in_turn", "new_game"):  # scenarios say who holds an office, and which readings hold
        law.pop(of_new_games, None)
    given = (scenario.get("settings") or {}).items()
    settings = {str(name): str(value).lower() if isinstance(value, bool) else str(value) for name, value in given}
    law["settings"] = {**(law.get("settings") or {}), **settings}
    if "players" in scenario:
        replaced = {person["id"] for person in law.get("players") or []}
        law["players"] = [p if isinstance(p, dict) else {"id": p} for p in scenario["players"]]
        gone = replaced - {person["id"] for person in law["players"]}  # of whom no opening statement may speak
        law["opening"] = [
            statement
            for statement in law.get("opening") or []
            if not any(isinstance(value, str) and value in gone for value in statement.values())
        ]
        law["offices"] = {}
    if "administrators" in scenario:
        law["administrators"] = scenario["administrators"]
    for person in law.get("players") or []:
        person.setdefault("surname", person["id"])
    return law


def begin(
    law: Founding, start: int, chance: Callable[[Event], Chance], attend: Attend, files: Files = NO_FILES
) -> tuple[Run, Outcome]:
    """Found a game, which has a time of its own, and return what came of it."""
    kernel = Kernel()
    attend(kernel)
    kernel.play.restarted()
    run = Run(kernel, start, chance, files=files)
    kernel.play.debugged = run.debug.append
    run.keeper.attend(kernel)
    return run, run.apply("found", with_=law_by(law, start))


def found(
    scenario: Written,
    rulesets: Rulesets,
    chance: Callable[[Event], Chance],
    attend: Attend = lambda _kernel: None,
    files: Files = NO_FILES,
) -> Run:
    """Found the game of a scenario and set what is given; `attend` is shown the kernel before it runs a script."""
    law = law_of(scenario, rulesets)
    run, outcome = begin(law, start_of(scenario, law), chance, attend, files)
    run.changing = changes_claimed(scenario)
    if not outcome.accepted:
        raise Failed(f"the game cannot be founded: {_why(run, outcome)}")
    for statement in [*_offices(scenario, rulesets), *(scenario.get("given") or [])]:
        _give(run, statement)
    return run


def _offices(scenario: Written, rulesets: Rulesets) -> list[Written]:
    """Say who of a scenario's people holds an office: as in the ruleset, or the first for one who holds all."""
    if not scenario.get("players"):
        return []
    ids = [str(p["id"]) if isinstance(p, dict) else str(p) for p in scenario["players"]]
    offices = dict(rulesets(scenario["ruleset"])).get("offices") or {}
    heir = ids[:1] if len(set(offices.values())) == 1 else []
    held = {office: [who] if who in ids else heir for office, who in offices.items()}
    return [{"office": office, "holder": holders[0]} for office, holders in held.items() if holders]


def _give(run: Run, statement: Written) -> None:
    play = run.kernel.play
    chance = open_chance("", "given")
    event = Event(seq=len(run.entries), at=run.now, do="given")
    play.begin(event.seq, event.at, chance, vault=partial(run.keeper.vault, event, chance))
    try:
        times = _times(play)
        give(play, {name: seconds_of(value) if name in times else value for name, value in statement.items()})
    except Fault as fault:
        raise Failed(f"given {statement}: {fault.message}") from None
    run.keeper.learn(play.vault)
    play.documents.begin()
    play.law.forget()


def _times(play: Play) -> set[str]:
    """Return the names of registers of whichever owner that hold a time."""
    kinds = [f"kinds.{kind}.registers" for kind in registers.kinds_of(play)]
    blocks = [play.law.declared(f"defines.{block}") for block in (*OWNERS, *kinds)]
    return {name for block in blocks for name, (_uid, spec) in block.items() if spec.get("type") == "time"}


def _why(run: Run, outcome: Outcome) -> str:
    mine = (reason for reason in outcome.reasons if reason["code"] == outcome.code)
    whys = [placed(str((each.get("args") or {}).get("why", "")), outcome.failures, run.files) for each in mine]
    failures = [told_failure(failure, run.files) for failure in outcome.failures]
    return " ".join(filter(None, [outcome.code, *whys, *failures]))


def told_failure(failure: Failure, files: Files) -> str:
    """Return a failure of a script as part of a sentence; of a rule in a file of somebody's, the place says which."""
    place = where(failure, files)
    rule = "" if place.startswith("at ") else f"rule {failure['rule']} "
    return f"{rule}{failure['hook']}{f' {place}' if place else ''}: {failure['error']}"


# -- steps


def play_steps(run: Run, scenario: Written, after: int = 0) -> None:
    """Play all steps after the first `after`; raises Failed at the first that goes otherwise than it says."""
    for place, step in enumerate((scenario.get("steps") or [])[after:], after + 1):
        try:
            _play(run, step)
        except Failed as failed:
            raise Failed(f"step {place} ({_shown(step)}): {failed}") from None
        except ProblemError as error:
            if error.problems[0].code == UNDRAWN:
                raise
            raise Failed(f"step {place} ({_shown(step)}): {error.problems[0].message}") from None


def _shown(step: Written) -> str:
    keys = ("by", "do", "vote", "tick")
    return ", ".join(f"{key} {step[key]}" for key in keys if key in step) or "expect"


def _play(run: Run, step: Written) -> None:
    if "expect" in step:
        check(run, step["expect"])
        return
    run.before = levels(run.kernel, run.changing, run.now)
    if "tick" in step:
        to = step["tick"]
        until = _time_of(run, to["to"]) if isinstance(to, dict) else read_moment(str(to), run.now)
        run.advance(until, after_deadlines=True)
        return
    run.advance(read_moment(str(step["at"]), run.now) if "at" in step else run.now, after_deadlines=False)
    actors = step["by"] if isinstance(step.get("by"), list) else [step.get("by")]
    for actor in actors:
        _act(run, actor, step)


def _time_of(run: Run, name: str) -> int:
    """Return when a named moment comes, in seconds; raises Failed where that is not known."""
    timers = run.kernel.documents.find("things/timer") or {}
    if name in timers:
        return int(timers[name]["due"])
    named = run.kernel.ask("moment_named", [name], run.now)
    if named is None:
        running = f"; of timers {', '.join(sorted(timers))} run" if timers else ""
        raise Failed(f"no timer {told(name)} is running, and no rule says when that is{running}")
    if flaw := flaw_of_integer(named):
        raise Failed(str(flaw))
    return int(named)


def _act(run: Run, actor: str | None, step: Written) -> None:
    do, arguments = step.get("do"), dict(step.get("args") or {})
    if "vote" in step:
        do = "vote"
        target = VOTE_STEP.named(step)
        reason = {"reason": step["reason"]} if "reason" in step else {}
        arguments = {"choice": str(step["vote"]), **target, **reason}
    if "with" in step:
        arguments["requests"] = step["with"]
    outcome = run.apply(str(do), actor, step.get("as"), arguments)
    claimed = step.get("refused")
    if claimed is None and not outcome.accepted:
        raise Failed(f"{actor} was refused: {_why(run, outcome)}")
    if claimed is not None and outcome.accepted:
        raise Failed(f"{actor} was not refused with {claimed}")
    if claimed is not None and outcome.code != claimed:
        raise Failed(f"{actor} was refused with {_why(run, outcome)}, not {claimed}")
    if claimed == "E-SCRIPT":
        run.claimed.add(len(run.entries))


# -- expectations


def check(run: Run, expected: list[Written]) -> None:
    """Raise Failed at the first expectation that does not hold."""
    for expectation in expected:
        if wrong := meets(run.kernel, run.entries, expectation, run.now, run.before):
            raise Failed(f"expected {as_yaml(expectation)}, but {wrong}")


def check_failures(run: Run, scenario: Written, said: str = "") -> None:
    """Raise Failed where a script failed and no claim of the scenario says so; what was `said` already comes first."""
    steps = scenario.get("steps") or []
    expected = [scenario.get("expect"), scenario.get("chance"), *(step.get("expect") for step in steps)]
    claims = [claim for each in expected for claim in each or [] if "failure" in claim]
    for seq, entry in enumerate(run.entries, 1):
        for failure in () if seq in run.claimed else entry.get("failures", ()):
            if failure["error"] not in said and not any(is_claimed(failure, claim) for claim in claims):
                how = f'{told_failure(failure, run.files)}; claim {{failure: "{failure["rule"]}"}} where that is meant'
                raise Failed(f"{said}a script failed in entry {seq} ({entry['do']}): {how}")


def run_scenario(
    scenario: Written,
    rulesets: Rulesets,
    attend: Attend = lambda _kernel: None,
    files: Files = NO_FILES,
    owner: str = "",
) -> Run | None:
    """Run one scenario; raises Failed. With a `chance:` block all outcomes are enumerated exactly.

    `attend` is shown each kernel before it runs a script; `files` are those of rules whose failures are to be placed.
    `owner` is the uid of the rule of which this is an example: its dice are for that rule's draws.
    """
    if "chance" in scenario:
        _run_all_outcomes(scenario, rulesets, attend, files)
        return None
    kernels: list[Kernel] = []

    def playing() -> Play:
        return kernels[-1].play

    source = ScenarioDice(scenario["dice"], playing, owner) if "dice" in scenario else None

    def chance(event: Event) -> Chance:
        if source is not None:
            return Chance(source)
        seed = f"{event.seq} {event.do} {event.at}"
        return Chance(Streams(playing, seed)) if owner else open_chance("scenario", seed)

    def attending(kernel: Kernel) -> None:
        kernels.append(kernel)
        attend(kernel)

    run = found(scenario, rulesets, chance, attending, files)
    try:
        _play_all(run, scenario)
    except Failed as failed:
        shown = [f"debug, {told_failure(note, run.files)}" for note in run.debug[-MOST_DEBUG:]]
        raise Failed("\n  ".join([str(failed), *shown])) from None
    try:
        if source is not None:
            source.finish()
    except ProblemError as error:
        raise Failed(error.problems[0].message) from None
    return run


def _play_all(run: Run, scenario: Written) -> None:
    """Play a scenario's steps and look at what it expects; raises Failed."""
    try:
        play_steps(run, scenario)
        check(run, scenario.get("expect") or [])
    except Failed as failed:
        check_failures(run, scenario, f"{failed}; before that ")
        raise
    check_failures(run, scenario)


def _run_all_outcomes(scenario: Written, rulesets: Rulesets, attend: Attend, files: Files) -> None:
    """Enumerate every result of every draw; compare the probability of each expectation of the `chance:` block."""
    claims: list[Written] = scenario["chance"]
    begin = _begin_at_first_draw(scenario, rulesets, attend, files)

    def play_once(chance: Chance) -> tuple[bool, ...]:
        run, played = begin(chance)
        play_steps(run, scenario, played)
        check(run, scenario.get("expect") or [])
        check_failures(run, scenario)
        return tuple(not meets(run.kernel, run.entries, _plain(claim), run.now) for claim in claims)

    try:
        outcomes = enumerate_outcomes(play_once)
    except ProblemError as error:
        raise Failed(error.problems[0].message) from None
    for place, claim in enumerate(claims):
        total = sum((share for met, share in outcomes.items() if met[place]), Fraction(0))
        wanted = claim.get("probability")
        if wanted is not None and Fraction(str(wanted)) != total:
            raise Failed(f"the probability of {_plain(claim)} is {total}, not {wanted}")


def _begin_at_first_draw(
    scenario: Written, rulesets: Rulesets, attend: Attend, files: Files
) -> Callable[[Chance], tuple[Run, int]]:
    """Return what brings back the game before its first step that draws; what comes before is played once."""
    runs: list[Run] = []
    if _draws(lambda: runs.append(found(scenario, rulesets, lambda _event: Chance(Sealed()), attend, files))):
        return lambda chance: (found(scenario, rulesets, lambda _event: Chance(chance.source), attend, files), 0)
    run, played = runs[0], 0
    while True:
        documents, entries, now, before = run.kernel.documents.snapshot(), len(run.entries), run.now, run.before
        upto = {"steps": (scenario.get("steps") or [])[: played + 1]}
        if len(upto["steps"]) == played or _draws(partial(play_steps, run, upto, played)):
            break
        played += 1

    def begin(chance: Chance) -> tuple[Run, int]:
        run.kernel.come_back(documents)
        run.entries[entries:], run.now, run.before = [], now, before
        run.chance = lambda _event: Chance(chance.source)
        return run, played

    return begin


def _draws(play: Callable[[], object]) -> bool:
    """Say whether what is played comes to a draw."""
    try:
        play()
    except ProblemError as error:
        if error.problems[0].code != UNDRAWN:
            raise
        return True
    return False


def _plain(claim: Written) -> Written:
    return {key: value for key, value in claim.items() if key != "probability"}


# -- when a scenario starts, and what past its ruleset has then

DEFAULT_START = "2026-01-05T12:00:00Z"


def start_of(scenario: Written, law: Written) -> int:
    """Return when a scenario starts: as it says, else at a usual time, or a day after what its rules have behind."""
    if scenario.get("starts"):
        return read_stamp(str(scenario["starts"]))
    past = [_earliest(each) for revisions in (law.get("history") or {}).values() for each in revisions]
    usual = read_stamp(DEFAULT_START)
    return max([usual, *(at + DAY for at in past if at >= usual - usual % DAY)])


def _earliest(revision: Any) -> int:
    """Return when a revision came about at the earliest; what is no date is for the founding to tell."""
    return (span_of(str(revision.get("at"))) or (FIRST, LAST))[0] if isinstance(revision, dict) else FIRST


def law_by(law: Founding, start: int) -> Founding:
    """Return the law, without a past where that was not over when a scenario starts (Unix seconds)."""
    past: Any = law.get("history")
    known = [each for each in past.values() if isinstance(each, list)] if isinstance(past, dict) else []
    is_over = all(_earliest(revision) <= start for revisions in known for revision in revisions)
    return law if is_over else {**law, "history": {}}
