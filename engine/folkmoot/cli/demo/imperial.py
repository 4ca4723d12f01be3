"""The demonstration of the two Imperial games: a stretch of each, written down as data and played in one go.

The acts stand in `starball.yaml` and `planks.yaml`. An act may say how its dice shall fall (`dice`, results by label):
it is then done in the first second in which they do, for dice that are open to everybody can be foreseen by everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from folkmoot.core.calendar import HOUR, read_stamp
from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.core.problems import fail
from folkmoot.core.records import Draw
from folkmoot.core.versions import versions
from folkmoot.files.fast_reader import load_own
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session

MINUTE = 60
WEEK = 7 * 24 * HOUR
PATIENCE = 1000
STRETCHES = ("starball", "planks")


class Stretch(Struct, frozen=True):
    """A stretch of a game: its folder's name, what it is founded with, when, its acts in order, and when it ends."""

    name: str
    given: dict[str, Any]
    start: int
    acts: tuple[dict[str, Any], ...]
    end: int | None = None


def stretch(name: str, now: int | None = None) -> Stretch:
    """Return a stretch of a game, `starball` or `planks`; where `now` is given, that of the last weeks until then."""
    told = load_own(Path(__file__).with_name(f"{name}.yaml"))
    given = {**founding(told["ruleset"]), **told["given"], "engine": versions()}
    start, acts = read_stamp(told["start"]), tuple(told["acts"])
    length = sum(HOUR * act["hours"] if "hours" in act else 11 * MINUTE for act in acts)
    weeks = (now - length - start) // WEEK if now is not None else 0  # on the same days, by which its rules go
    return Stretch(name, given, start + weeks * WEEK, acts, now)


def play(path: Path, told: Stretch, stopped: Callable[[], bool] = bool) -> Document:
    """Found the game in an empty folder, play the acts, and return what it came to: registers of the game and players.

    In Starball those of its teams and its ball too. No act follows once it is `stopped`. Raises E-REFUSED if the rules
    refuse an act, or its dice never fall as they shall.
    """
    if not Session.found(path, told.given, told.start).accepted:
        raise fail("E-REFUSED", f"the rules refuse to found {told.name}")
    with Session.open(path, writing=True, judging=True) as session:
        for act in told.acts:
            if not stopped():
                _do(session, act)
        while told.end is not None and session.fire_next(told.end) is not None:
            pass
        game = session.document("things/game").get("game") or {}
        teams = session.document("things/team")
        found = {"title": session.kept(GAME)["title"], "game": game, "players": session.document("things/player")}
        return found | ({"teams": teams, "ball": session.document("things/ball")["ball"]} if teams else {})


def _do(session: Session, act: Mapping[str, Any]) -> None:
    """Do an act ten minutes, or as many hours as it says, after the one before."""
    by, do, with_ = act["by"], act["do"], dict(act.get("with") or {})
    at = session.at + (HOUR * act["hours"] if "hours" in act else 10 * MINUTE)
    while session.fire_next(at) is not None:
        pass
    at = max(at, session.at)
    wanted = act.get("dice") or {}
    if wanted:
        seconds = range(at, at + PATIENCE)
        at = next((at for at in seconds if _fell(session.would(by, do, with_, at=at, drawing=True).draws, wanted)), at)
    done = session.act(by, do, with_, at=at)
    if not done.accepted or not _fell(done.entry.get("draws") or [], wanted):
        raise fail("E-REFUSED", f"{by} was refused {do} in the demonstration: {done.code or 'the dice'}")


def _fell(draws: list[Draw], wanted: Mapping[str, Any]) -> bool:
    fell = {draw["label"]: draw["result"] for draw in draws}
    return all(fell.get(label) == result for label, result in wanted.items())
