"""The lists of what is voted on: what is open, what was decided, and which rules say how votes are counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from msgspec import Struct

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Proposal
from folkmoot.core.proposal_numbers import handle
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.pagination import Parts
from folkmoot.site.polls import (
    DECIDED,
    OPEN,
    Badge,
    VoteShare,
    badge,
    choices,
    decided_on,
    due_of,
    index_path,
    kind_of,
    outcomes_by_kind,
    rules_that_count,
    shown,
)
from folkmoot.site.proposed_changes import changes_of
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_proposals
from folkmoot.wording.markup import Html, counted, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here, kind_folder, plural, proposal_path, titled
from folkmoot.wording.prose import phrase, remark
from folkmoot.wording.translation import _

PARTS = Parts(50)
MOST_OPEN, MOST_REASONS, REASON = 100, 2, 160


class VoteRow(Struct, frozen=True):
    """One of what is voted on: who proposed what, what came of it or how it stands, and up to two reasons."""

    number: str
    link: Link
    author: Person | None
    what: Html
    badge: Badge
    choices: tuple[VoteShare, ...]
    reasons: tuple[tuple[Html, Html], ...]


class Votes(PageData, frozen=True, kw_only=True, tag="votes"):
    """A list of what is voted on; on a page of earlier ones nothing is open."""

    lead: Html
    open: tuple[VoteRow, ...]
    decided: tuple[VoteRow, ...]
    earlier: tuple[Link, ...]
    counted: tuple[Html, ...]
    newest: Link | None


def vote_lists(view: GameView) -> Iterator[Sheet]:
    """Return the lists of all kinds of votable things, in parts."""
    return chain.from_iterable(lists_of_kind(view, kind) for kind in view.kinds)


def lists_of_kind(view: GameView, kind: str) -> Iterator[Sheet]:
    """Return the list of a kind of votable things: the newest, and pages of the earlier ones."""
    yield Sheet(index_path(kind), partial(_newest, kind))
    for number in PARTS.older(view.index(votes_by_kind).get(kind, ())):
        yield Sheet(_older_path(kind, number), partial(_older, kind, number))


def _older_path(kind: str, number: int) -> str:
    return f"{kind_folder(kind)}-list/{number + 1:04}.md"


@of_proposals(lambda proposal: proposal.get("kind"))
def votes_by_kind(view: GameView) -> dict[str, list[str]]:
    """Return the ids of all votable things by kind, the oldest first."""
    found: dict[str, list[str]] = {}
    for name, proposal in reversed(view.proposals.items()):
        found.setdefault(kind_of(proposal), []).append(name)
    return found


@of_proposals(lambda proposal: proposal.get("kind"))
def vote_parts(view: GameView) -> dict[str, Sequence[str]]:
    """Return the ids on each page of earlier votable things, by kind and number of the page."""
    return {
        f"{kind}/{number}": PARTS.of(names, number)
        for kind, names in view.index(votes_by_kind).items()
        for number in PARTS.older(names)
    }


def _newest(kind: str, view: GameView) -> Votes:
    path = index_path(kind)
    here, names = Here(view, path), view.index(votes_by_kind).get(kind, [])
    undecided = [name for name, each in view.unresolved.items() if kind_of(each) == kind]
    older = [Link(_title(kind, n), here.url(_older_path(kind, n))) for n in reversed(PARTS.older(names))]
    rules = view.index(rules_that_count)["adopted"] if kind == PROPOSAL else ()
    return Votes(
        path=path,
        title=_("Votes") if kind == PROPOSAL else titled(plural(kind)),
        part="votes",
        at=f"{path}#{OPEN if undecided else DECIDED}" if kind == PROPOSAL and names else path,
        summary=_("Every {kind} of {game}", kind=kind, game=view.title),
        lead=_lead(here, kind),
        open=tuple(_row(here, view.proposals[name]) for name in undecided[:MOST_OPEN]),
        decided=tuple(_row(here, view.proposals[n]) for n in reversed(PARTS.newest(names)) if n not in view.unresolved),
        earlier=tuple(older),
        counted=tuple(join([here.rule(uid), ", ", phrase(view.rule_title(uid))]) for uid in rules),
        newest=None,
    )


def _older(kind: str, number: int, view: GameView) -> Votes:
    path, index = _older_path(kind, number), index_path(kind)
    here = Here(view, path)
    return Votes(
        path=path,
        title=_title(kind, number),
        part="votes",
        at=f"{index}#{DECIDED}" if kind == PROPOSAL else index,
        lead=Html(""),
        open=(),
        decided=tuple(
            _row(here, view.proposals[name]) for name in reversed(view.index(vote_parts)[f"{kind}/{number}"])
        ),
        earlier=(),
        counted=(),
        newest=Link(_("Votes") if kind == PROPOSAL else titled(plural(kind)), here.url(index)),
    )


def _title(kind: str, number: int) -> str:
    first, last = PARTS.span(number)
    return f"{titled(plural(kind))} {first} – {last}"


def _lead(here: Here, kind: str) -> Html:
    """Return how many there are, and what came of them."""
    known = dict(here.view.index(outcomes_by_kind).get(kind) or {})
    if not known:
        return escape(_("No {kind} has been made yet.", kind=kind))
    undecided = known.pop("", 0)
    whole = counted(undecided + sum(known.values()), f"{{count}} {kind}", f"{{count}} {plural(kind)}")
    ends = sorted(known.items(), key=lambda pair: -pair[1])
    told = [join([str(n), " ", phrase(shown(outcome))]) for outcome, n in ends]
    told += [counted(undecided, "{count} not decided yet", "{count} not decided yet")] if undecided else []
    return join([whole, ": ", join(told, ", "), "."])


def _row(here: Here, proposal: Proposal) -> VoteRow:
    author, at = proposal.get("author"), here.day(proposal.get("submitted_at"))
    changes = changes_of(here, proposal)
    what = [changes[0] if len(changes) == 1 else join(changes[:3], ", ") if len(changes) < 4 else _("many changes")]
    by = join([_("by"), " ", here.player(author)]) if author else ""
    due = due_of(here.view, proposal)
    ends = sentence("open until {when}", when=here.moment(due)) if due else at
    day = decided_on(here, proposal) if proposal.get("outcome") else ends
    title = shortened(str(proposal.get("title") or _("untitled")))
    return VoteRow(
        number=str(handle(proposal)),
        link=Link(phrase(title), here.url(proposal_path(proposal))),
        author=person(here, author) if author else None,
        what=join(filter(None, [*(what if changes else []), by, day]), ", "),
        badge=badge(here, proposal, figures=True),
        choices=() if proposal.get("outcome") else choices(here.view, proposal),
        reasons=_reasons(here, proposal),
    )


def _reasons(here: Here, proposal: Proposal) -> tuple[tuple[Html, Html], ...]:
    """Return the first reasons that were given, those against it before the others, as far as they are shown."""
    if not here.view.displays(str(proposal.get("id"))):
        return ()
    given = [(voter, each) for voter, each in (proposal.get("ballots") or {}).items() if each.get("reason")]
    given.sort(key=lambda pair: verdict_of(str(pair[1].get("choice"))) == "approve")
    return tuple(
        (here.player(voter), remark(shortened(str(each["reason"]), REASON))) for voter, each in given[:MOST_REASONS]
    )
