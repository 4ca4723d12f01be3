"""What is wrong with a rule among the others: circles that it closes, claims and answers that have no say.

Also changes of the law that its script names and may not make: the law is asked, with the rule in it, before it is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from typing import Any

from folkmoot.core.documents import Change, RuleDocument
from folkmoot.core.keys import NEW, ON_TRIAL, number_key
from folkmoot.core.problems import Problem
from folkmoot.core.records import Founding
from folkmoot.files.reader import locate, script_position
from folkmoot.kernel.authority import check_change
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.frames import Frame
from folkmoot.kernel.play import Play
from folkmoot.kernel.proposal_outlook import circle_told
from folkmoot.kernel.rule_settings import find_setting
from folkmoot.language.calls import Call, read
from folkmoot.language.tree import hook_names, scan, text_in
from folkmoot.scenarios.checked_law import CheckedLaw
from folkmoot.scenarios.examples import uid_in

PREVAILS = "decide_prevails"


def precedence_problems(rule: RuleDocument, law: CheckedLaw, text: str, file: str) -> Iterator[Problem]:
    """Found the law with a rule in it that speaks of precedence; yield where that comes to something else."""
    answers = PREVAILS in hook_names(str(rule.get("script") or ""))
    known = uid_in(law.law, rule)
    mine = known if known is not None else str(law.beside(rule)["rules"][-1]["uid"])
    yield from _answers_in_vain(rule, mine, law, text, file, is_new=known is None)
    if not rule.get("precedence") and not answers:
        return
    is_new = str(rule.get("rule") or NEW).partition("-")[0] in ON_TRIAL
    for circle, numbers in law.circles(rule).items():
        if mine in circle:
            pairs = zip(circle, numbers, strict=True)
            names = ["the new one" if is_new and uid == mine else number for uid, number in pairs]
            place = locate(text, file, ["precedence"])
            yield Problem("W-SCRIPT", circle_told(names), place, "say in one of them that it defers to the other")
    if answers:
        yield from _claims_in_vain(rule, law.law, text, file, is_new=is_new)


def _claims_in_vain(rule: RuleDocument, law: Founding, text: str, file: str, *, is_new: bool) -> Iterator[Problem]:
    """Yield where a rule that answers which rule prevails claims to go before one of a lower number that answers too.

    Those that answer are asked in the order of their numbers, because any other order would rest on their answers.
    """
    for place, other in enumerate((rule.get("precedence") or {}).get("over") or ()):
        found: Any = next((each for each in law["rules"] if str(each.get("rule")) == str(other)), {})
        is_later = is_new or number_key(str(rule["rule"])) > number_key(str(other))
        if PREVAILS in hook_names(str(found.get("script") or "")) and is_later:
            message = f"rule {other} answers which rule prevails before this one, whatever is claimed here"
            hint = f"amend rule {other}, or let this rule claim precedence and answer nothing"
            yield Problem("W-SCRIPT", message, locate(text, file, ["precedence", "over", place]), hint)


def _answers_in_vain(
    rule: RuleDocument, mine: str, law: CheckedLaw, text: str, file: str, *, is_new: bool
) -> Iterator[Problem]:
    """Yield where a rule answers a question that a rule before it always answers."""
    script = str(rule.get("script") or "")
    answered = {hook for hook in hook_names(script) if hook.startswith("decide_")}
    others = (each for each in law.beside(rule)["rules"] if str(each.get("uid") or each["rule"]) != mine)
    if answered.isdisjoint(hook for each in others for hook in hook_names(str(each.get("script") or ""))):
        return
    for answer, sentence in law.overruled(rule):
        function = scan(script).functions.get(f"decide_{answer.question}")
        if function is not None and (is_new or answer.rule == mine):
            place = script_position(text, file, function.line, function.column)
            yield Problem("W-SCRIPT", sentence, place)


# -- what a script would change of the law by name, and may not


MAY_ALTER = "decide_may_alter"
CHANGING = ("amend", "repeal", "label", "renumber", "suspend", "wake")


def authority_problems(rule: RuleDocument, law: CheckedLaw, text: str, file: str) -> Iterator[Problem]:
    """Found the law with a rule in it and ask of each change that its script names whether it may make it."""
    within, script = law.beside(rule), str(rule.get("script") or "")
    calls = [call for call in read(script).calls if call.name in CHANGING or _flips(call)]
    if not calls or not any(MAY_ALTER in hook_names(str(each.get("script") or "")) for each in within["rules"]):
        return
    run = law.founded(rule)
    if run is None:
        return
    uid = uid_in(law.law, rule) or str(within["rules"][-1]["uid"])
    for call in calls:
        refusal: Refusal | None = run.kernel.look(partial(_refused, uid, call), run.now)
        if refusal is not None:
            message = f"`{call.name}` is refused here: {refusal.why or refusal.code}"
            place = script_position(text, file, call.place.line, call.place.column)
            hint = f"rule {run.kernel.play.law.record(refusal.rule)['number']} says so" if refusal.rule else ""
            yield Problem("W-SCRIPT", message, place, hint)


def _refused(uid: str, call: Call, play: Play) -> Refusal | None:
    """Return the refusal of a change that a call names, None where it is allowed or names none."""
    change = _change(play, call)
    play.frames.append(Frame(uid, "check"))
    try:
        if change is not None:
            check_change(play, *change)
    except Refusal as refusal:
        return None if refusal.code == "E-SCRIPT" else refusal  # a guard that fails has a problem of its own
    finally:
        play.frames.pop()
    return None


def _flips(call: Call) -> bool:
    first = call.literal(0) if call.name == "put" else None
    return first is not None and first.value == "settings"


def _change(play: Play, call: Call) -> tuple[Change, str | None] | None:
    """Return the change of the law that a call names with plain words, and of which setting it is."""
    first, second = call.literal(0), call.literal(1)
    if call.name == "put":
        known = find_setting(play, str(second.value)) if second else None
        if known is None:
            return None
        return {"kind": "setting", "rule": play.law.declared("settings")[known[0]][0], "to": ""}, known[0]
    named = str(first.value) if first else _rule_named(call)
    uid = play.law.resolve(named) if named else None
    return ({"kind": call.name, "rule": uid, "to": "", "parts": {}}, None) if uid else None


def _rule_named(call: Call) -> str | None:
    """Return the number in a call whose first argument is `rule("105")`."""
    match call.node.args[:1]:
        case [ast.Call(func=ast.Name(id="rule"), args=[number])]:
            return text_in(number) or None
    return None
