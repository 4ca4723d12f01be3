"""How the changes of an adopted proposal become law: each merged with what has become of its rule since it was made.

A change keeps the revision of the rule that it was made on. What the law did to other passages meanwhile stays; where
both changed the same passage the law may answer `conflict`, and without an answer the change is left out with its
reason, while the rest of the proposal applies.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from folkmoot.core.documents import Change, Document, Proposal, RuleParts
from folkmoot.core.keys import LAW, proposal_key, rule_key
from folkmoot.core.merging import Conflict, merged_part, passages_of
from folkmoot.core.records import OmittedChange
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.core.values import told
from folkmoot.kernel import clock
from folkmoot.kernel.answers import (
    ask_usable,
    change_record,
    check_permission,
    flaw_of_permission,
    to_record,
)
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.hook_calls import program, veil
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_changes import carry_out, check_number, check_parts, free_number, is_taken, make, rule_at
from folkmoot.kernel.script_records import record
from folkmoot.language.binding import ScriptError

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
            number = _number_of_new(play, merged, proposal) if merged["rule"] is None else None
            make(play, merged, number, proposal)


def _check(play: Play, change: Change, proposal: Proposal) -> None:
    """Raise Refusal where the law or the game's limits do not let a change be made."""
    asked = to_record(play, proposal), change_record(play, change)
    uid, answer = ask_usable(play, "may_change", flaw_of_permission, *asked)
    check_permission(answer, "E-TARGET", uid)
    try:
        clock.check_declared(play, (change.get("parts") or {}).get("timers"))
    except Fault as fault:
        raise Refusal(fault.code, fault.message) from None


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


def _number_of_new(play: Play, change: Change, proposal: Proposal) -> Any:
    """Ask the law which number a new rule gets; without an answer that of the proposal."""
    asked = to_record(play, proposal), change_record(play, change)
    answer = ask_usable(play, "rule_number", lambda number: _flaw_of_number(play, number), *asked)[1]
    return free_number(play, proposal["number"] if answer is None else answer)


def _flaw_of_number(play: Play, number: Any) -> str:
    """Return why an answer cannot be the number of a new rule, "" if it can."""
    if not isinstance(number, (int, str)) or isinstance(number, bool):
        return "it must be a whole number or a text"
    taken = f"there is a rule {number} already" if is_taken(play, str(number)) else ""
    return check_number(str(number)) or taken


# -- merging


def brought_up_to_date(play: Play, proposal: Proposal, place: int) -> Change:
    """Return a change of a proposal as it is to be made on the rule as that is now.

    Raises Refusal: E-NO-SUCH where the rule is gone, E-STALE where both changed the same passage and the law does not
    settle it, E-DUP where nothing of the change is left to do.
    """
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
    """Return which parts of a rule a change gives anew."""
    if change["kind"] == "transmute":
        return ["labels"]
    return [part for part in RULE_PARTS if part in (change.get("parts") or {})]


def _has(law: Document, base: Document, parts: list[str]) -> bool:
    """Whether the law has these parts of a rule as they were when a change of them was made."""
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
        where = (
            f"in its {part} so that both together cannot stand ({why})" if why else f"in the same passage of its {part}"
        )
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
