"""The lists of what is voted on: of each kind the newest on one page, all before on pages that stay as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from folkmoot.core.documents import Proposal
from folkmoot.core.proposal_numbers import handle
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.site.page_model import Page, Sheet, state_chip
from folkmoot.site.pagination import Parts
from folkmoot.site.rule_marks import when
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_proposals
from folkmoot.wording.markup import Html, el, items, table
from folkmoot.wording.page_links import Here, kind_folder, plural, proposal_path, titled
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _, term

PARTS = Parts(50)
KINDS = {"approve": "good", "request_changes": "bad", "": ""}  # of ballots, by the review that says such a choice


def name_of(proposal: Proposal) -> str:
    """Return how a proposal is called: "Proposal 305", or without a number "Proposal x12"."""
    kind = str(proposal.get("kind") or "proposal")
    return f"{term(titled(kind))} {handle(proposal)}"


def proposal_list_pages(view: GameView) -> Iterator[Sheet]:
    """Return the lists of all kinds of votable things, in parts."""
    return chain.from_iterable(proposal_lists(view, kind) for kind in view.kinds)


def proposal_lists(view: GameView, kind: str) -> Iterator[Sheet]:
    """Return the list of a kind of votable things: the newest, and pages of the earlier ones."""
    yield Sheet(index_path(kind), partial(_index, kind))
    for number in PARTS.older(view.index(proposals_by_kind).get(kind, ())):
        yield Sheet(_older_path(kind, number), partial(_older, kind, number))


def index_path(kind: str) -> str:
    """Return the path of the page that lists the newest of a kind of votable things."""
    return f"{kind_folder(kind)}/index.md"


def _older_path(kind: str, number: int) -> str:
    return f"{kind_folder(kind)}-list/{number + 1:04}.md"


@of_proposals(lambda proposal: proposal.get("kind"))
def proposals_by_kind(view: GameView) -> dict[str, list[str]]:
    """Return the ids of all votable things by kind, the oldest first."""
    found: dict[str, list[str]] = {}
    for name, proposal in reversed(view.proposals.items()):
        found.setdefault(str(proposal.get("kind") or "proposal"), []).append(name)
    return found


@of_proposals(lambda proposal: proposal.get("kind"))
def proposal_parts(view: GameView) -> dict[str, Sequence[str]]:
    """Return the ids on each page of earlier votable things, by kind and number of the page."""
    return {
        f"{kind}/{number}": PARTS.of(names, number)
        for kind, names in view.index(proposals_by_kind).items()
        for number in PARTS.older(names)
    }


def _index(kind: str, view: GameView) -> Page:
    told = _("Every {kind} of {game}", kind=term(kind), game=view.title)
    page = Page(index_path(kind), term(titled(plural(kind))), summary=told)
    here, names = Here(view, page.path), view.index(proposals_by_kind).get(kind, [])
    if not names:
        page.add(el("p", _("No {kind} has been made yet.", kind=term(kind))))
        return page
    page.add(_table(here, PARTS.newest(names)))
    links = [here.link(_title(kind, number), _older_path(kind, number)) for number in reversed(PARTS.older(names))]
    page.add(items(links) if links else "", heading=_("Earlier") if links else "", anchor="earlier")
    return page


def _older(kind: str, number: int, view: GameView) -> Page:
    index = index_path(kind)
    trail = [(term(titled(plural(kind))), index)]
    page = Page(_older_path(kind, number), _title(kind, number), tab=index, trail=trail)
    page.add(_table(Here(view, page.path), view.index(proposal_parts)[f"{kind}/{number}"]))
    return page


def _title(kind: str, number: int) -> str:
    first, last = PARTS.span(number)
    return f"{term(titled(plural(kind)))} {first} – {last}"


def _table(here: Here, names: Sequence[str]) -> Html:
    rows = [_row(here, here.view.proposals[name]) for name in reversed(names)]
    columns = [_("No."), _("Title"), _("Author"), _("State"), _("Votes"), _("Resolved")]
    return table(columns, rows, plain=frozenset(columns))


def _row(here: Here, proposal: Proposal) -> list[object]:
    title = str(proposal.get("title") or name_of(proposal))
    link = here.link(phrase(title), proposal_path(proposal))
    past = proposal.get("taken_over")
    resolved = when(here, proposal.get("resolved_at"), past.get("dated", {}).get("decided") if past else None)
    state = state_chip(proposal, here.view.outcomes)
    author = here.player(proposal.get("author"))
    return [handle(proposal), link, author, state, tally(here, proposal), resolved]


def tally(here: Here, proposal: Proposal) -> str:
    """Return the count in short, while the vote runs only how many have voted."""
    ballots = proposal.get("ballots") or {}
    if not here.view.displays(str(proposal.get("id"))):
        electorate = proposal.get("electorate") or ()
        return _("{count} of {all} in", count=len(ballots), all=len(electorate)) if electorate else ""
    counted = [ballot for ballot in ballots.values() if ballot.get("counts", True)]
    choices = {str(ballot.get("choice")): 0 for ballot in counted}
    for ballot in counted:
        choices[str(ballot.get("choice"))] += int(ballot.get("weight") or 1)
    return ", ".join(f"{count} {term(choice)}" for choice, count in sorted(choices.items(), key=for_first))


def for_first(pair: tuple[str, int]) -> tuple[int, str]:
    """Return by what choices are sorted: those for it first."""
    return (list(KINDS).index(verdict_of(pair[0])), pair[0])
