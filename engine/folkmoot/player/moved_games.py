"""What a clone says of games that have gone to another forge."""

from __future__ import annotations

from collections.abc import Mapping

from folkmoot.core.game_location import gone, left_from
from folkmoot.core.keys import GAME, proposal_key, pull_here
from folkmoot.journal.tree import GameTree

Games = Mapping[str, GameTree]
ELSEWHERE = "lead this clone there: `git remote set-url origin URL`, then `git pull`"


def moved_away(games: Games, kind: str) -> str:
    """Return where a game is played that has left a place of a kind, "" where all of them are there."""
    settings = {name: record.kept(GAME) for name, record in games.items()}
    return next((gone(name, game, left) for name, game in settings.items() if (left := left_from(game, kind))), "")


def goes_on_as(games: Games, number: int) -> str:
    """Return where what was voted on in a pull request of a forge that a game has left goes on, "" for nothing."""
    for name, record in games.items():
        game = record.kept(GAME)
        for identifier in (game.get("open") or ()) if game.get("left") else ():
            proposal = record.kept(proposal_key(identifier))
            here = pull_here(proposal, game)
            if here and any(via.get("pull") == number for via in proposal.get("came") or ()):
                return f"pull request {number} of the forge that {name} has left goes on as pull request {here}"
    return ""
