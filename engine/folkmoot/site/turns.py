"""The turns of a game, where its rules keep in the game whose turn it is and which; its seasons, which a win ends."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.records import Entry
from folkmoot.wording.game_view import GameView, seconds


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


# -- seasons


class Season(Struct, frozen=True):
    """A season: its number, the entry behind which it began (the founding or a win), and that which ended it."""

    number: int
    first: Entry
    last: Entry

    @property
    def start(self) -> int:
        """The number of the entry behind which it began."""
        return int(self.first["seq"])

    @property
    def end(self) -> int:
        """The number of the entry that ended it."""
        return int(self.last["seq"])

    def holds(self, seq: int) -> bool:
        """Whether an entry belongs to it."""
        return self.start < seq <= self.end


def wins(view: GameView) -> dict[int, Entry]:
    """Return the entries in which somebody won, by number."""
    return {int(entry["seq"]): entry for entry, _what in view.effects("win")}


def seasons(view: GameView) -> list[Season]:
    """Return the seasons that have ended, the oldest first."""
    won = [entry for _seq, entry in sorted(view.index(wins).items())]
    return [Season(n, first, last) for n, (first, last) in enumerate(pairwise([*view.entries[:1], *won]), 1)]


def story_path(season: Season) -> str:
    """Return the path of the page of a season."""
    return f"journal/season-{season.number}.md"


def newest_story(view: GameView) -> str:
    """Return the path of the page of the season that ended last, "" where none has."""
    found = seasons(view)
    return story_path(found[-1]) if found else ""
