"""The evening of `moot demo --play`: a game of Lanterns with three robots, who go on whenever they are told to.

How they play stands in `robots.yaml`. What they do follows from the seed, the law and what the person did, and from
nothing else: the same seed and the same acts make the same evening.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from folkmoot.cli.demo.by_pull_requests import MINUTE, Gathering
from folkmoot.cli.demo.script import address
from folkmoot.cli.games import EVENING
from folkmoot.core.clone_files import write_whole
from folkmoot.core.documents import Proposal
from folkmoot.core.versions import versions
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.rewrite import render_rule
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Done, Session
from folkmoot.referee.report import Report

GAME, POINTS = "evening", "lanterns"
MOST = 60
"""How often the robots do something before the person is asked again: a round is some ten times."""
Told = Mapping[str, Any]


def told() -> Told:
    """Return what `robots.yaml` says."""
    file = files("folkmoot.cli.demo").joinpath("robots.yaml")
    found: Told = load_yaml(file.read_text(encoding="utf-8"), str(file))
    return found


def found(root: Path, person: Mapping[str, str], at: int) -> Done:
    """Found the game in a folder, with the person second to move; the ideas are written beside it."""
    for idea in told()["ideas"]:
        path = root / "ideas" / idea["file"]
        write_whole(path, render_rule(dict(idea["rule"])).encode())
    robots = [{"id": name, "email": address(name)} for name in told()["robots"]]
    law = {**founding("lanterns"), "title": "An evening", "players": [robots[0], dict(person), *robots[1:]]}
    law |= {"settings": {"pace": "1440"}, "forge": "local", "administrators": [person["id"]], "engine": versions()}
    return Session.found(root / "state" / GAME, law, at)


class Evening:
    """An evening in a repository, whose clock goes on from the last entry; `hear` is called with every report."""

    def __init__(self, root: Path, hear: Callable[[Report], None]) -> None:
        self.gathering = Gathering(root, GAME, 0)
        with closing(self.gathering.session()) as session:
            self.gathering.now = session.at
        self.seed = str(self.gathering.repo.config[EVENING])
        self.robots: Told = told()["robots"]
        self.hear = hear

    def close(self) -> None:
        """End the referee's sandbox."""
        self.gathering.close()

    def go_on(self) -> None:
        """Let the referee look, and the robots do what is theirs, until the person is awaited or the game is over."""
        for _ in range(MOST):
            self.gathering.now += MINUTE
            self.hear(self.gathering.referee.run())
            with closing(self.gathering.session()) as session:
                if session.document("game")["over"] or not self._react(session):
                    return

    def _react(self, session: Session) -> bool:
        """Let each robot do what it has to, if anything; say whether any did something."""
        voted = open_proposal(session)
        if voted is not None:
            return self._vote(session, voted)
        mover = str(session.document("things/game")["game"]["mover"])
        if mover in self.robots:
            self._propose(mover, session)
        return mover in self.robots

    def _propose(self, robot: str, session: Session) -> None:
        """Propose the next of a robot's own proposals; without any left, it passes."""
        titles = {rule["title"] for rule in law_of(session)}
        left = [each for each in self.robots[robot]["proposals"] if each["title"] not in titles]
        before = session.document("things/game")["game"]["proposed"] // (len(self.robots) + 1)
        if left:
            rule = left[before % len(left)]
            self.gathering.propose(robot, rule["title"], [{"enact": dict(rule)}])
        else:
            self.gathering.say(robot, 0, "/do pass")

    def _vote(self, session: Session, proposal: Proposal) -> bool:
        """Let the robots vote who have not, once the person has; their own proposals they vote on at once."""
        lacking = [who for who in self.robots if who not in proposal["ballots"]]
        waits = [who for who in proposal["electorate"] or [] if who not in {*self.robots, *proposal["ballots"]}]
        if waits and proposal["author"] in self.robots:
            lacking = [who for who in lacking if who == proposal["author"]]
        snuffers = [who for who in lacking if self._snuffs(who, session, proposal)]
        if snuffers:
            self.gathering.say(snuffers[0], 0, "/do snuff")
            return True
        for who in lacking:
            said = next(line for line in self.robots[who]["votes"] if self._fits(line, who, session, proposal))
            because = f" because {said['because']}" if "because" in said else ""
            self.gathering.say(who, 0, f"/vote {said['say']} proposal={proposal['number']}{because}")
        return bool(lacking)

    def _snuffs(self, who: str, session: Session, proposal: Proposal) -> bool:
        """Say whether a robot puts a proposal out: one by which somebody else could win."""
        players = session.document("things/player")
        could = players[proposal["author"]][POINTS] >= GOAL - GAIN
        return bool(
            self.robots[who].get("snuffs") and could and who != proposal["author"] and players[who]["snuffers"] > 0
        )

    def _fits(self, line: Mapping[str, Any], who: str, session: Session, proposal: Proposal) -> bool:
        """Say whether a line of a robot's strategy fits a proposal."""
        if "own" in line:
            return str(proposal["author"]) == who
        if "leader" in line:
            points = {name: player[POINTS] for name, player in session.document("things/player").items()}
            return bool(points[proposal["author"]] > 0 and points[proposal["author"]] == max(points.values()))
        if "words" in line:
            return len(" ".join(texts_of(proposal)).split()) <= int(line["words"])
        if "odds" in line:
            return mood(f"{self.seed}/{proposal['number']}/{who}") < int(line["odds"])
        return True


def mood(of: str) -> int:
    """Return a number from 0 to 9 that follows from a text."""
    return sha256(of.encode()).digest()[0] % 10


GOAL, GAIN = 12, 4
"""How many lanterns win, and how many a proposal brings its author at most."""


def open_proposal(session: Session) -> Proposal | None:
    """Return the proposal that is voted on, None if there is none."""
    names = session.document("game").get("open") or []
    return session.proposal(names[0]) if names else None


def texts_of(proposal: Proposal) -> Iterator[str]:
    """Yield the texts that a proposal brings."""
    for change in proposal["changes"]:
        brought: Any = change.get("enact") or change
        yield str(brought.get("text") or "")


def law_of(session: Session) -> Iterator[Any]:
    """Yield the rules in force."""
    for uid, about in dict(session.document("law")["rules"]).items():
        if about.get("in_force"):
            yield session.document(f"rules/{uid}")


def person_of(session: Session) -> str:
    """Return who of the players is the person at the keyboard, "" where they have left."""
    return next((name for name in session.document("things/player") if name not in told()["robots"]), "")
