"""What scripts are shown of proposals and their changes, and how their answers are read."""

from __future__ import annotations

from typing import Any

from folkmoot.core.documents import Change, Proposal
from folkmoot.core.proposal_numbers import find_by_name
from folkmoot.core.records import ScriptRecord
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.play import Play
from folkmoot.kernel.script_records import CHANGE, REFERENCE, proposal_record, record
from folkmoot.language.host_functions import host


def find_proposal(play: Play, ref: Any, kind: str = "proposal") -> Proposal:
    """Return the document of a proposal by id, struct or number; raises Fault if there is none."""
    identifier = ref["id"] if isinstance(ref, dict) else ref if "/" in str(ref) else f"{kind}/{ref}"
    if play.draft is not None and identifier == play.draft["id"]:
        return play.draft
    found: Proposal | None = find_by_name(play.documents.get, str(identifier))
    if found is None:
        raise Fault(f"there is no {str(identifier).replace('/', ' ')}", "E-NO-SUCH")
    return found


@host("reading", 'proposal(number, kind: str = "proposal") -> proposal', looks=True)
def proposal_of(play: Play, ref: Any, kind: str = "proposal") -> ScriptRecord | None:
    """A proposal (or a motion of another kind) as it is now, or None.

    Example:
        p = proposal(301)
        if p != None and p.state == "open":
            announce("the vote on %s is open" % p.title)
    """
    try:
        return to_record(play, find_proposal(play, ref, kind))
    except Fault:
        return None


def to_record(play: Play, proposal: Proposal) -> ScriptRecord:
    """Return a proposal for scripts as it is now."""
    return proposal_record(proposal, [change_record(play, change) for change in proposal["changes"]])


def tell(play: Play, event: str, proposal: Proposal, **more: Any) -> None:
    """Raise an event about a proposal, if anybody listens."""
    if play.law.listeners(f"on_{event}", view=play.view):
        play.emit(event, {"proposal": to_record(play, proposal), **more})


def change_record(play: Play, change: Change) -> ScriptRecord:
    """Return a change for scripts: kind, target rule (None where it is new or gone), its new parts."""
    uid = change["rule"]
    target = play.law.record(uid, play.view) if uid in play.law.in_force(play.view) else None
    known = {"kind": change["kind"], "rule": target, "uid_": uid, "revision": change.get("revision")}
    shown = {**known, "to": change.get("to"), **change.get("parts", {})}
    return {"$": CHANGE, **{name: value for name, value in shown.items() if value is not None}}


def refusal_of(answer: Any, fallback: str) -> tuple[str, str] | None:
    """Return (code, why) if an answer refuses, else None."""
    if isinstance(answer, dict) and answer.get("refused"):
        return str(answer["refused"]), str(answer.get("why", ""))
    if answer is False:
        return fallback, ""
    return None


def again(play: Play, value: Any) -> Any:
    """Return what a script passed on, with the rules and proposals in it as they are now."""
    kind = type(value)
    if kind is list:
        return [again(play, item) if type(item) is dict or type(item) is list else item for item in value]
    if kind is not dict:
        return value
    if value.get("$") != REFERENCE:
        parts = value.items()
        return {key: again(play, item) if type(item) is dict or type(item) is list else item for key, item in parts}
    if "id" in value:
        return to_record(play, find_proposal(play, value))
    uid = play.law.resolve(value, play.view)
    return play.law.record(uid, play.view) if uid else record(value)
