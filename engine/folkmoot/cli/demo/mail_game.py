"""The mail game of the demonstration: thirteen proposals of a game of Suber's Nomic, by six players (test T2-65)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from folkmoot.cli.demo.gathering import MINUTE, Gathering, address
from folkmoot.core.calendar import HOUR, read_stamp
from folkmoot.core.versions import versions
from folkmoot.files.fast_reader import load_own
from folkmoot.game import rulesets
from folkmoot.game.session import Done, Session
from folkmoot.player.voting import REVIEWS

GAME, TITLE, SCRIBE = "mail-game", "The mail game", "JA"
START = read_stamp("2026-01-05T12:00:00Z")
LENGTH = 247 * HOUR
PLAYERS = ("JA", "RH", "BR", "ZT", "JVG", "FW")
Turn = Mapping[str, Any]


def turns(start: int = START) -> Iterator[Turn]:
    """Yield the turns of a game: the number of the proposal, when the turn begins (Unix seconds), and its acts.

    The first act proposes; most go as `mail.yaml` says in short: it is finalised, and all vote on it.
    """
    proposals = load_own(rulesets.FOLDER / "suber-mail" / "proposals.yaml")["proposals"]
    told = load_own(Path(__file__).with_name("mail.yaml"))["turns"]
    for number, (turn, proposal) in enumerate(zip(told, proposals, strict=True), 301):
        votes = [
            {
                "by": who, "do": "vote",
                "with": {"proposal": number, "choice": "against" if who in turn.get("against", ()) else "for"}
                | ({"reason": turn["because"][who]} if who in turn.get("because", ()) else {}),
            }
            for who in PLAYERS
        ]  # fmt: skip
        opening = [{"by": turn["by"], "do": "finalise"}]
        if "opened_by" in turn:
            opening = [votes.pop(0), {"by": turn["opened_by"], "do": "open_vote"}]
        given = {"title": proposal["title"], "changes": proposal["changes"]}
        acts = [{"by": turn["by"], "do": "propose", "with": given}, *opening, *votes, *turn.get("then", ())]
        yield {"number": number, "start": start + turn["hours"] * HOUR, "acts": acts}


def found(path: Path, start: int = START, forge: str | None = None) -> Done:
    """Found the game in an empty folder: the initial set by mail, with the six players of the mail game.

    With a `forge` its players are known by their addresses, and acts come by it.
    """
    people = [{"id": each["id"], "surname": each["surname"]} for each in rulesets.founding("suber-mail")["players"]]
    given = {**rulesets.founding("suber"), "title": TITLE, "players": people, "settings": {"mode": "mail"}}
    if forge:
        given |= {"forge": forge, "players": [{**person, "email": address(person["id"])} for person in people]}
    return Session.found(path, {**given, "administrators": [SCRIBE], "engine": versions()}, start)


def outcome(session: Session, turn: Turn) -> dict[str, Any]:
    """Return what a turn came to: the proposal, its votes, its outcome, and what the mover has after it."""
    document, mover = session.proposal(f"proposal/{turn['number']}"), turn["acts"][0]["by"]
    ballots = document["ballots"].values()
    return {
        "number": turn["number"],
        "title": document["title"],
        "mover": mover,
        "votes_for": sum(ballot["choice"] == "for" for ballot in ballots),
        "votes": len(ballots),
        "outcome": str(document["outcome"]),
        "score": session.document("things/player")[mover]["score"],
    }


def play(gathering: Gathering, start: int) -> Iterator[dict[str, Any]]:
    """Play the game by pull requests; yield what each turn came to.

    The referee looks once at a proposal that is finalised and voted on, and after each thing that is done beside.
    """
    for turn in turns(start):
        gathering.now = max(gathering.now, turn["start"])
        pull = 0
        for act, following in pairwise([*turn["acts"], None]):
            gathering.now += MINUTE
            pull = _do(gathering, act, pull)
            if following is None or act["do"] not in ("propose", "finalise", following["do"]):
                gathering.look()
        with gathering.session() as session:
            yield outcome(session, turn)


def _do(gathering: Gathering, act: Mapping[str, Any], pull: int) -> int:
    """Do an act by a pull request, a review or a comment; return the pull request's number."""
    by, name, with_ = act["by"], act["do"], act.get("with") or {}
    if name == "propose":
        return gathering.propose(by, with_["title"], with_["changes"])
    if name == "vote":
        gathering.say(by, pull, with_.get("reason", ""), REVIEWS[with_["choice"]])
        return pull
    office = [f"as={act['as']}"] if "as" in act else []
    words = [f"/do {name}", *office, *(f"{key}={value}" for key, value in with_.items())]
    gathering.say(by, pull if name in ("finalise", "open_vote") else 0, " ".join(words))
    return pull
