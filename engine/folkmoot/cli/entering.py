"""Entering many acts of a file at once: in one process, under one lock, with one commit; all of them, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import click
from msgspec.structs import replace

from folkmoot.cli.acting import check_action, misspelt
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder
from folkmoot.cli.outcomes import here_of, shown_entries
from folkmoot.cli.terminal import Terminal
from folkmoot.core.calendar import write_moment
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import Written
from folkmoot.core.sealed_data import is_sealed
from folkmoot.files.reader import locate, read_acts
from folkmoot.game.session import Asked, Done, Session
from folkmoot.journal import GameFolder
from folkmoot.referee.commands import Asked as Command
from folkmoot.referee.dry_run import KEPT
from folkmoot.referee.recorder import slip_in

_ACTS = re.compile(r"^(?:\{\s*)?\"?acts\"?[ \t]*:", re.MULTILINE)
NOTHING = "nothing was entered; mend it, or record it as refused by --anyway"


def holds_acts(text: str) -> bool:
    """Whether a file holds acts that are entered together, and not one."""
    return _ACTS.search(text) is not None


def enter_acts(
    terminal: Terminal, game: str | None, text: str, file: str, *,
    by: str | None, at: str | None, commit: bool, anyway: bool, dry_run: bool,
) -> int:  # fmt: skip
    """Enter the acts of a file in a game that one person keeps: `by` acts where one names nobody, the first `at`."""
    folder = game_folder(terminal, game)
    acts = read_acts(text, file)
    if commit and not dry_run:
        GameFolder(folder).wait_until_committable()
    with Session.open(folder, writing=not dry_run) as session:
        if acts and at:
            acts[0]["at"] = at
        known = [_asked(session, act, by, text, file, place, anyway=anyway) for place, act in enumerate(acts)]
        done = _judged(terminal, session, known, text, file, dry_run=dry_run, anyway=anyway)
        wrong = done[-1] if done and not done[-1].accepted and not anyway else None
        if wrong is not None:
            problem = _refusal(wrong, _place(text, file, len(done) - 1))
            terminal.record({"acts": 0, "dry_run": dry_run, "problems": [problem.as_record()]})
            if not terminal.json:
                terminal.problems([problem])
            return Exit.REFUSED
        if commit and not dry_run and done:
            session.record.commit(f"Enter {len(done):,} acts", at=session.at)
        _tell(terminal, session, done, dry_run=dry_run)
    return Exit.OK


def _asked(session: Session, act: Written, by: str | None, text: str, file: str, place: int, *, anyway: bool) -> Asked:
    """Return an act as it is judged; raises what is wrong with its form, with its place."""
    do, who = str(act["do"]), act.get("by") or by
    try:
        if not who:
            raise fail("E-MISSING", "nobody acts here", None, "add `by:` with a player, or say --by PLAYER")
        declared = (session.actions().get(do) or {}).get("arguments") or {}
        if do in KEPT or any(is_sealed(declared.get(name, {})) for name in act["with"]):
            raise fail("E-CONFLICT", f"{do} can only be done by itself", None, "use `moot act` without a file for it")
        if not anyway:
            check_action(session, do)
            if slip := slip_in(Command(do, act["with"], act.get("as")), session.actions()):
                raise misspelt(do, slip, session.actions(), f"`moot act {do} --help` shows what it takes")
    except ProblemError as error:
        raise _placed(error, _place(text, file, place)) from None
    return Asked(by=who, do=do, with_=act["with"], as_=act.get("as"), at=act["at"])


def _judged(
    terminal: Terminal, session: Session, acts: Sequence[Asked], text: str, file: str, *, dry_run: bool, anyway: bool
) -> list[Done]:
    begun: list[Asked] = []

    def each() -> Iterator[Asked]:
        for act in acts:
            begun.append(act)
            yield act

    with terminal.progress("entering", len(acts)) as step:
        try:
            return session.act_all(each(), keep=not dry_run, refusals=anyway, progress=step)
        except ProblemError as error:
            raise _placed(error, _place(text, file, len(begun) - 1)) from None


def _place(text: str, file: str, place: int) -> Position:
    return locate(text, file, ["acts", place])


def _placed(error: ProblemError, place: Position) -> ProblemError:
    """Return problems at the place of an act."""
    return ProblemError(*(replace(each, position=place, hint=each.hint or NOTHING) for each in error.problems))


def _refusal(done: Done, place: Position) -> Problem:
    whys = (str((reason.get("args") or {}).get("why", "")) for reason in done.entry.get("reasons") or ())
    why = next(filter(None, whys), "the act is refused")
    return Problem(done.code, f"{done.entry['do']} is refused: {why}", place, NOTHING)


def _tell(terminal: Terminal, session: Session, done: Sequence[Done], *, dry_run: bool) -> None:
    entries = [entry for each in done for entry in (*each.before, each.entry)]
    refused = sum(not each.accepted for each in done)
    record = {"acts": len(done), "refused": refused, "dry_run": dry_run, "entries": len(entries)}
    ends = [entries[0], entries[-1]] if entries else []
    first_last = shown_entries(ends, here_of(session, ends))
    terminal.record(record | ({"first": first_last[0], "last": first_last[1]} if ends else {}))
    left = f", {refused:,} of them refused" if refused else ""
    span = f", up to {write_moment(session.at)}" if done else ""
    terminal.say(f"{len(done):,} acts entered{left}{span}: {len(entries):,} entries with the timers before them.")
    if dry_run:
        terminal.note("Nothing was recorded: this was a dry run.")
    elif refused:
        terminal.note(click.style("What was refused changed nothing.", fg="yellow"))
