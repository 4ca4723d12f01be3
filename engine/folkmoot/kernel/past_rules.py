"""The past of rules: what a ruleset says of it, what scripts read of it, and how the law calls revisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from folkmoot.core.calendar import read_stamp
from folkmoot.core.documents import Document, RuleMeta
from folkmoot.core.keys import GAME, LAW, history_key, number_key, rule_key
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import ScriptRecord
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.core.values import told
from folkmoot.kernel.answers import ask_usable
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_checks import check_number, check_parts
from folkmoot.kernel.script_records import record, rule_record

LONGEST_NAME = 80  # characters
OF_A_REVISION = ("revision", "at", "seq", "cause", "called")
SAID = frozenset({"at", "cause", "rule", "repealed", "because", *RULE_PARTS})
Told = Mapping[str, Sequence[Mapping[str, Any]]]


def first_revision(play: Play) -> int:
    """Return which number the first revision of a rule has in this game."""
    return play.documents[GAME].get("first_revision", 1)


# -- at the founding


def lay_histories(play: Play, given: Told) -> None:
    """Keep what a ruleset says of the past of its rules: uid → revisions, oldest first; raises Refusal E-ARGS.

    The last one is the rule as it is in force, of which it says when and why only; or the mark of its repeal.
    """
    if not isinstance(given, Mapping):
        raise Refusal("E-ARGS", "`history` is a map from the uids of rules to lists of their revisions")
    for uid, revisions in given.items():
        if not (isinstance(revisions, list) and revisions and all(isinstance(each, dict) for each in revisions)):
            raise _flaw(uid, "it must be a list of revisions, each a map")
        try:
            _lay_history(play, uid, revisions)
        except ProblemError as error:
            raise _flaw(uid, error.problems[0].message) from None


def _flaw(uid: str, why: str) -> Refusal:
    return Refusal("E-ARGS", f"the history of rule {str(uid)[:40]} cannot be this: {why}")


def _lay_history(play: Play, uid: str, revisions: Sequence[Mapping[str, Any]]) -> None:
    rules = play.documents[LAW]["rules"]
    last = revisions[-1]
    repealed = last.get("repealed") is True
    if check_number(uid) or (uid in rules) == repealed or (repealed and len(revisions) == 1):
        why = "it ends with the rule in force that has this uid, or with the repeal of one that is not in force"
        raise _flaw(uid, why)
    times = [read_stamp(str(each.get("at"))) for each in revisions]
    if sorted(times) != times or times[-1] > play.now:
        raise _flaw(uid, "its revisions stand in the order of their times, and none is later than the founding")
    if not repealed and set(last) - {"at", "cause"}:
        raise _flaw(uid, "of the revision in force it says `at` and `cause`; the rest is in the file of the rule")
    past = [_past(play, uid, place, each, times) for place, each in enumerate(revisions[:-1])]
    number = str(past[-1]["rule"] if repealed else play.documents[rule_key(uid)]["rule"])
    meta = _meta(play, number, times, len(past) + (not repealed))
    meta["cause"], meta["in_force"] = last.get("cause"), not repealed
    worn = [*(str(each["rule"]) for each in past), *rules.get(uid, meta)["former_numbers"]]
    meta["former_numbers"] = [each for each in dict.fromkeys(worn) if each != number]
    if repealed:
        known = {"at": times[-1], "seq": play.seq, "cause": last.get("cause"), "applies_from": 0}
        past.append({"repealed": True, **known, "because": str(last.get("because") or "")})
    play.documents.assign(LAW, rules, uid, meta)
    if past:
        play.documents.assign(history_key(uid), play.documents[history_key(uid)], "revisions", past)


def _meta(play: Play, number: str, times: list[int], count: int) -> RuleMeta:
    return {
        "number": number, "revision": first_revision(play) + count - 1, "amendments": count - 1, "at": times[-1],
        "enacted_at": times[0], "seq": play.seq, "cause": None, "applies_from": 0, "in_force": True,
        "former_numbers": [], "suspended": None,
    }  # fmt: skip


def _past(play: Play, uid: str, place: int, said: Mapping[str, Any], times: list[int]) -> Document:
    parts = {name: said[name] for name in RULE_PARTS if name in said}
    unknown = sorted(set(said) - SAID)
    flaws = [f"nobody knows {told(unknown[0])}"] if unknown else check_parts(parts)
    flaws += [check_number(str(said["rule"]))] if said.get("rule") and check_number(str(said["rule"])) else []
    flaws += ["only the last can be its repeal"] if said.get("repealed") else []
    if flaws:
        raise _flaw(uid, "; ".join(flaws))
    known = {"at": times[place], "seq": play.seq, "cause": said.get("cause"), "applies_from": 0}
    numbered = {"rule": str(said.get("rule") or uid), "uid": uid, "title": said.get("title", ""), **parts}
    return {**numbered, "revision": first_revision(play) + place, **known, "until": times[place + 1]}


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


def revisions(play: Play, ref: Any) -> list[ScriptRecord]:
    """Return every revision of a rule for scripts, oldest first: the present one, or its repeal, last; none of none."""
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
    answer = ask_usable(play, "revision_name", _flaw_of_name, play.law.record(uid))[1]
    if answer is not None:
        rules = play.documents[LAW]["rules"]
        play.documents.assign(LAW, rules, uid, {**rules[uid], "called": answer})


def _flaw_of_name(answer: Any) -> str:
    """Return why an answer cannot be the name of a revision, "" if it can."""
    fits = isinstance(answer, str) and answer.strip() and "\n" not in answer and len(answer) <= LONGEST_NAME
    return "" if fits else f"it must be a text of one line of at most {LONGEST_NAME} characters"
