"""What the law is asked and shown, and what it answers, as far as that can be used.

An answer of another shape is a failure of the rule that gave it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from folkmoot.core.documents import Change, Proposal
from folkmoot.core.proposal_numbers import find_by_name
from folkmoot.core.records import Arguments, ScriptRecord, Taken
from folkmoot.core.values import told
from folkmoot.kernel.act_declarations import QUESTION, default_of, taking_in, why_none
from folkmoot.kernel.errors import FailedGuard, Fault, Refusal
from folkmoot.kernel.failed_guards import stands_for
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

    | p = proposal(301)
    | if p != None and p.state == "open":
    |     announce("the vote on %s is open" % p.title)
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


def check_permission(answer: Any, code: str, uid: str | None) -> None:
    """Raise Refusal where a rule (its uid) refuses; `code` is that of the answer False, "" where that is none."""
    refused = refusal_of(answer if code or isinstance(answer, dict) else None, code)
    if refused:
        raise Refusal(refused[0], refused[1], uid)


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


# -- what the law answers


def ask_usable(play: Play, question: str, flaw: Callable[[Any], str], *arguments: Any) -> tuple[str | None, Any]:
    """Return the uid of the rule whose answer prevails among those that can be used, and the answer; else None twice.

    `flaw` says what is wrong with an answer ("" if nothing); one that has a flaw is noted as a failure of its rule. Of
    a guard it is a `FailedGuard` then.
    """
    found = []
    for uid, answer in play.answers(question, list(arguments)):
        why = "" if isinstance(answer, FailedGuard) else flaw(answer)
        if why:
            refusing = instead_of(play, uid, f"decide_{question}", list(arguments), why)
            found += [(uid, refusing)] if refusing is not None else []
        else:
            found.append((uid, answer))
    return play.prevailing(question, found)


def instead_of(play: Play, uid: str, hook: str, arguments: list[Any], why: str) -> FailedGuard | None:
    """Note as a rule's failure that an answer cannot be used; return what stands for it: of a guard its refusal."""
    fault = Fault(f"this answer cannot be used: {why}", "E-ARGS")
    play.failed(uid, hook, fault)
    return stands_for(play, uid, hook, arguments, fault)


def flaw_of_opinion(hook: str, answer: Any) -> str:
    """Return why the answer of a `forbid` or `permit_` hook is no opinion, "" if it is one; None and False are none."""
    if answer is None or answer is False or (answer is True and hook.startswith("permit_")):
        return ""
    words = ("permit",) if hook.startswith("permit_") else ("refused", "hold", "permit")
    said = [answer[word] for word in words if answer.get(word)] if isinstance(answer, dict) else []
    if any(isinstance(each, str) or each is True for each in said):
        return ""
    return f"it must be {'permit()' if len(words) == 1 else 'refuse(code, why), hold(label), permit()'} or None"


def _must_be(what: str, fits: Callable[[Any], bool]) -> Callable[[Any], str]:
    """Return what says why an answer cannot be used, "" where it can."""
    return lambda answer: "" if fits(answer) else f"it must be {what}"


def _refuses(answer: Any) -> bool:
    return isinstance(answer, dict) and bool(answer.get("refused"))


def _is_whole(answer: Any) -> bool:
    return isinstance(answer, int) and not isinstance(answer, bool)


def _weighs(answer: Any) -> bool:
    return isinstance(answer, dict) and all(_is_whole(value) for key, value in answer.items() if key != "$")


flaw_of_text = _must_be("a text", lambda answer: isinstance(answer, str))
flaw_of_integer = _must_be("a whole number", _is_whole)
flaw_of_switch = _must_be("True or False", lambda answer: isinstance(answer, bool))
flaw_of_words = _must_be(
    "a list of texts", lambda answer: isinstance(answer, list) and all(isinstance(item, str) for item in answer)
)
flaw_of_weights = _must_be("a map from players to whole numbers", _weighs)
flaw_of_permission = _must_be(
    "refuse(code, why), True, False or None", lambda answer: isinstance(answer, bool) or _refuses(answer)
)
flaw_of_counting = _must_be(
    "True, or the reason why the ballot does not count",
    lambda answer: isinstance(answer, (bool, str)) or _refuses(answer),
)
flaw_of_verdict = _must_be(
    "verdict(yes, why), where `yes` is True or False",
    lambda answer: isinstance(answer.get("yes") if isinstance(answer, dict) else answer, bool),
)


def taken_as(play: Play, pull: Arguments) -> Taken:
    """Return the action (`do`) that takes a pull request in, or `why` none does; `rule` is the uid of who says so.

    An answer that cannot be used, or none because a rule failed, is no leave to take it as anything else.
    """
    actions = {do: declared for do, (_uid, declared) in play.law.declared("actions", play.view).items()}
    able = taking_in(actions)
    found = play.answers("taken_as", [record(dict(pull))])
    failed = next((each for each in play.failures if each["hook"] == f"decide_{QUESTION}"), None)
    if failed is not None:
        return {"rule": failed["rule"], "why": f"the rule that says as what it is taken failed: {failed['error']}"}
    if found:
        uid, answer = found[0]
        if isinstance(answer, str) and answer in able:
            return {"do": answer, "rule": uid}
        return {"rule": uid, "why": f"the law takes it as {told(answer)}, which is no action for rule-changes"}
    do = default_of(actions)
    return {"do": do} if do else {"why": why_none(able)}
