"""The lists of what is voted on: what is open, what was decided, and which rules say how votes are counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from msgspec import Struct

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Proposal
from folkmoot.core.proposal_numbers import handle
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.site import polls
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.pagination import Parts
from folkmoot.site.polls import Badge, VoteShare
from folkmoot.site.proposed_changes import changes_of
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_proposals
from folkmoot.wording.markup import Html, counted, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here, humane, kind_folder, plural, proposal_path, titled
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
    """A list of what is voted on; on a page of earlier ones, which leads to the `newest`, nothing is open."""

    lead: Html = Html("")
    open: tuple[VoteRow, ...] = ()
    decided: tuple[VoteRow, ...]
    earlier: tuple[Link, ...] = ()
    counted: tuple[Html, ...] = ()
    newest: Link | None = None


def vote_lists(view: GameView) -> Iterator[Sheet]:
    """Return the lists of all kinds of votable things, in parts."""
    return chain.from_iterable(lists_of_kind(view, kind) for kind in view.kinds)


def lists_of_kind(view: GameView, kind: str) -> Iterator[Sheet]:
    """Return the list of a kind of votable things: the newest, and pages of the earlier ones."""
    yield Sheet(polls.index_path(kind), partial(_newest, kind))
    for number in PARTS.older(view.index(votes_by_kind).get(kind, ())):
        yield Sheet(_older_path(kind, number), partial(_older, kind, number))


def _older_path(kind: str, number: int) -> str:
    return f"{kind_folder(kind)}-list/{number + 1:04}.md"


@of_proposals(lambda proposal: proposal.get("kind"))
def votes_by_kind(view: GameView) -> dict[str, list[str]]:
    """Return the ids of all votable things by kind, the oldest first."""
    found: dict[str, list[str]] = {}
    for name, proposal in reversed(view.proposals.items()):
        found.setdefault(polls.kind_of(proposal), []).append(name)
    return found


def _newest(kind: str, view: GameView) -> Votes:
    here, names = Here(view, polls.index_path(kind)), view.index(votes_by_kind).get(kind, [])
    undecided = [name for name, each in view.unresolved.items() if polls.kind_of(each) == kind]
    section = f"#{polls.OPEN if undecided else polls.DECIDED}" if kind == PROPOSAL and names else ""
    rules = view.index(polls.rules_that_count)["adopted"] if kind == PROPOSAL else ()
    return Votes(
        path=here.path,
        title=_("Votes") if kind == PROPOSAL else titled(plural(kind)),
        part="votes",
        at=here.path + section,
        summary=_("Every {kind} of {game}", kind=kind, game=view.title),
        lead=_lead(view, kind),
        open=_rows(here, undecided[:MOST_OPEN]),
        decided=_rows(here, [name for name in reversed(PARTS.newest(names)) if name not in view.unresolved]),
        earlier=tuple(Link(_title(kind, n), here.url(_older_path(kind, n))) for n in reversed(PARTS.older(names))),
        counted=tuple(join([here.rule(uid), ", ", phrase(view.rule_title(uid))]) for uid in rules),
    )


def _older(kind: str, number: int, view: GameView) -> Votes:
    here, index = Here(view, _older_path(kind, number)), polls.index_path(kind)
    return Votes(
        path=here.path,
        title=_title(kind, number),
        part="votes",
        at=f"{index}#{polls.DECIDED}" if kind == PROPOSAL else index,
        decided=_rows(here, PARTS.of(view.index(votes_by_kind)[kind], number)[::-1]),
        newest=Link(_("Votes") if kind == PROPOSAL else titled(plural(kind)), here.url(index)),
    )


def _title(kind: str, number: int) -> str:
    first, last = PARTS.span(number)
    return f"{titled(plural(kind))} {first} – {last}"


def _lead(view: GameView, kind: str) -> Html:
    """Return how many there are, and what came of them."""
    known = dict(view.index(polls.outcomes_by_kind).get(kind) or {})
    if not known:
        return escape(_("No {kind} has been made yet.", kind=kind))
    whole = counted(sum(known.values()), f"{{count}} {kind}", f"{{count}} {plural(kind)}")
    undecided = known.pop("", 0)
    ends = sorted(known.items(), key=lambda pair: -pair[1])
    told = [join([count, " ", phrase(humane(outcome))]) for outcome, count in ends]
    told += [counted(undecided, "{count} not decided yet", "{count} not decided yet")] if undecided else []
    return join([whole, ": ", join(told, ", "), "."])


def _rows(here: Here, names: Iterable[str]) -> tuple[VoteRow, ...]:
    return tuple(_row(here, here.view.proposals[name]) for name in names)


def _row(here: Here, proposal: Proposal) -> VoteRow:
    author, changes, due = proposal.get("author"), changes_of(here, proposal), polls.due_of(here.view, proposal)
    what: list[object] = [*changes] if len(changes) < 4 else [_("many changes")]
    what += [join([_("by"), " ", here.player(author)])] if author else []
    if proposal.get("outcome"):
        what.append(polls.decided_on(here, proposal))
    elif due:
        what.append(sentence("open until {when}", when=here.moment(due)))
    else:
        what.append(here.day(proposal.get("submitted_at")))
    return VoteRow(
        number=str(handle(proposal)),
        link=Link(phrase(shortened(str(proposal.get("title") or _("untitled")))), here.url(proposal_path(proposal))),
        author=person(here, author) if author else None,
        what=join(filter(None, what), ", "),
        badge=polls.badge(here, proposal, figures=True),
        choices=() if proposal.get("outcome") else polls.choices(here.view, proposal),
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
