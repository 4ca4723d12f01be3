"""The demonstration: the thirteen proposals of a mail game of Suber's Nomic, played by six players (test T2-65)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from folkmoot.core.calendar import HOUR, read_stamp
from folkmoot.core.versions import versions
from folkmoot.files import load_yaml
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Done, Session

Act = tuple[str, str, dict[str, Any], str | None]  # by, do, with, as

TITLE = "The mail game"
START = read_stamp("2026-01-05T12:00:00Z")
SCRIBE, ORIENTER, RECEIVER = "JA", "RH", "RH"
POSITIONS = {"JA": "MAW", "RH": "SOP", "JVG": "BEI", "ZT": "ITA", "BR": "UNI", "FW": "THU"}
REASONS = {
    (301, "ZT"): "Three parts are one too many.",
    (301, "JVG"): "New players deserve a rule of their own.",
    (301, "FW"): "I would rather have the dice back.",
    (302, "FW"): "This is what 301 should have been.",
    (303, "ZT"): "Somebody has to count.",
    (305, "BR"): "Unanimity of those who care is enough.",
    (311, "ZT"): "At last, a world.",
    (313, "JVG"): "I am looking forward to the sea.",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it was played: the proposal, its votes, its outcome, and what the mover had after it."""

    number: int
    title: str
    mover: str
    votes_for: int
    votes: int
    outcome: str
    score: int


def proposals() -> list[dict[str, Any]]:
    """Return the proposals 301 to 313 as they are made in play."""
    file = files("folkmoot.game.rulesets").joinpath("suber-mail", "proposals.yaml")
    listed: list[dict[str, Any]] = load_yaml(file.read_text(encoding="utf-8"), str(file))["proposals"]
    return listed


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


def start_of(place: int) -> int:
    """Return when a turn begins: one a day until 309, the last four on one odd day: no Bi-Day falls in."""
    return START + 24 * HOUR * place if place < 9 else START + 24 * HOUR * 10 + 2 * HOUR * (place - 9)


def acts_of(proposal: dict[str, Any], mover: str, players: list[str]) -> list[Act]:
    """Return the acts of one turn in order."""
    number = proposal["number"]
    with_ = {"title": proposal["title"], "changes": proposal["changes"]}
    acts: list[Act] = [(mover, "propose", with_, None)]
    acts += _votes_by_mail(number, players) if number == 313 else _votes(number, mover, players)
    if number == 303:
        acts += [(mover, "nominate", {"player": SCRIBE}, None)]
        acts += [(voter, "vote_scribe", {"player": SCRIBE}, None) for voter in ("RH", "BR", "ZT", "FW")]
    if number == 311:
        acts += [(SCRIBE, "appoint_oo", {"player": ORIENTER}, "scribe")]
        acts += [(player, "post_position", {"code": code}, None) for player, code in POSITIONS.items()]
    return acts


def _votes(number: int, mover: str, players: list[str]) -> list[Act]:
    """Return the votes after the mover has ended the debate: 301 gets three of six, the others all."""
    ordered = sorted(players, key=lambda player: number == 301 and not _favours(number, player))
    votes = [_vote(number, player, "for" if _favours(number, player) else "against") for player in ordered]
    return [(mover, "finalise", {}, None), *votes]


def _favours(number: int, player: str) -> bool:
    return number != 301 or player not in ("ZT", "JVG", "FW")


def _votes_by_mail(number: int, players: list[str]) -> list[Act]:
    """Return the votes under rule 312: the Scribe first, then the others, then the result and its confirmation."""
    others = [_vote(number, player, "for") for player in players if player != SCRIBE]
    opened: list[Act] = [_vote(number, SCRIBE, "for"), (RECEIVER, "open_vote", {}, None)]
    return [*opened, *others, (SCRIBE, "publish_result", {}, "scribe"), (RECEIVER, "confirm_scribe_vote", {}, None)]


def _vote(number: int, player: str, choice: str) -> Act:
    reason = REASONS.get((number, player))
    return player, "vote", {"proposal": number, "choice": choice, **({"reason": reason} if reason else {})}, None


def turn_of(session: Session, proposal: dict[str, Any], mover: str) -> Turn:
    """Return a turn just played."""
    document = session.proposal(f"proposal/{proposal['number']}")
    ballots = document["ballots"].values()
    votes_for = sum(ballot["choice"] == "for" for ballot in ballots)
    score = session.document("things/player")[mover]["score"]
    return Turn(document["number"], document["title"], mover, votes_for, len(ballots), document["outcome"], score)
