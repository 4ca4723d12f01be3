"""The demonstration: the thirteen proposals of a mail game of Suber's Nomic, played by six players (test T2-65)."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import Struct

from folkmoot.core.calendar import read_stamp
from folkmoot.core.versions import versions
from folkmoot.files.fast_reader import load_yaml
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Done, Session

TITLE = "The mail game"
START = read_stamp("2026-01-05T12:00:00Z")
SCRIBE = "JA"


class Turn(Struct, frozen=True):
    """One turn as it was played: the proposal, its votes, its outcome, and what the mover had after it."""

    number: int
    title: str
    mover: str
    votes_for: int
    votes: int
    outcome: str
    score: int


def turns() -> list[dict[str, Any]]:
    """Return the turns in order: each its `start` (Unix seconds) and `acts`, of which the first proposes."""
    proposals = _read("folkmoot.game.rulesets", "suber-mail/proposals.yaml")["proposals"]
    found: list[dict[str, Any]] = _read("folkmoot.cli.demo", "mail.yaml")["turns"]
    for turn, proposal in zip(found, proposals, strict=True):
        turn["start"] = read_stamp(turn["start"])
        turn["acts"][0]["with"] = {"title": proposal["title"], "changes": proposal["changes"]}
    return found


def _read(package: str, name: str) -> Any:
    file = files(package).joinpath(name)
    return load_yaml(file.read_text(encoding="utf-8"), str(file))


def address(player: str) -> str:
    """Return the e-mail address of a player of the demonstration."""
    return f"{player.lower()}@mail.example"


def found(path: Path, forge: str | None = None) -> Done:
    """Found the game in an empty folder: the initial set by mail, with the six players of the mail game.

    With a `forge` its players are known by their addresses, and acts come by it.
    """
    people = [{"id": person["id"], "surname": person["surname"]} for person in founding("suber-mail")["players"]]
    given = {**founding("suber"), "title": TITLE, "players": people, "settings": {"mode": "mail"}}
    if forge:
        given |= {"forge": forge, "players": [{**person, "email": address(person["id"])} for person in people]}
    return Session.found(path, {**given, "administrators": [SCRIBE], "engine": versions()}, START)


def turn_of(session: Session, turn: dict[str, Any]) -> Turn:
    """Return a turn just played."""
    document, mover = session.proposal(f"proposal/{turn['proposal']}"), turn["acts"][0]["by"]
    ballots = document["ballots"].values()
    votes_for = sum(ballot["choice"] == "for" for ballot in ballots)
    score = session.document("things/player")[mover]["score"]
    outcome = str(document["outcome"])
    return Turn(turn["proposal"], document["title"], mover, votes_for, len(ballots), outcome, score)
