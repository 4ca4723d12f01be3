"""Rule-changes: enacting, amending, repealing, transmuting, retitling and renumbering, with history."""

from __future__ import annotations

from typing import Any, cast

from folkmoot.core.documents import (
    OF_A_REVISION,
    Change,
    Document,
    Proposal,
    Revision,
    RuleDocument,
    RuleMeta,
    RuleParts,
)
from folkmoot.core.keys import GAME, LAW, history_key, in_sorted_maps, rule_key
from folkmoot.core.records import Effect, ProposedChange, ScriptRecord
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.core.sealed_data import DEPENDS
from folkmoot.core.values import is_digits, told
from folkmoot.kernel import clock
from folkmoot.kernel.answers import ask_usable, flaw_of_integer
from folkmoot.kernel.authority import check_change, check_revision
from folkmoot.kernel.errors import Fault, Refusal, shortened
from folkmoot.kernel.frames import Scope
from folkmoot.kernel.hook_calls import call, program
from folkmoot.kernel.past_rules import TAKEN_OVER, first_revision, name_revision
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_checks import check_number, check_parts
from folkmoot.kernel.script_records import record
from folkmoot.kernel.shown_proposals import change_record, find_proposal, to_record
from folkmoot.kernel.things import give_initial_values_to_all
from folkmoot.language.binding import ScriptError
from folkmoot.language.tree import hook_names

TARGETED = ("amend", "repeal", "transmute", "retitle")


def normalise(play: Play, changes: Any) -> list[Change]:
    """Return changes as proposed (`{amend: "203", text: …}`) in the form that is kept.

    Raises Refusal E-ARGS or E-NO-SUCH where a change is malformed or names a rule that is not in force.
    """
    if not isinstance(changes, list):
        raise Refusal("E-ARGS", "changes must be a list, each with enact, amend, repeal, transmute or retitle")
    return [_normalise(play, change) for change in changes]


def _normalise(play: Play, change: Any) -> Change:
    if not isinstance(change, dict):
        raise Refusal("E-ARGS", "a change must be a map with enact, amend, repeal, transmute or retitle")
    if "kind" in change:
        change = _as_proposed(change)
    kinds = [kind for kind in ("enact", *TARGETED) if kind in change]
    if len(kinds) != 1:
        raise Refusal("E-ARGS", "a change must have exactly one of enact, amend, repeal, transmute and retitle")
    kind = kinds[0]
    if kind == "enact":
        stray = [name for name, value in change.items() if name not in ("enact", "source") and value is not None]
        if stray:
            raise Refusal("E-ARGS", f"{told(stray[0])} stands beside a new rule; what it has stands under `enact`")
        return {"kind": "enact", "rule": None, "parts": _parts(change["enact"], new=True)}
    uid = play.law.resolve(change[kind])
    if uid is None:
        raise Refusal("E-NO-SUCH", f"no rule {str(change[kind])[:40]} is in force")
    rest = {name: value for name, value in change.items() if name not in (kind, "revision")}
    made_on = _revision(play, uid, change.get("revision"))
    beside = _beside(rest)
    if kind in ("transmute", "retitle"):
        rest.pop("source", None)
    if kind == "transmute":
        return {"kind": kind, "rule": uid, "revision": made_on, "to": _label_value(rest), "parts": _parts(beside)}
    if kind == "retitle":
        rest = {"title": rest.get("to", rest.get("title", "")), **beside}
    parts = _parts(rest)
    _keep_status(play, uid, parts, made_on)
    return {"kind": kind, "rule": uid, "revision": made_on, "parts": parts}


def _revision(play: Play, uid: str, given: Any) -> int:
    """Return the revision of a rule that a change was made on: the one of now where none is given."""
    first, last = first_revision(play), play.documents[LAW]["rules"][uid]["revision"]
    if given is None:
        return last
    if not isinstance(given, int) or isinstance(given, bool) or not first <= given <= last:
        raise Refusal(
            "E-ARGS", f"`revision` is which revision of rule {uid} a change was made on, from {first} to {last}"
        )
    return given


def rule_at(play: Play, uid: str, revision: int) -> Document:
    """Return a rule in force as it was in a revision; where that is not known, as it is."""
    if play.documents[LAW]["rules"][uid]["revision"] != revision:
        for past in play.law.history(uid):
            if past.get("revision") == revision and not past.get("repealed"):
                return past
    return play.documents[rule_key(uid)]


def _keep_status(play: Play, uid: str, parts: RuleParts, made_on: int) -> None:
    """Refuse an amendment that transmutes by the way: what the law asks of transmuting would not be asked of it."""
    before = (rule_at(play, uid, made_on).get("labels") or {}).get("status")
    after = (parts["labels"] or {}).get("status") if "labels" in parts else before
    if before != after:
        raise Refusal("E-ARGS", f"rule {uid} is made {after or 'something else'} by `transmute`, not by an amendment")


def _as_proposed(change: ScriptRecord) -> ProposedChange:
    """Return a change that a script hands on, as it was shown or is kept, in the form in which it was proposed."""
    kind, target = change["kind"], change.get("rule")
    if not isinstance(kind, str) or kind not in ("enact", *TARGETED):
        raise Refusal("E-ARGS", "a change must be one of enact, amend, repeal, transmute and retitle")
    given = change["parts"] if isinstance(change.get("parts"), dict) else change
    parts = {name: given[name] for name in (*RULE_PARTS, "source", "once") if given.get(name) is not None}
    if kind == "enact":
        return {"enact": parts}
    rest = {"to": change.get("to"), **_beside(parts)} if kind == "transmute" else parts
    made_on = {"revision": change["revision"]} if change.get("revision") is not None else {}
    return {kind: target.get("uid") if isinstance(target, dict) else target, **made_on, **rest}


def _beside(parts: ProposedChange) -> ProposedChange:
    return {name: parts[name] for name in ("source",) if name in parts}


def _label_value(rest: ProposedChange) -> str:
    if set(rest) != {"to"} or not isinstance(rest["to"], str):
        raise Refusal("E-ARGS", "a transmutation names the status it leads to, for instance `to: immutable`")
    return str(rest["to"])


def _parts(parts: Any, *, new: bool = False) -> RuleParts:
    problems = check_parts(parts)
    if not problems and "once" in parts:
        flaw = flaw_of_order(parts) if new else "only what is new can act `once`"
        problems = [flaw] if flaw else []
    if problems:
        raise Refusal("E-ARGS", "; ".join(problems))
    return cast(RuleParts, dict(parts))


def is_taken(play: Play, number: str) -> bool:
    """Whether a rule in force has a number, so that no other may have it."""
    return number in play.law.names().numbers


def free_number(play: Play, number: Any) -> Any:
    """Return a number for a new rule: this one, else the first after it that no rule or undecided proposal has."""
    if not is_taken(play, str(number)):
        return number
    if not is_digits(str(number)):
        return _next_rule_number(play)
    undecided = {str(find_proposal(play, identifier)["number"]) for identifier in play.documents[GAME]["open"]}
    following = int(number) + 1
    while str(following) in undecided or is_taken(play, str(following)):
        following += 1
    return str(following)


def make(play: Play, change: Change, number: Any = None, proposal: Proposal | None = None) -> None:
    """Make one change law: of a proposal, or without one, as in a trial or an administrator's repair."""
    kind, uid, parts = change["kind"], change["rule"], change.get("parts", {})
    if uid is None:
        enact(play, parts, number, proposal)
    elif kind == "repeal":
        repeal(play, uid, proposal["title"] if proposal else "", proposal)
    elif kind == "transmute":
        labels = {**(play.documents[rule_key(uid)].get("labels") or {}), "status": change["to"]}
        beside = parts if proposal else RuleParts()
        revise_rule(play, uid, {**beside, "labels": labels}, kind, proposal)
    else:
        revise_rule(play, uid, parts, kind, proposal)


def _told(play: Play, proposal: Proposal | None) -> ScriptRecord | None:
    return to_record(play, proposal) if proposal else None


def _cause(play: Play, proposal: Proposal | None) -> str | None:
    return proposal["id"] if proposal else play.cite()


def _applies_from(play: Play, kind: str, uid: str | None, parts: RuleParts, proposal: Proposal | None) -> int:
    """Ask the law from which submission on a change governs; else from that of its proposal, without one from all."""
    if play.law.listeners("decide_applies_from", view=play.view):
        change = change_record(play, {"kind": kind, "rule": uid, "parts": parts})
        answer = ask_usable(play, "applies_from", flaw_of_integer, _told(play, proposal), change)[1]
        if answer is not None:
            return int(answer)
    return int(proposal["number"]) if proposal and isinstance(proposal["number"], int) else 0


def in_order(parts: Document) -> RuleDocument:
    """Return a rule's document with its keys in the order of its file, empty parts left out.

    Where the file is a person's own, the maps inside of its parts are sorted: it says them in an order of its own, and
    the document must be the same whether it was read from the file meanwhile or not.
    """
    kept = {part: parts[part] for part in RULE_PARTS if parts.get(part)}
    document = {"rule": parts["rule"], "uid": parts["uid"], "title": parts.get("title", ""), **kept}
    whole = {**in_sorted_maps(document), "source": parts["source"]} if parts.get("source") else document
    return cast(RuleDocument, whole)


def _check_number(play: Play, number: str, uid: str = "") -> None:
    """Raise Fault where something can be no rule's number (E-ARGS), or is that of another rule in force (E-DUP)."""
    flaw = check_number(number)
    if flaw:
        raise Fault(flaw, "E-ARGS")
    if is_taken(play, number) and play.law.in_force().get(uid, ({"rule": ""},))[0]["rule"] != number:
        raise Fault(f"there is a rule {number} already", "E-DUP")


def _new_uid(play: Play, number: str) -> str:
    known = {uid.lower() for uid in play.documents[LAW]["rules"]}
    tried, suffix = number, 2
    while tried.lower() in known:
        tried, suffix = f"{number}-{suffix}", suffix + 1
    return tried


def _next_rule_number(play: Play) -> str:
    numbers = [int(doc["rule"]) for doc, _ in play.law.in_force().values() if is_digits(str(doc["rule"]))]
    return str(max(numbers, default=0) + 1)


def enact(play: Play, parts: RuleParts, number: Any = None, proposal: Proposal | None = None, uid: str = "") -> str:
    """Bring a rule into force and return its uid; its number is the proposal's unless another is given."""
    play.writing("enact a rule")
    _check_lasts(parts)
    chosen = str(number) if number is not None else _next_rule_number(play)
    _check_number(play, chosen)
    if proposal is None:
        change: Change = {"kind": "enact", "rule": None, "parts": parts}
        check_change(play, {**change, "to": chosen} if number is not None else change)
    clock.check_declared(play, parts.get("timers"))
    uid = uid or _new_uid(play, chosen)
    applies_from = _applies_from(play, "enact", None, parts, proposal)
    document = in_order({**parts, "rule": chosen, "uid": uid})
    law = play.documents[LAW]
    meta = new_meta(play, chosen, _cause(play, proposal), applies_from)
    play.documents.assign(LAW, law["rules"], uid, meta)
    play.documents.assign(rule_key(uid), play.documents.all(), rule_key(uid), document)
    play.answer_for(uid, pardoned=False)
    _changed(play, uid)
    name_revision(play, uid)
    play.effect("enact", of=uid, number=chosen, title=document["title"])
    _note_what_does_not_load(play, uid)
    told = {"rule": play.law.record(uid), "proposal": _told(play, proposal)}
    play.emit("rule_enacted", told)
    return uid


def _check_lasts(parts: RuleParts) -> None:
    """Raise Fault where parts are those of an order, which is no law."""
    if "once" in parts:
        raise Fault("what acts `once` is carried out by the proposal that brings it, and is no law", "E-ARGS")


def new_meta(play: Play, number: str, cause: str | None, applies_from: int) -> RuleMeta:
    """Return what is known of a rule that comes into force now."""
    return {
        "number": number,
        "revision": first_revision(play),
        "amendments": 0,
        "at": play.now,
        "enacted_at": play.now,
        "seq": play.seq,
        "cause": cause,
        "applies_from": applies_from,
        "in_force": True,
        "former_numbers": [],
        "suspended": None,
    }


def _changed(play: Play, uid: str) -> None:
    """Note that the law is another one: drop caches, bring declared values and timers up to date."""
    law = play.documents[LAW]
    play.documents.assign(LAW, law, "version", law["version"] + 1)
    play.law.rule_changed(uid)
    give_initial_values_to_all(play)
    clock.follow_law(play)


def _note_what_does_not_load(play: Play, uid: str) -> None:
    """Put on record that a rule's script does not load: it is law all the same, and nobody shall have to find out."""
    script = play.documents[rule_key(uid)].get("script")
    if not script:
        return
    try:
        program(play, uid, script)
    except (ScriptError, Fault) as error:
        if play.is_within(error):
            raise
        play.failed(uid, "load", error)


def _put_away(play: Play, uid: str) -> None:
    """Keep the present version of a rule in its history, without the comments of its file, which git keeps."""
    document, meta = play.documents[rule_key(uid)].copy(), play.documents[LAW]["rules"][uid]
    document.pop("source", None)
    history = play.documents[history_key(uid)]
    known: Document = meta
    kept = {**document, **{key: known[key] for key in OF_A_REVISION if key in known}, "until": play.now}
    play.documents.assign(history_key(uid), history, "revisions", [*history.get("revisions", ()), kept])


EVENTS = {"amend": "rule_amended", "transmute": "rule_transmuted", "retitle": "rule_retitled", "label": "rule_labelled"}


def revise_rule(play: Play, uid: str, parts: RuleParts, kind: str, proposal: Proposal | None = None) -> None:
    """Give a rule new parts as its next revision; blocks it does not mention stay, a failing rule wakes."""
    play.writing("change a rule")
    _check_lasts(parts)
    document = play.documents[rule_key(uid)]
    meta = play.documents[LAW]["rules"][uid]
    before = document["rule"]
    if proposal is None:
        check_revision(play, uid, kind, parts)
    clock.check_declared(play, parts.get("timers"))
    applies_from = _applies_from(play, kind, uid, parts, proposal)
    _put_away(play, uid)
    fresh = {**document, **{part: value for part, value in parts.items() if part in RULE_PARTS or part == "source"}}
    if "source" not in parts:
        fresh.pop("source", None)
    play.documents.assign(rule_key(uid), play.documents.all(), rule_key(uid), in_order(fresh))
    updated = {
        **_awake(meta),
        "revision": meta["revision"] + 1,
        "amendments": meta["amendments"] + (kind == "amend"),
        "at": play.now,
        "seq": play.seq,
        "cause": _cause(play, proposal),
        "applies_from": applies_from,
    }
    for name in TAKEN_OVER:
        updated.pop(name, None)
    play.documents.assign(LAW, play.documents[LAW]["rules"], uid, updated)
    play.answer_for(uid, pardoned=proposal is not None or not play.frames)
    _changed(play, uid)
    name_revision(play, uid)
    play.effect(kind, of=uid, number=before, to=parts.get("labels", {}).get("status") if kind == "transmute" else None)
    if "script" in parts:
        _note_what_does_not_load(play, uid)
    told = {"rule": play.law.record(uid), "proposal": _told(play, proposal), "before": before}
    play.emit(EVENTS[kind], told)


def repeal(play: Play, uid: str, because: str = "", proposal: Proposal | None = None) -> None:
    """Take a rule out of force; its registers are hidden, its history stays."""
    play.writing("repeal a rule")
    if proposal is None:
        check_change(play, {"kind": "repeal", "rule": uid})
    shown = play.law.record(uid)
    applies_from = _applies_from(play, "repeal", uid, {}, proposal)
    _put_away(play, uid)
    history = play.documents[history_key(uid)]
    gone = {"repealed": True, "at": play.now, "seq": play.seq, "cause": _cause(play, proposal)}
    marker = {**gone, "applies_from": applies_from, "because": because}
    play.documents.assign(history_key(uid), history, "revisions", [*history["revisions"], marker])
    play.documents.remove(rule_key(uid), play.documents.all(), rule_key(uid))
    metas = play.documents[LAW]["rules"]
    ended = {"in_force": False, "at": play.now, "seq": play.seq, "applies_from": applies_from}
    play.documents.assign(LAW, metas, uid, {**metas[uid], **ended, "cause": _cause(play, proposal)})
    _changed(play, uid)
    play.effect("repeal", of=uid, number=shown["number"], why=because or None)
    play.emit("rule_repealed", {"rule": shown, "proposal": _told(play, proposal)})


def renumber(play: Play, uid: str, number: str) -> None:
    """Give a rule another number; uid and revision stay, the old number is remembered."""
    play.writing("renumber a rule")
    document = play.documents[rule_key(uid)]
    before = document["rule"]
    if before == number:
        return
    _check_number(play, number, uid)
    check_change(play, {"kind": "renumber", "rule": uid, "to": number})
    play.documents.assign(rule_key(uid), document, "rule", number)
    metas = play.documents[LAW]["rules"]
    former = [*metas[uid]["former_numbers"], before]
    play.documents.assign(LAW, metas, uid, {**metas[uid], "number": number, "former_numbers": former})
    _changed(play, uid)
    name_revision(play, uid)
    play.effect("renumber", of=uid, **{"from": before, "to": number})
    play.emit("rule_renumbered", {"rule": play.law.record(uid), "before": before, "proposal": None})


def _awake(meta: RuleMeta) -> RuleMeta:
    """Return what is kept of a rule as it is awake."""
    awake = meta.copy()
    awake["suspended"] = None
    awake.pop("asleep_since", None)
    return awake


def set_suspended(play: Play, uid: str, why: str | None) -> None:
    """Let a rule's script sleep (or wake it with None); its text stays law."""
    metas = play.documents[LAW]["rules"]
    if uid not in metas:
        raise Fault(f"there is no rule {told(uid)}", "E-NO-SUCH")
    check_change(play, {"kind": "wake" if why is None else "suspend", "rule": uid})
    asleep = {**_awake(metas[uid]), "suspended": why, "asleep_since": metas[uid].get("asleep_since", play.seq)}
    play.documents.assign(LAW, metas, uid, asleep if why is not None else _awake(metas[uid]))
    if why is None:
        play.answer_for(uid, pardoned=not play.frames)
    _changed(play, uid)
    play.effect("suspend" if why else "wake", of=uid, why=why)


# -- orders that act once


HOOK = "on_proposal_adopted"


def flaw_of_order(parts: Any) -> str:
    """Return why parts of something new cannot be an order, "" if they can."""
    beside = sorted(set(parts) - {"once", "title", "text", "script", "source", "labels"})
    if beside:
        return f"what acts once is no law, so that it cannot have `{beside[0]}`"
    return "" if HOOK in hook_names(parts.get("script") or "") else f"what acts once has a script with {HOOK}(e)"


def carry_out(play: Play, proposal: Proposal, parts: RuleParts) -> None:
    """Run an order in the name of its proposal, with the budget of one handler.

    Raises Refusal where it fails; what it did until then is undone. A lock-out probe goes on without an order that
    nobody can foresee because it looks at what is sealed.
    """
    shown = to_record(play, proposal)
    mark = play.mark()
    play.scopes.append(Scope(record({"name": "proposal_adopted", "proposal": shown})))
    try:
        call(play, proposal["id"], parts.get("script", ""), HOOK, [play.scopes[-1].cause])
    except Refusal as refusal:
        play.rollback(mark)
        if play.probing and (refusal.code, refusal.why) == ("E-SEALED", DEPENDS):
            return
        raise Refusal(refusal.code, f"its order is not carried out: {shortened(refusal.why)}") from None
    except (ScriptError, Fault) as error:
        if play.is_within(error):
            raise
        play.rollback(mark)
        play.failed(proposal["id"], HOOK, error)
        code = error.code if isinstance(error, Fault) else "E-SCRIPT"
        raise Refusal(code, f"its order is not carried out: {shortened(error.message)}") from None
    finally:
        play.scopes.pop()
    play.effect("order", of=proposal["id"], title=parts.get("title") or None)


# -- taken back: a rule is again what it was before an entry, as its next revision


CHANGED = "the rule has changed since"
BECAUSE = "taken back"


def take_changes_back(play: Play, cause: str) -> None:
    """Take back what a proposal changed of rules; one that has changed since stays, and a reason says so."""
    for uid, meta in reversed(list(play.documents[LAW]["rules"].items())):
        effect = cast(Effect, {"of": uid})
        if meta["cause"] == cause:
            made = _before(play, uid, meta["seq"]) is None
            (revive if not meta["in_force"] else unmake if made else restore)(play, effect, meta["seq"])
        elif any(revision.get("cause") == cause for revision in play.law.history(uid)):
            play.reason("E-STALE", why=CHANGED, uid=uid)


def unmake(play: Play, effect: Effect, entry: int) -> str:
    """Repeal a rule that an entry enacted; returns why that cannot be, "" where it is done."""
    meta = _meta(play, effect)
    if meta is None or not meta["in_force"] or meta["seq"] not in (entry, play.seq):
        return CHANGED
    repeal(play, effect["of"], BECAUSE)
    return ""


def restore(play: Play, effect: Effect, entry: int) -> str:
    """Give a rule the parts that it had before the change of an entry; several of one entry go back one by one."""
    uid, meta = effect["of"], _meta(play, effect)
    if meta is None or not meta["in_force"] or meta["seq"] not in (entry, play.seq):
        return CHANGED
    before = _before(play, uid, entry)
    if before is None:  # the entry made it too, and that is taken back next
        return ""
    document = play.law.in_force()[uid][0]
    parts = {part: before.get(part) for part in RULE_PARTS}
    if any(document.get(part) != value for part, value in parts.items() if document.get(part) or value):
        revise_rule(play, uid, cast(RuleParts, parts), "amend")
    return ""


def revive(play: Play, effect: Effect, entry: int) -> str:
    """Bring a rule that an entry repealed into force again, under its number; E-DUP where another rule has that."""
    uid, meta = effect["of"], _meta(play, effect)
    if meta is None or meta["in_force"] or meta["seq"] != entry:
        return CHANGED
    last = next(revision for revision in reversed(play.law.history(uid)) if not revision.get("repealed"))
    parts = {part: last[part] for part in RULE_PARTS if last.get(part)}
    enact(play, cast(RuleParts, parts), meta["number"], uid=uid)
    metas = play.documents[LAW]["rules"]
    kept = ("amendments", "enacted_at", "former_numbers")
    known = {name: meta[name] for name in kept}  # type: ignore[literal-required]
    again = cast(RuleMeta, {**metas[uid], **known, "revision": meta["revision"] + 1})
    play.documents.assign(LAW, metas, uid, again)
    play.law.forget()
    return ""


def renumber_back(play: Play, effect: Effect, _entry: int) -> str:
    """Give a rule the number that it had before."""
    meta = _meta(play, effect)
    if meta is None or not meta["in_force"] or meta["number"] != effect["to"]:
        return CHANGED
    renumber(play, effect["of"], effect["from"])
    return ""


def _meta(play: Play, effect: Effect) -> RuleMeta | None:
    return play.documents[LAW]["rules"].get(effect["of"])


def _before(play: Play, uid: str, entry: int) -> Revision | None:
    """Return what a rule was before an entry changed it."""
    earlier = [each for each in play.law.history(uid) if each["seq"] < entry and not each.get("repealed")]
    return earlier[-1] if earlier else None
