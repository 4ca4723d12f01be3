"""Rules and their changes: enacting, amending, repealing, transmuting, retitling and renumbering, and their past."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
from folkmoot.core.keys import GAME, LAW, history_key, in_sorted_maps, number_key, rule_key
from folkmoot.core.past_dates import is_exact, moments_of, span_of
from folkmoot.core.portable_names import unportable
from folkmoot.core.records import Effect, ProposedChange, ScriptRecord
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.core.rule_pasts import flaws_of
from folkmoot.core.sealed_data import DEPENDS
from folkmoot.core.values import flaw_of, is_digits, told
from folkmoot.kernel import clock
from folkmoot.kernel.answers import (
    ask_usable,
    change_record,
    check_change,
    check_revision,
    find_proposal,
    first_free,
    flaw_of_integer,
    to_record,
)
from folkmoot.kernel.errors import Fault, Refusal, shortened
from folkmoot.kernel.play import Play, Scope, call, program
from folkmoot.kernel.script_records import record, rule_record
from folkmoot.kernel.things import give_initial_values_to_all
from folkmoot.language.binding import ScriptError
from folkmoot.language.declarations import host
from folkmoot.language.tree import RULE, hook_names

ORDER = "what acts `once` is carried out by the proposal that brings it, and is no law"
TARGETED = ("amend", "repeal", "transmute", "retitle")


def normalise(play: Play, changes: Any) -> list[Change]:
    """Return changes as proposed (`{amend: "203", text: …}`) in the form that is kept; raises Refusal for ill ones."""
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
        what = f"`revision` is which revision of rule {uid} a change was made on"
        raise Refusal("E-ARGS", f"{what}, from {first} to {last}")
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
    uid = play.law.resolve(number)
    return uid is not None and play.law.in_force()[uid][0]["rule"] == number


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
    """Return a rule's document with its keys in the order of its file; of a person's own file its maps are sorted."""
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


def _next_rule_number(play: Play) -> str:
    numbers = [int(doc["rule"]) for doc, _ in play.law.in_force().values() if is_digits(str(doc["rule"]))]
    return str(max(numbers, default=0) + 1)


def enact(play: Play, parts: RuleParts, number: Any = None, proposal: Proposal | None = None, uid: str = "") -> str:
    """Bring a rule into force and return its uid; its number is the proposal's unless another is given."""
    play.writing("enact a rule")
    if "once" in parts:
        raise Fault(ORDER, "E-ARGS")
    chosen = str(number) if number is not None else _next_rule_number(play)
    _check_number(play, chosen)
    if proposal is None:
        change: Change = {"kind": "enact", "rule": None, "parts": parts}
        check_change(play, {**change, "to": chosen} if number is not None else change)
    clock.check_declared(play, parts.get("timers"))
    known = {each.lower() for each in play.documents[LAW]["rules"]}
    uid = uid or first_free(chosen, lambda tried: tried.lower() in known)
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
    with play.having(view=None):  # by an older law, which may govern the act, the rule would not be in force
        play.emit("enacted", {"proposal": told["proposal"]}, to=uid)
    return uid


def new_meta(play: Play, number: str, cause: str | None, applies_from: int) -> RuleMeta:
    """Return what is known of a rule that comes into force now."""
    return {
        "number": number, "revision": first_revision(play), "amendments": 0, "at": play.now, "enacted_at": play.now,
        "seq": play.seq, "cause": cause, "applies_from": applies_from, "in_force": True, "former_numbers": [],
        "suspended": None,
    }  # fmt: skip


def _changed(play: Play, uid: str) -> None:
    """Note that the law is another one: drop caches, bring declared values and timers up to date."""
    law = play.documents[LAW]
    play.documents.assign(LAW, law, "version", law["version"] + 1)
    play.law.rule_changed(uid)
    give_initial_values_to_all(play)
    clock.follow_law(play)
    meta = law["rules"][uid]
    names = {f"{RULE}{name}" for name in (uid, meta["number"], *meta["former_numbers"])}
    for other, script in play.law.loading().copy().items():  # which may load from it, if by way of others
        if names.intersection(play.law.linked(script)[1::2]):
            _note_what_does_not_load(play, other)


def _note_what_does_not_load(play: Play, uid: str) -> None:
    """Put on record that a rule's script does not load: it is law all the same, and nobody shall have to find out."""
    script = play.documents[rule_key(uid)].get("script")
    if not script:
        return
    try:
        program(play, uid, script, play.law.linked(script))
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
    if "once" in parts:
        raise Fault(ORDER, "E-ARGS")
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
    updated = {name: value for name, value in _awake(meta).items() if name not in TAKEN_OVER} | {
        "revision": meta["revision"] + 1, "amendments": meta["amendments"] + (kind == "amend"), "at": play.now,
        "seq": play.seq, "cause": _cause(play, proposal), "applies_from": applies_from,
    }  # fmt: skip
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
    """Run an order in the name of its proposal, as one handler; raises Refusal where it fails, and undoes it."""
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
    meta = play.law.metas().get(effect["of"])
    if meta is None or not meta["in_force"] or meta["seq"] not in (entry, play.seq):
        return CHANGED
    repeal(play, effect["of"], BECAUSE)
    return ""


def restore(play: Play, effect: Effect, entry: int) -> str:
    """Give a rule the parts that it had before the change of an entry; several of one entry go back one by one."""
    uid, meta = effect["of"], play.law.metas().get(effect["of"])
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
    uid, meta = effect["of"], play.law.metas().get(effect["of"])
    if meta is None or meta["in_force"] or meta["seq"] != entry:
        return CHANGED
    last = play.law.last_wording(uid)
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
    meta = play.law.metas().get(effect["of"])
    if meta is None or not meta["in_force"] or meta["number"] != effect["to"]:
        return CHANGED
    renumber(play, effect["of"], effect["from"])
    return ""


def _before(play: Play, uid: str, entry: int) -> Revision | None:
    earlier = [each for each in play.law.history(uid) if each["seq"] < entry and not each.get("repealed")]
    return earlier[-1] if earlier else None


# -- whether the parts of a proposed rule are well formed: the schemas of rule files judge them

NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,38}", re.ASCII)
BESIDE = ("source", "because")
MOST_SHOWN = 5


def check_parts(parts: Any) -> list[str]:
    """Return what is wrong with the parts of a rule, one sentence each; `source` and `because` must be text."""
    if not isinstance(parts, dict):
        return ["the parts of a rule must be a map (title, text, script, …)"]
    flaw = flaw_of(parts)
    if flaw:
        return [f"a rule cannot hold {flaw}"]
    from folkmoot.files.reader import check_rule_parts

    wrong = [f"{name} must be text" for name in BESIDE if not isinstance(parts.get(name, ""), str)]
    wrong += [f"{told(name)} is the engine's to give" for name in ("rule", "uid") if name in parts]
    known = {name: value for name, value in parts.items() if name not in (*BESIDE, "rule", "uid")}
    found = check_rule_parts(known)
    wrong += [f"{problem.message} ({problem.hint})" if problem.hint else problem.message for problem in found]
    return wrong[:MOST_SHOWN]


def check_number(number: Any) -> str:
    """Return what is wrong with the number of a rule or proposal ("" if nothing); it may become the name of a file."""
    fits = isinstance(number, str) and NUMBER.fullmatch(number) and ".." not in number
    if not fits:
        return f"{told(str(number)[:40])} cannot be a number; use letters, digits, ., - and _"
    return unportable(str(number))


# -- the past of rules: what a ruleset says of it, what scripts read of it, and how the law calls revisions

LONGEST_NAME = 80  # characters
TAKEN_OVER = ("called", "change", "dated", "note")
"""What is taken over of a revision, beside when it came about and by what."""
Told = Mapping[str, Sequence[Mapping[str, Any]]]


def first_revision(play: Play) -> int:
    """Return which number the first revision of a rule has in this game."""
    return play.documents[GAME].get("first_revision", 1)


# -- at the founding


def lay_histories(play: Play, given: Told, rulings: Told) -> Iterator[tuple[str, str]]:
    """Keep what a ruleset says of the past of its rules, and rulings; yield the uids that cannot be, and why."""
    if not isinstance(given, Mapping) or not isinstance(rulings, Mapping):
        raise Refusal("E-ARGS", "`history` is a map from the uids of rules to lists of their revisions")
    for uid, revisions in given.items():
        if not (isinstance(revisions, list) and revisions and all(isinstance(each, dict) for each in revisions)):
            yield uid, "it must be a list of revisions, each a map"
        elif flaw := _flaw_of_past(play, uid, revisions):
            yield uid, flaw
        else:
            _lay_history(play, uid, revisions)
    for uid, told_of in rulings.items():
        if uid not in play.documents[LAW]["rules"] or not isinstance(told_of, list):
            yield uid, "a ruling is on a rule that is or was"
            continue
        kept = [{**each, "at": _moments(told_of[place : place + 1], play.now)[0], **_dated(each)}
                for place, each in enumerate(told_of)]  # fmt: skip
        play.documents.assign(history_key(uid), play.documents[history_key(uid)], "rulings", kept)


def _flaw_of_past(play: Play, uid: str, revisions: Sequence[Mapping[str, Any]]) -> str:
    repealed = revisions[-1].get("repealed") is True
    if check_number(uid) or (uid in play.documents[LAW]["rules"]) == repealed or (repealed and len(revisions) == 1):
        return "it ends with the rule in force that has this uid, or with the repeal of one that is not in force"
    for flaw in flaws_of(revisions):
        return flaw.message
    if _moments(revisions, play.now)[-1] > play.now:
        return f"{revisions[-1]['at']} is later than the founding"
    for each in revisions:
        wrong = [*check_parts({name: each[name] for name in RULE_PARTS if name in each})]
        wrong += [flaw for flaw in (
            check_number(str(each["rule"])) if each.get("rule") else "",
            _flaw_of_answer(each["called"]) if "called" in each else "",
        ) if flaw]  # fmt: skip
        if wrong:
            return "; ".join(wrong)
    return ""


def _moments(revisions: Sequence[Mapping[str, Any]], now: int) -> list[int]:
    return moments_of([span_of(str(each.get("at"))) or (0, 0) for each in revisions], now)


def _dated(said: Mapping[str, Any]) -> dict[str, str]:
    """Return how a revision is dated that has no exact date, as `dated`."""
    at = str(said.get("at"))
    return {} if is_exact(at) else {"dated": at}


def _lay_history(play: Play, uid: str, revisions: Sequence[Mapping[str, Any]]) -> None:
    rules = play.documents[LAW]["rules"]
    last = revisions[-1]
    repealed = last.get("repealed") is True
    times = _moments(revisions, play.now)
    past: list[Document] = []
    count = 0
    for place, each in enumerate(revisions if repealed else revisions[:-1]):
        known = {"at": times[place], "seq": play.seq, "cause": each.get("cause"), "applies_from": 0}
        if each.get("repealed"):
            past.append({"repealed": True, **known, "because": str(each.get("because") or ""), **_taken_over(each)})
            continue
        parts = {name: each[name] for name in RULE_PARTS if name in each}
        numbered = {"rule": str(each.get("rule") or uid), "uid": uid, "title": each.get("title", ""), **parts}
        more = _taken_over(each) | ({"unknown": True} if each.get("unknown") else {})
        revision = first_revision(play) + count
        past.append({**numbered, "revision": revision, **known, "until": times[place + 1], **more})
        count += 1
    wordings = [each for each in past if not each.get("repealed")]
    number = str(wordings[-1]["rule"] if repealed else play.documents[rule_key(uid)]["rule"])
    count += not repealed
    meta = new_meta(play, number, last.get("cause"), 0)
    meta |= {"revision": meta["revision"] + count - 1, "amendments": count - 1, "in_force": not repealed}
    meta |= {"at": times[-1], "enacted_at": times[0]}
    worn = [*(str(each["rule"]) for each in wordings), *rules.get(uid, meta)["former_numbers"]]
    meta["former_numbers"] = [each for each in dict.fromkeys(worn) if each != number]
    if not repealed:
        meta |= cast(RuleMeta, _taken_over(last))
    play.documents.assign(LAW, rules, uid, meta)
    if past:
        play.documents.assign(history_key(uid), play.documents[history_key(uid)], "revisions", past)


def _taken_over(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: said[name] for name in TAKEN_OVER if said.get(name)} | _dated(said)


# -- as scripts read it


@host("reading", "revisions(rule: ref) -> list[revision]", looks=True)
def revisions(play: Play, ref: Any) -> list[ScriptRecord]:
    """Every revision of a rule that is or was, by its uid or number, oldest first, its repeal last; of no rule none.

    | announce(", ".join(["%s since %s" % (r.revision, date(r.at).year) for r in revisions("1")]))
    """
    named = str(ref.get("uid") if isinstance(ref, dict) else ref)
    metas = play.law.metas().items()
    gone = [uid for uid, meta in metas if uid == named or (not meta["in_force"] and meta["number"] == named)]
    uid = play.law.resolve(ref, play.view) or next(reversed(gone), None)
    if uid is None:
        return []
    shown = [_shown_revision(uid, past) for past in play.law.history(uid)]
    meta = play.law.metas()[uid]
    if meta["in_force"]:
        known: Document = meta
        now = {**play.documents[rule_key(uid)], **{name: known.get(name) for name in OF_A_REVISION}}
        shown.append(_shown_revision(uid, now))
    return shown


def _shown_revision(uid: str, revision: Document) -> ScriptRecord:
    names = ("revision", "called", "at", "until", "seq", "cause", "title", "text", "script", "because")
    known = {name: revision.get(name) for name in names}
    known |= {"number": revision.get("rule", uid), "labels": dict(revision.get("labels") or {})}
    return record({**known, "repealed": bool(revision.get("repealed"))})


def repealed_rules(play: Play) -> list[ScriptRecord]:
    """Return the rules that are no longer in force, by number, each as it stood last."""
    found = []
    for uid, meta in play.law.metas().items():
        last = play.law.last_wording(uid)
        if not meta["in_force"] and last is not None:
            found.append(rule_record(last, {**meta, "revision": last["revision"]}, play.law.labels()))
    return sorted(found, key=lambda rule: number_key(rule["number"]))


# -- how they are called


def name_revision(play: Play, uid: str) -> None:
    """Ask the law how it calls the revision that a rule has got now, and keep that."""
    if not play.law.listeners("decide_revision_name", view=play.view):
        return
    answer = ask_usable(play, "revision_name", _flaw_of_answer, play.law.record(uid))[1]
    if answer is not None:
        rules = play.documents[LAW]["rules"]
        play.documents.assign(LAW, rules, uid, {**rules[uid], "called": answer})


def _flaw_of_answer(answer: Any) -> str:
    fits = isinstance(answer, str) and answer.strip() and "\n" not in answer and len(answer) <= LONGEST_NAME
    return "" if fits else f"it must be a text of one line of at most {LONGEST_NAME} characters"
