"""Writes the game that this repository keeps below `state/` anew: `python ci/own_game.py [FOLDER]`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from folkmoot.cli.demo.mail_game import SCRIBE, found, outcome, turns
from folkmoot.game.session import Session

OWN = Path(__file__).resolve().parent.parent / "state" / "suber-mail"
SECOND = {"of": "JVG", "name": "positions", "to": ["BEI", "YSE"], "why": "the seed prints JVG at BEI and YSE"}
PAUSE = {"why": "the record of the mail game ends with its thirteenth proposal"}


def write(folder: Path) -> None:
    """Play the mail game into a folder, correct what the printed game has otherwise, and pause it."""
    if folder.exists():
        shutil.rmtree(folder)
    found(folder)
    with Session.open(folder, writing=True) as session:
        for turn in play(session):
            print(turn["number"], turn["outcome"])
        for do, with_ in (("correct", SECOND), ("pause", PAUSE)):
            if not session.act(SCRIBE, do, with_, at=session.at + 60).accepted:
                sys.exit(f"{SCRIBE} was refused {do}")


def play(session: Session) -> Iterator[dict[str, Any]]:
    """Play the thirteen proposals in a game just founded; yields each turn when it is over."""
    for turn in turns():
        at = turn["start"]
        for act in turn["acts"]:
            by, do = act["by"], act["do"]
            done = session.act(by, do, act.get("with") or {}, as_=act.get("as"), at=max(at, session.at))
            if not done.accepted:
                sys.exit(f"{by} was refused {do} in turn {turn['number']}: {done.code}")
            at += 60
        yield outcome(session, turn)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else OWN)
