"""`moot verify`: prove a game's record."""

from __future__ import annotations

from pathlib import Path

import click

from folkmoot.cli.engines import NamedEngines
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder, repository_around
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.game.next_season import prove_season
from folkmoot.game.verify import HERE, Report, replayed_anew, verify
from folkmoot.journal import GameFolder
from folkmoot.journal.repositories import path_inside
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.walls import missing_walls


def run_verify(
    terminal: Terminal,
    game: str | None,
    remote: str | None,
    engines: tuple[Path, ...],
    seconds: float,
    against: str | None,
    accepting: bool,
    repairing: str | None,
    by: str | None,
    why: str | None,
) -> int:
    """Prove a record, hold it against another, or put a game right."""
    if repairing is not None:
        from folkmoot.cli.pasts import repair

        return repair(terminal, game, repairing, by, why, remote)
    if by or why:
        raise click.UsageError("--by and --why go with --repair.")
    folder = GameFolder(game_folder(terminal, game))
    if against is not None or accepting:
        from folkmoot.cli.pasts import accept, compare  # which fetch

        return accept(terminal) if accepting else compare(terminal, folder.name, str(against))
    walls = Sandbox.walls()
    named = NamedEngines(engines, seconds)
    with told_if_stale(terminal):
        most = sum(1 for _ in (folder.path / "journal").glob("*/*.yaml"))
        with terminal.progress("replaying", most) as step:
            report = verify(folder, replayed_anew(folder, step), named)
        prove_season(folder, report)
    missing = {wall.name: wall.missing for wall in walls if wall.missing}
    failures = [problem.as_record() for problem in named.failures]
    terminal.record({**report.record(), "failures": failures, "missing_walls": missing})
    if not terminal.json:
        _tell(terminal, report)
        terminal.problems([*report.problems, *named.failures])
        for sentence in missing_walls(walls):
            terminal.note(f"{sentence}.")
        terminal.say(_verdict(report))
    if not report.sound:
        terminal.note(_way_back(folder.path))
        return Exit.DAMAGED
    return Exit.OUTSIDE if named.failures else Exit.OK


def _tell(terminal: Terminal, report: Report) -> None:
    for fact in report.facts:
        terminal.say(f"{click.style('proved', fg='green')}  {fact}" if report.sound else f"checked {fact}")
    if report.taken_over:
        records = counted(report.taken_over, "record")
        verb = "was" if report.taken_over == 1 else "were"
        terminal.say(f"{records} from before the game {verb} taken over, and not played: that is not proved.")
    if len(report.parts) > 1 or any(part.proved != HERE for part in report.parts):
        rows = [
            (f"{p.first}–{p.last}", p.engine_shown, f"{p.proved}{f': {p.why}' if p.why else ''}") for p in report.parts
        ]
        terminal.table(("entries", "engine", "proved"), rows)


def _verdict(report: Report) -> str:
    name = report.game
    if not report.sound:
        return f"The record of {name} is damaged: {counted(len(report.problems), 'problem')}."
    if report.unproved:
        parts = " and ".join(part.shown for part in report.unproved)
        return f"The record of {name} is sound as far as it was proved: of {parts} only chain and bytes."
    return f"The record of {name} is sound."


def _way_back(game: Path) -> str:
    """Return what to do about a damaged record."""
    repo = repository_around(game)
    if repo is None or repo.is_bare:
        return "What to do: take a copy that is whole; `git clone` the repository again."
    here = path_inside(repo, game)
    return (
        f"What to do: `git status {here}` says whether the files are as the last commit has them. If not, "
        f"`git checkout HEAD -- {here}` brings them back; what git does not know is yours to move away. If they are, "
        f"`git log -- {here}` shows by whom, and an administrator puts that right with `moot verify --repair`."
    )
