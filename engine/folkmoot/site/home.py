"""The page in front of all games: a card for each, with its board, how it stands, its newest law and its scores."""

from __future__ import annotations

from collections.abc import Iterator

from folkmoot.core.keys import GAME
from folkmoot.site import sparkline
from folkmoot.site.headline import headline
from folkmoot.site.last_law_change import law_line
from folkmoot.site.thumbnail import small_board
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, chip, counted, el, join
from folkmoot.wording.page_links import Here, board_path
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _, term

LEADERS = 3


class _Before(Here, frozen=True):
    """The page in front of a game, seen from which all of the game lies in its folder."""

    def url(self, path: str, anchor: str = "") -> str:
        """Return the address of a page of the game."""
        return f"{self.view.slug}/{super().url(path, anchor)}"

    def beside(self, path: str) -> str:
        """Return the address of a file of the game."""
        return f"{self.view.slug}/{super().beside(path)}"


def game_card(view: GameView) -> Html:
    """Return the card of a game."""
    here = _Before(view, "index.md")
    called = phrase(view.title)
    head = el("p", here.link(called, "index.md"), " ", _status(view), class_="fm-vote__title")
    body = el("div", _board(here), el("div", *_told(here)), class_="fm-game")
    return el("article", head, body, class_="fm-vote")


def _told(here: Here) -> Iterator[Html]:
    """Yield how a game stands, its newest law, its scores, and how large it is."""
    yield el("p", headline(here), class_="fm-headline")
    law = law_line(here)
    if law:
        yield el("p", el("strong", _("Latest law:")), " ", law, class_="fm-lawline")
    yield _scores(here, _leaders(here.view))
    yield el("p", join(_counts(here), " · "), class_="fm-more")


def _board(here: Here) -> Html:
    """Return the first board of a game as a small picture that leads to it."""
    try:
        found = small_board(here)
    except Exception:  # noqa: BLE001 (the page of a board that cannot be drawn says so; the card goes without)
        return Html("")
    return here.link(found[1], board_path(found[0]), class_="fm-game__board") if found else Html("")


def _status(view: GameView) -> Html:
    game = view.kept(GAME)
    word = "over" if game.get("over") else "paused" if game.get("paused") is not None else "open"
    return chip(term(word), "wait") if word != "open" else el("span", _("in play"), class_="fm-chip fm-chip--good")


def _leaders(view: GameView) -> list[tuple[str, int]]:
    """Return who has most of the first currency, and how much."""
    if not view.currencies:
        return []
    name = view.told_currencies[0]
    held = {player: int(view.registers("player", player).get(name) or 0) for player in view.present}
    return sorted(held.items(), key=lambda pair: -pair[1])[:LEADERS]


def _scores(here: Here, best: list[tuple[str, int]]) -> Html:
    """Return how the scores of the best went, or how much was done of late where there are none."""
    view = here.view
    drawn = sparkline.scores(here, view.told_currencies[0], [player for player, _held in best]) if best else Html("")
    if not drawn:
        return sparkline.acts(here)
    held = (join([phrase(view.name(p)), " ", el("strong", str(n).replace("-", "−"))]) for p, n in best)
    return join([drawn, el("p", _("Leading:"), " ", join(held, ", "), class_="fm-more")])


def _counts(here: Here) -> Iterator[Html]:
    view = here.view
    votes = sum(1 for each in view.unresolved.values() if each.get("state") == "open")
    yield counted(len(view.present), "{count} player", "{count} players")
    yield counted(len(view.ranked), "{count} rule in force", "{count} rules in force")
    if votes:
        yield counted(votes, "{count} open vote", "{count} open votes")
    yield join([_("Last event"), " ", here.when(view.now)])
