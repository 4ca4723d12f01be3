"""A game's crest: a small shield in one of five colours by which readers know a game again, drawn from its founding."""

from __future__ import annotations

from hashlib import blake2b

from msgspec import Struct

from folkmoot.wording.game_view import GameView

CHARGES = (
    "M10 2H18V12C18 18 14 21 10 23Z",  # per pale
    "M2 2L15.4 18.3C13.8 20.6 12 22 10 23C6 21 2 18 2 12Z",  # per bend
    "M10 5L15 11.5L10 18L5 11.5Z",  # a lozenge
    "M7.5 2H12.5V21.6L10 23L7.5 21.6Z",  # a pale
    "M10 8.5L17.4 15.3L15.4 18.3L10 13.2L4.6 18.3L2.6 15.3Z",  # a chevron
)
COLOURS = 5


class Crest(Struct, frozen=True):
    """One of five colours, by which the whole site of a game is tinted, and the outline of what is on the shield."""

    colour: int
    charge: str


def crest(view: GameView) -> Crest:
    """Return the crest of a game."""
    number = int.from_bytes(blake2b(view.founding.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    number, charge = divmod(number, len(CHARGES))
    return Crest(number % COLOURS, CHARGES[charge])
