"""`moot demo`: the thirteen proposals of the mail game, and the site of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import click

from engine import demo
from engine.cli.exits import Exit
from engine.cli.git_files import FILES, write_git_files
from engine.cli.options import json_option
from engine.cli.outcomes import show_refusal
from engine.cli.places import HEAD, STATE
from engine.cli.serving import build_site, serve_site
from engine.cli.terminal import Terminal
from engine.problems import fail
from engine.session import Session
from engine.store import GameFolder

GAME = "mail-game"


@click.command("demo")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--serve/--no-serve", default=True, show_default=True, help="Build the site of the game and serve it.")
@click.option("--port", type=click.IntRange(0, 65535), help="Where to serve.  [default: 8000, or the next free one]")
@json_option
@click.pass_obj
def command(terminal: Terminal, folder: Path | None, serve: bool, port: int | None) -> int:
    """Play the thirteen proposals of the mail game into FOLDER, print the scores, then serve the site of it.

    Six players play; every vote, point and renumbering is decided by rules that are data. FOLDER is build/demo unless
    given; what an earlier demonstration left there is replaced.
    """
    root = fresh(folder or Path("build") / "demo")
    path = root / STATE / GAME
    done = demo.found(path)
    if not done.accepted:
        return show_refusal(terminal, done)
    with Session.open(path, writing=True) as session:
        turns = played(terminal, session, root)
        players = session.document("things/player")
        offices = session.offices()
    show(terminal, turns, players, offices)
    terminal.record(
        {"folder": str(path), "turns": [_record(turn) for turn in turns], "players": players, "offices": offices}
    )
    if serve:
        serve_site(terminal, build_site(terminal, root), port)
    return Exit.OK


def fresh(root: Path) -> Path:
    """Return an empty folder with a git repository; only what a demonstration left is removed."""
    if (root / STATE / GAME / HEAD).exists():
        shutil.rmtree(root)
    if root.exists() and any(root.iterdir()):
        raise fail("E-DUP", f"{root} is not empty", None, "name a folder that is empty or does not exist")
    root.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    write_git_files(root)
    return root


def played(terminal: Terminal, session: Session, root: Path) -> list[demo.Turn]:
    """Play the game, a commit for each turn, and show how far it is."""
    turns = []
    assert isinstance(session.record, GameFolder)
    session.record.commit("Found the game", at=session.at, beside=[root / name for name in FILES])
    with terminal.progress("playing proposals 301 to 313", demo.number_of_acts()) as step:
        for turn in demo.play(session, step):
            session.record.commit(f"Proposal {turn.number}: {turn.title} ({turn.outcome})", at=session.at)
            turns.append(turn)
    return turns


def show(
    terminal: Terminal, turns: list[demo.Turn], players: dict[str, dict[str, Any]], offices: dict[str, str | None]
) -> None:
    """Print what each proposal came to, and how the players stand."""
    rows = [[t.number, t.title, t.mover, f"{t.votes_for} of {t.votes}", t.outcome, t.score] for t in turns]
    terminal.table(["No.", "Title", "Mover", "For", "Outcome", "Mover has"], rows)
    terminal.say()
    held = {
        player: [office.replace("_", " ") for office, holder in offices.items() if holder == player]
        for player in players
    }
    standing = [
        [who, p["score"], p["zoids"], ", ".join(p["positions"]), ", ".join(held[who])] for who, p in players.items()
    ]
    terminal.table(["Player", "Score", "Zoids", "Position", "Office"], standing)


def _record(turn: demo.Turn) -> dict[str, object]:
    return {name: getattr(turn, name) for name in turn.__slots__}
