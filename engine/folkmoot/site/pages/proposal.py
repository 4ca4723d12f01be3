"""What is voted on: each with its words, how the vote stands or ended, and what came of it; and the lists of all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Document, Proposal
from folkmoot.core.keys import GAME, forge_kind
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.ballot_words import CHOICES, typed_choice, verdict_of
from folkmoot.site import polls
from folkmoot.site.forecast import Forecast, forecast_of
from folkmoot.site.forge_links import arrival, links_of
from folkmoot.site.page_data import Link, PageData, Parts, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.polls import Badge, VoteShare
from folkmoot.site.revisions import written
from folkmoot.site.sealed_values import address_of_vote
from folkmoot.site.standing import LedgerLine, ledger
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView, ledger_at
from folkmoot.wording.markup import Html, counted, escape, join, sentence, shortened, strip
from folkmoot.wording.page_links import Here, file_name, humane, kind_folder, label_words, plural, proposal_path, titled
from folkmoot.wording.prose import phrase, prose, remark

MOST_LATER, LONGEST_STANDING = 5, 240


class ChangeWords(Struct, frozen=True):
    """One change of a proposal: what it does, why it was left out, and what is different before and after it.

    `title` and `text` are those of the rule, `parts` whatever else is in its file, by its name.
    """

    kind: str
    head: Html
    labels: tuple[str, ...]
    omitted: tuple[Html, ...]
    title: tuple[str, str]
    text: tuple[str, str]
    parts: tuple[tuple[str, str, str], ...]


class Voter(Struct, frozen=True):
    """Somebody who may vote: how and why they voted as far as that is shown.

    `side` is y, n or o, v where no more is shown than that they voted, w where they did not.
    """

    who: Person
    side: str
    choice: str
    reason: str
    remark: Html


class Ways(Struct, frozen=True):
    """How one votes in this game: by a button, by a line for a terminal or a comment, or by telling somebody."""

    button: Link | None = None
    where: str = ""
    line: str = ""
    tell: Html = Html("")


class ProposalPage(PageData, frozen=True, kw_only=True, tag="proposal"):
    """What is voted on, or was: `texts` by their headings, `steps` with their times and whether they are minor."""

    up: Link
    badge: Badge
    lead: Html
    past: bool
    changes: tuple[ChangeWords, ...]
    texts: tuple[tuple[str, Html], ...]
    requests: tuple[tuple[str, Html], ...]
    forecast: Forecast | None
    gains: tuple[LedgerLine, ...]
    later: tuple[tuple[Html, Html, str], ...]
    choices: tuple[VoteShare, ...]
    told: str
    needed: tuple[Html, ...]
    voters: tuple[Voter, ...]
    ways: Ways | None
    sealing: str
    place: Html
    steps: tuple[tuple[Html, Html, bool], ...]
    kept: tuple[tuple[str, Html], ...]


def proposal_sheets(view: GameView) -> dict[str, Sheet]:
    """Return the page of each proposal by its path."""
    paths = {proposal_path(proposal): name for name, proposal in view.proposals.items()}
    return {path: Sheet(path, partial(proposal_page, name), partial(_made_of, name)) for path, name in paths.items()}


def _made_of(name: str, view: GameView) -> object:
    """Return all that the page of a decided proposal is made of; None for one that is open."""
    proposal, resolved = view.proposals[name], view.resolved_by.get(name)
    if not proposal.get("outcome") or resolved is None:
        return None
    found = view.index(later_proposals).get(name, {})
    later = [(each, uid, view.proposals[each].get("outcome")) for each, uid in found.items()]
    before = [polls.before_and_after(view, proposal, each)[0] for each in proposal.get("changes") or ()]
    return [proposal, before, resolved["seq"], view.index(ledger_at).get(resolved["seq"]), later]


def proposal_page(name: str, view: GameView) -> ProposalPage:
    """Return what is said of a proposal."""
    proposal = view.proposals[name]
    kind, outcome, past = polls.kind_of(proposal), proposal.get("outcome"), bool(proposal.get("taken_over"))
    here, index = Here(view, proposal_path(proposal)), polls.index_path(kind)
    figures, shares = polls.score(view, proposal, " to "), polls.choices(view, proposal)
    ended = join([phrase(titled(outcome)), " " if figures else "", figures, "."]) if outcome else Html("")
    lead = join(filter(None, [polls.intent(here, proposal), ended]), " ")
    resolved = view.resolved_by.get(name)
    gains = view.index(ledger_at).get(resolved["seq"], []) if resolved else []
    return ProposalPage(
        path=here.path,
        title=f"{polls.name_of(proposal)}: {proposal.get('title') or 'untitled'}",
        at=f"{index}#{polls.DECIDED if outcome else polls.OPEN}" if kind == PROPOSAL else index,
        summary=" ".join([strip(lead), *(f"{each.count} {each.words}" for each in shares[:4])]),
        searchable=True,
        up=Link(_list_title(kind), here.url(index)),
        badge=polls.badge(here, proposal),
        lead=lead,
        past=past,
        changes=() if past else tuple(_changes(here, proposal)),
        texts=tuple(_texts(here, proposal)),
        requests=tuple((humane(each.get("name")), here.value(each.get("args") or {}))
                       for each in proposal.get("requests") or ()),
        forecast=forecast_of(here, proposal),
        gains=ledger(here, gains[::-1]),
        later=tuple((here.proposal(other), here.rule(uid), humane(view.proposals[other].get("outcome") or ""))
                    for other, uid in [*view.index(later_proposals).get(name, {}).items()][:MOST_LATER] if outcome),
        choices=shares,
        told=polls.told(view, proposal),
        needed=tuple(_needed(here, proposal)),
        voters=tuple(_voters(here, proposal)),
        ways=_ways(here, proposal),
        sealing=address_of_vote(here, proposal),
        place=arrival(here, proposal.get("via")),
        steps=tuple(_steps(here, proposal)),
        kept=tuple((titled(each), here.value(value, view.register_type(each)))
                   for each, value in _registers(here, proposal, text=False) if value != ""),
    )  # fmt: skip


# -- its words


def _changes(here: Here, proposal: Proposal) -> Iterator[ChangeWords]:
    given = proposal.get("changes") or ()
    for number, change in enumerate(given):
        kind, (before, after) = polls.kind_of_change(change), polls.before_and_after(here.view, proposal, change)
        why = [left["why"] or left["code"] for left in proposal.get("omitted") or () if left["change"] == number]
        title, text = [(str(before.get(part) or ""), str(after.get(part) or "")) for part in ("title", "text")]
        labels: Document = {}
        if kind == "repeal":
            after, text = before, (text[0], "")
        elif kind == "transmute":
            status = (before.get("labels") or {}).get("status", ""), change.get("to", "")
            after, text = before, (f"{'status'} {status[0]}".strip(), f"{'status'} {status[1]}")
        elif kind == "enact":
            labels, after = after.get("labels") or {}, {**after, "labels": None}
        told = polls.change_told(here, proposal, change, titled=True)
        known = len(given) == 1 and (kind != "enact" or (not labels and title[1] == proposal.get("title")))
        yield ChangeWords(
            kind=kind,
            head=Html("" if known else told[:1].upper() + told[1:]),
            labels=tuple(label_words(label, value) for label, value in labels.items()),
            omitted=tuple(quoted(here, reason) for reason in why),
            title=title,
            text=text if text[0].strip() != text[1].strip() else (text[0], text[0]),
            parts=tuple(_parts(before, after)),
        )


def _parts(before: Document, after: Document) -> Iterator[tuple[str, str, str]]:
    """Yield what changes of a rule but its title and text: its script ("" by name), and what it declares."""
    for part in ("script", *(part for part in RULE_PARTS if part not in ("title", "text", "script"))):
        found = [rule.get(part) or "" for rule in (before, after)]
        old, new = [written(value) if value and part != "script" else str(value) for value in found]
        if old.strip() != new.strip():
            yield "" if part == "script" else titled(part), old, new


def _texts(here: Here, proposal: Proposal) -> Iterator[tuple[str, Html]]:
    """Yield what rules keep of a proposal as text, by its register, and what one from before the game said."""
    for name, value in _registers(here, proposal, text=True):
        if value != _why(proposal):
            yield titled(name), prose(str(value), f"t{file_name(name)}")
    if past := proposal.get("taken_over"):
        yield "", prose(str(past.get("text") or ""), "past") or escape("What it said is not known.")


def _registers(here: Here, proposal: Proposal, *, text: bool) -> Iterator[tuple[str, object]]:
    """Yield the registers of a proposal that hold words for readers (`text`), or else what is no such words."""
    for name, value in (proposal.get("registers") or {}).items():
        is_text = isinstance(value, str) and bool(value.strip()) and here.view.register_type(name) == "text"
        if is_text == text:
            yield name, value


# -- the vote


def _why(proposal: Proposal) -> str:
    """Return why a proposal was resolved as it was, as the verdict on it says."""
    verdict = proposal.get("verdict")
    return str((verdict and verdict.get("why")) or proposal.get("why") or "")


def _needed(here: Here, proposal: Proposal) -> Iterator[Html]:
    """Yield by what the vote was decided, or which rules decide it, in the words of the law where it has any."""
    answers, name, verdict = here.view.answers, str(proposal.get("id")), proposal.get("verdict")
    if proposal.get("outcome"):
        said = quoted(here, _why(proposal)) if _why(proposal) else Html("")
        rule = here.rule(verdict["rule"]) if verdict and verdict.get("rule") else Html("")
        yield from filter(None, [join([said, " (", rule, ")"]) if said and rule else said or rule])
        return
    asked = {f"{polls.STANDING}{name}": "The law says: {said}", f"{polls.COUNTED}{name}": "Counted now: {said}"}
    words = {str(answers[key]): said for key, said in asked.items() if key in answers and here.view.displays(name)}
    for said_now, message in words.items():
        yield sentence(message, said=quoted(here, shortened(said_now, LONGEST_STANDING)))
    rules = [here.rule(uid) for uid in here.view.index(polls.rules_that_count)["adopted"]]
    if polls.kind_of(proposal) == PROPOSAL and rules:
        yield sentence("What is needed stands in {rules}.", rules=polls.listed(rules))


def _voters(here: Here, proposal: Proposal) -> Iterator[Voter]:
    """Yield all who voted, those with reasons first, then all who may vote and did not."""
    ballots, displayed = proposal.get("ballots") or {}, here.view.displays(str(proposal.get("id")))
    cast = sorted(ballots, key=lambda voter: displayed and not ballots[voter].get("reason"))
    missing = [voter for voter in proposal.get("electorate") or () if voter not in ballots]
    for voter in [*cast, *missing]:
        ballot: Document = {**ballots[voter]} if displayed and voter in ballots else {}
        choice = str(ballot.get("choice") or "")
        remarks: list[object] = ["author"] if voter == proposal.get("author") else []
        remarks += [f"weight {ballot['weight']}"] if ballot.get("weight") not in (None, 1) else []
        remarks += ["counted so by a rule"] if ballot.get("deemed") else []
        if ballot.get("counts") is False:
            remarks.append(sentence("does not count: {why}", why=quoted(here, str(ballot.get("why") or ""))))
        yield Voter(
            who=person(here, voter),
            side=polls.SIDES[verdict_of(choice)] if ballot else "v" if voter in ballots else "w",
            choice=shortened(choice, 40),
            reason=str(ballot.get("reason") or "").strip(),
            remark=join(remarks, ", "),
        )


def _ways(here: Here, proposal: Proposal) -> Ways | None:
    """Return how one votes on something in this game; None where nobody can."""
    game, via = here.view.kept(GAME), proposal.get("via") or {}
    if proposal.get("state") != "open" or proposal.get("outcome") or game.get("over") or game.get("paused"):
        return None
    if VOTE in here.view.declared("actions"):
        return Ways()
    known = here.view.answers.get(f"{polls.CHOOSING}{proposal.get('id')}") or CHOICES
    word, kind, number = typed_choice(str(known[0]), [*known]), polls.kind_of(proposal), handle(proposal)
    links, forge = links_of(here.view), forge_kind(game)
    button, where, line = None, "In a comment:", f"/vote {word} {kind}={number}"
    if links is not None:
        place, address = links.place(via) if via else ("", "")
        form = links.form("act", action=VOTE, arguments=f"{kind}: {number}\nchoice: \n")
        button = Link(f"Vote on {place}", address) if address else Link("Vote by a form", form)
        where, line = "Or in a comment there:", f"/vote {word}" if address else line
    elif forge == "local":
        where, line = "In a terminal:", f"moot vote --{kind} {number} {word}"
    elif not forge:
        keepers = [*(game.get("administrators") or ())]
        keeper = here.players(keepers) if len(keepers) == 1 else escape("whoever keeps the game")
        return Ways(tell=sentence("Tell {keeper} how you vote: they keep the record.", keeper=keeper))
    return Ways(button, where, line)


# -- what came of it


def later_proposals(view: GameView) -> dict[str, dict[str, str]]:
    """Return what was proposed later on the rules that a proposal made or is about: by its id, each with the rule."""
    earlier = {uid: [str(first.get("cause"))] for uid in view.law for first in view.wordings(uid)[:1]}
    found: dict[str, dict[str, str]] = {}
    for name, proposal in reversed(view.proposals.items()):
        numbers = [str(each.get("rule")) for each in proposal.get("changes") or () if each.get("rule")]
        for uid in {view.uids.get(number, ""): None for number in numbers}:
            before = earlier.get(uid, [])
            for other in before:
                found.setdefault(other, {})[name] = uid
            earlier[uid] = [*(each for each in before if len(found[each]) < MOST_LATER), name]
    return found


def _steps(here: Here, proposal: Proposal) -> Iterator[tuple[Html, Html, bool]]:
    """Yield the steps of a proposal so far, and the one that is to come."""
    author, at, outcome = here.player(proposal.get("author")), here.moment, proposal.get("outcome")
    if proposal.get("submitted_at"):
        what = sentence("proposed by {author}" if author else "proposed", author=author)
        entry = here.entry(None if proposal.get("taken_over") else proposal.get("seq"))
        yield polls.dated(proposal, "submitted", at(proposal["submitted_at"])), join([what, " ", entry]), False
    for time, said in (proposal.get("opened_at"), "the vote opened"), (proposal.get("closed_at"), "the vote closed"):
        if time:
            yield at(time), escape(said), True
    if outcome and proposal.get("resolved_at"):
        resolved = here.view.resolved_by.get(proposal["id"])
        what = join([phrase(humane(outcome)), " ", here.entry(resolved["seq"]) if resolved else ""])
        yield polls.dated(proposal, "decided", at(proposal["resolved_at"])), what, False
    if due := polls.due_of(here.view, proposal):
        yield at(due), escape("the vote ends"), True


# -- the lists

PARTS = Parts(50)
MOST_OPEN, MOST_REASONS, REASON = 100, 2, 160


class VoteRow(Struct, frozen=True):
    """One of what is voted on: who proposed what, what came of it or how it stands, and up to two reasons."""

    number: str
    link: Link
    author: Person | None
    changes: tuple[Html, ...]
    day: Html
    until: Html
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
    """Yield the lists of all kinds of votable things: of each the newest, and pages of the earlier ones."""
    for kind in view.kinds:
        yield Sheet(polls.index_path(kind), partial(_newest, kind))
        for number in PARTS.older(view.index(votes_by_kind).get(kind, ())):
            path = _older_path(kind).format(number + 1)
            yield Sheet(path, partial(_older, kind, number), partial(_older_of, kind, number))


def _older_of(kind: str, number: int, view: GameView) -> object:
    """Return all that a list of earlier votes is made of; None while one of them is open."""
    found = [view.proposals[name] for name in PARTS.of(view.index(votes_by_kind)[kind], number)]
    return found if all(each.get("outcome") for each in found) else None


def _older_path(kind: str) -> str:
    return f"{kind_folder(kind)}-list/{{:04}}.md"


def votes_by_kind(view: GameView) -> dict[str, list[str]]:
    """Return the ids of all votable things by kind, the oldest first."""
    found: dict[str, list[str]] = {}
    for name, proposal in reversed(view.proposals.items()):
        found.setdefault(polls.kind_of(proposal), []).append(name)
    return found


def _newest(kind: str, view: GameView) -> Votes:
    here, names, title = (
        Here(view, polls.index_path(kind)),
        view.index(votes_by_kind).get(kind, []),
        titled(plural(kind)),
    )
    undecided = [name for name, each in view.unresolved.items() if polls.kind_of(each) == kind]
    section = f"#{polls.DECIDED if names and not undecided else polls.OPEN}" if kind == PROPOSAL else ""
    rules = view.index(polls.rules_that_count)["adopted"] if kind == PROPOSAL else ()
    return Votes(
        path=here.path,
        title=_list_title(kind),
        at=here.path + section,
        summary=f"Every {kind} of {view.title}",
        lead=_lead(view, kind),
        open=tuple(_row(here, name) for name in undecided[:MOST_OPEN]),
        decided=tuple(_row(here, name) for name in reversed(PARTS.newest(names)) if name not in view.unresolved),
        earlier=PARTS.links(here, _older_path(kind), title, names),
        counted=tuple(join([here.rule(uid), ", ", phrase(view.rule_title(uid))]) for uid in rules),
    )


def _list_title(kind: str) -> str:
    return "Votes" if kind == PROPOSAL else titled(plural(kind))


def _older(kind: str, number: int, view: GameView) -> Votes:
    here, index = Here(view, _older_path(kind).format(number + 1)), polls.index_path(kind)
    return Votes(
        path=here.path,
        title=PARTS.title(titled(plural(kind)), number),
        at=f"{index}#{polls.DECIDED}" if kind == PROPOSAL else index,
        decided=tuple(_row(here, name) for name in reversed(PARTS.of(view.index(votes_by_kind)[kind], number))),
        newest=Link(_list_title(kind), here.url(index)),
    )


def _lead(view: GameView, kind: str) -> Html:
    """Return how many there are, and what came of them."""
    known = view.index(polls.outcomes_by_kind).get(kind) or {}
    if not known:
        return escape(f"No {kind} has been made yet.")
    whole = counted(sum(known.values()), f"{{count}} {kind}", f"{{count}} {plural(kind)}")
    ends = sorted(known.items(), key=lambda pair: (not pair[0], -pair[1]))
    told = (join([f"{count:,} ", phrase(humane(outcome or "not decided yet"))]) for outcome, count in ends)
    return join([whole, ": ", join(told, ", "), "."])


def _row(here: Here, name: str) -> VoteRow:
    proposal = here.view.proposals[name]
    author, changes, due = proposal.get("author"), proposal.get("changes") or (), polls.due_of(here.view, proposal)
    return VoteRow(
        number=str(handle(proposal)),
        link=Link(phrase(shortened(str(proposal.get("title") or "untitled"))), here.url(proposal_path(proposal))),
        author=person(here, author) if author else None,
        changes=tuple(polls.change_told(here, proposal, each) for each in changes)
        if len(changes) < 4
        else (escape("many changes"),),
        day=polls.decided_on(here, proposal) if proposal.get("outcome") else here.day(proposal.get("submitted_at")),
        until=here.moment(due),
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
    return tuple((here.player(voter), remark(shortened(str(each["reason"]), REASON)))
                 for voter, each in given[:MOST_REASONS])  # fmt: skip
