"""`moot referee`: turn what players did on the forge into recorded play."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import click

from folkmoot.cli.clones import believe_clock
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.forges import awaits_its_first_game, referee_of
from folkmoot.cli.games import game_folder, is_kept
from folkmoot.cli.outcomes import here_at, here_of, record_of, shown_entries, told, told_in_short
from folkmoot.cli.repositories import cloned, repository_of
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.calendar import read_moment, write_moment
from folkmoot.core.keys import GAME
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.files.named_files import append_text
from folkmoot.game.secret_store import masters
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.referee.announce import announce
from folkmoot.referee.dry_run import GameCopy
from folkmoot.referee.markdown import fenced, said
from folkmoot.referee.report import GameReport, Report
from folkmoot.referee.run import Referee
from folkmoot.sandbox.walls import missing_walls

LONGEST_WAIT = 600  # seconds between tries while the forge fails
LONGEST_STAY = 600  # seconds for which a run stays until everything counts
REFUSED = "The forge refused this for what is in it. What it does not take is void on record; all else was recorded."


def run_referee(
    terminal: Terminal,
    remote: str | None,
    clone: str | None,
    watch: int | None,
    until: str | None,
    trust_clock: bool,
    dry_run: bool,
    settle: bool,
    summary: Path | None,
    outputs: Path | None,
    game: str | None,
    commit: bool,
) -> int:
    """Referee the games of a repository, or let a clock run."""
    if clone is None and watch is None and (until is not None or (remote is None and is_kept(terminal, game))):
        return run_clock(terminal, game_folder(terminal, game), until, dry_run, trust_clock, commit)
    if until is not None:
        raise click.UsageError("--until is for a game in the clone: leave out --clone and --watch.")
    _look_at_secret(terminal)
    reports: list[Report] = []
    failed: Sequence[Problem] = ()
    try:
        with ExitStack() as stack:
            if clone is not None:
                terminal.directory, remote = stack.enter_context(cloned(clone)), clone
            if clone is not None and awaits_its_first_game(repository_of(terminal)):
                terminal.say("There is no game here yet. Next: the workflow `begin` opens one.")
                if outputs is not None:  # so that the job's clock need not run
                    write_outputs(outputs, [])
                return Exit.OK
            referee = stack.enter_context(referee_of(terminal, remote, trusts_clock=trust_clock))
            if watch is None:
                return run_job(terminal, referee, reports, dry=dry_run, settle=settle)
            keep_watch(terminal, referee, watch, dry=dry_run)
    except ProblemError as error:
        failed = error.problems
        raise
    finally:
        if summary is not None:
            write_summary(summary, reports, failed)
        if outputs is not None and reports:
            write_outputs(outputs, reports)
    return Exit.OK


def _look_at_secret(terminal: Terminal) -> None:
    """Say at once if the secret of the dice is none, though nobody may need it in this run."""
    try:
        masters()
    except ProblemError as error:
        terminal.note(str(error.problems[0]))


def run_job(terminal: Terminal, referee: Referee, reports: list[Report], *, dry: bool, settle: bool) -> int:
    """Run once, or until all that has arrived counts; note every run in `reports`, and return the worst exit code."""
    code: int = Exit.OK
    end = time.monotonic() + LONGEST_STAY
    while True:
        try:
            reports.append(referee.run(dry=dry))
        except BaseException:
            if referee.report.before:  # it was pushed, and an answer failed: what follows from it follows all the same
                reports.append(referee.report)
            raise
        report = reports[-1]
        code = max(code, _tell(terminal, referee, report, dry=dry))
        wait = 0 if report.more else report.unsettled - referee.clock() + 1
        left = report.more or report.unsettled
        if not settle or dry or not left or time.monotonic() + wait > end:
            return code
        time.sleep(max(0, wait))


def keep_watch(terminal: Terminal, referee: Referee, seconds: int, *, dry: bool) -> None:
    """Look at the forge every so often until interrupted; while it fails, ever more seldom."""
    wait = seconds
    while True:
        try:
            report = referee.run(dry=dry)
            wait = seconds
            _tell(terminal, referee, report, dry=dry, briefly=True)
            if report.more and not dry:
                continue
        except ProblemError as error:
            if any(problem.code not in ("E-FORGE", "E-MOVED") for problem in error.problems):
                raise
            terminal.problems(error.problems)
            wait = min(wait * 2, max(seconds, LONGEST_WAIT))
        time.sleep(wait)


def _tell(terminal: Terminal, referee: Referee, report: Report, *, dry: bool, briefly: bool = False) -> int:
    """Tell of a run here and to the group's channel; return the exit code. `briefly` says nothing of nothing.

    Raises E-STATUS where every game here has moved: what was said here is answered, and nothing is recorded.
    """
    for note in announce(referee.forge, referee.repo, report, referee.clock()) if not dry else ():
        terminal.note(note)
    code = show(terminal, report, dry=dry) if report.entries or report.answers or not briefly else Exit.OK
    gone = [game.gone for game in report.games if game.gone]
    if gone and len(gone) == len(report.games):
        raise fail("E-STATUS", gone[0], None, "let the referee run there, and switch off what runs it here")
    return code


def show(terminal: Terminal, report: Report, *, dry: bool) -> int:
    """Tell what a run did and return the exit code: 4 where a game was changed by hand."""
    terminal.record(record(report))
    if not terminal.json:
        for game in report.games:
            for note in filter(None, (game.clock, game.gone and f"{game.gone}.")):
                terminal.note(note)
            for sentence, problems in _standstills(game):
                terminal.problems(problems)
                terminal.note(f"{game.game} {sentence}")
            for line in lines_of(game):
                terminal.say(line)
        if report.refusals:
            terminal.problems(report.refusals)
            terminal.note(REFUSED)
        done = "would be recorded" if dry else "recorded"
        entries = "entry" if report.entries == 1 else "entries"
        terminal.say(f"{report.entries} {entries} {done}, {counted(report.answers, 'answer')}.")
        for missing in missing_walls(report.walls):
            terminal.note(f"{missing}.")
        if report.more:
            terminal.say("There is more to do than one run records. Next: run `moot referee` again.")
    if any(game.stopped for game in report.games):
        return Exit.DAMAGED
    return Exit.PROBLEMS if any(game.waits for game in report.games) else Exit.OK


def record(report: Report) -> dict[str, object]:
    """Return what a run did for programs."""
    games = [
        {
            "game": game.game,
            "entries": game.entries,
            "acts": [record_of(done, here_at(game.game, game.documents)) for done in game.done],
            "timers": game.fired,
            "clock_ahead": game.ahead,
            "stopped": [problem.as_record() for problem in game.stopped],
            "waits": [problem.as_record() for problem in game.waits],
        }
        for game in report.games
    ]
    return {
        "before": report.before,
        "after": report.after,
        "games": games,
        "answers": report.answers,
        "more": report.more,
        "refused": [problem.as_record() for problem in report.refusals],
        "missing_walls": {wall.name: wall.missing for wall in report.walls if wall.missing},
    }


def _standstills(game: GameReport) -> Iterator[tuple[str, Sequence[Problem]]]:
    """Yield why a game is not refereed, each with its problems."""
    if game.stopped:
        failed = any(problem.code in ("E-FAULT", "E-JUDGE") for problem in game.stopped)
        why = "stands still, because the engine failed over it" if failed else "was changed by hand"
        yield f"{why}, and is not refereed until that is put right: `moot verify --repair`.", game.stopped
    if game.waits:
        yield "stands still until the secret of its dice is there: FOLKMOOT_CHANCE.", game.waits


def lines_of(game: GameReport) -> list[str]:
    """Return what was recorded in a game, in the lines that tell it."""
    acts = [entry for done in game.done for entry in (*done.before, done.entry)]
    entries = sorted([*game.fired, *acts], key=lambda entry: int(entry["seq"]))
    here = here_at(game.game, game.documents, entries)
    return [line for entry in entries for line in told(here, entry)]


LARGEST_SUMMARY = 1_000_000  # bytes: a forge drops one of a mebibyte
MOST_LINES = 1_000  # of one game in a summary


def write_outputs(file: Path, reports: list[Report]) -> None:
    """Add to the outputs of a step: whether the branch is not what was last published, and whether a game is awake.

    The values are words of ours, whatever players said.
    """
    moved = bool(reports) and reports[-1].published != reports[-1].after
    awake = bool(reports) and reports[-1].awake
    append_text(file, f"moved={str(moved).lower()}\nawake={str(awake).lower()}\n")


def write_summary(file: Path, reports: list[Report], problems: Iterable[Problem] = ()) -> None:
    """Add what was recorded, game by game, to a job's summary; players' words mean nothing in it but these words."""
    room, paragraphs = LARGEST_SUMMARY, []
    for paragraph in _summary(reports, problems):
        room -= len(paragraph.encode()) + 2
        if room < 0:
            paragraphs.append("More does not fit here: the log of the run has it.")
            break
        paragraphs.append(paragraph)
    append_text(file, "".join(f"{paragraph}\n\n" for paragraph in paragraphs))


def _summary(reports: list[Report], problems: Iterable[Problem]) -> Iterator[str]:
    yield "### Referee"
    for report in reports:
        for game in report.games:
            lines, standstills = lines_of(game), [*_standstills(game)]
            if lines or standstills:
                yield f"**{said(game.game)}**"
            for sentence, stopping in standstills:
                yield f"It {sentence}"
                yield fenced([str(problem) for problem in stopping], "text")
            if lines:
                more = [f"… and {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
                yield fenced([*lines[:MOST_LINES], *more], "text")
        if report.refusals:
            yield REFUSED
            yield fenced([str(problem) for problem in report.refusals], "text")
    failed = [fenced([str(problem)], "text") for problem in problems]
    yield from failed
    if reports:
        last, entries, answers = reports[-1], sum(r.entries for r in reports), sum(r.answers for r in reports)
        after = "Something is under way." if last.awake else "No game is awake."
        after = "There is more to do, which the next run does." if last.more or last.unsettled else after
        yield f"{entries} recorded, {answers} answered. {after}"
        yield from (f"{missing}." for missing in missing_walls(last.walls))
    if failed:
        yield "The run was cut short. Nothing is half done: the next run goes on from here."


# -- the clock of a game that one person keeps


def run_clock(terminal: Terminal, game: Path, until: str | None, dry_run: bool, trust_clock: bool, commit: bool) -> int:
    """Fire every timer of a game that is due, and say what came of it.

    Raises E-TIME for a named moment that is past already.
    """
    if commit and not dry_run:
        GameFolder(game).wait_until_committable()
    with Session.open(game, writing=not dry_run) as opened:
        session = GameCopy.of(opened) if dry_run else opened
        if not dry_run and session.kept(GAME).get("forge"):
            hint = "`moot referee` lets it run, together with what players did; --dry-run shows what it will do"
            raise fail("E-STATUS", "the clock of a game that is played by pull requests is the referee's", None, hint)
        if until is None and not dry_run:
            believe_clock(terminal, session, insisted=trust_clock)
        moment = read_moment(until, session.at) if until else int(time.time())
        if until and moment < session.at:
            message = f"{until} lies before the last entry, {write_moment(session.at, exactly=True)}"
            raise fail("E-TIME", message, None, "a clock runs forward only: name a later moment")
        with terminal.progress("letting time pass", max(0, moment - session.at), session.at) as step:
            entries = session.tick(moment, step)
        here = here_of(session, entries)
        terminal.record({"entries": shown_entries(entries, here), "dry_run": dry_run})
        for line in told_in_short(here, entries):
            terminal.say(line)
        if not entries:
            terminal.say("Nothing was due.")
        if dry_run:
            terminal.note("Nothing was recorded: this was a dry run.")
        elif commit and entries:  # what came of it is said first: a commit that fails undoes nothing
            session.record.commit("Let the clock run", at=session.at)
    return Exit.OK
