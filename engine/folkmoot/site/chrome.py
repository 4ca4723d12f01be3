"""What stands around every page of a game: its name and crest, its six parts, and the second row inside a part."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from msgspec import Struct

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_json import path_of
from folkmoot.site.polls import DECIDED, OPEN, RULES, index_path, rules_that_count
from folkmoot.site.standing import newest_story
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import shortened
from folkmoot.wording.page_links import Here, board_path, plural, text_path, time_path, titled

PARTS = {
    "now": ("Now", "index.md"),
    "rules": ("Rules", "law/index.md"),
    "votes": ("Votes", "proposals/index.md"),
    "scores": ("Scores", "scores/index.md"),
    "players": ("Players", "players/index.md"),
    "history": ("History", "journal/index.md"),
}
"""The parts of a game's navigation, with their names and first pages."""
FOLDERS = {
    "now": {"index.md", "act.md", "boards"},
    "rules": {"law", "law-list", "law-text", "law-time", "settings.md"},
    "scores": {"scores"},
    "players": {"players", "offices.md"},
    "history": {"journal", "chance"},
}
"""The pages and folders of each part; all others are of votes."""
FOLLOW = (("Feed", "events.atom"), ("Calendar", "calendar.ics"), ("The whole game as data", "game.json"))
MOST_BOARDS = 3
"""So many boards have an entry each in the second row of *Now*; more share one."""


class Entry(Struct, frozen=True):
    """An entry of the navigation: its words, where it leads, and whether the reader is there."""

    words: str
    to: str
    here: bool


class Chrome(Struct, frozen=True):
    """What a page has around it; addresses are seen from the page."""

    title: str
    crest: Crest
    parts: tuple[Entry, ...]
    second: tuple[Entry, ...]
    follow: tuple[Link, ...]


def part_of(path: str) -> str:
    """Return in which part of the game's navigation a page stands.

    >>> part_of("law/203.md"), part_of("motions/3.md"), part_of("index.md")
    ('rules', 'votes', 'now')
    """
    return next((part for part, known in FOLDERS.items() if path.partition("/")[0] in known), "votes")


def chrome(view: GameView, page: PageData) -> Chrome:
    """Return what stands around a page of a game."""
    here, at, own = Here(view, page.path), page.at or page.path, part_of(page.path)
    second = view.index(second_rows)[own] if page.path != "index.md" else []
    follow = [*FOLLOW, ("This page as data", path_of(page.path))]
    return Chrome(
        title=shortened(view.title, 60),
        crest=crest(view),
        parts=tuple(Entry(name, here.url(to), part == own) for part, (name, to) in PARTS.items()),
        second=tuple(Entry(name, here.url(*to.split("#")), to == at) for name, to in second) if second[1:] else (),
        follow=tuple(Link(name, here.beside(to)) for name, to in follow),
    )


def second_rows(view: GameView) -> dict[str, list[tuple[str, str]]]:
    """Return the second row of each part: names of pages and their paths, some with an anchor."""
    boards = [(shortened(page.title, 40), board_path(page.name)) for page in view.shown]
    story = newest_story(view)
    return {
        "now": [
            ("Today", "index.md"),
            ("What you can do", "act.md"),
            *(boards if len(boards) <= MOST_BOARDS else [("Boards", "boards/index.md")]),
        ],
        "rules": [
            ("By number", "law/index.md"),
            ("Full text", text_path(1)),
            ("Over time", time_path()),
            ("Rulings", "settings.md"),
        ],
        "votes": [*_votes(view)],
        "scores": [],
        "players": [("All", "players/index.md"), ("Offices and duties", "offices.md")],
        "history": [
            ("What happened", "journal/index.md"),
            *([("The story", story)] if story else []),
            ("Chance", "chance/index.md"),
        ],
    }


def _votes(view: GameView) -> Iterator[tuple[str, str]]:
    """Yield the parts of the list of proposals, and the lists of other kinds."""
    index = index_path(PROPOSAL)
    yield from (("Open", f"{index}#{OPEN}"), ("Decided", f"{index}#{DECIDED}"))
    if view.index(rules_that_count)["adopted"]:
        yield "How votes are counted", f"{index}#{RULES}"
    yield from ((titled(plural(kind)), index_path(kind)) for kind in view.kinds if kind != PROPOSAL)


# -- the crest

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
