"""What the person at the keyboard sees of the evening that `moot demo --play` lays, and what they could do next."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from folkmoot.cli.demo.robots import GAME, POINTS, Evening, found, law_of, open_proposal, person_of, told
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import EVENING
from folkmoot.cli.outcomes import here_at, show_refusal
from folkmoot.cli.outcomes import told as told_entry
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import Position, fail
from folkmoot.forges.git_transport import Git
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import HEAD, STATE
from folkmoot.referee.people import new_id
from folkmoot.referee.report import Report

HOST = "The host <host@evening.example>"


def sit_down(terminal: Terminal, root: Path, seed: int) -> int:
    """Found the evening in a fresh repository, with the person at the keyboard in it; returns the exit code."""
    person = _person(root)
    done = found(root, person, int(time.time()))
    if not done.accepted:
        return show_refusal(terminal, done)
    game = GameFolder(root / STATE / GAME)
    ideas = [f"ideas/{idea['file']}" for idea in told()["ideas"]]
    beside = [root / name for name in (".gitattributes", ".gitignore", *ideas)]
    game.commit("Found the evening", HOST, game.head.at, beside=beside)
    Git(root).configure(EVENING, str(seed))
    terminal.say(f"You are {person['id']} <{person['email']}>.")
    terminal.say(f"You play Lanterns with {_names()}, whom moot plays; twelve lanterns win.")
    terminal.say("The rules are ten, in state/evening/rules/.\n")
    return go_on(terminal, root)


def go_on(terminal: Terminal, root: Path) -> int:
    """Let the referee look and the others play until the person is awaited; say what they could do then."""
    entries: list[Any] = []

    def hear(report: Report) -> None:
        for game in report.games:
            done = [entry for each in game.done for entry in (*each.before, each.entry)]
            fresh = sorted([*game.fired, *done], key=lambda entry: int(entry["seq"]))
            entries.extend(fresh)
            for entry in fresh:
                for line in told_entry(here_at(game.game, game.documents, fresh), entry):
                    terminal.wrapped(line)

    with closing(Evening(root, hear)) as evening:
        evening.go_on()
        with closing(evening.gathering.session()) as session:
            terminal.record({"folder": str(root), "entries": len(entries), **standing(session)})
            terminal.say()
            for line in advice(session, root):
                terminal.say(line)
    return Exit.OK


def evening_at(folder: Path | None, here: Path) -> Path:
    """Return the repository of the evening that is gone on with; raises E-NO-GAME where there is none."""
    places = [folder] if folder else [here, Path("build") / "demo"]
    for place in places:
        if (place / STATE / GAME / HEAD).exists() and Git(place).ask(["config", "--get", EVENING], allowed=(0, 1)):
            return place
    raise fail("E-NO-GAME", "no evening is laid here", Position(str(places[0])), "`moot demo --play` lays one")


def standing(session: Session) -> dict[str, Any]:
    """Return how the evening stands for programs: everybody's lanterns, what is voted on, whose turn it is, who won."""
    players, game = session.document("things/player"), session.document("things/game")["game"]
    voted = open_proposal(session)
    return {
        "points": {name: player[POINTS] for name, player in players.items()},
        "proposal": voted["number"] if voted else None,
        "mover": game["mover"],
        "winners": winners(session),
    }


def winners(session: Session) -> list[str]:
    """Return who has won, nobody where play goes on."""
    over = session.document("game").get("over")
    return [str(name) for name in over["winner"]] if over else []


def advice(session: Session, root: Path) -> list[str]:
    """Return what the person is told when it is their turn to do something."""
    me, points = person_of(session), standing(session)["points"]
    lines = ["Lanterns: " + ", ".join(f"{name} {number}" for name, number in points.items()) + "."]
    moot = command(root)
    if session.document("game")["over"]:
        return [*lines, *_after(me, winners(session))]
    voted = open_proposal(session)
    if voted is not None:
        number = voted["number"]
        lines += [f"The others wait for your vote on proposal {number}, “{voted['title']}” by {voted['author']}:"]
        steps = [f"explain proposal {number}", "vote for", "vote against"]
        steps += ["act snuff"] if session.document("things/player")[me]["snuffers"] else []
    else:
        lines += ["It is your turn to change the rules:"]
        steps = ["propose", *(f"propose --rule ideas/{name}" for name in ideas_left(session)), "act pass"]
    steps = [*within_reach(), *(f"{moot} {step}" for step in steps)]
    return [*lines, *(f"    {step}" for step in steps), "Then let the others go on:", f"    {moot} demo --next"]


def ideas_left(session: Session) -> list[str]:
    """Return the files of the ideas that are not law yet."""
    titles = {rule["title"] for rule in law_of(session)}
    return [idea["file"] for idea in told()["ideas"] if idea["rule"]["title"] not in titles]


def within_reach() -> list[str]:
    """Return what puts `moot` on the shell's path, if it is not there: it may run out of an environment of its own."""
    beside = Path(sys.executable).parent
    if shutil.which("moot") or not (beside / "moot").exists():
        return []
    return [f'export PATH="{beside}:$PATH"']


def command(root: Path) -> str:
    """Return how `moot` is called for a folder from here."""
    return "moot" if root.resolve() == Path.cwd() else f"moot -C {shlex.quote(str(root))}"


def _after(me: str, won: list[str]) -> list[str]:
    who = "You have won!" if won == [me] else f"{' and '.join(won)} won." if won else "It is over."
    return [
        who,
        "What you could try now:",
        "    moot demo --play --seed 2                another evening",
        "    moot table evening.git -p ann -p bob     a table for friends",
        "    moot new mine -r gavel -p ann -p bob     another game, kept by yourself",
    ]


def _person(root: Path) -> dict[str, str]:
    """Return who sits at the keyboard: as git knows them, else a guest, whom git then knows in this repository."""
    git = Git(root)
    name, mail = (git.ask(["config", "--get", f"user.{key}"], allowed=(0, 1)).strip() for key in ("name", "email"))
    if not (name and mail):
        name, mail = "Guest", "guest@evening.example"
        git.configure("user.name", name)
        git.configure("user.email", mail)
    return {"id": new_id(told()["robots"], name.split()[0].lower()), "name": name, "email": mail}


def _names() -> str:
    *some, last = told()["robots"]
    return f"{', '.join(some)} and {last}"
