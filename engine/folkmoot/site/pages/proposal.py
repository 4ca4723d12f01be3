"""A proposal or motion: its words first, then how the vote stands or ended, how to vote, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Ballot, Document, Proposal
from folkmoot.core.keys import GAME, forge_kind
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.ballot_words import CHOICES, typed_choice, verdict_of
from folkmoot.site.forge_links import arrival, links_of
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.act import PATH as ACTS
from folkmoot.site.pen import coloured
from folkmoot.site.polls import (
    CHOOSING,
    COUNTED,
    DECIDED,
    OPEN,
    SIDES,
    STANDING,
    Badge,
    VoteShare,
    badge,
    choices,
    dated,
    due_of,
    index_path,
    kind_of,
    name_of,
    rules_that_count,
    score,
    shown,
    told,
)
from folkmoot.site.proposed_changes import change_told, intent, kind_of_change, parts_of, wording_before
from folkmoot.site.rule_marks import written
from folkmoot.site.seal_links import link_of_vote
from folkmoot.site.standing import LedgerLine, ledger, one_currency
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import ledger_at, of_each_proposal, of_proposals, of_the_law, raised
from folkmoot.wording.invisible import visible
from folkmoot.wording.ledger import Line
from folkmoot.wording.markup import Html, el, escape, join, one_line, sentence, shortened, strip
from folkmoot.wording.page_links import Here, anchor_name, file_name, humane, plural, proposal_path, titled
from folkmoot.wording.prose import phrase, prose, remark
from folkmoot.wording.redline import redline, script_redline
from folkmoot.wording.translation import _

MOST_VOTERS = 20
"""How many people are listed; the others are folded."""
MOST_LATER, LONGEST_STANDING = 5, 240
LONGEST_WHOLE = 8_000
"""Characters of a text that is shown once more without marks."""


class Folded(Struct, frozen=True):
    """What is unfolded by its name."""

    name: str
    said: Html


class ChangeWords(Struct, frozen=True):
    """One change of a proposal: what it is called, why it was left out, its words, and what is folded."""

    head: Html
    omitted: tuple[Html, ...]
    words: Html
    folds: tuple[Folded, ...]


class Voter(Struct, frozen=True):
    """Somebody who may vote: how they voted as far as that is shown, and why."""

    who: Person
    remark: Html
    badge: Badge
    reason: Html
    empty: bool


class VoteStep(Struct, frozen=True):
    """A step of a vote: when, what happened, and in which entry; a `minor` one is no more than a form."""

    when: Html
    what: Html
    entry: Html
    minor: bool = False


class Ways(Struct, frozen=True):
    """How one votes in this game: buttons, a line for a terminal or a comment, or whom to tell."""

    buttons: tuple[Link, ...] = ()
    where: str = ""
    line: str = ""
    tell: Html = Html("")
    more: Link | None = None


class ProposalPage(PageData, frozen=True, kw_only=True, tag="proposal"):
    """What is voted on, or was."""

    up: Link
    name: str
    badge: Badge
    lead: Html
    left_out: str
    past: bool
    changes: tuple[ChangeWords, ...]
    texts: tuple[Folded, ...]
    said: Html
    requests: tuple[Html, ...]
    gains: tuple[LedgerLine, ...]
    currency: str
    later: tuple[Html, ...]
    voted: bool
    choices: tuple[VoteShare, ...]
    told: str
    needed: tuple[Html, ...]
    voters: tuple[Voter, ...]
    more_voters: tuple[Voter, ...]
    ways: Ways | None
    sealing: Html
    discussion: tuple[Html, ...]
    steps: tuple[VoteStep, ...]
    kept: tuple[tuple[str, Html], ...]


@of_proposals(lambda proposal: (proposal.get("kind"), proposal.get("number")))
def proposal_sheets(view: GameView) -> dict[str, Sheet]:
    """Return the page of each proposal by its path."""
    return {sheet.path: sheet for sheet in raised(view.index(proposal_sheet)).values()}


@of_each_proposal
def proposal_sheet(view: GameView, name: str) -> Sheet:
    """Return the page of a proposal."""
    return Sheet(proposal_path(view.proposals[name]), partial(proposal_page, name))


def proposal_page(name: str, view: GameView) -> ProposalPage:
    """Return what is said of a proposal."""
    proposal = view.proposals[name]
    kind, outcome, past = kind_of(proposal), proposal.get("outcome"), proposal.get("taken_over")
    here = Here(view, proposal_path(proposal))
    index, voters = index_path(kind), [*_voters(here, proposal)]
    lead = join(filter(None, [intent(here, proposal), _ended(here, proposal)]), " ")
    shown_choices, lines = choices(view, proposal), _lines(view, proposal)
    said = prose(str(past.get("text") or ""), "past") if past else Html("")
    return ProposalPage(
        path=here.path,
        title=f"{name_of(proposal)}: {proposal.get('title') or _('untitled')}",
        part="votes",
        at=f"{index}#{DECIDED if outcome else OPEN}" if kind == PROPOSAL else index,
        summary=" ".join([strip(lead), *(f"{each.count} {each.words}" for each in shown_choices[:4])]),
        searchable=True,
        up=Link(_("Votes") if kind == PROPOSAL else titled(plural(kind)), here.url(index)),
        name=name_of(proposal),
        badge=badge(here, proposal),
        lead=lead,
        left_out=_left_out(proposal),
        past=bool(past),
        changes=() if past else tuple(_changes(here, proposal)),
        texts=tuple(_texts(here, proposal)),
        said=said or (escape(_("What it said is not known.")) if past else Html("")),
        requests=tuple(_requests(here, proposal)),
        gains=ledger(here, lines),
        currency=one_currency(view, lines),
        later=tuple(_later(here, proposal)),
        voted=bool(proposal.get("state") == "open" or proposal.get("ballots") or proposal.get("electorate")),
        choices=shown_choices,
        told=told(view, proposal),
        needed=tuple(_needed(here, proposal)),
        voters=tuple(voters[:MOST_VOTERS]),
        more_voters=tuple(voters[MOST_VOTERS:]),
        ways=_ways(here, proposal),
        sealing=link_of_vote(here, proposal),
        discussion=tuple(_discussion(here, proposal)),
        steps=tuple(_steps(here, proposal)),
        kept=tuple(_kept(here, proposal)),
    )


# -- the first sentences


def _ended(here: Here, proposal: Proposal) -> Html:
    outcome = proposal.get("outcome")
    if not outcome:
        return Html("")
    figures = score(here.view, proposal, _(" to "))
    return join([phrase(titled(shown(outcome))), *([" ", figures] if figures else []), "."])


def _left_out(proposal: Proposal) -> str:
    omitted = len(proposal.get("omitted") or ())
    if not omitted:
        return ""
    whole = omitted == len(proposal["changes"])
    return _("Nothing of it became law.") if whole else _("A part of it was left out.")


# -- its words


def _changes(here: Here, proposal: Proposal) -> Iterator[ChangeWords]:
    given = proposal.get("changes") or ()
    for number, each in enumerate(given):
        why = [left["why"] or left["code"] for left in proposal.get("omitted") or () if left["change"] == number]
        words, folds = _words(here, proposal, each, f"c{number}")
        head = Html("") if len(given) == 1 and _lead_says(proposal, each) else _head(here, proposal, each)
        yield ChangeWords(head, tuple(quoted(here, reason) for reason in why), words, tuple(folds))


def _lead_says(proposal: Proposal, change: Document) -> bool:
    """Say whether the first sentence and the title tell already what a change is about."""
    parts = parts_of(change)
    return kind_of_change(change) != "enact" or (
        not parts.get("labels") and parts.get("title") == proposal.get("title")
    )


def _words(here: Here, proposal: Proposal, change: Document, name: str) -> tuple[Html, list[Folded]]:
    """Return the words of a change, and what is folded below them."""
    kind, parts = kind_of_change(change), parts_of(change)
    if kind == "enact":
        text = el("div", prose(str(parts.get("text") or ""), name), class_="words")
        return text, [*_script_folds({}, {**parts, "labels": None})]
    before = wording_before(here.view, proposal, change)
    if kind == "repeal":
        return redline(str(before.get("text") or ""), ""), []
    if kind == "transmute":
        status = str((before.get("labels") or {}).get("status") or "")
        return redline(f"{_('status')} {status}".strip(), f"{_('status')} {change.get('to', '')}"), []
    return _amended(before, {**before, **parts}, name)


def _head(here: Here, proposal: Proposal, change: Document) -> Html:
    """Return what a change does, with the title and the labels of a new rule."""
    said = change_told(here, proposal, change, titled=True)
    if kind_of_change(change) == "enact":
        parts = parts_of(change)
        labels = [phrase(f"{label} {value}") for label, value in (parts.get("labels") or {}).items()]
        title = phrase(str(parts.get("title") or _("a rule without a title")))
        said = join([said, ": ", title, *([" ", el("span", join(labels, ", "), class_="badge")] if labels else [])])
    return Html(said[:1].upper() + said[1:])


def _amended(before: Document, after: Document, name: str) -> tuple[Html, list[Folded]]:
    old, new = str(before.get("text") or ""), str(after.get("text") or "")
    titles = str(before.get("title") or ""), str(after.get("title") or "")
    words = [el("div", redline(*titles), class_="title")] if titles[0] != titles[1] else []
    words += [redline(old, new)] if old.strip() != new.strip() else []
    folds: list[Folded] = []
    if old.strip() != new.strip() and max(len(old), len(new)) <= LONGEST_WHOLE:
        folds = [
            Folded(_("The new text without marks"), prose(new, f"{name}n")),
            Folded(_("The old text"), prose(old, f"{name}o")),
        ]
    folds += _script_folds(before, after)
    said = _("Its words stay as they are.") if folds else _("The wording stayed as it was.")
    return join(words) or el("p", said, class_="soft"), folds


def _script_folds(before: Document, after: Document) -> Iterator[Folded]:
    """Yield, folded, what changes of a rule but its title and text: its script, and what it declares."""
    was, now = str(before.get("script") or ""), str(after.get("script") or "")
    said = []
    if was.strip() != now.strip():
        said.append(script_redline(was, now) if was.strip() else _plain(one_line(coloured(now))))
    for part in (part for part in RULE_PARTS if part not in ("title", "text", "script")):
        old, new = before.get(part) or None, after.get(part) or None
        if old != new:
            lines = script_redline(written(old), written(new) if new else "") if old else _plain(visible(written(new)))
            said += [el("p", titled(part), class_="small"), lines]
    if said:
        yield Folded(_("What changes in its script") if before else _("Its script"), join(said))


def _plain(text: object) -> Html:
    return el("pre", el("code", text), class_="code", tabindex="0")


def _is_text(here: Here, name: str, value: object) -> bool:
    """Whether a register of a proposal holds words for readers."""
    return isinstance(value, str) and bool(value.strip()) and here.view.register_type(name) == "text"


def _texts(here: Here, proposal: Proposal) -> Iterator[Folded]:
    """Yield what rules keep of a proposal as text, each under the name of its register."""
    for name, value in (proposal.get("registers") or {}).items():
        if _is_text(here, name, value) and value != _why(proposal):
            yield Folded(titled(name), prose(str(value), f"t{file_name(name)}"))


def _requests(here: Here, proposal: Proposal) -> Iterator[Html]:
    for each in proposal.get("requests") or ():
        yield join([el("b", humane(each.get("name"))), " ", here.value(each.get("args") or {})])


# -- the vote


def _why(proposal: Proposal) -> str:
    """Return why a proposal was resolved as it was, as the verdict on it says."""
    verdict = proposal.get("verdict")
    return str((verdict and verdict.get("why")) or proposal.get("why") or "")


def _needed(here: Here, proposal: Proposal) -> Iterator[Html]:
    """Yield by what the vote was decided, or which rules decide it, in the words of the law where it has any."""
    verdict, why = proposal.get("verdict"), _why(proposal)
    if proposal.get("outcome"):
        rule = here.rule(verdict["rule"]) if verdict and verdict.get("rule") else ""
        said = [quoted(here, why)] if why else []
        found = join([*said, *([" (", rule, ")"] if said else [rule])] if rule else said)
        yield from [found] if found else []
        return
    answers, name = here.view.answers, str(proposal.get("id"))
    told = {str(answers[key]): words for key, words in ((f"{STANDING}{name}", _("The law says: {said}")),
            (f"{COUNTED}{name}", _("Counted now: {said}"))) if key in answers and here.view.displays(name)}  # fmt: skip
    for said_now, words in told.items():
        yield sentence(words, said=quoted(here, shortened(said_now, LONGEST_STANDING)))
    rules = [here.rule(uid) for uid in here.view.index(rules_that_count)["adopted"]]
    if kind_of(proposal) == PROPOSAL and rules:
        listed = join([join(rules[:-1], ", "), " ", _("and"), " ", rules[-1]]) if len(rules) > 1 else rules[0]
        yield sentence("What is needed stands in {rules}.", rules=listed)


def _voters(here: Here, proposal: Proposal) -> Iterator[Voter]:
    """Yield all who voted, those with reasons first, then all who may vote and did not."""
    ballots, electorate = proposal.get("ballots") or {}, list(proposal.get("electorate") or ())
    missing = [voter for voter in electorate if voter not in ballots]
    if here.view.displays(str(proposal.get("id"))):
        for voter, ballot in sorted(ballots.items(), key=lambda pair: not pair[1].get("reason")):
            yield _voter(here, proposal, voter, ballot)
    else:
        voted = Badge("", _("has voted"))
        yield from (_known(here, proposal, voter, voted) for voter in ballots)
    unvoted = Badge("wait", _("has not voted")) if proposal.get("state") == "open" else Badge("", _("did not vote"))
    yield from (_known(here, proposal, voter, unvoted, empty=True) for voter in missing)


def _known(here: Here, proposal: Proposal, voter: str, said: Badge, *, empty: bool = False) -> Voter:
    return Voter(person(here, voter), join(_roles(proposal, voter)), said, Html(""), empty)


def _roles(proposal: Proposal, voter: str) -> list[object]:
    return [_("author")] if voter == proposal.get("author") else []


def _voter(here: Here, proposal: Proposal, voter: str, ballot: Ballot) -> Voter:
    choice, weight = str(ballot.get("choice") or ""), ballot.get("weight")
    side = SIDES[verdict_of(choice)]
    kind, mark = {"y": ("good", "✓"), "n": ("bad", "✕"), "o": ("", "–")}[side]
    remarks = _roles(proposal, voter)
    remarks += [_("weight {number}", number=weight)] if weight not in (None, 1) else []
    remarks += [_("counted so by a rule")] if ballot.get("deemed") else []
    if ballot.get("counts") is False:
        remarks.append(sentence("does not count: {why}", why=quoted(here, str(ballot.get("why") or ""))))
    said = Badge(kind, join([mark, " ", phrase(shortened(choice, 40))]))
    return Voter(
        who=person(here, voter),
        remark=join(remarks, ", "),
        badge=said,
        reason=_reason(str(ballot.get("reason") or "").strip(), voter),
        empty=False,
    )


def _reason(text: str, voter: str) -> Html:
    """Return why somebody voted so: a line as a quotation, more as it was set."""
    if "\n" in text:
        return el("div", prose(text, f"why-{file_name(voter)}"), class_="words")
    return el("q", remark(text)) if text else Html("")


def _ways(here: Here, proposal: Proposal) -> Ways | None:
    """Return how one votes on something in this game; None where nobody can."""
    game, via = here.view.kept(GAME), proposal.get("via") or {}
    if proposal.get("state") != "open" or proposal.get("outcome") or game.get("over") or game.get("paused"):
        return None
    more = Link(_("What you can do"), here.url(ACTS, anchor_name("act", VOTE)))
    if VOTE in here.view.declared("actions"):
        return Ways(more=more)
    known = here.view.answers.get(f"{CHOOSING}{proposal.get('id')}") or CHOICES
    word, kind, number = typed_choice(str(known[0]), [*known]), kind_of(proposal), handle(proposal)
    links, forge = links_of(here.view), forge_kind(game)
    if links is not None:
        place, address = links.place(via) if via else ("", "")
        form = links.form("act", action=VOTE, arguments=f"{kind}: {number}\nchoice: \n")
        button = Link(_("Vote on {place}", place=place), address) if address else Link(_("Vote by a form"), form)
        return Ways(
            buttons=(button,),
            where=_("Or in a comment there:"),
            line=f"/vote {word}" + ("" if address else f" {kind}={number}"),
            more=more,
        )
    if forge == "local":
        return Ways(where=_("In a terminal:"), line=f"moot vote --{kind} {number} {word}", more=more)
    if forge:
        return Ways(where=_("In a comment:"), line=f"/vote {word} {kind}={number}", more=more)
    return Ways(tell=_keeper(here), more=more)


def _keeper(here: Here) -> Html:
    """Return whom one tells what to record."""
    keepers = [*(here.view.kept(GAME).get("administrators") or ())]
    keeper = here.players(keepers) if len(keepers) == 1 else escape(_("whoever keeps the game"))
    return sentence("Tell {keeper} how you vote: they keep the record.", keeper=keeper)


# -- what came of it


def _lines(view: GameView, proposal: Proposal) -> Sequence[Line]:
    """Return the changes of points and the like that came with a result, the last first."""
    resolved = view.resolved_by.get(str(proposal.get("id")))
    lines: list[Line] = view.index(ledger_at).get(resolved["seq"] if resolved else 0, [])
    return lines[::-1]


@of_proposals(lambda proposal: (proposal.get("outcome"), proposal.get("changes")))
def touching(view: GameView) -> dict[str, list[str]]:
    """Return what would change a rule or did, by the rule's uid, the newest first."""
    found: dict[str, list[str]] = {}
    for name, proposal in view.proposals.items():
        uids = (view.uids.get(str(each.get("rule")), "") for each in proposal.get("changes") or () if each.get("rule"))
        for uid in dict.fromkeys(uids):
            found.setdefault(uid, []).append(name)
    return found


@of_the_law
def rules_made_by(view: GameView) -> dict[str, list[str]]:
    """Return the uids of the rules that a proposal made, by its id."""
    found: dict[str, list[str]] = {}
    for uid in view.law:
        for first in view.wordings(uid)[:1]:
            found.setdefault(str(first.get("cause")), []).append(uid)
    return found


def _later(here: Here, proposal: Proposal) -> Iterator[Html]:
    """Yield what was proposed later on the rules that a decided proposal was about, the oldest first."""
    view, name, known = here.view, str(proposal.get("id")), here.view.index(touching)
    about = [view.uids.get(str(each.get("rule")), "") for each in proposal.get("changes") or () if each.get("rule")]
    about += view.index(rules_made_by).get(name, [])
    found = dict[str, str]()
    for uid in dict.fromkeys(about if proposal.get("outcome") else ()):
        names = known.get(uid, [])
        found |= dict.fromkeys(names[: names.index(name)] if name in names else names, uid)
    for other, uid in [*reversed(found.items())][:MOST_LATER]:
        outcome = view.proposals[other].get("outcome")
        ended = phrase(shown(outcome)) if outcome else escape(_("not decided yet"))
        yield sentence(
            "{proposal} on {rule} ({outcome})", proposal=here.proposal(other), rule=here.rule(uid), outcome=ended
        )


def _discussion(here: Here, proposal: Proposal) -> Iterator[Html]:
    """Yield where something is talked about: on the forge, and on those that the game has left."""
    now = arrival(here, proposal.get("via"))
    yield from [sentence("It is talked about on {place}.", place=now)] if now else []
    came = join(filter(None, (arrival(here, via) for via in proposal.get("came") or ())), ", ")
    yield from [sentence("Before, it was on {places} of another forge.", places=came)] if came else []


def _steps(here: Here, proposal: Proposal) -> Iterator[VoteStep]:
    """Yield the steps of a proposal so far, and the one that is to come."""
    author, at, outcome = here.player(proposal.get("author")), here.moment, proposal.get("outcome")
    if proposal.get("submitted_at"):
        seq = None if proposal.get("taken_over") else proposal.get("seq")
        what = sentence("proposed by {author}", author=author) if author else escape(_("proposed"))
        yield VoteStep(dated(proposal, "submitted", at(proposal["submitted_at"])), what, here.entry(seq))
    if proposal.get("opened_at"):
        yield VoteStep(at(proposal["opened_at"]), escape(_("the vote opened")), Html(""), minor=True)
    if proposal.get("closed_at"):
        yield VoteStep(at(proposal["closed_at"]), escape(_("the vote closed")), Html(""), minor=True)
    if outcome and proposal.get("resolved_at"):
        resolved = here.view.resolved_by.get(proposal["id"])
        when = dated(proposal, "decided", at(proposal["resolved_at"]))
        yield VoteStep(when, phrase(shown(outcome)), here.entry(resolved["seq"]) if resolved else Html(""))
    if due := due_of(here.view, proposal):
        yield VoteStep(at(due), escape(_("the vote ends")), Html(""), minor=True)


def _kept(here: Here, proposal: Proposal) -> Iterator[tuple[str, Html]]:
    """Yield what else is kept of a proposal: registers, when who voted, and what its text can be checked by."""
    for name, value in (proposal.get("registers") or {}).items():
        if value != "" and not _is_text(here, name, value):
            yield titled(name), here.value(value, here.view.register_type(name))
    if here.view.displays(str(proposal.get("id"))) and not proposal.get("taken_over"):
        for voter, ballot in (proposal.get("ballots") or {}).items():
            if ballot.get("at"):
                yield _("{player} voted", player=here.view.name(voter)), here.moment(ballot["at"])
    if proposal.get("frozen"):
        yield _("Digest of the frozen text"), el("code", str(proposal["frozen"]))
