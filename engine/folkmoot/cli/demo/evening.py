"""The evening of `moot demo --play`: a game of Lanterns of the person at the keyboard with three robots.

How the robots play stands in `evening.yaml`. They go on whenever they are told to, and what they do follows from the
seed, the law and what the person did, and from nothing else: the same seed and the same acts make the same evening.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

from folkmoot.cli.demo.gathering import MINUTE, Gathering, address
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import EVENING
from folkmoot.cli.outcomes import show_refusal
from folkmoot.cli.referee import lines_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import write_whole
from folkmoot.core.documents import Proposal
from folkmoot.core.problems import Position, fail
from folkmoot.core.versions import versions
from folkmoot.files.fast_reader import load_own
from folkmoot.files.rewrite import render_rule
from folkmoot.forges.git_transport import Git
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import HEAD, STATE
from folkmoot.referee.people import new_id
from folkmoot.referee.report import Report

GAME, POINTS = "evening", "lanterns"
HOST = "The host <host@evening.example>"
GOAL, GAIN = 12, 4
"""How many lanterns win, and how many a proposal brings its author at most."""
MOST = 60
"""How often the robots do something before the person is asked again: a round is some ten times."""
Told = Mapping[str, Any]


def told() -> Told:
    """Return what `evening.yaml` says."""
    found: Told = load_own(Path(__file__).with_name("evening.yaml"))
    return found


# -- what the person at the keyboard sees


def sit_down(terminal: Terminal, root: Path, seed: int) -> int:
    """Found the evening in a fresh repository, with the person at the keyboard second to move; return the exit code."""
    git = Git(root)
    name, mail = (git.ask(["config", "--get", f"user.{key}"], allowed=(0, 1)).strip() for key in ("name", "email"))
    if not (name and mail):
        name, mail = "Guest", "guest@evening.example"
        git.configure("user.name", name)
        git.configure("user.email", mail)
    person = {"id": new_id(told()["robots"], name.split()[0].lower()), "name": name, "email": mail}
    robots = [{"id": robot, "email": address(robot)} for robot in told()["robots"]]
    ideas = {f"ideas/{idea['file']}": idea["rule"] for idea in told()["ideas"]}
    for file, rule in ideas.items():
        write_whole(root / file, render_rule(dict(rule)).encode())
    law = {**founding("lanterns"), "title": "An evening", "players": [robots[0], person, *robots[1:]]}
    law |= {"settings": {"pace": "1440"}, "forge": "local", "administrators": [person["id"]], "engine": versions()}
    done = Session.found(root / STATE / GAME, law, int(time.time()))
    if not done.accepted:
        return show_refusal(terminal, done)
    game = GameFolder(root / STATE / GAME)
    beside = [root / file for file in (".gitattributes", ".gitignore", *ideas)]
    game.commit("Found the evening", HOST, game.head.at, beside=beside)
    git.configure(EVENING, str(seed))
    *some, last = told()["robots"]
    terminal.say(f"You are {person['id']} <{person['email']}>.")
    terminal.say(f"You play Lanterns with {', '.join(some)} and {last}, whom moot plays; twelve lanterns win.")
    terminal.say("The rules are ten, in state/evening/rules/.\n")
    return go_on(terminal, root)


def evening_at(folder: Path | None, here: Path) -> Path:
    """Return the repository of the evening that is gone on with; raises E-NO-GAME where there is none."""
    places = [folder] if folder else [here, Path("build") / "demo"]
    for place in places:
        if (place / STATE / GAME / HEAD).exists() and Git(place).ask(["config", "--get", EVENING], allowed=(0, 1)):
            return place
    raise fail("E-NO-GAME", "no evening is laid here", Position(str(places[0])), "`moot demo --play` lays one")


def go_on(terminal: Terminal, root: Path) -> int:
    """Let the referee look and the others play until the person is awaited; say what they could do then."""
    count = 0
    with closing(at(root)) as gathering:
        for report in answered(gathering):
            for game in report.games:
                count += game.entries
                for line in lines_of(game):
                    terminal.wrapped(line)
        with gathering.session() as session:
            terminal.record({"folder": str(root), "entries": count, **standing(session)})
            terminal.say()
            for line in advice(session, root):
                terminal.say(line)
    return Exit.OK


def standing(session: Session) -> dict[str, Any]:
    """Return how the evening stands for programs: everybody's lanterns, what is voted on, whose turn it is, who won."""
    players, game = session.document("things/player"), session.document("things/game")["game"]
    voted, over = open_proposal(session), session.document("game").get("over")
    return {
        "points": {name: player[POINTS] for name, player in players.items()},
        "proposal": voted["number"] if voted else None,
        "mover": game["mover"],
        "winners": [str(name) for name in over["winner"]] if over else [],
    }


def advice(session: Session, root: Path) -> list[str]:
    """Return what the person is told when it is their turn to do something."""
    me, now = person_of(session), standing(session)
    lines = ["Lanterns: " + ", ".join(f"{name} {number}" for name, number in now["points"].items()) + "."]
    moot = "moot" if root.resolve() == Path.cwd() else f"moot -C {shlex.quote(str(root))}"
    if session.document("game")["over"]:
        won = now["winners"]
        who = "You have won!" if won == [me] else f"{' and '.join(won)} won." if won else "It is over."
        return [*lines, who, *AFTER]
    voted = open_proposal(session)
    if voted is not None:
        number = voted["number"]
        lines += [f"The others wait for your vote on proposal {number}, “{voted['title']}” by {voted['author']}:"]
        steps = [f"explain proposal {number}", "vote for", "vote against"]
        steps += ["act snuff"] if session.document("things/player")[me]["snuffers"] else []
    else:
        lines += ["It is your turn to change the rules:"]
        steps = ["propose", *(f"propose --rule ideas/{name}" for name in ideas_left(session)), "act pass"]
    return [*lines, *(f"    {moot} {step}" for step in steps), "Then let the others go on:", f"    {moot} demo --next"]


AFTER = (
    "What you could try now:",
    "    moot demo --play --seed 2                another evening",
    "    moot table evening.git -p ann -p bob     a table for friends",
    "    moot new mine -r gavel -p ann -p bob     another game, kept by yourself",
)


def ideas_left(session: Session) -> list[str]:
    """Return the files of the ideas that are not law yet."""
    titles = {rule["title"] for rule in session.rules()}
    return [idea["file"] for idea in told()["ideas"] if idea["rule"]["title"] not in titles]


# -- how the robots play


def at(root: Path) -> Gathering:
    """Return the evening in a repository, whose clock goes on from the last entry."""
    gathering = Gathering(root, GAME, 0)
    with gathering.session() as session:
        gathering.now = session.at
    return gathering


def answered(gathering: Gathering) -> Iterator[Report]:
    """Let the referee look, and the robots do what is theirs, until the person is awaited or the game is over."""
    for _ in range(MOST):
        gathering.now += MINUTE
        yield gathering.referee.run()
        with gathering.session() as session:
            if session.document("game")["over"] or not _react(gathering, session):
                return


def _react(gathering: Gathering, session: Session) -> bool:
    """Let each robot do what it has to, if anything; say whether any did something."""
    voted = open_proposal(session)
    if voted is not None:
        return _vote(gathering, session, voted)
    mover, robots = str(session.document("things/game")["game"]["mover"]), told()["robots"]
    if mover in robots:
        titles = {rule["title"] for rule in session.rules()}
        left = [each for each in robots[mover]["proposals"] if each["title"] not in titles]
        before = session.document("things/game")["game"]["proposed"] // (len(robots) + 1)
        if left:
            rule = left[before % len(left)]
            gathering.propose(mover, rule["title"], [{"enact": dict(rule)}])
        else:
            gathering.say(mover, 0, "/do pass")
    return mover in robots


def _vote(gathering: Gathering, session: Session, proposal: Proposal) -> bool:
    """Let the robots vote who have not, once the person has; their own proposals they vote on at once."""
    robots, author = told()["robots"], proposal["author"]
    lacking = [who for who in robots if who not in proposal["ballots"]]
    waits = [who for who in proposal["electorate"] or [] if who not in {*robots, *proposal["ballots"]}]
    if waits and author in robots:
        lacking = [who for who in lacking if who == author]
    players = session.document("things/player")
    if players[author][POINTS] >= GOAL - GAIN:  # somebody else could win by it
        for who in lacking:
            if robots[who].get("snuffs") and who != author and players[who]["snuffers"] > 0:
                gathering.say(who, 0, "/do snuff")
                return True
    for who in lacking:
        seed = f"{gathering.repo.config[EVENING]}/{proposal['number']}/{who}"
        said = next(line for line in robots[who]["votes"] if _fits(line, who, session, proposal, seed))
        because = f" because {said['because']}" if "because" in said else ""
        gathering.say(who, 0, f"/vote {said['say']} proposal={proposal['number']}{because}")
    return bool(lacking)


def _fits(line: Told, who: str, session: Session, proposal: Proposal, seed: str) -> bool:
    """Say whether a line of a robot's strategy fits a proposal."""
    if "own" in line:
        return str(proposal["author"]) == who
    if "leader" in line:
        points = {name: player[POINTS] for name, player in session.document("things/player").items()}
        return bool(points[proposal["author"]] > 0 and points[proposal["author"]] == max(points.values()))
    if "words" in line:
        brought: list[Any] = [change.get("enact") or change for change in proposal["changes"]]
        return len(" ".join(str(each.get("text") or "") for each in brought).split()) <= int(line["words"])
    return "odds" not in line or sha256(seed.encode()).digest()[0] % 10 < int(line["odds"])


def open_proposal(session: Session) -> Proposal | None:
    """Return the proposal that is voted on, None if there is none."""
    names = session.document("game").get("open") or []
    return session.proposal(names[0]) if names else None


def person_of(session: Session) -> str:
    """Return who of the players is the person at the keyboard, "" where they have left."""
    return next((name for name in session.document("things/player") if name not in told()["robots"]), "")
