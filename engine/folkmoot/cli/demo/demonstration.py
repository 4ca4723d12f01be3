"""`moot demo`: the thirteen proposals of the mail game, and its site."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.calendar import HOUR
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import fail
from folkmoot.forges.git_transport import Git

HOST = "The host <host@mail.example>"
DEFAULT = "build/demo"
ROW = "{number:<4} {title:<23} {mover:<6} {vote:<7} {outcome:<8} {score:>9}"
"""What a turn of the mail game came to, printed as it is played."""
MARK = "folkmoot.demonstration"
"""The setting of git by which a folder says that a demonstration made it, and that the next one may remove it."""


def run_demo(
    terminal: Terminal, folder: Path | None, play: bool, go_on: bool, seed: int, no_serve: bool, port: int | None
) -> int:
    """Play the demonstration, and serve its site; or let somebody sit down at an evening."""
    if not (play or go_on):
        terminal.say("Six players change the rules thirteen times:")
    from folkmoot.cli.demo import evening  # and all of play with it

    if go_on:
        return evening.go_on(terminal, evening.evening_at(folder, root_of(terminal)))
    if folder is None:
        CloneFiles(Path()).listing(DEFAULT)  # which refuses a link on the way
    root = fresh(folder or Path(DEFAULT))
    if play:
        return evening.sit_down(terminal, root, seed)
    code = _play(terminal, root)
    if code != Exit.OK or no_serve:
        return code
    from folkmoot.cli.site import build_site, running, say_where, site_app

    site = build_site(terminal, root)
    with running(site_app(site), port) as (address, thread):
        say_where(terminal, site, address)
        try:
            thread.join()
        except KeyboardInterrupt:
            terminal.say()
    return code


def fresh(root: Path) -> Path:
    """Return an empty folder with a git repository; only what a demonstration left is removed."""
    from folkmoot.cli.demo import evening, mail_game
    from folkmoot.journal.layout import games_in
    from folkmoot.ops.doctor.repository_files import make_repository, write_git_files

    ours = (root / ".git").is_dir() and {mail_game.GAME, evening.GAME}.issuperset(games_in(root))
    if ours and Git(root).ask(["config", "--get", MARK], allowed=(0, 1)).strip():  # for people may call theirs the same
        for name, _ in CloneFiles(root).listing():
            CloneFiles(root).remove_tree(name)
    if root.exists() and any(root.iterdir()):
        raise fail("E-DUP", f"{root} is not empty", None, "name a folder that is empty or does not exist")
    CloneFiles(root).make_folder()
    make_repository(root)
    Git(root).configure(MARK, "true")
    write_git_files(root)
    return root


def _play(terminal: Terminal, root: Path) -> int:
    """Play the mail game so that it ends about now, and print how it stands."""
    from folkmoot.cli.demo import mail_game
    from folkmoot.cli.demo.gathering import Gathering
    from folkmoot.cli.outcomes import show_refusal
    from folkmoot.journal import GameFolder
    from folkmoot.journal.layout import STATE

    path = root / STATE / mail_game.GAME
    start = (int(time.time()) - mail_game.LENGTH) // HOUR * HOUR
    done = mail_game.found(path, start, forge="local")
    if not done.accepted:
        return show_refusal(terminal, done)
    GameFolder(path).commit("Found the game", HOST, start, beside=[root / ".gitattributes", root / ".gitignore"])
    head = {"number": "No.", "title": "Title", "mover": "Mover", "outcome": "Outcome", "score": "Mover has"}
    terminal.say(ROW.format(vote="For", **head))
    turns = []
    with closing(Gathering(root, mail_game.GAME, start)) as gathering:
        for turn in mail_game.play(gathering, start):
            turns.append(turn)
            terminal.say(ROW.format(vote=f"{turn['votes_for']} of {turn['votes']}", **turn))
        with gathering.session() as session:
            players, offices = session.document("things/player"), session.offices()
    terminal.say()
    held = {who: [name.replace("_", " ") for name, holder in offices.items() if holder == who] for who in players}
    standing = [
        [who, p["score"], p["zoids"], ", ".join(p["positions"]), ", ".join(held[who])] for who, p in players.items()
    ]
    terminal.table(["Player", "Score", "Zoids", "Position", "Office"], standing)
    terminal.record({"folder": str(path), "turns": turns, "players": players, "offices": offices})
    return Exit.OK
