"""A page of a game: not made yet, and as it was drawn."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from folkmoot.site.chrome import chrome
from folkmoot.site.own_templates import OwnTemplates
from folkmoot.site.page_data import PageData
from folkmoot.site.pen import drawn, template_of
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html


class Sheet(Struct, frozen=True):
    """A page that is not made yet: its path, and what makes its data of a game.

    Where that is dear and seldom comes out differently, `of` returns the part of the record that it is made of: while
    that and its `PageContext` are what they were, the page is. It returns None as long as too much goes into the page.
    """

    path: str
    make: Callable[[GameView], PageData]
    of: Callable[[GameView], object] | None = None


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
    around = chrome(view, data)
    return Page(
        data=data,
        game=view.slug,
        title=f"{data.title} · {view.title}" if data.path != "index.md" else view.title,
        colour=around.crest.colour,
        navigation=drawn("navigation.html", chrome=around),
        body=(own and own.body(view.slug, data, around)) or drawn(template_of(data), page=data, chrome=around),
    )
