"""The page in front of all games: a card for each, and how a rule changes, shown on one that was changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from folkmoot.core.documents import Document, Proposal
from folkmoot.core.event_names import makes_law
from folkmoot.core.keys import GAME
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.site.blocks import small_board
from folkmoot.site.crest import Crest, crest
from folkmoot.site.law_changes import changed
from folkmoot.site.page_data import Link, Person, people
from folkmoot.site.pages.now import (
    RACERS,
    Newest,
    OpenVote,
    newest,
    open_vote,
    pitch_of,
)
from folkmoot.site.pages.status import Status, open_votes, status_of
from folkmoot.site.pen import drawn
from folkmoot.site.proposed_changes import before_and_after, kind_of_change
from folkmoot.site.standing import Race, currency_name, race_of, to_win
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import ledger_at
from folkmoot.wording.ledger import Line
from folkmoot.wording.markup import Html, counted, shortened
from folkmoot.wording.page_links import Here, proposal_path
from folkmoot.wording.translation import _

FACES = 8
_CHANGED = re.compile(r"<(?:del|ins)>(.*?)</(?:del|ins)>")


class Before(Here, frozen=True):
    """The page in front of a game, seen from which all of the game lies in its folder."""

    def url(self, path: str, anchor: str = "") -> str:
        """Return the address of a page of the game."""
        return f"{self.view.slug}/{super().url(path, anchor)}"

    def beside(self, path: str) -> str:
        """Return the address of a file of the game."""
        return f"{self.view.slug}/{super().beside(path)}"


class Card(Struct, frozen=True, kw_only=True):
    """A game as it stands on the page in front of all: its picture, how it stands, its newest words, who leads."""

    title: str
    to: str
    crest: Crest
    over: bool
    status: Status
    pitch: str
    vote: OpenVote | None
    newest: Newest | None
    race: Race | None
    to_win: Html
    board: Html
    counts: tuple[str, ...]
    join: str


class Example(Struct, frozen=True, kw_only=True):
    """How a rule changed: who proposed which words, who voted for it, and what it paid."""

    proposal: Link
    author: str
    words: Html
    yes: int
    no: int
    voters: tuple[Person, ...]
    rule: Html
    paid: tuple[str, Html] | None


class Front(Struct, frozen=True, tag="front"):
    """What the page in front of all games holds of one of them."""

    card: Card
    example: Example | None


def front_of(view: GameView) -> Front:
    """Return what the page in front of all games holds of a game."""
    return Front(_card(view), _example(view))


def cards(fronts: Iterable[Front]) -> Html:
    """Return the cards of games as they stand on the page in front of all."""
    return drawn("cards.html", cards=[front.card for front in fronts])


def example(fronts: Iterable[Front]) -> Html:
    """Return how a rule changed in one of some games; nothing where none did."""
    found = next((front.example for front in fronts if front.example), None)
    return drawn("example.html", it=found) if found else Html("")


def _card(view: GameView) -> Card:
    here, votes = Before(view, "index.md"), open_votes(view)
    over = bool(view.kept(GAME).get("over"))
    return Card(
        title=shortened(view.title, 80),
        to=here.url("index.md"),
        crest=crest(view),
        over=over,
        status=status_of(here),
        pitch=pitch_of(view),
        vote=open_vote(here, *votes[0], whole=True) if votes else None,
        newest=newest(here),
        race=race_of(here, RACERS),
        to_win=to_win(here)[0],
        board=_board(here),
        counts=tuple(_counts(view)),
        join="" if over else here.url("act.md"),
    )


def _board(here: Here) -> Html:
    """Return the first board of a game as a small picture; a card goes without one that cannot be drawn."""
    try:
        found = small_board(here)
    except Exception:  # noqa: BLE001 (its own page says that it cannot be drawn)
        return Html("")
    return found[1] if found else Html("")


def _counts(view: GameView) -> Iterator[str]:
    yield str(counted(len(view.present), "{count} player", "{count} players"))
    yield str(counted(len(view.ranked), "{count} rule", "{count} rules"))
    if len(view.unresolved) > 1:
        yield str(counted(len(view.unresolved), "{count} open proposal", "{count} open proposals"))


def _example(view: GameView) -> Example | None:
    """Return the shortest amendment that was adopted with ballots that may be seen; None where there was none."""
    found = [(len("".join(_CHANGED.findall(words))), name, words) for name, words in _amendments(view)]
    if not found:
        return None
    _length, name, words = min(found)
    proposal, here = view.proposals[name], Before(view, "index.md")
    ballots = proposal.get("ballots") or {}
    sides = {player: verdict_of(str(ballot.get("choice") or "")) for player, ballot in ballots.items()}
    change = next(filter(_is_amendment, proposal["changes"]))
    return Example(
        proposal=Link(_("proposal {number}", number=proposal.get("number")), here.url(proposal_path(proposal))),
        author=view.name(str(proposal.get("author"))),
        words=words,
        yes=sum(1 for side in sides.values() if side == "approve"),
        no=sum(1 for side in sides.values() if side == "request_changes"),
        voters=people(here, [player for player, side in sides.items() if side == "approve"][:FACES]),
        rule=here.rule(view.uids.get(str(change.get("rule")), str(change.get("rule")))),
        paid=_paid(here, proposal),
    )


def _amendments(view: GameView) -> Iterator[tuple[str, Html]]:
    for name, proposal in view.proposals.items():
        if proposal.get("taken_over") or not makes_law(proposal.get("outcome"), view.outcomes):
            continue
        if not (view.displays(name) and proposal.get("ballots") and proposal.get("author") in view.players):
            continue
        for change in filter(_is_amendment, proposal.get("changes") or ()):
            words = changed(*before_and_after(view, proposal, change))
            if "<del>" in words and "<ins>" in words:
                yield name, words
                break


def _is_amendment(change: Document) -> bool:
    return kind_of_change(change) == "amend"


def _paid(here: Here, proposal: Proposal) -> tuple[str, Html] | None:
    """Return what the author of a proposal got when it was adopted, in words, and by which rule."""
    entry = here.view.resolved_by.get(str(proposal.get("id")))
    lines: list[Line] = here.view.index(ledger_at).get(entry["seq"], []) if entry else []
    won = next(
        (line for line in lines if line.owner == proposal.get("author") and line.applied > 0 and line.rule), None
    )
    if won is None:
        return None
    return f"+{won.applied} {currency_name(here.view, won.currency).lower()}", here.rule(won.rule)
