"""What a rule-change would do: made on a game in a process of its own, which is thrown away."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from folkmoot.core.documents import Change, Document
from folkmoot.core.problems import fail
from folkmoot.core.records import Draw, Effect, Entry, Failure, ProposedChange, ScriptRecord, Written
from folkmoot.files.reader import Files, files_of, placed, where
from folkmoot.kernel import rule_changes
from folkmoot.kernel.adoption import apply_changes
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.frames import Scope
from folkmoot.kernel.lockout_probe import locks_out
from folkmoot.kernel.play import Play
from folkmoot.kernel.proposals import ask_number, new_draft
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios import relative_claims
from folkmoot.scenarios.scenario import Failed, Run, play_steps
from folkmoot.scenarios.smoke_test import smoke_test


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
    documents: dict[str, Document] = field(default_factory=dict)


def try_changes(
    kernel: Kernel, proposed: list[ProposedChange], steps: list[Written], seq: int, now: int, files: Sequence[str] = ()
) -> Trial:
    """Make changes law on a game, which is not as it was afterwards, play steps of the scenario form there, and report.

    `seq` is the number of the game's last entry, `now` in Unix seconds; `files` are those that the changes come from,
    in their order, so that failures name file, line and column (`place`). A new rule has the number that a proposal of
    now would have. Raises E-TARGET, E-ARGS or E-NO-SUCH where a change cannot even be made.
    """
    trial = Trial()
    kernel.documents.keep()
    before, names = _actions(kernel), _timers(kernel)
    try:
        normal = kernel.look(lambda play: rule_changes.normalise(play, proposed), now)
        trial.locked_out = kernel.look(lambda play: _lock_out(play, normal), now)
        _adopt(kernel, normal, trial, seq, now)
    except (Fault, Refusal) as error:
        why = error.why if isinstance(error, Refusal) else error.message
        raise fail(error.code, why) from None
    after, names = _actions(kernel), _timers(kernel) - names
    trial.new_actions, trial.lost_actions = sorted(after - before), sorted(before - after)
    places = files_of(zip(proposed, files, strict=False), trial.effects)
    _play(kernel, trial, steps, seq, now, places)
    trial.pages = kernel.pages(now)
    _place(trial, places)
    trial.documents = kernel.documents.everything()
    if not steps:
        run = Run(kernel, now, lambda event: open_chance("trial", f"{seq} {event.seq} {event.do}"), files=places)
        trial.tried, trial.untried = smoke_test(run, trial.new_actions, sorted(names))
        _place_in(trial.tried, places)
    return trial


def _place(trial: Trial, files: Files) -> None:
    """Say of every failure where it lies in the file that a person edits."""
    _place_in(trial.entries, files)
    for failure in trial.failures:
        failure["place"] = where(failure, files)
    for page in trial.pages.values():
        if page.get("error"):
            page["place"] = where(page, files)


def _place_in(entries: list[Entry], files: Files) -> None:
    for entry in entries:
        failures = entry.get("failures") or ()
        for reason in entry.get("reasons") or ():
            if isinstance(why := (reason.get("args") or {}).get("why"), str):
                reason["args"]["why"] = placed(why, failures, files)
        for failure in failures:
            failure["place"] = where(failure, files)


def _actions(kernel: Kernel) -> set[str]:
    return set(kernel.look(lambda play: list(play.law.declared("actions")), 0))


def _timers(kernel: Kernel) -> set[str]:
    return set(kernel.look(lambda play: list(play.law.declared("timers")), 0))


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


def _play(kernel: Kernel, trial: Trial, steps: list[Written], seq: int, now: int, files: Files) -> None:
    run = Run(kernel, now, lambda event: open_chance("trial", f"{seq} {event.seq} {event.do}"), files=files)
    run.relative = relative_claims.are_in({"steps": steps})
    try:
        play_steps(run, {"steps": steps})
    except Failed as failed:
        trial.failed = str(failed)
    trial.entries = run.entries
    trial.draws += [draw for entry in run.entries for draw in entry.get("draws") or ()]
