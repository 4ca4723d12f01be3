"""All pages of a game, and the page in front of all games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from folkmoot.site.acting import act_page
from folkmoot.site.blocks import shown_pages
from folkmoot.site.calendars import calendar_files
from folkmoot.site.dashboard import dashboard, game_cards
from folkmoot.site.document import Page, render
from folkmoot.site.feeds import feed_files
from folkmoot.site.journal import chance_pages, journal_pages
from folkmoot.site.law import law_pages
from folkmoot.site.law_files import law_files
from folkmoot.site.law_time import law_time
from folkmoot.site.people import office_page, player_pages
from folkmoot.site.proposals import proposal_pages
from folkmoot.site.scores import score_pages
from folkmoot.site.settings import settings_page
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, el, join

GAMES = "<!-- games -->"


def game_pages(view: GameView) -> Iterator[Page]:
    """Return every page of a game."""
    yield dashboard(view)
    yield from law_pages(view)
    yield from law_time(view)
    yield from proposal_pages(view)
    yield from score_pages(view)
    yield from shown_pages(view)
    yield from player_pages(view)
    yield office_page(view)
    yield act_page(view)
    yield settings_page(view)
    yield from chance_pages(view)
    yield from journal_pages(view)


@dataclass
class Game:
    """A game as it is published: how its pages see it, its pages, and its files that are no pages by their paths."""

    view: GameView
    pages: list[Page]
    files: dict[str, str]


def published(view: GameView) -> Game:
    """Return everything of a game that is published."""
    return Game(view, list(game_pages(view)), data_files(view))


def render_game(view: GameView) -> dict[str, str]:
    """Return the text of every Markdown file of a game by its path below the game's folder."""
    return markdown(published(view))


def markdown(game: Game) -> dict[str, str]:
    """Return the text of the Markdown files of a game by their paths below the game's folder."""
    return {page.path: render(game.view, page) for page in game.pages}


def data_files(view: GameView) -> dict[str, str]:
    """Return the files of a game that are no pages (its law as data, feeds, calendars) by their paths."""
    return law_files(view) | feed_files(view) | calendar_files(view)


def render_front(views: list[GameView], words: str) -> str:
    """Return the page in front of all games: hand-written `words` with the games where `<!-- games -->` stands."""
    return with_cards(words, front_cards(views))


def front_cards(views: list[GameView]) -> Html:
    """Return a card for each game."""
    cards = join(game_cards(views)) or el("p", "No game is kept here yet.")
    return el("div", el("div", cards, class_="fm-games"), class_="fm")


def with_cards(words: str, games: str) -> str:
    """Return the front page's hand-written words with the games where they say."""
    return words.replace(GAMES, games) if GAMES in words else f"{words.rstrip()}\n\n{games}\n"
