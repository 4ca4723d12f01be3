"""What a rule-change would do, made on a game in a process of its own, which is thrown away; and a founding tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct, field

from folkmoot.core.calendar import DAY
from folkmoot.core.documents import Change, Document
from folkmoot.core.events import Outcome
from folkmoot.core.keys import TIMERS
from folkmoot.core.problems import fail
from folkmoot.core.records import (
    Arguments,
    Draw,
    Effect,
    Entry,
    Failure,
    Founding,
    ProposedChange,
    ScriptRecord,
    Shown,
    Written,
)
from folkmoot.core.rule_blocks import ArgumentSpec
from folkmoot.files.reader import Files, files_of, placed, where
from folkmoot.kernel import rule_changes
from folkmoot.kernel.adoption import apply_changes
from folkmoot.kernel.budget import METER, MOST_FORESEEN
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.event_state import Scope
from folkmoot.kernel.lockout_probe import arguments_of, locks_out
from folkmoot.kernel.play import Play
from folkmoot.kernel.proposals import ask_number, new_draft
from folkmoot.kernel.step import Kernel
from folkmoot.kernel.things import things
from folkmoot.scenarios.claims import has_relative_claims
from folkmoot.scenarios.scenario import Attend, Failed, Run, law_of, play_steps, start_of, told_failure


class Trial(Struct):
    """What came of a trial: effects and failures, the pages rules show then, the documents as they are then."""

    effects: list[Effect] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    pages: dict[str, ScriptRecord] = field(default_factory=dict)
    new_actions: list[str] = field(default_factory=list)
    lost_actions: list[str] = field(default_factory=list)
    locked_out: str = ""
    later: list[str] = field(default_factory=list)  # what to beware of when time passes (see `Sandbox.foresee`)
    breaks: bool = False  # whether rules or the game break by that
    tried: list[Entry] = field(default_factory=list)  # its new actions and timers, each done once
    untried: list[str] = field(default_factory=list)  # those that could not be
    entries: list[Entry] = field(default_factory=list)
    draws: list[Draw] = field(default_factory=list)  # of all of it: in play they may fall otherwise
    failed: str = ""
    debug: list[str] = field(default_factory=list)  # what scripts show to those who try them
    documents: dict[str, Document] = field(default_factory=dict)


def try_changes(
    kernel: Kernel, proposed: list[ProposedChange], steps: list[Written], seq: int, now: int, files: Sequence[str] = ()
) -> Trial:
    """Make changes law on a game, which is not as it was afterwards, play steps of the scenario form there, and report.

    `seq` is the number of the game's last entry, `now` in Unix seconds; `files` are those that the changes come from,
    in their order, so that failures name file, line and column (`place`). A new rule has the number that a proposal of
    now would have. Raises E-TARGET, E-ARGS or E-NO-SUCH where a change cannot even be made.
    """
    trial, notes = Trial(), list[Failure]()
    kernel.play.debugged = notes.append
    kernel.documents.keep()
    actions, timers = _declared(kernel, "actions"), _declared(kernel, "timers")
    try:
        normal = kernel.look(lambda play: rule_changes.normalise(play, proposed), now)
        trial.locked_out = kernel.look(lambda play: _lock_out(play, normal), now)
        _adopt(kernel, normal, trial, seq, now)
    except (Fault, Refusal) as error:
        why = error.why if isinstance(error, Refusal) else error.message
        raise fail(error.code, why) from None
    after, names = _declared(kernel, "actions"), _declared(kernel, "timers") - timers
    trial.new_actions, trial.lost_actions = sorted(after - actions), sorted(actions - after)
    places = files_of(zip(proposed, files, strict=False), trial.effects)
    run = Run(kernel, now, lambda event: open_chance("trial", f"{seq} {event.seq} {event.do}"), files=places)
    run.relative = has_relative_claims({"steps": steps})
    try:
        play_steps(run, {"steps": steps})
    except Failed as failed:
        trial.failed = str(failed)
    trial.entries = list(run.entries)
    trial.draws += [draw for entry in trial.entries for draw in entry.get("draws") or ()]
    trial.pages = kernel.pages(now)
    _place_in(trial.entries, places)
    failing: Any
    for failing in (*trial.failures, *(page for page in trial.pages.values() if page.get("error"))):
        failing["place"] = where(failing, places)
    trial.documents = kernel.documents.everything()
    if not steps:
        trial.tried, trial.untried = smoke_test(run, trial.new_actions, sorted(names))
        _place_in(trial.tried, places)
    trial.debug = [told_failure(note, places) for note in notes[:MOST_NOTES]]
    return trial


def _place_in(entries: list[Entry], files: Files) -> None:
    """Say of every failure where it lies in the file that a person edits."""
    for entry in entries:
        failures = entry.get("failures") or ()
        for reason in entry.get("reasons") or ():
            if isinstance(why := (reason.get("args") or {}).get("why"), str):
                reason["args"]["why"] = placed(why, failures, files)
        for failure in failures:
            failure["place"] = where(failure, files)


def _declared(kernel: Kernel, block: str) -> set[str]:
    return set(kernel.look(lambda play: list(play.law.declared(block)), 0))


def _lock_out(play: Play, normal: list[Change]) -> str:
    """Ask the lock-out probe, as a proposal with these changes would be."""
    draft = new_draft(play, "A trial", normal, [], "proposal", None, {})
    play.draft = draft
    return locks_out(play, draft)


def _adopt(kernel: Kernel, normal: list[Change], trial: Trial, seq: int, now: int) -> None:
    play = kernel.play
    number = kernel.look(lambda play: ask_number(play, new_draft(play, "", normal, [], "proposal", None, {})), now)
    play.begin(seq, now, open_chance("", "trial"))
    play.scopes.append(Scope(None))
    draft = new_draft(play, "A trial", [], [], "proposal", None, {})
    play.draft = {**draft, "id": f"proposal/{number}", "number": number, "changes": normal}
    apply_changes(play, play.draft)
    play.draft = None
    play.drain()
    play.scopes.clear()
    trial.effects = list(play.effects)
    trial.failures = list(play.failures)
    trial.draws = list(play.chance.records)


# -- the new actions and timers of a law, each done once on a copy


MOST_NOTES = 100  # of what scripts debug
MOST_TRIES = 12  # of one action: by whom, and with what
TOO_MUCH = "that is too much work here, the referee will"
MADE_UP: dict[str, Any] = {"text": "a few words", "string": "word", "list": ["word"], "map": {"word": 1}, "any": "word"}


def smoke_test(run: Run, actions: list[str], timers: list[str]) -> tuple[list[Entry], list[str]]:
    """Do actions and fire timers (by name) once each; return what came of it, and what was not tried and why."""
    end, done = METER.work() + MOST_FORESEEN, dict[str, Entry | None]()
    acting = [("action", _act, name) for name in actions]
    for kind, do, name in (*acting, *acting, *(("timer", _fire, name) for name in timers)):
        if done.get(what := f"the {kind} {name}") is None:  # or again, when others may have made what it needs
            done[what] = do(run, name) if METER.work() < end else None
    why = TOO_MUCH if METER.work() >= end else "nothing that it needs is known here"
    return [each for each in done.values() if each], [f"{what}: {why}" for what, each in done.items() if each is None]


def _act(run: Run, do: str) -> Entry | None:
    """Let somebody do something: the first way that is accepted, else the first in which a script fails, else any."""
    begun = len(run.entries)
    for by, as_, arguments in run.kernel.look(lambda play: list(islice(_ways(play, do), MOST_TRIES)), run.now):
        if run.apply(do, by, as_, arguments).accepted:
            return run.entries[-1]
    tried = run.entries[begun:]
    return next((each for each in tried if each.get("failures")), tried[0] if tried else None)


def _ways(play: Play, do: str) -> Iterable[tuple[str, str | None, Arguments]]:
    office = play.law.declared("actions")[do][1].get("as")
    ways = arguments_of(play, do, _guess)
    return ((player, office, given) for given in ways for player in things(play, "player"))


def _guess(play: Play, spec: ArgumentSpec) -> list[Any]:
    """Return values for an argument of which the law itself names none."""
    kind = spec.get("type", "text")
    if kind == "thing":
        return list(things(play, spec["kind"])) if spec.get("kind") else []
    if kind == "rule":
        return [document["rule"] for document, _ in play.law.in_force().values()]
    if kind == "office":
        return list(play.law.declared("defines.offices"))
    return [play.now + DAY] if kind == "time" else [MADE_UP[kind]] if kind in MADE_UP else []


def _fire(run: Run, name: str) -> Entry | None:
    """Let the first timer of a name fire at its time; None where none runs."""
    running = (run.kernel.documents.find(TIMERS) or {}).items()
    due = min(((timer["due"], key) for key, timer in running if timer["name"] == name), default=None)
    if due is None:
        return None
    run.now = max(run.now, due[0])
    run.apply("tick", with_={"timer": due[1]})
    return run.entries[-1]


# -- a founding tried: what of a ruleset no game can begin with, and which scripts fail when it begins

PARTS = {
    "history": "history",
    "decided": "proposals",
    "former_players": "former_players",
    "settings": "settings",
    "players": "people",
    "offices": "offices",
    "opening": "given",
}
"""What a founding has beside its rules, and as a `ruleset.yaml` calls it."""
STAND_INS = ("ann", "bob", "cid")
"""Who is there on trial where a ruleset names nobody."""


def try_founding(law: Founding, attend: Attend) -> list[Shown]:
    """Return what is wrong: `code`, `why`, and the `path` of it in `ruleset.yaml`, or the `failure` of a script."""
    return [*_refused(law, attend), *_failures(law, attend)]


def _refused(law: Founding, attend: Attend) -> Iterator[Shown]:
    """Yield each item of a founding that it cannot begin with, whatever else of it is wrong."""
    outcome = _founded(law, attend)
    if outcome.accepted:
        return
    items = [item for reason in outcome.reasons for item in reason.get("args", {}).get("items", ())]
    yield from ({**item, "path": [PARTS[item["part"]], item["key"]]} for item in items)
    if not items:
        yield _told(outcome, [])


def _failures(law: Founding, attend: Attend) -> Iterator[Shown]:
    """Yield each script that fails at the founding, once; with people on trial where the ruleset names nobody."""
    people = law.get("players") or [{"id": each} for each in STAND_INS]
    left = list(law.get("first_player") or ())
    outcome = _founded(_with_offices(law, people, left), attend)
    if left and not outcome.accepted:
        one_by_one = [_founded(_with_offices(law, people, [office]), attend) for office in left]
        yield from (_told(each, ["first_player", i]) for i, each in enumerate(one_by_one) if not each.accepted)
    seen = set()
    for failure in outcome.failures if outcome.accepted else ():
        place = failure["rule"], failure["hook"], failure.get("line")
        if place not in seen:
            seen.add(place)
            yield {"code": "E-SCRIPT", "failure": failure}


def _with_offices(law: Founding, people: list[Written], left: list[str]) -> Founding:
    """Return a founding with people, the first of whom holds the offices that nobody else does."""
    offices = {**dict.fromkeys(left, people[0]["id"]), **(law.get("offices") or {})}
    return {**law, "players": people, "offices": offices}


def _founded(law: Founding, attend: Attend) -> Outcome:
    kernel = Kernel()
    attend(kernel)
    whole = law_of({"ruleset": ""}, lambda _name: {"rules": [], **law})
    return Run(kernel, start_of({}, law), lambda _event: open_chance("", "check")).apply("found", with_=whole)


def _told(outcome: Outcome, path: list[Any]) -> Shown:
    whys = (str((reason.get("args") or {}).get("why", "")) for reason in outcome.reasons)
    why = next(filter(None, whys), "no game can be founded so")
    return {"code": outcome.code or "E-ARGS", "why": why, "path": path}
