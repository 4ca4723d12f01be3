"""Writes the game that this repository keeps below `state/` anew: `python ci/own_game.py [FOLDER]`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from folkmoot.cli import demo
from folkmoot.game.session import Session

OWN = Path(__file__).resolve().parent.parent / "state" / "suber-mail"


def write(folder: Path) -> None:
    """Play the mail game into a folder, correct what the printed game has otherwise, and pause it."""
    if folder.exists():
        shutil.rmtree(folder)
    demo.found(folder)
    with Session.open(folder, writing=True) as session:
        for turn in demo.play(session):
            print(f"{turn.number} {turn.outcome}")
        demo.correct_and_pause(session)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else OWN)
