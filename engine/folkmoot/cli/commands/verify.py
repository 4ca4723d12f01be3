"""`moot verify`: prove a game's record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from folkmoot.cli.completion import complete_players
from folkmoot.cli.engines import SECONDS, named_engines, sources_of_this
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder, repository_around, root_of
from folkmoot.cli.options import game_name_option, json_option, remote_option
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.documents import Document
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.records import Entry
from folkmoot.forges.git_transport import Git
from folkmoot.game.verify import HERE, Report, sealed_past, verify
from folkmoot.journal import GameFolder
from folkmoot.journal.git_programs import STATUS, STATUS_SECONDS
from folkmoot.journal.partial_clone import path_inside
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.walls import missing_walls

HOW = ("revert", "record", "clock")
LOOK = "look"


@click.command("verify")
@click.option(
    "--engine", "engines", multiple=True, metavar="WHEEL|COMMIT",
    help="An engine that replays what it recorded, run as a program of its own; may be given again.",
)  # fmt: skip
@click.option(
    "--engine-repository", "sources", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="PATH",
    help="Where the commits of --engine are.  [default: the running engine's checkout, else the game's repository]",
)  # fmt: skip
@click.option(
    "--engine-seconds", "seconds", type=click.FloatRange(min=0, min_open=True), default=SECONDS, show_default=True,
    help="How long each of them may take.",
)  # fmt: skip
@click.option(
    "--against", metavar="PLACE",
    help="Only hold the game against another clone of it, or a table, by path or address: is it one past?",
)  # fmt: skip
@click.option(
    "--accept-past", "accepting", is_flag=True,
    help="Only take what the remote says now for its past, where this clone saw another one.",
)  # fmt: skip
@click.option(
    "--repair", "repairing", type=click.Choice([LOOK, *HOW]), is_flag=False, flag_value=LOOK,
    metavar=f"[{'|'.join(HOW)}]",
    help="Only say what was changed by hand since a referee last left the game; take it back, put changed rules on "
    "record, or take back a clock that ran ahead.",
)  # fmt: skip
@click.option("-b", "--by", metavar="PLAYER", shell_complete=complete_players,
              help="With --repair: the administrator who answers for it.")  # fmt: skip
@click.option("--why", help="With --repair: why, for the record.")
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal,
    game: str | None,
    remote: str | None,
    engines: tuple[str, ...],
    sources: Path | None,
    seconds: float,
    against: str | None,
    accepting: bool,
    repairing: str | None,
    by: str | None,
    why: str | None,
) -> int:
    """Prove a game's record: the chain of its journal, its replay, every derived file byte for byte, and its dice.

    Says what was proved; where something is wrong, names file and reason and exits with 4. What another engine recorded
    is proved in chain and bytes, and replayed only by that engine: name it with --engine. It is run as you are, but
    without your environment, and trusted for what it says; so name only what you would install.

    A clone remembers what its remote had of a game. Where the remote has another past, every command that asks it
    says so and exits with 4; two players who meet find out by --against which of them was shown another one.

    A merge by a button, or a push to state/, is not play: the referee leaves the game alone until it is taken back
    (`--repair revert`) or, where it changed rules and nothing else, put on record in an administrator's name (`--repair
    record`). Where a machine whose clock was wrong recorded play far in the future, `--repair clock` takes the game's
    clock back to now: what is recorded stays, and what is left of each deadline.
    """
    if repairing is not None:
        from folkmoot.cli.repairing import repair

        return repair(terminal, game, repairing, by, why, remote)
    if by or why:
        raise click.UsageError("--by and --why go with --repair.")
    return _proved(terminal, game_folder(terminal, game), engines, sources, seconds, against, accepting)


def _proved(
    terminal: Terminal,
    game: Path,
    engines: tuple[str, ...],
    sources: Path | None,
    seconds: float,
    against: str | None,
    accepting: bool,
) -> int:
    """Prove the record of a game, or hold it against another."""
    if against is not None or accepting:
        from folkmoot.cli.pasts import accept, compare  # which fetch

        return accept(terminal) if accepting else compare(terminal, game.name, str(against))
    folder, walls = GameFolder(game), Sandbox.walls()
    repository = sources or sources_of_this() or root_of(terminal)
    with told_if_stale(terminal), named_engines(engines, repository, seconds) as named:
        most = sum(1 for _ in (folder.path / "journal").glob("*/*.yaml"))
        report = verify(folder, lambda entries: replayed(terminal, folder, entries, most), named)
    missing = {wall.name: wall.missing for wall in walls if wall.missing}
    failures = [problem.as_record() for problem in named.failures]
    terminal.record({**report.record(), "failures": failures, "missing_walls": missing})
    if not terminal.json:
        _tell(terminal, report)
        what = "which recorded no part of this game"
        unused = [Problem("E-ENGINE", f"engine {each.name} is {each.version}, {what}") for each in named.unused]
        terminal.problems([*report.problems, *named.failures, *unused])
        for sentence in missing_walls(walls):
            terminal.note(f"{sentence}.")
        terminal.say(_verdict(report))
    if not report.sound:
        terminal.note(_way_back(game))
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
    """Return what to do about a damaged record, by what git knows of its files."""
    repo = repository_around(game)
    if repo is None or repo.is_bare:
        return "What to do: take a copy that is whole; `git clone` the repository again."
    here = path_inside(repo, game)
    try:
        changed = Git(Path(repo.workdir), STATUS_SECONDS).look([*STATUS, "--", here])
    except ProblemError as error:
        changed = str(error)
    if changed:
        return (
            f"What to do: these files are not as the last commit has them (`git status {here}`); `git checkout HEAD -- "
            f"{here}` brings those back, and what git does not know is for you to move away."
        )
    log = f"`git log -- {here}` shows by whom"
    return f"What to do: it is committed as it is ({log}); an administrator puts it right with `moot verify --repair`."


def replayed(terminal: Terminal, folder: GameFolder, entries: Iterator[Entry], total: int) -> Mapping[str, Document]:
    """Replay a journal from nothing, in the sandbox, and return every document it derives."""
    with terminal.progress("replaying", total) as step, Sandbox(lists=folder.archive) as sandbox:
        past = sealed_past(folder)
        sandbox.keeper = past.answer if past is not None else None
        sandbox.replay(entries, step.reach, looking=past is not None)
        return dict(sandbox.documents())
