"""The picture that chats and other sites show beside a link: how a game stands, or how a season of it ended."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

import resvg_py
from msgspec import Struct

from folkmoot.site.pen import drawn
from folkmoot.site.standing import Race
from folkmoot.wording.markup import shortened

RACERS, WIDE, TITLE, NAME, WORDS = 5, 560, 60, 24, 84
"""How many players are shown, how wide the first bar is, and how many letters a title, a name and other words have."""
FONTS = "atkinson-hyperlegible-next atkinson-hyperlegible-next-ext literata".split()
"""In the order in which a sign is looked for."""
COLOURS = "#1b6b4b #2f5597 #a4462b #7a3e8c #7a5d00 #0e6876 #a03060 #56606a".split()
"""Those of players in the light style sheet."""


class CardRacer(Struct, frozen=True):
    """A player on the picture: how much they have, and how wide that is drawn, in which colour."""

    name: str
    amount: int
    width: int
    colour: str


class Card(Struct, frozen=True):
    """What a picture shows, from top to bottom; `size` is that of the letters in which its title has room."""

    above: str
    title: str
    size: int
    racers: tuple[CardRacer, ...]
    below: str


def card_of(above: str, title: str, race: Race | None, below: str) -> Card:
    """Return a picture's words and bars, as much of each as has room."""
    title = shortened(title, TITLE)
    wide = sum(1.0 if ord(sign) > 0x1100 or sign in "MW@%" else 0.72 if sign.isupper() else 0.56 for sign in title)
    racers = race.racers[:RACERS] if race else ()
    return Card(
        above=shortened(above, WORDS),
        title=title,
        size=min(92, int(1060 / max(1, wide))),
        racers=tuple(
            CardRacer(shortened(each.who.name, NAME), each.amount, WIDE * each.part // 100, COLOURS[each.who.colour])
            for each in racers
        ),
        below=shortened(below, WORDS),
    )


def svg_of(card: Card) -> str:
    """Return a picture as SVG, which fetches nothing."""
    return str(drawn("card.svg", card=card))


@lru_cache(16)
def png_of(card: Card) -> bytes:
    """Return a picture as PNG of 1200 by 630; one with signs that its own fonts lack is all in those of the machine.

    Single signs would come from whichever of these is found first, bold and slanted ones too.
    """
    words = "".join([card.above, card.title, card.below, *(each.name for each in card.racers)])
    own = all(sign < "\u0250" or "\u2000" < sign < "\u2070" for sign in words)
    svg = svg_of(card) if own else svg_of(card).replace("Literata, ", "").replace("'Atkinson Hyperlegible Next', ", "")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=own, font_files=_fonts()))


@cache
def _fonts() -> list[str]:
    return [str(files("folkmoot.site.fonts").joinpath(f"{name}.ttf")) for name in FONTS]
