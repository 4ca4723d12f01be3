"""Proposals and motions: what was proposed as a redline, who voted how and why, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from folkmoot.core.documents import Document
from folkmoot.core.event_names import makes_law
from folkmoot.core.proposal_numbers import handle
from folkmoot.kernel.ballot_words import verdict_of
from folkmoot.kernel.shown_proposals import PARTS
from folkmoot.site.document import Page, note, state_chip
from folkmoot.site.forge_links import arrival
from folkmoot.site.law import as_in_file, script, wording, written
from folkmoot.site.scores import ledger_table
from folkmoot.site.seal_links import link_of_vote
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, chip, details, el, facts, items, join, table
from folkmoot.wording.page_links import Here, humane, kind_folder, plural, proposal_path, titled
from folkmoot.wording.prose import phrase, prose
from folkmoot.wording.redline import redline, script_redline


def proposal_pages(view: GameView) -> Iterator[Page]:
    """Return an index for each kind of votable things and a page for each of them."""
    for kind in view.kinds:
        yield _index(view, kind)
    for proposal in view.proposals.values():
        yield _proposal_page(view, proposal)


KINDS = {"approve": "good", "request_changes": "bad", "": ""}  # of ballots, by the review that says such a choice


def name_of(proposal: Document) -> str:
    """Return how a proposal is called: "Proposal 305", or without a number "Proposal x12"."""
    kind = str(proposal.get("kind") or "proposal")
    return f"{titled(kind)} {handle(proposal)}"


def _index(view: GameView, kind: str) -> Page:
    title = titled(plural(kind))
    page = Page(f"{kind_folder(kind)}/index.md", title, summary=f"Every {kind} of {view.title}")
    here = Here(view, page.path)
    of_kind = [p for p in view.proposals.values() if str(p.get("kind") or "proposal") == kind]
    if not of_kind:
        page.add(el("p", f"No {kind} has been made yet."))
        return page
    rows = [_row(here, proposal) for proposal in of_kind]
    page.add(table(["No.", "Title", "Author", "State", "Votes", "Resolved"], rows))
    return page


def _row(here: Here, proposal: Document) -> list[object]:
    title = str(proposal.get("title") or name_of(proposal))
    link = here.link(phrase(title), proposal_path(proposal))
    when = here.when(proposal.get("resolved_at"))
    state = state_chip(proposal, here.view.outcomes)
    author = here.player(proposal.get("author"))
    return [handle(proposal), link, author, state, _tally(here, proposal), when]


def _tally(here: Here, proposal: Document) -> str:
    """Return the count in short, while the vote runs only how many have voted."""
    ballots = proposal.get("ballots") or {}
    if not here.view.displays(str(proposal.get("id"))):
        return f"{len(ballots)} of {len(proposal.get('electorate') or ())} in" if proposal.get("electorate") else ""
    counted = [ballot for ballot in ballots.values() if ballot.get("counts", True)]
    choices = {str(ballot.get("choice")): 0 for ballot in counted}
    for ballot in counted:
        choices[str(ballot.get("choice"))] += int(ballot.get("weight") or 1)
    return ", ".join(f"{count} {choice}" for choice, count in sorted(choices.items(), key=_for_first))


def _for_first(pair: tuple[str, int]) -> tuple[int, str]:
    return (list(KINDS).index(verdict_of(pair[0])), pair[0])


def _proposal_page(view: GameView, proposal: Document) -> Page:
    kind = str(proposal.get("kind") or "proposal")
    index = f"{kind_folder(kind)}/index.md"
    title = f"{name_of(proposal)}: {proposal.get('title') or 'untitled'}"
    page = Page(proposal_path(proposal), title, tab=index, trail=[(titled(plural(kind)), index)], searchable=True)
    page.summary = f"{name_of(proposal)}, {proposal.get('outcome') or proposal.get('state')}"
    here = Here(view, page.path)
    page.add(_result(here, proposal), _facts(here, proposal))
    changes = [change(here, proposal, each, n) for n, each in enumerate(proposal.get("changes") or ())]
    page.add(*changes or [el("p", "It changes no rule.")], heading="What it would change"
             if not proposal.get("outcome") else "What it proposed", anchor="changes")  # fmt: skip
    page.add(*_requests(here, proposal), heading="Requests" if proposal.get("requests") else "", anchor="requests")
    page.add(_votes(here, proposal), link_of_vote(here, proposal), heading="Votes", anchor="votes")
    points = _points(here, proposal)
    page.add(points or "", heading="Points that came of it" if points else "", anchor="points")
    return page


def _result(here: Here, proposal: Document) -> Html:
    outcome = proposal.get("outcome")
    if not outcome:
        waiting = "The vote is open." if proposal.get("state") == "open" else "The vote has not been opened."
        waiting = "The vote is over; the result is awaited." if proposal.get("state") == "closed" else waiting
        return note(waiting, "wait", name_of(proposal) + " is undecided.")
    verdict = proposal.get("verdict") or {}
    rule = join([" (", here.rule(verdict["rule"]), ")"]) if verdict.get("rule") else ""
    why = phrase(str(verdict.get("why") or proposal.get("why") or ""))
    good = makes_law(outcome, here.view.outcomes)
    return note(join([why, rule]), "good" if good else "bad", f"{titled(outcome)}.")


def _facts(here: Here, proposal: Document) -> Html:
    resolved = here.view.resolved_by.get(str(proposal.get("id"))) or {}
    registers = proposal.get("registers") or {}
    return facts([
        ("Author", here.player(proposal.get("author"))),
        ("State", state_chip(proposal, here.view.outcomes)),
        ("On the forge", arrival(here, proposal.get("via"))),
        ("Before on another forge", join((arrival(here, via) for via in proposal.get("came") or ()), ", ")),
        ("Submitted", join([here.when(proposal.get("submitted_at")), " ", here.entry(proposal.get("seq"))])),
        ("Opened", here.when(proposal.get("opened_at"))),
        ("Closed", here.when(proposal.get("closed_at"))),
        ("Resolved", join([here.when(proposal["resolved_at"]), " ", here.entry(resolved.get("seq"))])
         if proposal.get("resolved_at") else ""),
        ("Digest of the frozen text", el("code", str(proposal["frozen"])[:16]) if proposal.get("frozen") else ""),
        *((titled(name), here.value(value, here.view.register_type(name))) for name, value in registers.items()),
    ])  # fmt: skip


def change(here: Here, proposal: Document, change: Document, index: int) -> Html:
    """Return one change of a proposal, as a redline against its rule as it was when the change was made."""
    why = [each["why"] or each["code"] for each in proposal.get("omitted") or () if each["change"] == index]
    return join([*(note(phrase(each), "bad", "Left out.") for each in why), _change(here, proposal, change, index)])


def _change(here: Here, proposal: Document, change: Document, index: int) -> Html:
    kind = str(change.get("kind") or next(iter(change), "change"))
    parts = change.get("parts") or {k: v for k, v in change.items() if k not in ("kind", "rule", "revision", "to")}
    if kind == "enact":
        return _enactment(parts, f"c{index}")
    uid = here.view.uids.get(str(change.get("rule")), str(change.get("rule")))
    resolved = here.view.resolved_by.get(str(proposal.get("id"))) or {}
    made_on = [each for each in here.view.wordings(uid) if each.get("revision") == change.get("revision")]
    before = made_on[-1] if made_on else here.view.text_before(uid, resolved.get("seq"))
    head = el(
        "p", chip(kind), " ", here.rule(uid), " ", phrase(str(before.get("title") or "")), class_="fm-change__head"
    )
    return el("section", head, _changed(kind, before, parts, change), class_="fm-change")


def _enactment(parts: Document, name: str) -> Html:
    title = phrase(str(parts.get("title") or "a rule without a title"))
    head = el("p", chip("once" if parts.get("once") else "enact"), " ", el("strong", title), class_="fm-change__head")
    chips = join((chip(f"{key} {value}") for key, value in (parts.get("labels") or {}).items()), " ")
    labels = el("p", chips, class_="fm-chips") if chips else ""
    source = str(parts.get("script") or "")
    text = el("div", prose(str(parts.get("text") or ""), name), class_="fm-new")
    shown = script(source) if source.strip() else ""
    return el("section", head, labels, text, shown, *_declared({}, {**parts, "labels": None}), class_="fm-change")


def _declared(before: Document, after: Document) -> Iterator[Html]:
    """Yield each part of a rule but title, text and script, where it changes, as in its file."""
    for part in (part for part in PARTS if part not in ("title", "text", "script")):
        old, new = before.get(part) or None, after.get(part) or None
        if old != new:
            lines = script_redline(written(old), written(new) if new else "") if old else as_in_file(new)
            yield details(titled(part), lines, open_=True)


def _changed(kind: str, before: Document, parts: Document, change: Document) -> Html:
    if kind == "repeal":
        return redline(str(before.get("text") or ""), "")
    if kind == "transmute":
        status = str((before.get("labels") or {}).get("status") or "")
        return redline(f"status {status}".strip(), f"status {change.get('to', '')}")
    after = {**before, **parts}
    renamed = str(before.get("title") or "") != str(after.get("title") or "")
    title = redline(str(before.get("title") or ""), str(after.get("title") or "")) if renamed else Html("")
    same = (before.get("text"), before.get("script")) == (after.get("text"), after.get("script"))
    declared = list(_declared(before, after))
    return join([title, *declared] if same and (renamed or declared) else [title, wording(before, after), *declared])


def _requests(here: Here, proposal: Document) -> list[Html]:
    lines = [
        join([el("strong", humane(r.get("name"))), " ", here.value(r.get("args") or {})])
        for r in proposal.get("requests") or ()
    ]
    return [items(lines)] if lines else []


def _votes(here: Here, proposal: Document) -> Html:
    ballots, electorate = proposal.get("ballots") or {}, proposal.get("electorate") or []
    if not here.view.displays(str(proposal.get("id"))):
        return _pending(here, ballots, electorate, sealed=bool(proposal.get("sealed")))
    missing = [player for player in electorate if player not in ballots]
    unvoted = "has not voted yet" if proposal.get("state") == "open" else "did not vote"
    rows = [_ballot(here, player, ballot) for player, ballot in ballots.items()]
    rows += [[here.player(player), el("span", unvoted, class_="fm-none"), "", ""] for player in missing]
    if not rows:
        return el("p", "Nobody voted.")
    tally = _tally(here, proposal)
    lead = el("p", el("strong", tally), class_="fm-lead") if tally else ""
    columns = ["Player", "Vote", "Reason", "When"]
    if not any(row[2] for row in rows):
        columns, rows = ["Player", "Vote", "When"], [[*row[:2], row[3]] for row in rows]
    return join([lead, table(columns, rows, stacked=len(columns) > 3)])


def _pending(here: Here, ballots: Document, electorate: list[str], *, sealed: bool) -> Html:
    if not electorate:
        return el("p", "Nobody can vote yet.")
    waiting = [player for player in electorate if player not in ballots]
    then = "are sealed, and all open at the count" if sealed else "are displayed, with reasons, after the count"
    told = f"{len(ballots)} of {len(electorate)} ballots are in. They {then}."
    return join([el("p", told), facts([
        ("Have voted", here.players([p for p in electorate if p in ballots])),
        ("Are awaited", here.players(waiting)),
    ])])  # fmt: skip


def _ballot(here: Here, player: str, ballot: Document) -> list[object]:
    choice = str(ballot.get("choice") or "")
    kind = KINDS[verdict_of(choice)]
    weight = ballot.get("weight")
    remarks = [f"weight {weight}"] if weight not in (None, 1) else []
    remarks += ["deemed"] if ballot.get("deemed") else []
    idle = join([" does not count: ", phrase(str(ballot.get("why") or ""))]) if ballot.get("counts") is False else ""
    vote = join([chip(phrase(choice), kind), " ", ", ".join(remarks), idle])
    return [
        here.player(player),
        vote,
        prose(str(ballot.get("reason") or ""), f"why-{player}"),
        here.when(ballot.get("at")),
    ]


def _points(here: Here, proposal: Document) -> Html:
    entry = here.view.resolved_by.get(str(proposal.get("id")))
    return ledger_table(here, [line for line in here.view.ledger if line.seq == (entry or {}).get("seq")])
