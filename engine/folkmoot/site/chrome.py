"""What stands around every page of a game: its name and crest, its six parts, and the second row inside a part."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.site.crest import Crest, crest
from folkmoot.site.page_data import Link
from folkmoot.site.page_json import path_of
from folkmoot.site.polls import DECIDED, OPEN, RULES, index_path, outcomes_by_kind, rules_that_count
from folkmoot.site.turns import newest_story
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import shortened
from folkmoot.wording.page_links import Here, board_path, plural, text_path, time_path, titled
from folkmoot.wording.translation import _

PARTS = {
    "law": "rules",
    "law-text": "rules",
    "law-time": "rules",
    "settings.md": "rules",
    "scores": "scores",
    "players": "players",
    "offices.md": "players",
    "journal": "history",
    "chance": "history",
    "index.md": "now",
    "act.md": "now",
    "boards": "now",
}
"""In which part of the navigation the pages of a folder of a game stand; all others are of votes."""
MOST_BOARDS = 3
"""So many boards have an entry each in the second row of *Now*; more share one."""


class Entry(Struct, frozen=True):
    """An entry of the navigation, and whether the reader is there."""

    link: Link
    here: bool


class Chrome(Struct, frozen=True):
    """What a page has around it; addresses are seen from the page."""

    slug: str
    title: str
    crest: Crest
    parts: tuple[Entry, ...]
    second: tuple[Entry, ...]
    part: str
    front: str
    follow: tuple[Link, ...]
    data: str


def part_of(path: str) -> str:
    """Return in which part of the game's navigation a page stands.

    >>> part_of("law/203.md"), part_of("motions/3.md"), part_of("index.md")
    ('rules', 'votes', 'now')
    """
    return PARTS.get(path.partition("/")[0], "votes")


def chrome(view: GameView, path: str, part: str, at: str) -> Chrome:
    """Return what stands around a page of a game."""
    second = tuple(_second_row(view, part)) if path != "index.md" else ()
    around = _chrome(view.slug, view.title, crest(view), path.rpartition("/")[0], part, at or path, second)
    return replace(around, data=Here(view, path).beside(path_of(path)))


@lru_cache(maxsize=2_000)
def _chrome(
    slug: str,
    title: str,
    crested: Crest,
    folder: str,
    part: str,
    at: str,
    second: tuple[tuple[str, str], ...],
) -> Chrome:
    here = Here(GameView(slug=slug, documents={}), f"{folder}/page.md" if folder else "page.md")
    parts = [
        ("now", _("Now"), "index.md"),
        ("rules", _("Rules"), "law/index.md"),
        ("votes", _("Votes"), "proposals/index.md"),
        ("scores", _("Scores"), "scores/index.md"),
        ("players", _("Players"), "players/index.md"),
        ("history", _("History"), "journal/index.md"),
    ]
    follow = [(_("Feed"), "events.atom"), (_("Calendar"), "calendar.ics"), (_("The whole game as data"), "game.json")]
    return Chrome(
        slug=slug,
        title=shortened(title, 60),
        crest=crested,
        parts=tuple(Entry(Link(name, here.url(to)), key == part) for key, name, to in parts),
        second=tuple(Entry(Link(name, _url(here, to)), to == at) for name, to in second) if len(second) > 1 else (),
        part=next(name for key, name, _to in parts if key == part),
        front=here.url("index.md"),
        follow=tuple(Link(name, here.beside(to)) for name, to in follow),
        data="",
    )


def _url(here: Here, to: str) -> str:
    path, _hash, anchor = to.partition("#")
    return here.url(path, anchor)


def second_rows(view: GameView) -> list[list[tuple[str, str]]]:
    """Return the second rows of all parts of a game's navigation."""
    return [[*_second_row(view, part)] for part in ("now", "rules", "votes", "players", "history")]


def _second_row(view: GameView, part: str) -> Iterator[tuple[str, str]]:
    """Yield the pages that the second row of a part leads to, by name and path, some with an anchor."""
    if part == "now":
        yield _("Today"), "index.md"
        yield _("What you can do"), "act.md"
        if len(view.shown) > MOST_BOARDS:
            yield _("Boards"), "boards/index.md"
        else:
            yield from ((shortened(title, 40), board_path(name)) for name, title, _rule in view.shown_titles)
    elif part == "rules":
        yield _("By number"), "law/index.md"
        yield _("Full text"), text_path(1)
        yield _("Over time"), time_path()
        yield _("Rulings"), "settings.md"
    elif part == "votes":
        yield from _votes(view)
    elif part == "players":
        yield _("All"), "players/index.md"
        yield _("Offices and duties"), "offices.md"
    elif part == "history":
        yield _("What happened"), "journal/index.md"
        if story := newest_story(view):
            yield _("The story"), story
        yield _("Chance"), "chance/index.md"


def _votes(view: GameView) -> Iterator[tuple[str, str]]:
    """Yield the parts of the list of proposals that there are, and the lists of other kinds."""
    index, outcomes = index_path(PROPOSAL), view.index(outcomes_by_kind).get(PROPOSAL) or {}
    yield from [(_("Open"), f"{index}#{OPEN}")] if "" in outcomes else []
    yield from [(_("Decided"), f"{index}#{DECIDED}")] if any(outcomes) else []
    yield from [] if outcomes else [(_("Proposals"), index)]
    yield from [(_("How votes are counted"), f"{index}#{RULES}")] if view.index(rules_that_count)["adopted"] else []
    for kind in view.kinds:
        if kind != PROPOSAL:
            yield titled(plural(kind)), index_path(kind)
