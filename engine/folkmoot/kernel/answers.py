"""What the law is asked and shown, and what it answers, as far as that can be used.

An answer of another shape is a failure of the rule that gave it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from folkmoot.core.documents import Change, Proposal, RuleParts
from folkmoot.core.keys import LAW, proposal_key, rule_key
from folkmoot.core.proposal_numbers import find_by_name
from folkmoot.core.records import Arguments, ScriptRecord, Taken
from folkmoot.core.values import told
from folkmoot.kernel.act_declarations import QUESTION, default_of, taking_in, why_none
from folkmoot.kernel.errors import FailedGuard, Fault, Refusal
from folkmoot.kernel.play import Frame, Play, stands_for
from folkmoot.kernel.script_records import CHANGE, REFERENCE, fields_of_ballot, proposal_record, record
from folkmoot.language.declarations import host


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
    key = proposal_key(proposal["id"])
    known = play.documents.known if play.documents.get(key) is proposal else {}
    if key not in known:  # twenty ballots take longer than all else of a proposal
        known[key] = [[player, *fields_of_ballot(ballot)] for player, ballot in proposal["ballots"].items()]
    return proposal_record(proposal, [change_record(play, change) for change in proposal["changes"]], known[key])


def first_free(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return a name, with the first number behind it by which it is not taken where it is."""
    tried, suffix = name, 2
    while is_taken(tried):
        tried, suffix = f"{name}-{suffix}", suffix + 1
    return tried


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
        if type(mark := value.get("$", 2)) is not int or mark > 2 or "$int" in value:  # which only the host writes
            raise Fault("no key of a map begins with $", "E-ARGS")
        parts = value.items()
        return {key: again(play, item) if type(item) is dict or type(item) is list else item for key, item in parts}
    if "id" in value:
        return to_record(play, find_proposal(play, value))
    uid = play.law.resolve(value, play.view)
    return play.law.record(uid, play.view) if uid else record(value)


# -- what the law answers


def ask_usable(play: Play, question: str, flaw: Callable[[Any], str], *arguments: Any) -> tuple[str | None, Any]:
    """Return uid and answer of who prevails among answers without a `flaw`, else None twice; a flaw is a failure."""
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
    return lambda answer: "" if fits(answer) else f"it must be {what}"


def _refuses(answer: Any) -> bool:
    return isinstance(answer, dict) and bool(answer.get("refused"))


def _is_whole(answer: Any) -> bool:
    return isinstance(answer, int) and not isinstance(answer, bool)


flaw_of_text = _must_be("a text", lambda answer: isinstance(answer, str))
flaw_of_integer = _must_be("a whole number", _is_whole)
flaw_of_switch = _must_be("True or False", lambda answer: isinstance(answer, bool))
flaw_of_words = _must_be(
    "a list of texts", lambda answer: isinstance(answer, list) and all(isinstance(item, str) for item in answer)
)
flaw_of_weights = _must_be(
    "a map from players to whole numbers",
    lambda answer: isinstance(answer, dict) and all(_is_whole(each) for name, each in answer.items() if name != "$"),
)
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
    """Return the action (`do`) that takes a pull request in, or `why` none does; a failure is no leave."""
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


# -- whether a script may change or do what it would: the law is asked first, as it is of what a proposal changes


SCALARS = (str, int, bool)


def check_change(play: Play, change: Change, name: str | None = None, proposal: Proposal | None = None) -> None:
    """Ask the law whether the script that runs may change it so (or a setting by `name`); raises Refusal."""
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
    """Ask the law whether the script that runs may set a register of an owner (`of`), which a rule is `declaring`."""
    if not (play.frames and play.law.listeners("decide_may_put")) or declaring == play.frames[-1].uid:
        return
    known = {"of": of, "kind": kind, "name": name, "to": to if isinstance(to, SCALARS) else None, "proposal": None}
    rule = declaring if declaring in play.law.in_force() else None
    _ask(play, "may_put", lambda: {**known, "rule": play.law.record(rule) if rule else None})


def check_deed(play: Play, do: str, of: str, kind: str, whose: Iterable[str | None] = (None,), to: Any = None) -> None:
    """Ask the law whether the script that runs may `do` what is the business of the rules `whose`; raises Refusal."""
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
    uid = play.frames[-1].uid
    with play.having(view=None):
        if uid in play.documents[LAW]["rules"]:
            asked = record(shown()), play.law.last_record(uid)
        else:  # an order, which has the authority that the law gives its proposal
            question, asked = _of_order(play, uid, question, shown())
        rule, answer = ask_usable(play, question, flaw_of_permission, *asked)
        check_permission(answer, "E-TARGET", rule)


def _of_order(play: Play, identifier: str, question: str, shown: ScriptRecord) -> tuple[str, tuple[Any, Any]]:
    causes = (scope.cause["proposal"] for scope in reversed(play.scopes) if scope.cause and "proposal" in scope.cause)
    proposal = next(each for each in causes if each["id"] == identifier)
    if question != "may_alter":
        return question, (record({**shown, "proposal": proposal}), None)
    return "may_change", (proposal, record({**shown, "once": True}))
