"""Proposals and motions: what was proposed as a redline, who voted how and why, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from folkmoot.core.documents import Document, Proposal
from folkmoot.core.event_names import makes_law
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.game.agenda import deadline
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.site.forge_links import arrival
from folkmoot.site.law import as_in_file, folded_script, wording, written
from folkmoot.site.page_model import Page, Sheet, note
from folkmoot.site.proposal_lists import KINDS, for_first, index_path, name_of, tally
from folkmoot.site.rule_marks import mark_of_the_past, when
from folkmoot.site.scores import ledger_table
from folkmoot.site.seal_links import link_of_vote
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import ledger_at, of_each_proposal, of_proposals, raised
from folkmoot.wording.markup import Html, chip, details, el, facts, items, join, sentence, table
from folkmoot.wording.page_links import Here, file_name, humane, plural, proposal_path, titled
from folkmoot.wording.prose import phrase, prose
from folkmoot.wording.redline import redline, script_redline
from folkmoot.wording.translation import _, term


@of_proposals(lambda proposal: (proposal.get("kind"), proposal.get("number")))
def proposal_sheets(view: GameView) -> dict[str, Sheet]:
    """Return the page of each proposal by its path."""
    return {sheet.path: sheet for sheet in raised(view.index(proposal_sheet)).values()}


@of_each_proposal
def proposal_sheet(view: GameView, name: str) -> Sheet:
    """Return the page of a proposal."""
    return Sheet(proposal_path(view.proposals[name]), partial(_proposal_page, name))


def _proposal_page(name: str, view: GameView) -> Page:
    proposal = view.proposals[name]
    kind = str(proposal.get("kind") or "proposal")
    index = index_path(kind)
    title = f"{name_of(proposal)}: {proposal.get('title') or _('untitled')}"
    page = Page(proposal_path(proposal), title, tab=index, trail=[(term(titled(plural(kind))), index)], searchable=True)
    page.summary = f"{name_of(proposal)}, {term(str(proposal.get('outcome') or proposal.get('state')))}"
    here = Here(view, page.path)
    past = proposal.get("taken_over")
    page.add(_result(here, proposal), el("p", mark_of_the_past()) if past else "", _facts(here, proposal))
    changes = [change(here, proposal, each, n) for n, each in enumerate(proposal.get("changes") or ())]
    said = [*_texts(here, proposal), *changes]
    if past:
        text = str(past.get("text") or "")
        said = [prose(text, "past")] if text else [el("p", _("What it said is not known."))]
    page.add(*said or [el("p", _("It changes no rule."))], heading=_("What it would change")
             if not proposal.get("outcome") else _("What it proposed"), anchor="changes")  # fmt: skip
    page.add(*_requests(here, proposal), heading=_("Requests") if proposal.get("requests") else "", anchor="requests")
    voted = not proposal.get("outcome") or proposal.get("ballots") or proposal.get("electorate")
    votes = [_votes(here, proposal), link_of_vote(here, proposal)] if voted else []
    page.add(*votes, heading=_("Votes") if votes else "", anchor="votes")
    points = _points(here, proposal)
    page.add(points or "", heading=_("Points that came of it") if points else "", anchor="points")
    return page


def _result(here: Here, proposal: Proposal) -> Html:
    outcome = proposal.get("outcome")
    if not outcome:
        waiting = _("The vote is open.") if proposal.get("state") == "open" else _("The vote has not been opened.")
        waiting = _("The vote is over; the result is awaited.") if proposal.get("state") == "closed" else waiting
        return note(waiting, "wait", _("{proposal} is undecided.", proposal=name_of(proposal)))
    verdict = proposal.get("verdict")
    rule = join([" (", here.rule(verdict["rule"]), ")"]) if verdict and verdict.get("rule") else ""
    good = makes_law(outcome, here.view.outcomes)
    omitted = len(proposal.get("omitted") or ())
    left = _("Nothing of it became law.") if omitted == len(proposal["changes"]) else _("A part of it was left out.")
    why = quoted(here, _why(proposal)) if _why(proposal) else ""
    told = [why, rule, *([" ", el("strong", left)] if omitted else [])]
    return note(join(told), "good" if good and not omitted else "bad", f"{term(titled(outcome))}.")


def _why(proposal: Proposal) -> str:
    """Return why a proposal was resolved as it was, as the verdict on it says."""
    verdict = proposal.get("verdict")
    return str((verdict and verdict.get("why")) or proposal.get("why") or "")


def _facts(here: Here, proposal: Proposal) -> Html:
    """Return who proposed it and where, its way from submission to result, and folded what is for checking."""
    told = facts([
        (_("Author"), here.player(proposal.get("author"))),
        (_("On the forge"), arrival(here, proposal.get("via"))),
        (_("Before on another forge"), join((arrival(here, via) for via in proposal.get("came") or ()), ", ")),
    ])  # fmt: skip
    return join([told, _timeline(here, proposal), _kept(here, proposal)])


def _is_text(here: Here, name: str, value: object) -> bool:
    """Whether a register of a proposal holds words for readers."""
    return isinstance(value, str) and bool(value.strip()) and here.view.register_type(name) == "text"


def _texts(here: Here, proposal: Proposal) -> Iterator[Html]:
    """Yield what rules keep of a proposal as text, each under the name of its register."""
    for name, value in (proposal.get("registers") or {}).items():
        if _is_text(here, name, value) and value != _why(proposal):
            words = el("div", prose(str(value), f"t{file_name(name)}"), class_="fm-new")
            yield el("section", el("p", titled(name), class_="fm-change__head"), words, class_="fm-change")


def _kept(here: Here, proposal: Proposal) -> Html:
    """Return, folded, what else rules keep of a proposal, and what its text can be checked by."""
    registers = [(n, v) for n, v in (proposal.get("registers") or {}).items() if v != "" and not _is_text(here, n, v)]
    known = [(titled(name), here.value(value, here.view.register_type(name))) for name, value in registers]
    frozen = el("code", str(proposal["frozen"])) if proposal.get("frozen") else ""
    told = facts([*known, (_("Digest of the frozen text"), frozen)])
    return details(_("All that is kept of it"), told) if told else Html("")


def _deadline(here: Here, proposal: Proposal) -> int | None:
    """Return when an open vote ends; only pages of open votes look at timers and duties, which each act may change."""
    return deadline({key: here.view.document(key) for key in ("things/timer", "things/duty")}, proposal)


def _timeline(here: Here, proposal: Proposal) -> Html:
    """Return the steps of a proposal so far, and the one that is to come."""
    resolved = here.view.resolved_by.get(proposal["id"])
    resolution = here.entry(resolved["seq"]) if resolved else Html("")
    past = proposal.get("taken_over")
    dated = past.get("dated", {}) if past else {}
    taken_in = "" if past else here.entry(proposal.get("seq"))
    steps = [
        (_("Submitted"), proposal.get("submitted_at"), dated.get("submitted"), taken_in),
        (_("Vote opened"), proposal.get("opened_at"), None, ""),
        (_("Vote closed"), proposal.get("closed_at"), None, ""),
        (term(titled(proposal.get("outcome") or "")), proposal.get("resolved_at"), dated.get("decided"), resolution),
    ]
    lines = [
        el("li", el("strong", name), " ", when(here, at, date), " ", entry) for name, at, date, entry in steps if at
    ]
    due = _deadline(here, proposal) if proposal.get("state") == "open" else None
    if due:
        ends = [el("strong", _("Vote ends")), " ", el("span", here.when(due), class_="fm-due")]
        lines.append(el("li", *ends, class_="fm-steps-to-come"))
    return el("ol", *lines, class_="fm-timeline") if lines else Html("")


def change(here: Here, proposal: Proposal, change: Document, index: int) -> Html:
    """Return one change of a proposal, as a redline against its rule as it was when the change was made."""
    why = [each["why"] or each["code"] for each in proposal.get("omitted") or () if each["change"] == index]
    omitted = (note(quoted(here, each), "bad", _("Left out.")) for each in why)
    return join([*omitted, _change(here, proposal, change, index)])


def _change(here: Here, proposal: Proposal, change: Document, index: int) -> Html:
    kind = str(change.get("kind") or next(iter(change), "change"))
    parts = change.get("parts") or {k: v for k, v in change.items() if k not in ("kind", "rule", "revision", "to")}
    if kind == "enact":
        return _enactment(parts, f"c{index}")
    uid = here.view.uids.get(str(change.get("rule")), str(change.get("rule")))
    resolved = here.view.resolved_by.get(proposal["id"])
    made_on = [each for each in here.view.wordings(uid) if each.get("revision") == change.get("revision")]
    before = made_on[-1] if made_on else here.view.text_before(uid, resolved["seq"] if resolved else None)
    head = el(
        "p",
        chip(term(kind)),
        " ",
        here.rule(uid),
        " ",
        phrase(str(before.get("title") or "")),
        class_="fm-change__head",
    )
    return el("section", head, _changed(kind, before, parts, change), class_="fm-change")


def _enactment(parts: Document, name: str) -> Html:
    title = phrase(str(parts.get("title") or _("a rule without a title")))
    head = el(
        "p", chip(_("once") if parts.get("once") else term("enact")), " ", el("strong", title), class_="fm-change__head"
    )
    chips = join((chip(f"{key} {value}") for key, value in (parts.get("labels") or {}).items()), " ")
    labels = el("p", chips, class_="fm-chips") if chips else ""
    source = str(parts.get("script") or "")
    text = el("div", prose(str(parts.get("text") or ""), name), class_="fm-new")
    return el(
        "section",
        head,
        labels,
        text,
        folded_script(source),
        *_declared({}, {**parts, "labels": None}),
        class_="fm-change",
    )


def _declared(before: Document, after: Document) -> Iterator[Html]:
    """Yield each part of a rule but title, text and script, where it changes, as in its file."""
    for part in (part for part in RULE_PARTS if part not in ("title", "text", "script")):
        old, new = before.get(part) or None, after.get(part) or None
        if old != new:
            lines = script_redline(written(old), written(new) if new else "") if old else as_in_file(new)
            yield details(term(titled(part)), lines, open_=True)


def _changed(kind: str, before: Document, parts: Document, change: Document) -> Html:
    if kind == "repeal":
        return redline(str(before.get("text") or ""), "")
    if kind == "transmute":
        status = str((before.get("labels") or {}).get("status") or "")
        return redline(f"{_('status')} {status}".strip(), f"{_('status')} {change.get('to', '')}")
    after = {**before, **parts}
    renamed = str(before.get("title") or "") != str(after.get("title") or "")
    title = redline(str(before.get("title") or ""), str(after.get("title") or "")) if renamed else Html("")
    same = (before.get("text"), before.get("script")) == (after.get("text"), after.get("script"))
    declared = list(_declared(before, after))
    return join([title, *declared] if same and (renamed or declared) else [title, wording(before, after), *declared])


def _requests(here: Here, proposal: Proposal) -> list[Html]:
    lines = [
        join([el("strong", humane(r.get("name"))), " ", here.value(r.get("args") or {})])
        for r in proposal.get("requests") or ()
    ]
    return [items(lines)] if lines else []


def _votes(here: Here, proposal: Proposal) -> Html:
    ballots, electorate = proposal.get("ballots") or {}, proposal.get("electorate") or []
    if not here.view.displays(str(proposal.get("id"))):
        return _pending(here, ballots, electorate, sealed=bool(proposal.get("sealed")))
    missing = [player for player in electorate if player not in ballots]
    unvoted = _("has not voted yet") if proposal.get("state") == "open" else _("did not vote")
    rows = [_ballot(here, player, ballot, past="taken_over" in proposal) for player, ballot in ballots.items()]
    rows += [[here.player(player), el("span", unvoted, class_="fm-none"), "", ""] for player in missing]
    if not rows:
        return el("p", _("Nobody voted."))
    counted = tally(here, proposal)
    lead = el("p", el("strong", counted), class_="fm-lead") if counted else ""
    columns = [_("Player"), _("Vote"), _("Reason"), _("When")]
    if not any(row[2] for row in rows):
        columns, rows = [_("Player"), _("Vote"), _("When")], [[*row[:2], row[3]] for row in rows]
    return join([lead, _bar(ballots), table(columns, rows, stacked=len(columns) > 3)])


def _bar(ballots: Document) -> Html:
    """Return a bar in which each choice has as much room as the ballots that count for it weigh."""
    weights: dict[str, int] = {}
    for ballot in ballots.values():
        if ballot.get("counts", True):
            choice = str(ballot.get("choice") or "")
            weights[choice] = weights.get(choice, 0) + max(0, int(ballot.get("weight") or 1))
    whole, left, parts = sum(weights.values()), 0, []
    if not whole:
        return Html("")
    for choice, weight in sorted(weights.items(), key=for_first):
        kind = KINDS[verdict_of(choice)] or "other"
        words = f"{weight} {term(choice)}"
        parts.append(el("rect", el("title", words), x=left, y=0, width=weight, height=1, class_=f"fm-bar--{kind}"))
        left += weight
    told = ", ".join(f"{weight} {term(choice)}" for choice, weight in sorted(weights.items(), key=for_first))
    return el("svg", *parts, viewBox=f"0 0 {whole} 1", preserveAspectRatio="none", role="img", aria_label=told,
              class_="fm-bar", xmlns="http://www.w3.org/2000/svg")  # fmt: skip


def _pending(here: Here, ballots: Document, electorate: list[str], *, sealed: bool) -> Html:
    if not electorate:
        return el("p", _("Nobody can vote yet."))
    waiting = [player for player in electorate if player not in ballots]
    told = _("{count} of {all} ballots are in.", count=len(ballots), all=len(electorate))
    sealed_told = _("They are sealed, and all open at the count.")
    then = sealed_told if sealed else _("They are displayed, with reasons, after the count.")
    return join([el("p", told, " ", then), facts([
        (_("Have voted"), here.players([p for p in electorate if p in ballots])),
        (_("Are awaited"), here.players(waiting)),
    ])])  # fmt: skip


def _ballot(here: Here, player: str, ballot: Document, *, past: bool) -> list[object]:
    choice = str(ballot.get("choice") or "")
    kind = KINDS[verdict_of(choice)]
    weight = ballot.get("weight")
    remarks = [_("weight {number}", number=weight)] if weight not in (None, 1) else []
    remarks += [_("deemed")] if ballot.get("deemed") else []
    why = quoted(here, str(ballot.get("why") or ""))
    idle = join([" ", sentence("does not count: {why}", why=why)]) if ballot.get("counts") is False else ""
    vote = join([chip(phrase(term(choice)), kind), " ", ", ".join(remarks), idle])
    cast = "" if past else here.when(ballot.get("at"))
    return [here.player(player), vote, prose(str(ballot.get("reason") or ""), f"why-{player}"), cast]


def _points(here: Here, proposal: Proposal) -> Html:
    entry = here.view.resolved_by.get(str(proposal.get("id")))
    return ledger_table(here, here.view.index(ledger_at).get(entry["seq"] if entry else 0, []))
