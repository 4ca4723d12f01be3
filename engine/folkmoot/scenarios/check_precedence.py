"""What is wrong with a rule's place among the others: circles that it closes, claims and answers that have no say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from folkmoot.core.documents import RuleDocument
from folkmoot.core.keys import NEW, ON_TRIAL, number_key
from folkmoot.core.problems import Problem
from folkmoot.core.records import Founding
from folkmoot.files.reader import locate, script_position
from folkmoot.kernel.proposal_outlook import circle_told
from folkmoot.language.tree import hook_names, scan
from folkmoot.scenarios.checked_law import CheckedLaw
from folkmoot.scenarios.examples import uid_in

ANSWER = "decide_prevails"


def precedence_problems(rule: RuleDocument, law: CheckedLaw, text: str, file: str) -> Iterator[Problem]:
    """Found the law with a rule in it that speaks of precedence; yield where that comes to something else."""
    answers = ANSWER in hook_names(str(rule.get("script") or ""))
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
        if ANSWER in hook_names(str(found.get("script") or "")) and is_later:
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
