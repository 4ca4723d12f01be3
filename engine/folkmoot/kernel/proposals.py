"""The life of proposals and motions: taken in, numbered, revised, frozen, resolved; and those of before the game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from folkmoot.core.declared_kinds import PROPOSAL, is_votable
from folkmoot.core.documents import Ballot, Change, Document, NumberGiven, Proposal, Request, RuleParts
from folkmoot.core.event_names import ADOPTED, DEFEATED, OUTCOMES
from folkmoot.core.keys import GAME, LAW, proposal_key, rule_key
from folkmoot.core.merging import Conflict, merged_part, passages_of
from folkmoot.core.past_dates import is_exact, moments_of, span_of
from folkmoot.core.proposal_numbers import called
from folkmoot.core.records import OmittedChange, Registers, ScriptRecord, Via, Written
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.core.values import in_a_row, is_digits, told
from folkmoot.kernel import clock
from folkmoot.kernel.answers import (
    ask_usable,
    change_record,
    check_change,
    check_deed,
    check_permission,
    check_write,
    find_proposal,
    first_free,
    flaw_of_integer,
    flaw_of_permission,
    flaw_of_verdict,
    refusal_of_deed,
    tell,
    to_record,
)
from folkmoot.kernel.clock import voted
from folkmoot.kernel.errors import Fault, Refusal, refusing
from folkmoot.kernel.play import Play, program, veil
from folkmoot.kernel.registers import check, former_kinds, kinds_of, the_declaration
from folkmoot.kernel.rule_changes import (
    carry_out,
    check_number,
    check_parts,
    free_number,
    is_taken,
    make,
    normalise,
    rule_at,
    take_changes_back,
)
from folkmoot.kernel.script_records import record
from folkmoot.kernel.things import canonical_digest, check_kind, rule_of_kind
from folkmoot.language.binding import ScriptError
from folkmoot.language.declarations import host

OF_VOTES = "what becomes of proposals and ballots has words of its own"  # why it is not taken back


@host("reading", 'proposals(state = None, kind: str = "proposal") -> list[proposal]', looks=True)
def open_proposals(play: Play, state: str | None, kind: str) -> list[ScriptRecord]:
    """The unresolved proposals of a kind, oldest first, optionally only those in one state.

    | announce("%d proposals are undecided" % len(proposals()))
    """
    found = [find_proposal(play, i) for i in play.documents[GAME]["open"] if i.startswith(f"{kind}/")]
    return [to_record(play, proposal) for proposal in found if state in (None, proposal["state"])]


@host(
    "proposals",
    'submit(title, changes, requests = [], kind: str = "proposal", author = None, number = "ask", '
    "**registers: registers) -> proposal",
    effects={"propose": OF_VOTES},
)
def submit(
    play: Play, title: Any, changes: Any, requests: Any, kind: str, author: Any, number: Any, registers: Registers
) -> ScriptRecord:
    """Take in a proposal: asks proper, may_change and number; refuses the act if one of them refuses.

    With number = None it has none before `number` gives it one.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | announce("it is number %d" % p.number)
    """
    play.writing("take in a proposal")
    if not is_votable(kinds_of(play), kind):
        if is_votable(former_kinds(play), kind):
            raise Refusal("E-NO-SUCH", f"the rule that declared the kind {told(kind)} is not in force", play.cite())
        raise Fault(f"no rule in force declares a votable kind {told(kind)}", "E-NO-SUCH")
    if kind != PROPOSAL:
        check_kind(play, kind)
    for name, value in registers.items():
        check(the_declaration(play, kind, name), name, value)
    draft = new_draft(play, title, changes, requests, kind, author, dict(registers))
    examine(play, draft)
    if isinstance(number, bool) or not isinstance(number, (int, str, type(None))):
        raise Fault(f"{told(number)} cannot be the number of a {kind}", "E-ARGS")
    with play.having(draft=draft):
        check_deed(play, "submit", draft["id"], kind, [rule_of_kind(play, kind)], to=draft["author"])
    draft["number"] = ask_number(play, draft) if number == "ask" else number
    name = f"{kind}/{draft['number'] if draft['number'] is not None else f'x{play.seq}'}"  # until then by the entry
    draft["id"] = name if draft["number"] is not None else first_free(name, partial(_is_id, play))
    if check_number(draft["id"].partition("/")[2]):
        raise Fault(f"{told(number)} cannot be the number of a {kind}", "E-ARGS")
    if _is_id(play, draft["id"]):
        raise Fault(f"there is a {draft['id'].replace('/', ' ')} already", "E-DUP")
    key = proposal_key(draft["id"])
    play.documents.assign(key, play.documents.all(), key, draft)
    game = play.documents[GAME]
    play.documents.assign(GAME, game, "open", [*game["open"], draft["id"]])
    play.effect("propose", of=draft["id"], title=draft["title"])
    tell(play, "proposal_submitted", draft)
    return to_record(play, draft)


def _is_id(play: Play, identifier: str) -> bool:
    return play.documents.get(proposal_key(identifier)) is not None


def new_draft(
    play: Play, title: Any, changes: Any, requests: Any, kind: str, author: Any, registers: Registers
) -> Proposal:
    """Return a proposal as it is before the law has seen it; raises Refusal where its changes are malformed."""
    if not isinstance(title, (str, type(None))):
        raise Fault("the title of a proposal must be text", "E-ARGS")
    return {
        "id": f"{kind}/draft", "kind": kind, "number": None,
        "author": author if author is not None else play.actor, "title": title or "", "state": "pending",
        "changes": normalise(play, changes or []), "requests": _requests(requests or []),
        "submitted_at": play.now, "opened_at": None, "closed_at": None, "resolved_at": None,
        "electorate": None, "ballots": {}, "frozen": None, "outcome": None, "why": "", "verdict": None,
        "via": play.via, "seq": play.seq, "registers": registers,
    }  # fmt: skip


def _requests(given: Any) -> list[Request]:
    if not isinstance(given, list) or not all(isinstance(r, dict) and {"name", "args"} <= r.keys() for r in given):
        raise Fault("the requests of a proposal must be those of an action, as in a.requests", "E-ARGS")
    return [{"name": request["name"], "args": request["args"]} for request in given]


def examine(play: Play, draft: Proposal) -> None:
    """Ask the law whether a proposal is proper and each of its changes may be made; raises Refusal if not."""
    with play.having(draft=draft):
        shown = to_record(play, draft)
        asked = [("proper", [shown], "E-IMPROPER")]
        asked += [("may_change", [shown, change_record(play, change)], "E-TARGET") for change in draft["changes"]]
        for question, arguments, code in asked:
            uid, answer = ask_usable(play, question, flaw_of_permission, *arguments)
            check_permission(answer, code, uid)


def ask_number(play: Play, draft: Proposal) -> int:
    """Return the number that the law gives a proposal, the next one of its kind where the law has no answer."""
    with play.having(draft=draft):
        shown = to_record(play, draft)
        answer = ask_usable(play, "number", lambda number: _flaw_of_number(play, draft, number), shown)[1]
    if answer is not None:
        return int(answer)
    play.reason("NO-ANSWER", question="number")
    counters = play.documents[GAME]["counters"]
    number = int(counters.get(f"number:{draft['kind']}", 0)) + 1
    while _flaw_of_number(play, draft, number):
        number += 1
    play.documents.assign(GAME, counters, f"number:{draft['kind']}", number)
    return number


def _flaw_of_number(play: Play, draft: Proposal, number: Any) -> str:
    """Return why something cannot be the number of a new proposal, "" if it can."""
    flaw = flaw_of_integer(number) or check_number(str(number))
    taken = not flaw and _is_id(play, f"{draft['kind']}/{number}")
    return f"there is a {draft['kind']} {number} already" if taken else flaw


def check_handling(play: Play, do: str, ref: Any, to: Any = None) -> None:
    """Ask the law whether the script that runs may number, freeze, open, close or resolve something voted on."""
    if play.frames[-1].pure:
        return  # it may not write at all
    proposal = find_proposal(play, ref)
    check_deed(play, do, proposal["id"], proposal["kind"], [rule_of_kind(play, proposal["kind"])], to)


@host("proposals", 'number(proposal: ref, n = "ask") -> proposal', asks_first=check_handling, effects={"number": ""})
def number(play: Play, ref: Any, chosen: Any) -> ScriptRecord:
    """Give a proposal its number that was taken in with number = None; without n the law is asked, as by `submit`.

    Its id stays as it is, and is what it is called by until then: x12 for proposal/x12.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}], number = None)
    | announce("%s has number %d now" % (p.id, number(p, 17).number))
    """
    play.writing("number a proposal")
    proposal = find_proposal(play, ref)
    if proposal["number"] is not None:
        raise Refusal("E-ORDER", f"{called(proposal)} has its number already", play.cite())
    chosen = ask_number(play, proposal) if chosen == "ask" else chosen
    flaw = _flaw_of_number(play, proposal, chosen)
    if flaw:
        raise Fault(f"{told(chosen)} cannot be the number of this {proposal['kind']}: {flaw}", "E-ARGS")
    key: Any = proposal_key(f"{proposal['kind']}/{chosen}")
    play.documents.assign(key, play.documents.all(), key, NumberGiven(of=proposal["id"]))
    set_fields(play, proposal, number=chosen)
    play.effect("number", of=proposal["id"], to=chosen)
    return to_record(play, proposal)


@host(
    "proposals",
    "revise(proposal: ref, title = None, changes = None, keep_ballots: bool = False, requests = None) -> proposal",
    effects={"revise": OF_VOTES},
)
def revise(
    play: Play, ref: Any, title: Any, changes: Any, keep_ballots: bool = False, requests: Any = None
) -> ScriptRecord:
    """Replace title, changes or requests of a proposal whose text is not frozen, also while it is open to votes.

    The ballots that were cast on what it was fall, and their voters may vote anew, unless keep_ballots is True.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | revise(p, title = "Even more waves")
    """
    play.writing("revise a proposal")
    proposal = find_proposal(play, ref)
    if proposal["frozen"] or proposal["state"] not in ("pending", "open"):
        raise Refusal("E-ORDER", "the text of this proposal is fixed", play.cite())
    if not isinstance(title, (str, type(None))):
        raise Fault("the title of a proposal must be text", "E-ARGS")
    draft = proposal.copy()
    if title is not None:
        draft["title"] = title
    if changes is not None:
        draft["changes"] = normalise(play, changes)
    if requests is not None:
        draft["requests"] = _requests(requests)
    examine(play, draft)
    check_write(play, proposal["id"], proposal["kind"], "changes", None, None)
    set_fields(play, proposal, title=draft["title"], changes=draft["changes"], requests=draft["requests"])
    came, via = proposal["via"], play.via
    if via.get("digest") and _place_of(via) == _place_of(came):  # so that votes are bound to this content
        set_fields(play, proposal, via={**came, "head": via["head"], "digest": via["digest"], "revised": play.now})
    fallen = [] if keep_ballots else list(proposal["ballots"])
    if fallen:
        set_fields(play, proposal, ballots={})
    play.effect("revise", of=proposal["id"], players=fallen or None)
    tell(play, "proposal_revised", proposal)
    return to_record(play, proposal)


def _place_of(via: Via) -> tuple[object, ...]:
    return via.get("forge"), via.get("stay", 0), via.get("pull")


def set_fields(play: Play, proposal: Proposal, **values: Any) -> None:
    """Give fields of a proposal new values."""
    key = proposal_key(proposal["id"])
    for name, value in values.items():
        play.documents.assign(key, proposal, name, value)


def content_digest(proposal: Proposal) -> str:
    """Return the digest of what is voted on, to which a sealed ballot is bound."""
    return canonical_digest([proposal["title"], proposal["changes"], proposal["requests"]])


@host("proposals", "freeze(proposal: ref) -> proposal", asks_first=check_handling, effects={"freeze": OF_VOTES})
def freeze(play: Play, ref: Any) -> ScriptRecord:
    """Fix the text of a proposal; later changes of its author no longer count.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | freeze(p)
    """
    play.writing("freeze a proposal")
    proposal = find_proposal(play, ref)
    if proposal["frozen"] is None:
        set_fields(play, proposal, frozen=content_digest(proposal))
        play.effect("freeze", of=proposal["id"], to=proposal["frozen"])
    return to_record(play, proposal)


def decide(play: Play, proposal: Proposal) -> None:
    """Ask the law whether a closed proposal is adopted; None leaves it closed."""
    uid, answer = ask_usable(play, "adopted", flaw_of_verdict, to_record(play, proposal))
    if answer is None:
        play.undecided.add(proposal["id"])
        return
    yes = bool(answer["yes"] if isinstance(answer, dict) else answer)
    why = str(answer.get("why", "")) if isinstance(answer, dict) else ""
    kind, outcome = proposal["kind"], ADOPTED if yes else DEFEATED
    refused = refusal_of_deed(play, str(uid), "decide", proposal["id"], kind, [rule_of_kind(play, kind)], outcome)
    if refused is not None:
        play.failed(str(uid), "decide_adopted", Fault(refused.why, refused.code))
        play.undecided.add(proposal["id"])
        return
    set_fields(play, proposal, verdict={"yes": yes, "why": why, "rule": uid})
    resolve(play, proposal, outcome, why)


def outcomes(play: Play) -> dict[str, bool]:
    """Return the outcomes that proposals can have, those that rules declare too, and whether they make changes law."""
    further = {**play.law.declared("defines.outcomes"), **play.law.declared("defines.outcomes", play.view)}
    return {**{name: bool(declared.get("effective")) for name, (_uid, declared) in further.items()}, **OUTCOMES}


def resolve(play: Play, ref: Any, outcome: str, why: str, effective: bool = True) -> ScriptRecord:
    """End a proposal: its changes first where the outcome makes them law, if `effective` at once, then the events."""
    play.writing("resolve a proposal")
    proposal = find_proposal(play, ref)
    known = outcomes(play)
    if outcome not in known:
        raise Fault(f"{told(outcome)} is no outcome; choose {in_a_row(known)}", "E-ARGS")
    if proposal["outcome"]:
        raise Refusal("E-ORDER", f"{called(proposal)} was {proposal['outcome']} already", play.cite())
    set_fields(play, proposal, state=outcome, outcome=outcome, why=why, resolved_at=play.now)
    play.undecided.discard(proposal["id"])
    game = play.documents[GAME]
    play.documents.assign(GAME, game, "open", [i for i in game["open"] if i != proposal["id"]])
    play.effect("resolve", of=proposal["id"], to=outcome, why=why or None)
    voted(play, proposal["id"])
    if known[outcome] and effective:
        apply_changes(play, proposal)
    elif known[outcome]:
        set_fields(play, proposal, waits=True)
    tell(play, f"proposal_{outcome}", proposal)
    tell(play, "proposal_resolved", proposal, outcome=outcome)
    return to_record(play, proposal)


@host(
    "proposals",
    'resolve(proposal: ref, outcome: outcome, why: str = "", effective: bool = True) -> proposal',
    effects={"resolve": OF_VOTES, "order": "", "omit": ""},
)
def resolve_by_rule(play: Play, ref: Any, outcome: str, why: str, effective: bool) -> ScriptRecord:
    """End a proposal as adopted, defeated, accepted, rejected, ignored, replaced, withdrawn or as rules declare.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | resolve(p, "withdrawn", why = "on second thoughts")
    """
    check_handling(play, "resolve", ref, outcome)
    if effective and outcomes(play).get(outcome):
        _check_changes(play, find_proposal(play, ref))
    return resolve(play, ref, outcome, why, effective)


def _check_changes(play: Play, proposal: Proposal) -> None:
    for change in proposal["changes"]:
        check_change(play, change, proposal=proposal)


def correct_outcome(play: Play, ref: Any, outcome: Any, why: str) -> None:
    """Put an outcome right that was announced wrongly, with what it made law or kept from it; all else stays."""
    proposal, known = find_proposal(play, ref), outcomes(play)
    before = proposal["outcome"]
    if outcome not in known:
        raise Refusal("E-ARGS", f"{told(outcome)} is no outcome; choose {in_a_row(known)}")
    if not before or before == outcome:
        raise Refusal("E-ORDER", f"{called(proposal)} was {outcome} already" if before else "it is not decided yet")
    if known[before] and not proposal.get("waits"):
        take_changes_back(play, proposal["id"])
    set_fields(play, proposal, state=outcome, outcome=outcome, why=why, waits=False, omitted=[])
    play.effect("resolve", of=proposal["id"], to=outcome, why=why or None)
    if known[outcome]:
        apply_changes(play, proposal)
    tell(play, "proposal_corrected", proposal, before=before)


@host("proposals", "take_effect(proposal: ref) -> proposal")
def take_effect(play: Play, ref: Any) -> ScriptRecord:
    """Make the changes of a proposal law that was resolved with effective = False.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | resolve(p, "accepted", effective = False)
    | award(a.by, "score", 3)
    | take_effect(p)
    """
    play.writing("make a proposal law")
    proposal = find_proposal(play, ref)
    if not proposal.get("waits"):
        raise Refusal("E-ORDER", f"{called(proposal)} has no changes that wait to become law", play.cite())
    _check_changes(play, proposal)
    set_fields(play, proposal, waits=False)
    apply_changes(play, proposal)
    return to_record(play, proposal)


# -- votes that were decided before the game: kept as proposals are, taken over and not judged anew


def take_over_vote(play: Play, said: Written) -> None:
    """Keep a vote that was decided before the game, as its file says; raises Fault where it cannot be."""
    kind, number = str(said.get("kind") or PROPOSAL), str(said.get("number"))
    if not is_votable(kinds_of(play), kind):
        raise Fault(f"no rule in force declares a votable kind {told(kind)}", "E-NO-SUCH")
    if check_number(number):
        raise Fault(f"{told(number)} cannot be the number of a {kind}", "E-ARGS")
    if said["outcome"] not in outcomes(play):
        raise Fault(f"{told(said['outcome'])} is no outcome; choose {in_a_row(outcomes(play))}", "E-ARGS")
    key = proposal_key(f"{kind}/{number}")
    if play.documents.get(key) is not None:
        raise Fault(f"there are two of the number {number}", "E-DUP")
    play.documents.assign(key, play.documents.all(), key, _past_proposal(play, kind, number, said))
    counters = play.documents[GAME]["counters"]
    if is_digits(number) and int(number) > int(counters.get(f"number:{kind}", 0)):
        play.documents.assign(GAME, counters, f"number:{kind}", int(number))


def _past_proposal(play: Play, kind: str, number: str, said: Written) -> Proposal:
    submitted, decided = _past_times(play, said)
    known: dict[str, str] = {part: str(said[part]) for part in ("submitted", "decided") if part in said}
    dated = {part: date for part, date in known.items() if not is_exact(date)}
    return {
        "id": f"{kind}/{number}", "kind": kind, "number": int(number) if is_digits(number) else number,
        "author": said.get("author"), "title": str(said.get("title") or ""), "state": said["outcome"], "changes": [],
        "requests": [], "submitted_at": submitted, "opened_at": None, "closed_at": None, "resolved_at": decided,
        "electorate": None, "frozen": None, "outcome": said["outcome"], "why": str(said.get("why") or ""),
        "ballots": {voter: _past_ballot(cast, decided) for voter, cast in (said.get("ballots") or {}).items()},
        "verdict": None, "via": {}, "seq": play.seq, "registers": {},
        "taken_over": {"dated": dated, "text": str(said.get("text") or "")},
    }  # fmt: skip


def _past_times(play: Play, said: Written) -> tuple[int, int]:
    dates = [str(said.get("submitted") or "unknown"), str(said["decided"])]
    spans = [span for date in dates if (span := span_of(date)) is not None]
    submitted, decided = moments_of(spans, play.now) if len(spans) == len(dates) else (1, 0)
    if not submitted <= decided <= play.now or spans[1][1] < spans[0][0]:
        raise Fault(f"it cannot be submitted on {dates[0]} and decided on {dates[1]}", "E-ARGS")
    return submitted, decided


def _past_ballot(cast: Any, at: int) -> Ballot:
    said: Mapping[str, Any] = cast if isinstance(cast, Mapping) else {"choice": cast}
    weight = int(said.get("weight", 1))
    return {
        "choice": str(said["choice"]), "reason": str(said.get("reason") or ""), "at": at, "weight": weight,
        "counts": True, "why": "", "deemed": False,
    }  # fmt: skip


# -- how the changes of an adopted proposal become law: each merged with what has become of its rule since it was made


STATUS = "status"


def apply_changes(play: Play, proposal: Proposal) -> None:
    """Make the changes of an adopted proposal law, one after the other; one that may not be made is left out."""
    with veil(play, proposal):
        for place, change in enumerate(proposal["changes"]):
            try:
                merged = brought_up_to_date(play, proposal, place)
                _check(play, merged, proposal)
                if (merged.get("parts") or {}).get("once"):
                    carry_out(play, proposal, merged["parts"])
                    continue
            except Refusal as refusal:
                _leave_out(play, proposal, change, refusal)
                continue
            number = None
            if merged["rule"] is None:  # the law says which number a new rule gets, else it has that of the proposal
                asked = to_record(play, proposal), change_record(play, merged)
                number = ask_usable(play, "rule_number", partial(_flaw_of_rule_number, play), *asked)[1]
                number = free_number(play, proposal["number"] if number is None else number)
            make(play, merged, number, proposal)


def _check(play: Play, change: Change, proposal: Proposal) -> None:
    asked = to_record(play, proposal), change_record(play, change)
    uid, answer = ask_usable(play, "may_change", flaw_of_permission, *asked)
    check_permission(answer, "E-TARGET", uid)
    with refusing():
        clock.check_declared(play, (change.get("parts") or {}).get("timers"))


def _leave_out(play: Play, proposal: Proposal, change: Change, refusal: Refusal) -> None:
    """Note why a change does not become law: as a reason, as an effect, and with its proposal."""
    target = {"uid": change["rule"]} if change["rule"] is not None else {}
    play.reason(refusal.code, refusal.rule, why=refusal.why, of=proposal["id"], **target)
    meta = play.documents[LAW]["rules"].get(change["rule"] or "")
    number = meta["number"] if meta is not None else None
    play.effect("omit", of=proposal["id"], kind=change["kind"], number=number, why=refusal.why or None)
    key = proposal_key(proposal["id"])
    if play.documents.get(key) is not None:
        omitted: OmittedChange = {"change": proposal["changes"].index(change), "code": refusal.code, "why": refusal.why}
        play.documents.assign(key, proposal, "omitted", [*proposal.get("omitted", ()), omitted])


# -- numbers of new rules


def _flaw_of_rule_number(play: Play, number: Any) -> str:
    if not isinstance(number, (int, str)) or isinstance(number, bool):
        return "it must be a whole number or a text"
    taken = f"there is a rule {number} already" if is_taken(play, str(number)) else ""
    return check_number(str(number)) or taken


# -- merging


def brought_up_to_date(play: Play, proposal: Proposal, place: int) -> Change:
    """Return a change as it is to be made on the rule as that is now; raises Refusal E-NO-SUCH, E-STALE or E-DUP."""
    change = proposal["changes"][place]
    uid = change["rule"]
    if uid is None:
        return change
    if uid not in play.law.in_force():
        raise Refusal("E-NO-SUCH", f"rule {_number(play, uid)} is not in force any more")
    law = play.documents[rule_key(uid)]
    made_on = change.get("revision", play.documents[LAW]["rules"][uid]["revision"])
    base = _base(play, uid, made_on, proposal["changes"][:place])
    if change["kind"] == "repeal" or _has(law, base, _touched(change)):
        return change
    merged = _merged(play, proposal, change, base, law)
    if _leaves(merged, law):
        raise Refusal("E-DUP", f"rule {law['rule']} was changed meanwhile, so that nothing of it is left to do")
    return merged


def _number(play: Play, uid: str) -> str:
    meta = play.documents[LAW]["rules"].get(uid)
    return meta["number"] if meta is not None else uid


def _base(play: Play, uid: str, revision: int, earlier: list[Change]) -> Document:
    """Return a rule as a change was made on it: as of a revision, with what `earlier` changes make of that."""
    base = rule_at(play, uid, revision)
    for change in earlier:
        if change["rule"] == uid:
            base = {**base, **change.get("parts", {})}
            if change["kind"] == "transmute":
                base = {**base, "labels": {**(base.get("labels") or {}), STATUS: change["to"]}}
    return base


def _touched(change: Change) -> list[str]:
    if change["kind"] == "transmute":
        return ["labels"]
    return [part for part in RULE_PARTS if part in (change.get("parts") or {})]


def _has(law: Document, base: Document, parts: list[str]) -> bool:
    return all((law.get(part) or None) == (base.get(part) or None) for part in parts)


def _leaves(change: Change, law: Document) -> bool:
    """Whether a change leaves a rule as it is; one of comments alone does not."""
    if change["kind"] == "transmute":
        return bool((law.get("labels") or {}).get(STATUS) == change["to"])
    touched = _touched(change)
    return bool(touched) and _has(law, change.get("parts", {}), touched)


def _merged(play: Play, proposal: Proposal, change: Change, base: Document, law: Document) -> Change:
    uid = str(change["rule"])
    merge = partial(_merged_part, play, proposal, change)
    parts = cast(RuleParts, dict(change.get("parts", {})))
    merged: Change = {**change, "parts": parts}
    if change["kind"] == "transmute":
        before, now = ((rule.get("labels") or {}).get(STATUS) for rule in (base, law))
        merged["to"] = merge(STATUS, before, now, change["to"])
        wanted = {**law, "labels": {**(law.get("labels") or {}), STATUS: merged["to"]}}
    else:
        known: dict[str, Any] = parts  # type: ignore[assignment]
        for part in _touched(change):
            known[part] = merge(part, base.get(part), law.get(part), known[part])
        wanted = {**law, **parts}
    if "source" in parts:
        from folkmoot.files.rewrite import joined

        parts["source"] = joined(parts["source"], law, wanted)
    play.reason("MERGED", of=proposal["id"], uid=uid)
    return merged


def _merged_part(play: Play, proposal: Proposal, change: Change, part: str, base: Any, law: Any, wanted: Any) -> Any:
    """Return what becomes of a part that both changed; the law may settle where. Raises Refusal E-STALE."""
    if wanted in (base, law) or law == base:
        return merged_part(part, base, law, wanted)
    short = play.budget.puts_together(passages_of(part, base, law, wanted))

    def settled(answer: Any) -> Any:
        if isinstance(answer, Mapping):
            return answer["value"]
        whole = law if answer == "law" else wanted
        together = merged_part(part, base, law, wanted, answer) if short else whole
        return whole if _flaw_of_part(play, change, part, (law, wanted), together) else together

    def flaw(answer: Any) -> str:
        if answer in ("law", "change") or (isinstance(answer, Mapping) and set(answer) == {"value"}):
            return _flaw_of_part(play, change, part, (law, wanted), settled(answer))
        return 'it must be "law", "change" or a map with `value`, the whole new part'

    why = "" if short else "they are too long to be put together"
    try:
        if short:
            merged = merged_part(part, base, law, wanted)
            why = _flaw_of_part(play, change, part, (law, wanted), merged)
            if not why:
                return merged
    except Conflict:
        pass
    shown = record({"part": part, "before": base, "law": law, "change": wanted})
    asked = to_record(play, proposal), change_record(play, change), shown
    uid, answer = ask_usable(play, "conflict", flaw, *asked)
    if answer is None:
        both = f"in its {part} so that both together cannot stand ({why})"
        where = both if why else f"in the same passage of its {part}"
        number = _number(play, str(change["rule"]))
        raise Refusal("E-STALE", f"rule {number} was changed meanwhile {where}, so this change of it is left out")
    play.reason("SETTLED", uid, of=proposal["id"], part=part)
    return settled(answer)


def _flaw_of_part(play: Play, change: Change, part: str, sides: tuple[Any, Any], merged: Any) -> str:
    """Return why something cannot be a part of a rule that nobody has written as it is, "" if it can.

    A script must load where the one that was proposed does; `sides` are the law's and that one.
    """
    if merged in sides:
        return ""
    if part == STATUS:
        return "" if isinstance(merged, str) and merged else f"{told(merged)} cannot be a status"
    flaw = "; ".join(check_parts({part: merged}))
    if flaw or part != "script":
        return flaw
    why = _why_not_loading(play, change, merged)
    return why if why and not _why_not_loading(play, change, sides[1]) else ""


def _why_not_loading(play: Play, change: Change, script: str) -> str:
    try:
        program(play, str(change["rule"]), script)
    except (ScriptError, Fault) as error:
        if play.is_within(error):
            raise
        return f"the script would not load: {error.message}"
    return ""
