"""`moot verify`: prove a game's record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from engine.cli.exits import Exit
from engine.cli.freshness import told_if_stale
from engine.cli.options import game_option, json_option
from engine.cli.terminal import Terminal, counted
from engine.judge import Judge
from engine.replay import Entry
from engine.store import GameFolder, verify


@click.command("verify")
@game_option
@json_option
@click.pass_obj
def command(terminal: Terminal, game: Path) -> int:
    """Prove a game's record: the chain of its journal, its replay, every derived file byte for byte, and its dice.

    Says what was proved; where something is wrong, names file and reason and exits with 4.
    """
    folder = GameFolder(game)
    with told_if_stale(terminal):
        report = verify(folder, lambda entries: replayed(terminal, entries, last_of(folder)))
    terminal.record(report.record())
    if not terminal.json:
        for fact in report.facts:
            terminal.say(f"{click.style('proved', fg='green')}  {fact}" if report.sound else f"checked {fact}")
        terminal.problems(report.problems)
        verdict = "is sound" if report.sound else f"is damaged: {counted(len(report.problems), 'problem')}"
        terminal.say(f"The record of {folder.name} {verdict}.")
    return Exit.OK if report.sound else Exit.DAMAGED


def last_of(folder: GameFolder) -> int:
    """Return how many entries there may be, for the progress bar."""
    return sum(1 for _ in (folder.path / "journal").glob("*/*.yaml"))


def replayed(terminal: Terminal, entries: Iterator[Entry], total: int) -> Mapping[str, dict[str, object]]:
    """Replay a journal from nothing, in the judge, and return every document it derives."""
    done = 0
    with terminal.progress("replaying", total) as step, Judge() as judge:

        def progress(seq: int) -> None:
            nonlocal done
            step(seq - done)
            done = seq

        judge.replay(entries, progress)
        return dict(judge.documents())
