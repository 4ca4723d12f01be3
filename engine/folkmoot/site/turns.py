"""The turns of a game, where its rules keep in the game whose turn it is (`mover`) and which it is (`turn_no`)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.wording.game_view import GameView
from folkmoot.wording.stamps import seconds


class Turn(Struct, frozen=True):
    """A turn: its number, whose it is, and the entry behind which it began."""

    number: int
    player: str
    after: int
    at: int


def turns_begun(view: GameView) -> dict[int, Turn]:
    """Return the turns that began, oldest first, by their places from 1; the number of one is its place by default."""
    begun: dict[int, Turn] = {}
    for entry, what in view.effects("put"):
        if what.get("of") == "game" and what.get("name") in ("mover", "turn_no"):
            seq, to = int(entry.get("seq") or 0), what.get("to")
            turn = begun.get(seq, Turn(0, "", seq, seconds(entry.get("at")) or 0))
            if what.get("name") == "mover":
                begun[seq] = replace(turn, player=str(to or ""))
            elif type(to) is int:
                begun[seq] = replace(turn, number=to)
    known = (turn for turn in begun.values() if turn.player)
    return {place: replace(turn, number=turn.number or place) for place, turn in enumerate(known, 1)}


def turns(view: GameView) -> list[Turn]:
    """Return the turns of a game, oldest first; none where rules do not say whose turn it is."""
    return [*view.index(turns_begun).values()]


def turn_of(known: Sequence[Turn], seq: int) -> int:
    """Return how many of some turns had begun before an entry: it belongs to the last of them."""
    return bisect_left(known, seq, key=lambda turn: turn.after)
