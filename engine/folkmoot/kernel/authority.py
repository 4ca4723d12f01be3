"""Whether a script may change or do what it would: the law is asked first, as it is of what a proposal changes.

A rule's script acts with the authority of that rule, whichever act, timer or question led to it; what a proposal's
order does is asked as a change of its proposal. The law of today answers, whichever law governs the act. What the
engine, an administrator or the adoption of a proposal does is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from folkmoot.core.documents import Change, Proposal, RuleParts
from folkmoot.core.keys import LAW, rule_key
from folkmoot.core.records import ScriptRecord
from folkmoot.kernel.answers import (
    ask_usable,
    change_record,
    check_permission,
    flaw_of_permission,
    to_record,
)
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.event_state import Frame
from folkmoot.kernel.play import Play
from folkmoot.kernel.script_records import record

SCALARS = (str, int, bool)


def check_change(play: Play, change: Change, name: str | None = None, proposal: Proposal | None = None) -> None:
    """Ask the law whether the script that runs may change the law so; raises Refusal where it may not.

    `name` is that of a setting; `proposal` the one whose change the script makes law.
    """
    if not play.frames:
        return
    brought_by = to_record(play, proposal) if proposal is not None else None
    _ask(play, "may_alter", lambda: {**change_record(play, change), "name": name, "proposal": brought_by})


def check_revision(play: Play, uid: str, kind: str, parts: RuleParts) -> None:
    """Ask the law whether the script that runs may give a rule new parts: another status is a transmutation."""
    change: Change = {"kind": kind, "rule": uid, "parts": parts}
    if "labels" in parts and (status := _status(parts)) != _status(play.documents[rule_key(uid)]):
        check_change(play, {**change, "kind": "transmute", "to": str(status or "")})
    if kind != "label" or change["kind"] == kind:
        check_change(play, change)


def _status(document: Any) -> Any:
    return (document.get("labels") or {}).get("status")


def check_write(play: Play, of: str, kind: str, name: str, declaring: str | None, to: Any) -> None:
    """Ask the law whether the script that runs may set what another rule declares, or what no rule does.

    `of` names the owner, which is of a `kind`, and `declaring` is the uid of the rule that declares the register.
    """
    if not (play.frames and play.law.listeners("decide_may_put")) or declaring == play.frames[-1].uid:
        return
    known = {"of": of, "kind": kind, "name": name, "to": to if isinstance(to, SCALARS) else None, "proposal": None}
    rule = declaring if declaring in play.law.in_force() else None
    _ask(play, "may_put", lambda: {**known, "rule": play.law.record(rule) if rule else None})


def check_deed(play: Play, do: str, of: str, kind: str, whose: Iterable[str | None] = (None,), to: Any = None) -> None:
    """Ask the law whether the script that runs may do what is another rule's business, or that of no rule.

    `do` is the function, `of` names what it is done to, which is of a `kind`, and `whose` are the uids of the rules
    whose business that is. Raises Refusal where it may not.
    """
    if not (play.frames and play.law.listeners("decide_may_do")):
        return
    known = {"do": do, "of": of, "kind": kind, "to": to if isinstance(to, SCALARS) else None, "proposal": None}
    own, in_force = play.frames[-1].uid, play.law.in_force()
    for uid in dict.fromkeys(each if each in in_force else None for each in whose if each != own):
        _ask(play, "may_do", lambda uid=uid: {**known, "rule": play.law.record(uid) if uid else None})


def refusal_of_deed(
    play: Play, by: str, do: str, of: str, kind: str, whose: Iterable[str | None] = (None,), to: Any = None
) -> Refusal | None:
    """Return why a rule may not do by an answer or a declaration what its script may not, None where it may."""
    play.frames.append(Frame(by, do))
    try:
        check_deed(play, do, of, kind, whose, to)
    except Refusal as refusal:
        return refusal
    finally:
        play.frames.pop()
    return None


def _ask(play: Play, question: str, shown: Any) -> None:
    view, play.view = play.view, None
    try:
        uid = play.frames[-1].uid
        if uid in play.documents[LAW]["rules"]:
            asked = record(shown()), play.law.last_record(uid)
        else:  # an order, which has the authority that the law gives its proposal
            question, asked = _of_order(play, uid, question, shown())
        rule, answer = ask_usable(play, question, flaw_of_permission, *asked)
        check_permission(answer, "E-TARGET", rule)
    finally:
        play.view = view


def _of_order(play: Play, identifier: str, question: str, shown: ScriptRecord) -> tuple[str, tuple[Any, Any]]:
    causes = (scope.cause["proposal"] for scope in reversed(play.scopes) if scope.cause and "proposal" in scope.cause)
    proposal = next(each for each in causes if each["id"] == identifier)
    if question != "may_alter":
        return question, (record({**shown, "proposal": proposal}), None)
    return "may_change", (proposal, record({**shown, "once": True}))
