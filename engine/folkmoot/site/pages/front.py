"""The page in front of all games: a card for each, and how a rule changes, shown on one that was changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from folkmoot.core.documents import Document, Proposal
from folkmoot.core.event_names import makes_law
from folkmoot.core.keys import GAME
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.site.crest import Crest, crest
from folkmoot.site.page_data import Link, Person, people
from folkmoot.site.pages.now import RACERS, Newest, OpenVote, first_board, newest, open_vote, pitch_of
from folkmoot.site.pages.status import Status, open_votes, status_of
from folkmoot.site.pen import drawn
from folkmoot.site.proposed_changes import before_and_after, kind_of_change
from folkmoot.site.revisions import changed
from folkmoot.site.standing import Race, currency_name, race_of, to_win
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import ledger_at
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


class Example(Struct, frozen=True, kw_only=True):
    """How a rule changed: who proposed which words, who voted for it, and what it paid by which rule."""

    proposal: Link
    author: str
    words: Html
    yes: int
    no: int
    voters: tuple[Person, ...]
    rule: Html
    paid: tuple[str, Html] | None


class Front(Struct, frozen=True, kw_only=True, tag="front"):
    """A game on the page in front of all: its picture, how it stands, its newest words, who leads, and an example."""

    title: str
    slug: str
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
    example: Example | None


def front_of(view: GameView) -> Front:
    """Return what the page in front of all games holds of a game."""
    here, votes, waiting = Before(view, "index.md"), open_votes(view), len(view.unresolved)
    counts = [counted(len(view.present), "{count} player", "{count} players")]
    counts += [counted(len(view.ranked), "{count} rule", "{count} rules")]
    counts += [counted(waiting, "{count} open proposal", "{count} open proposals")] if waiting > 1 else []
    return Front(
        title=shortened(view.title, 80),
        slug=view.slug,
        crest=crest(view),
        over=bool(view.kept(GAME).get("over")),
        status=status_of(here),
        pitch=pitch_of(view),
        vote=open_vote(here, *votes[0], whole=True) if votes else None,
        newest=newest(here),
        race=race_of(here, RACERS),
        to_win=to_win(here)[0],
        board=first_board(here)[1],
        counts=tuple(counts),
        example=_example(here),
    )


def cards(fronts: Iterable[Front]) -> Html:
    """Return the cards of games as they stand on the page in front of all."""
    return drawn("cards.html", cards=[*fronts])


def example(fronts: Iterable[Front]) -> Html:
    """Return how a rule changed in one of some games; nothing where none did."""
    found = next((front.example for front in fronts if front.example), None)
    return drawn("example.html", it=found) if found else Html("")


def _example(here: Here) -> Example | None:
    """Return the shortest amendment that was adopted with ballots that may be seen; None where there was none."""
    found = min(_amendments(here.view), default=None)
    if found is None:
        return None
    _length, name, rule, words = found
    view, proposal = here.view, here.view.proposals[name]
    sides = {who: verdict_of(str(each.get("choice") or "")) for who, each in (proposal.get("ballots") or {}).items()}
    in_favour = [player for player, side in sides.items() if side == "approve"]
    return Example(
        proposal=Link(_("proposal {number}", number=proposal.get("number")), here.url(proposal_path(proposal))),
        author=view.name(str(proposal.get("author"))),
        words=words,
        yes=len(in_favour),
        no=[*sides.values()].count("request_changes"),
        voters=people(here, in_favour[:FACES]),
        rule=here.rule(view.uids.get(rule, rule)),
        paid=_paid(here, proposal),
    )


def _amendments(view: GameView) -> Iterator[tuple[int, str, str, Html]]:
    """Yield what adopted proposals changed in a rule: how much, the proposal, the number of the rule, the words."""
    for name, proposal in view.proposals.items():
        known = view.displays(name) and proposal.get("ballots") and proposal.get("author") in view.players
        if not known or proposal.get("taken_over") or not makes_law(proposal.get("outcome"), view.outcomes):
            continue
        for change in filter(_is_amendment, proposal.get("changes") or ()):
            words = changed(*before_and_after(view, proposal, change))
            if "<del>" in words and "<ins>" in words:
                yield len("".join(_CHANGED.findall(words))), name, str(change.get("rule")), words
                break


def _is_amendment(change: Document) -> bool:
    return kind_of_change(change) == "amend"


def _paid(here: Here, proposal: Proposal) -> tuple[str, Html] | None:
    """Return what the author of a proposal got when it was adopted, in words, and by which rule."""
    entry = here.view.resolved_by.get(str(proposal.get("id")))
    for line in here.view.index(ledger_at).get(entry["seq"], []) if entry else []:
        if line.owner == proposal.get("author") and line.applied > 0 and line.rule:
            return f"+{line.applied} {currency_name(here.view, line.currency).lower()}", here.rule(line.rule)
    return None
