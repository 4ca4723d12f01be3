"""A page of a game: not made yet, and as it was drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b

from msgspec import Struct

from folkmoot.site.crest import crest
from folkmoot.site.own_templates import OwnTemplates
from folkmoot.site.page_data import PageData
from folkmoot.site.pen import around, body, navigation
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html


class Sheet(Struct, frozen=True):
    """A page that is not made yet: its path, and what makes it of a game.

    Nothing but the game, as the view that `make` is given tells it, may decide what the page says: what is looked at
    in the view is what decides whether a page that was made once is made again.
    """

    path: str
    make: Callable[[GameView], PageData]


class Pages(Struct, frozen=True):
    """The pages of a game by their paths: those of rules, those of proposals, the paths of the others, and all."""

    rules: Mapping[str, Sheet]
    proposals: Mapping[str, Sheet]
    others: frozenset[str]
    all: dict[str, Sheet]


class Page(Struct, frozen=True):
    """A page as it was drawn: what it is made of, and the HTML of its game's navigation and of what it says.

    `title` is what it is called where its game is not plain: in a window's title, in search, behind a link. `colour`
    is that of its game.
    """

    data: PageData
    game: str
    title: str
    colour: int
    navigation: Html
    body: Html

    @property
    def path(self) -> str:
        """Return the path of the page below the folder of its game."""
        return self.data.path


class Broken(PageData, frozen=True, kw_only=True, tag="broken"):
    """A page that could not be made, and the kind of error."""

    error: str


def made(view: GameView, sheet: Sheet, own: OwnTemplates | None = None) -> Page:
    """Return a page of a game, drawn by the template of its kind: the repository's `own`, else the packaged one."""
    return drawn_page(view, sheet.make(view), own)


def drawn_page(view: GameView, data: PageData, own: OwnTemplates | None = None) -> Page:
    """Return a page as the template of its kind draws it."""
    chrome = around(view, data)
    return Page(
        data=data,
        game=view.slug,
        title=f"{data.title} · {view.title}" if data.path != "index.md" else view.title,
        colour=crest(view).colour,
        navigation=navigation(chrome),
        body=(own.body(view.slug, data, chrome) if own else None) or body(data, chrome),
    )


def page_digest(page: Page) -> bytes:
    """Return a digest of all that a page says."""
    said = blake2b(digest_size=16)
    for part in (page.title, page.data.summary, str(page.colour), page.navigation, page.body):
        said.update(part.encode("utf-8", "backslashreplace") + b"\0")
    return said.digest()
