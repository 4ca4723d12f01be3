"""All pages of a game, and where the games stand on the page in front of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain

from folkmoot.site.cards import Card
from folkmoot.site.data_files import KINDS, calendar_files, feed, game_file, law_files
from folkmoot.site.page_data import CARD
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.act import act_page
from folkmoot.site.pages.board import shown_pages
from folkmoot.site.pages.chance import chance_pages
from folkmoot.site.pages.history import history_pages
from folkmoot.site.pages.now import game_card, now_page
from folkmoot.site.pages.players import office_page, player_pages
from folkmoot.site.pages.proposal import proposal_sheets, vote_lists
from folkmoot.site.pages.rule import rule_sheets
from folkmoot.site.pages.rules import whole_law
from folkmoot.site.pages.rules_over_time import law_time
from folkmoot.site.pages.rulings import rulings
from folkmoot.site.pages.scores import score_pages
from folkmoot.site.pages.story import season_cards, story_pages
from folkmoot.wording.game_view import GameView

GAMES, EXAMPLE = "<!-- games -->", "<!-- example -->"


def sheets(view: GameView) -> Iterator[Sheet]:
    """Return every page of a game, not made yet."""
    return chain(
        [Sheet("index.md", now_page)],
        whole_law(view),
        law_time(view),
        vote_lists(view),
        score_pages(view),
        shown_pages(view),
        player_pages(view),
        [Sheet("offices.md", office_page), Sheet("act.md", act_page), Sheet("settings.md", rulings)],
        chance_pages(view),
        history_pages(view),
        story_pages(view),
        rule_sheets(view).values(),
        proposal_sheets(view).values(),
    )


Maker = Callable[[GameView], dict[str, str]]
"""What makes some files of a game, by their paths."""
BUNDLES: Mapping[str, Maker] = {
    "law": law_files,
    "game": game_file,
    **{f"{name} feed": partial(feed, name) for name in KINDS},
    "calendars": calendar_files,
}
"""What makes the files of a game that are no pages, by name: data, feeds, calendars."""


def cards_of(view: GameView) -> dict[str, Card]:
    """Return the pictures of a game, as data, by their paths."""
    return {CARD: game_card(view), **season_cards(view)}


def with_marks(words: str, games: str, example: str) -> str:
    """Return the front page's hand-written words with marks where the games and the example of a change stand."""
    words = words.replace(EXAMPLE, example)
    return words.replace(GAMES, games) if GAMES in words else f"{words.rstrip()}\n\n{games}\n"
