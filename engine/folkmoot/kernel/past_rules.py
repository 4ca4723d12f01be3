"""The past of rules: what a ruleset says of it, what scripts read of it, and how the law calls revisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from folkmoot.core.documents import OF_A_REVISION, Document, RuleMeta
from folkmoot.core.keys import GAME, LAW, history_key, number_key, rule_key
from folkmoot.core.past_dates import is_exact, moments_of, span_of
from folkmoot.core.records import ScriptRecord
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.core.rule_pasts import flaws_of
from folkmoot.kernel.answers import ask_usable
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_checks import check_number, check_parts
from folkmoot.kernel.script_records import record, rule_record
from folkmoot.language.host_functions import host

LONGEST_NAME = 80  # characters
TAKEN_OVER = ("called", "change", "dated", "note")
"""What is taken over of a revision, beside when it came about and by what."""
Told = Mapping[str, Sequence[Mapping[str, Any]]]


def first_revision(play: Play) -> int:
    """Return which number the first revision of a rule has in this game."""
    return play.documents[GAME].get("first_revision", 1)


# -- at the founding


def lay_histories(play: Play, given: Told, rulings: Told) -> Iterator[tuple[str, str]]:
    """Keep what a ruleset says of the past of its rules: uid → revisions, oldest first, and rulings on them.

    The last one is the rule as it is in force, of which it says when and why only; or the mark of its repeal. Yields
    the uids of those that cannot be, with the reason.
    """
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
    """Return why the past of a rule cannot be this, "" where it can."""
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
        if each.get("repealed"):
            past.append(_end(play, each, times[place]))
        else:
            past.append(_past(play, uid, count, each, times[place : place + 2]))
            count += 1
    wordings = [each for each in past if not each.get("repealed")]
    number = str(wordings[-1]["rule"] if repealed else play.documents[rule_key(uid)]["rule"])
    meta = _meta(play, number, times, count + (not repealed))
    meta["cause"], meta["in_force"] = last.get("cause"), not repealed
    worn = [*(str(each["rule"]) for each in wordings), *rules.get(uid, meta)["former_numbers"]]
    meta["former_numbers"] = [each for each in dict.fromkeys(worn) if each != number]
    if not repealed:
        meta |= cast(RuleMeta, _taken_over(last))
    play.documents.assign(LAW, rules, uid, meta)
    if past:
        play.documents.assign(history_key(uid), play.documents[history_key(uid)], "revisions", past)


def _taken_over(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: said[name] for name in TAKEN_OVER if said.get(name)} | _dated(said)


def _meta(play: Play, number: str, times: list[int], count: int) -> RuleMeta:
    return {
        "number": number, "revision": first_revision(play) + count - 1, "amendments": count - 1, "at": times[-1],
        "enacted_at": times[0], "seq": play.seq, "cause": None, "applies_from": 0, "in_force": True,
        "former_numbers": [], "suspended": None,
    }  # fmt: skip


def _end(play: Play, said: Mapping[str, Any], at: int) -> Document:
    """Return the mark of a repeal."""
    known = {"at": at, "seq": play.seq, "cause": said.get("cause"), "applies_from": 0}
    because = str(said.get("because") or "")
    return {"repealed": True, **known, "because": because, **_taken_over(said)}


def _past(play: Play, uid: str, place: int, said: Mapping[str, Any], times: list[int]) -> Document:
    parts = {name: said[name] for name in RULE_PARTS if name in said}
    known = {"at": times[0], "seq": play.seq, "cause": said.get("cause"), "applies_from": 0}
    numbered = {"rule": str(said.get("rule") or uid), "uid": uid, "title": said.get("title", ""), **parts}
    more = _taken_over(said) | ({"unknown": True} if said.get("unknown") else {})
    return {**numbered, "revision": first_revision(play) + place, **known, "until": times[1], **more}


# -- as scripts read it


def _uid(play: Play, ref: Any) -> str | None:
    """Return the uid of a rule that is or was, by its struct, uid or number; of several that were, the last."""
    in_force = play.law.resolve(ref, play.view)
    if in_force is not None:
        return in_force
    named = str(ref.get("uid") if isinstance(ref, dict) else ref)
    metas = play.law.metas()
    gone = [uid for uid, meta in metas.items() if uid == named or (not meta["in_force"] and meta["number"] == named)]
    return gone[-1] if gone else None


@host("reading", "revisions(rule: ref) -> list[revision]", looks=True)
def revisions(play: Play, ref: Any) -> list[ScriptRecord]:
    """Every revision of a rule that is or was, by its uid or number, oldest first, its repeal last; of no rule none.

    Example:
        announce(", ".join(["%s since %s" % (r.revision, date(r.at).year) for r in revisions("1")]))
    """
    uid = _uid(play, ref)
    if uid is None:
        return []
    shown = [_shown(uid, past) for past in play.law.history(uid)]
    meta = play.law.metas()[uid]
    if meta["in_force"]:
        known: Document = meta
        now = {**play.documents[rule_key(uid)], **{name: known.get(name) for name in OF_A_REVISION}}
        shown.append(_shown(uid, now))
    return shown


def _shown(uid: str, revision: Document) -> ScriptRecord:
    names = ("revision", "called", "at", "until", "seq", "cause", "title", "text", "script", "because")
    known = {name: revision.get(name) for name in names}
    labels = dict(revision.get("labels") or {})
    return record(
        {**known, "number": revision.get("rule", uid), "labels": labels, "repealed": bool(revision.get("repealed"))}
    )


def repealed_rules(play: Play) -> list[ScriptRecord]:
    """Return the rules that are no longer in force, by number, each as it stood last."""
    found = []
    for uid, meta in play.law.metas().items():
        last = next((past for past in reversed(play.law.history(uid)) if not past.get("repealed")), None)
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
    """Return why an answer cannot be the name of a revision, "" if it can."""
    fits = isinstance(answer, str) and answer.strip() and "\n" not in answer and len(answer) <= LONGEST_NAME
    return "" if fits else f"it must be a text of one line of at most {LONGEST_NAME} characters"
