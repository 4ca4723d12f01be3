"""`moot demo`: the thirteen proposals of the mail game, a stretch of both Imperial games, and the site of them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event, Thread
from typing import Any

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.calendar import HOUR
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.documents import Document
from folkmoot.core.problems import fail
from folkmoot.forges.git_transport import Git

HOST = "The host <host@mail.example>"
DEFAULT = "build/demo"
ROW = "{number:<4} {title:<23} {mover:<6} {vote:<7} {outcome:<8} {score:>9}"
"""What a turn of the mail game came to, printed as it is played."""
FIRST = 2
"""After how many turns of the mail game there is something to see on its site: one proposal failed, one is law."""
MARK = "folkmoot.demonstration"
"""The setting of git by which a folder says that a demonstration made it, and that the next one may remove it."""


def run_demo(
    terminal: Terminal, folder: Path | None, play: bool, go_on: bool, seed: int, serve: bool | None, port: int | None
) -> int:
    """Play the demonstration, and serve its site."""
    if not (play or go_on):
        terminal.say("Six players change the rules thirteen times:")
    from folkmoot.cli.demo import evening  # and all of play with it

    if go_on:
        return evening.go_on(terminal, evening.evening_at(folder, root_of(terminal)))
    if folder is None:
        CloneFiles(Path()).listing(DEFAULT)  # which refuses a link on the way
    root = fresh(folder or Path(DEFAULT))
    with ExitStack() as stack:
        shown = Shown(terminal, root, port, stack) if (not play if serve is None else serve) else None
        code = evening.sit_down(terminal, root, seed) if play else _play(terminal, root, shown)
        if shown is not None and code == Exit.OK:
            shown.stay()
    return code


class Shown:
    """The site of a demonstration: served from when there is something to see, and built again as that grows."""

    def __init__(self, terminal: Terminal, root: Path, port: int | None, stack: ExitStack) -> None:
        from folkmoot.cli.play.web import Builds
        from folkmoot.site.publish import Publisher

        self.terminal, self.root, self.port, self.stack = terminal, root, port, stack
        self.publisher, self.builds = Publisher(root), Builds()
        self.thread: Thread | None = None

    def build(self) -> None:
        """Build the site of what was played, tell open pages, and serve it if it is not served yet."""
        from folkmoot.cli.play.web import common_routes, followed
        from folkmoot.cli.site import build_site, running, say_where, site_app

        site = build_site(self.terminal, self.root, self.publisher)
        if self.thread is None:
            app = site_app(site, common_routes(self.builds), followed)
            address, self.thread = self.stack.enter_context(running(app, self.port))
            say_where(self.terminal, site, address)
        else:
            self.builds.number += 1

    def stay(self) -> None:
        """Build the site a last time, and serve it until interrupted."""
        self.build()
        assert self.thread is not None, "it is served from its first building on"
        try:
            self.thread.join()
        except KeyboardInterrupt:
            self.builds.ending = True
            self.terminal.say()


def fresh(root: Path) -> Path:
    """Return an empty folder with a git repository; only what a demonstration left is removed."""
    from folkmoot.ops.doctor.repository_files import make_repository, write_git_files

    if is_demonstration(root):
        for name, _ in CloneFiles(root).listing():
            CloneFiles(root).remove_tree(name)
    if root.exists() and any(root.iterdir()):
        raise fail("E-DUP", f"{root} is not empty", None, "name a folder that is empty or does not exist")
    CloneFiles(root).make_folder()
    make_repository(root)
    Git(root).configure(MARK, "true")
    write_git_files(root)
    return root


def is_demonstration(root: Path) -> bool:
    """Say whether a demonstration made a folder; a game of people may be called as one of a demonstration is."""
    from folkmoot.cli.demo import evening, imperial, mail_game
    from folkmoot.journal.layout import games_in

    theirs = {mail_game.GAME, evening.GAME, *imperial.STRETCHES}
    if not (root / ".git").is_dir() or not theirs.issuperset(games_in(root)):
        return False
    return bool(Git(root).ask(["config", "--get", MARK], allowed=(0, 1)).strip())


def _play(terminal: Terminal, root: Path, shown: Shown | None) -> int:
    """Play the games so that they end about now, and print how they stand; show the first of it early."""
    from folkmoot.cli.demo import imperial, mail_game
    from folkmoot.cli.demo.gathering import Gathering
    from folkmoot.cli.outcomes import show_refusal
    from folkmoot.journal import GameFolder
    from folkmoot.journal.layout import STATE

    now, path = int(time.time()), root / STATE / mail_game.GAME
    start = (now - mail_game.LENGTH) // HOUR * HOUR
    done = mail_game.found(path, start, forge="local")
    if not done.accepted:
        return show_refusal(terminal, done)
    GameFolder(path).commit("Found the game", HOST, start, beside=[root / ".gitattributes", root / ".gitignore"])
    stretches = [imperial.stretch(name, now) for name in imperial.STRETCHES]
    gathered, stopped = closing(Gathering(root, mail_game.GAME, start)), Event()
    with ThreadPoolExecutor(1) as beside, gathered as gathering, ExitStack() as at_end:
        at_end.callback(beside.shutdown, wait=False, cancel_futures=True)
        at_end.callback(stopped.set)
        played: list[Future[Document]] = []
        terminal.say(
            ROW.format(number="No.", title="Title", mover="Mover", vote="For", outcome="Outcome", score="Mover has")
        )
        turns = []
        for turn in mail_game.play(gathering, start):
            turns.append(turn)
            terminal.say(ROW.format(vote=f"{turn['votes_for']} of {turn['votes']}", **turn))
            if len(turns) == FIRST:
                if shown is not None:
                    shown.build()
                games = root / STATE
                played += [beside.submit(imperial.play, games / each.name, each, stopped.is_set) for each in stretches]
        with gathering.session() as session:
            players, offices = session.document("things/player"), session.offices()
        _show(terminal, players, offices)
        figures = {each.name: future.result() for each, future in zip(stretches, played, strict=True)}
    for each in stretches:
        GameFolder(root / STATE / each.name).commit(f"{each.name}: Play a stretch", HOST, each.start)
    for came in figures.values():
        _show_stretch(terminal, came)
    record = {"folder": str(path), "turns": turns, "players": players, "offices": offices, "stretches": figures}
    terminal.record(record)
    return Exit.OK


def _show_stretch(terminal: Terminal, figures: Mapping[str, Any]) -> None:
    """Print how a stretch of an Imperial game stands at its end."""
    players, teams = figures["players"], figures.get("teams")
    if teams:
        scores = ", ".join(f"{team} {each['score']}" for team, each in teams.items())
        stand, names = f"{scores} in Starball", ["points", "credits", "team", "square"]
    else:
        stand, names = f"day {figures['game']['day']}, {figures['game']['temperature']} K", ["score", "profile"]
    terminal.say(f"\n{figures['title']}: {stand}")
    values = [[each["pos" if name == "square" else name] for name in names] for each in players.values()]
    rows = [[who, *("" if each is None else each for each in row)] for who, row in zip(players, values, strict=True)]
    terminal.table(["Player", *map(str.capitalize, names)], rows)


def _show(terminal: Terminal, players: Mapping[str, Any], offices: Mapping[str, str | None]) -> None:
    """Print how the players of the mail game stand."""
    terminal.say()
    held = {who: [name.replace("_", " ") for name, holder in offices.items() if holder == who] for who in players}
    standing = [
        [who, p["score"], p["zoids"], ", ".join(p["positions"]), ", ".join(held[who])] for who, p in players.items()
    ]
    terminal.table(["Player", "Score", "Zoids", "Position", "Office"], standing)
