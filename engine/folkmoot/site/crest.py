"""A game's crest: a small shield by which readers know a game again, drawn from what tells it from all others.

As in heraldry one part of the shield is a colour and the other a metal, so that they stand out from each other.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, el

SHIELD = "M2 2H18V12C18 18 14 21 10 23C6 21 2 18 2 12Z"
DIVISIONS = (
    "M10 2H18V12C18 18 14 21 10 23Z",  # per pale
    "M2 2H18V12H2Z",  # per fess
    "M2 2L15.4 18.3C13.8 20.6 12 22 10 23C6 21 2 18 2 12Z",  # per bend
    "M18 2L4.6 18.3C6.2 20.6 8 22 10 23C14 21 18 18 18 12Z",  # per bend sinister
    "M10 2H18V12H10ZM2 12H10V23C6 21 2 18 2 12Z",  # quarterly
    "M2 2H18V7.5H2Z",  # a chief
    "M7.5 2H12.5V21.6L10 23L7.5 21.6Z",  # a pale
    "M2 7.5H18V12H2Z",  # a fess
    "M10 5L15 11.5L10 18L5 11.5Z",  # a lozenge
    "M10 8.5L17.4 15.3L15.4 18.3L10 13.2L4.6 18.3L2.6 15.3Z",  # a chevron
)
COLOURS = 6
METALS = ("argent", "or")


def crest(view: GameView) -> Html:
    """Return the crest of a game, an SVG that says nothing to those who do not see it."""
    return _crest(view.founding)


@lru_cache(maxsize=1_000)
def _crest(founding: str) -> Html:
    drawn = int.from_bytes(blake2b(founding.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    drawn, division = divmod(drawn, len(DIVISIONS))
    drawn, colour = divmod(drawn, COLOURS)
    drawn, metal = divmod(drawn, len(METALS))
    field, charge = ("colour", METALS[metal]) if drawn % 2 else (METALS[metal], "colour")
    return el(
        "svg",
        el("path", d=SHIELD, class_=f"fm-crest__{field}"),
        el("path", d=DIVISIONS[division], class_=f"fm-crest__{charge}"),
        el("path", d=SHIELD, class_="fm-crest__edge"),
        viewBox="0 0 20 25",
        class_=f"fm-crest fm-c{colour}",
        aria_hidden="true",
        xmlns="http://www.w3.org/2000/svg",
    )
