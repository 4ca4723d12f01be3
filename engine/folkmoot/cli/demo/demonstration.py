"""`moot demo`: the thirteen proposals of the mail game, a stretch of both Imperial games, and the site of them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from git import Repo

from folkmoot.cli.demo import imperial, player_screen, robots
from folkmoot.cli.demo import script as demo
from folkmoot.cli.demo.by_pull_requests import Gathering, number_of_stages
from folkmoot.cli.demo.by_pull_requests import play as play_by_pull_request
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import root_of
from folkmoot.cli.outcomes import show_refusal
from folkmoot.cli.site import build_site, serve_site
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import fail
from folkmoot.forges.git_transport import Git
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import HEAD, STATE, games_in
from folkmoot.ops.doctor.repository_files import write_git_files

GAME = "mail-game"
HOST = "The host <host@mail.example>"
DEFAULT = "build/demo"
MARK = "folkmoot.demonstration"
"""The setting of git by which a folder says that a demonstration made it, and that the next one may remove it."""


def run_demo(
    terminal: Terminal, folder: Path | None, play: bool, go_on: bool, seed: int, serve: bool | None, port: int | None
) -> int:
    """Play the demonstration, and serve its site."""
    if go_on:
        return player_screen.go_on(terminal, player_screen.evening_at(folder, root_of(terminal)))
    if folder is None:
        CloneFiles(Path()).listing(DEFAULT)  # which refuses a link on the way
    root = fresh(folder or Path(DEFAULT))
    if play:
        code = player_screen.sit_down(terminal, root, seed)
        return _served(terminal, root, port) if serve and code == Exit.OK else code
    path = root / STATE / GAME
    done = demo.found(path, forge="local")
    if not done.accepted:
        return show_refusal(terminal, done)
    GameFolder(path).commit("Found the game", HOST, demo.START, beside=[root / ".gitattributes", root / ".gitignore"])
    with closing(Gathering(root, GAME, demo.START)) as gathering:
        turns = played(terminal, gathering)
        stretches = aside(terminal, root)
        with Session.open(path) as session:
            players, offices = session.document("things/player"), session.offices()
        show(terminal, turns, players, offices)
        told = [_record(turn) for turn in turns]
    record = {"folder": str(path), "turns": told, "players": players, "offices": offices, "stretches": stretches}
    terminal.record(record)
    return Exit.OK if serve is False else _served(terminal, root, port)


def _served(terminal: Terminal, root: Path, port: int | None) -> int:
    serve_site(terminal, build_site(terminal, root), port)
    return Exit.OK


def fresh(root: Path) -> Path:
    """Return an empty folder with a git repository; only what a demonstration left is removed."""
    if is_demonstration(root):
        for name, _ in CloneFiles(root).listing():
            CloneFiles(root).remove_tree(name)
    if root.exists() and any(root.iterdir()):
        raise fail("E-DUP", f"{root} is not empty", None, "name a folder that is empty or does not exist")
    CloneFiles(root).make_folder()
    Repo.init(root, initial_branch="main", object_format="sha1").close()
    Git(root).configure(MARK, "true")
    write_git_files(root)
    return root


def is_demonstration(root: Path) -> bool:
    """Say whether a demonstration made a folder; a game of people may be called as one of a demonstration is."""
    theirs = {GAME, robots.GAME, *(imperial.stretch(name).name for name in imperial.STRETCHES)}
    if not (root / ".git").is_dir() or not theirs.issuperset(games_in(root)):
        return False
    git = Git(root)
    if git.ask(["config", "--get", MARK], allowed=(0, 1)).strip():
        return True
    if not any((root / STATE / game / HEAD).exists() for game in (GAME, robots.GAME)) or git.ask(["remote"]).strip():
        return False
    first = git.ask(["log", "--max-parents=0", "--format=%an <%ae>", "HEAD"], allowed=(0, 128))
    return {*first.split("\n")} - {""} in ({HOST}, {player_screen.HOST})  # before there was a mark


def played(terminal: Terminal, gathering: Gathering) -> list[demo.Turn]:
    """Play the game and show how far it is."""
    with terminal.progress("playing proposals 301 to 313", number_of_stages()) as step:
        return list(play_by_pull_request(gathering, step))


def aside(terminal: Terminal, root: Path) -> dict[str, Mapping[str, Any]]:
    """Play and commit the stretches of the Imperial games, print how they stand, and return that by folder."""
    told = [imperial.stretch(name) for name in imperial.STRETCHES]
    found = {}
    with terminal.progress("playing the Imperial games", sum(len(stretch.acts) for stretch in told)) as step:
        for stretch in told:
            path = root / STATE / stretch.name
            found[stretch.name] = imperial.play(path, stretch, step)
            GameFolder(path).commit(f"{stretch.name}: Play a stretch", HOST, stretch.start)
    for figures in found.values():
        show_stretch(terminal, figures)
    return found


def show_stretch(terminal: Terminal, figures: Mapping[str, Any]) -> None:
    """Print how a stretch of an Imperial game stands at its end."""
    players, teams = figures["players"], figures.get("teams")
    if teams:
        scores = ", ".join(f"{team} {each['score']}" for team, each in teams.items())
        terminal.say(f"{figures['title']}: {scores} in Starball")
        columns, names = ["Player", "Points", "Credits", "Team", "Square"], ["points", "credits", "team", "pos"]
    else:
        terminal.say(f"{figures['title']}: day {figures['game']['day']}, {figures['game']['temperature']} K")
        columns, names = ["Player", "Score", "Profile"], ["score", "profile"]
    rows = [[who, *("" if each[name] is None else each[name] for name in names)] for who, each in players.items()]
    terminal.table(columns, rows)
    terminal.say()


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
    return {name: getattr(turn, name) for name in turn.__struct_fields__}
