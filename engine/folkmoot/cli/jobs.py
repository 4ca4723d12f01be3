"""What a job of CI gets from a run of the referee: a summary for people, and outputs for the steps that follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from folkmoot.cli.outcomes import here_at, told
from folkmoot.core.problems import Problem
from folkmoot.referee.markdown import fenced, said
from folkmoot.referee.report import GameReport, Report

MOST_LINES = 500  # of one game, in a summary


def write_outputs(file: Path, reports: list[Report]) -> None:
    """Add to the outputs of a step: whether the branch moved, and whether there is anything for the clock to do.

    The values are words of ours, whatever players said.
    """
    moved = bool(reports) and reports[0].before != reports[-1].after
    awake = bool(reports) and reports[-1].awake
    with file.open("a", encoding="utf-8") as out:
        out.write(f"moved={_word(moved)}\nawake={_word(awake)}\n")


def _word(yes: bool) -> str:
    return "true" if yes else "false"


def write_summary(file: Path, reports: list[Report], problems: Iterable[Problem] = ()) -> None:
    """Add what was recorded, game by game, to a job's summary; players' words mean nothing in it but these words."""
    with file.open("a", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in _summary(reports, problems))


def _summary(reports: list[Report], problems: Iterable[Problem]) -> Iterator[str]:
    yield "### Referee"
    yield ""
    for report in reports:
        for game in report.games:
            yield from _of_game(game)
    failed = [fenced([str(problem)], "text") for problem in problems]
    yield from failed
    entries, answers = sum(r.entries for r in reports), sum(r.answers for r in reports)
    if reports:
        yield f"{entries} recorded, {answers} answered. " + _after(reports[-1])
    if failed:
        yield ""
        yield "The run was cut short. Nothing is half done: the next run goes on from here."


def _after(report: Report) -> str:
    if report.more or report.unsettled:
        return "There is more to do, which the next run does."
    return "Something is under way." if report.awake else "No game is awake."


def _of_game(game: GameReport) -> Iterator[str]:
    entries = [entry for done in game.done for entry in (*done.before, done.entry)]
    here = here_at(game.game, game.documents, entries)
    lines = [line for entry in entries for line in told(here, entry)]
    left = [f"… and {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    if lines or game.stopped or game.waits:
        yield f"**{said(game.game)}**"
        yield ""
    if game.stopped:
        yield "It was changed by hand and is not refereed until that is put right: `moot repair`."
        yield ""
        yield fenced([str(problem) for problem in game.stopped], "text")
        yield ""
    if game.waits:
        yield "It stands still until the secret of its dice is there."
        yield ""
        yield fenced([str(problem) for problem in game.waits], "text")
        yield ""
    if lines:
        yield fenced([*lines[:MOST_LINES], *left], "text")
        yield ""
