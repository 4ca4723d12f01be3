"""The data of a page: a frozen struct that holds exactly what is shown, which a template of its kind then draws.

A field of words is a `str`, which the template escapes, or `Html`, finished words with their links and times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import TypeVar

from msgspec import Struct

from folkmoot.site.chart import colours_of
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, shortened
from folkmoot.wording.page_links import Here, player_path

CARD = "card.png"


class PageData(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every page says beside its own: where it stands, and what it is called.

    `path` is that of its file below the game's folder, `at` the path of the page of the second row of the navigation
    that is shown as the present one, its own without one; `searchable` says whether it is worth a place in the index of
    the search; `card` is the picture below the game's folder that chats show beside a link to it. The tag of its class
    names its template.
    """

    path: str
    title: str
    at: str = ""
    summary: str = ""
    searchable: bool = False
    card: str = CARD


class Link(Struct, frozen=True):
    """Words that lead somewhere: `to` is an address seen from the page."""

    words: Html | str
    to: str


class Person(Struct, frozen=True):
    """A player as pages show them: name, up to three letters for it, one of eight colours, where their page is."""

    name: str
    initials: str
    colour: int
    to: str


def person(here: Here, player: object) -> Person:
    """Return a player of the game as a page shows them; somebody who is none has no page (`to` is "")."""
    identifier = str(player)
    known = here.view.players.get(identifier)
    name = shortened(here.view.name(identifier), 60)
    colour = colours(here.view).get(identifier, 7)
    return Person(name, initials(name), colour, here.url(player_path(identifier)) if known else "")


def people(here: Here, players: Iterable[object]) -> tuple[Person, ...]:
    """Return several players as a page shows them."""
    return tuple(person(here, each) for each in players)


def colours(view: GameView) -> Mapping[str, int]:
    """Return the colour of each player, by when they joined: the same on boards, charts, votes and ledgers."""
    return view.index(_colours)


def _colours(view: GameView) -> dict[str, int]:
    return colours_of([*view.players], view.present)


def initials(name: str) -> str:
    """Return what stands on the disc of a player: a short name itself, else the first letters of its words.

    >>> initials("JVG"), initials("ann"), initials("Ann Abel"), initials("")
    ('JVG', 'AN', 'AA', '?')
    """
    words = [word for word in name.replace("-", " ").replace("_", " ").split() if word[:1].isalnum()]
    if len(words) == 1:
        return (words[0] if len(words[0]) <= 3 and words[0].isupper() else words[0][:2]).upper()
    return "".join(word[0] for word in words[:3]).upper() or "?"


T = TypeVar("T")


# -- long lists in parts


class Parts(Struct, frozen=True):
    """How many of a list stand on a page of earlier ones; the newest page holds up to one less than twice as many.

    >>> Parts(2).newest("abcde"), [Parts(2).of("abcde", number) for number in Parts(2).older("abcde")]
    ('cde', ['ab'])
    """

    size: int

    def older(self, several: Sized) -> range:
        """Return the numbers, from 0 on, of the pages of earlier ones; `several` is the list, the oldest first."""
        return range(max(0, len(several) // self.size - 1))

    def of(self, several: Sequence[T], number: int) -> Sequence[T]:
        """Return what stands on a page of earlier ones."""
        return several[number * self.size : (number + 1) * self.size]

    def newest(self, several: Sequence[T]) -> Sequence[T]:
        """Return what stands on the page of the newest."""
        return several[len(self.older(several)) * self.size :]

    def title(self, words: str, number: int) -> str:
        """Return what a page of earlier ones is called: `words` with the places of its first and its last."""
        return f"{words} {number * self.size + 1} – {(number + 1) * self.size}"

    def links(self, here: Here, path: str, words: str, several: Sized) -> tuple[Link, ...]:
        """Return links to the pages of earlier ones, the newest first; `path` has a place for the number, from 1 on."""
        numbers = reversed(self.older(several))
        return tuple(Link(self.title(words, number), here.url(path.format(number + 1))) for number in numbers)
