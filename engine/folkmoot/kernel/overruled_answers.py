"""What has no say by precedence: answers that nobody ever hears, and rules that take precedence in a circle.

A rule of higher precedence always answers the same question. That is told before such a rule is made law, and of one
that is. "Always" is read from the script: in every state of the game, as long as the law stays and that rule does not
fail, nor give an answer that cannot be used.
"""

from __future__ import annotations

import ast
from collections.abc import Container
from typing import NamedTuple

from folkmoot.core.values import told
from folkmoot.kernel.errors import failures_of_now
from folkmoot.kernel.play import Play
from folkmoot.language.calls import always_answers, read
from folkmoot.language.declarations import catalogue
from folkmoot.language.tree import tree_of

CIRCLE = "take precedence over one another in a circle, so the lower number goes first (PARADOX)"
EVERY_ANSWER = "ask_all"


def circles_of(play: Play) -> dict[tuple[str, ...], list[str]]:
    """Return which rules (uids) take precedence over one another in a circle, each circle with their numbers."""
    law = play.law
    rules = law.in_force()
    for hook in law.hooks():
        law.listeners(hook)
    return {circle: [str(rules[uid][0]["rule"]) for uid in circle] for circle in law.paradoxes()}


def circle_told(names: list[str]) -> str:
    """Return a sentence, without a full stop, about rules that take precedence over one another in a circle.

    >>> circle_told(["301", "302", "the new one"]).partition(" take")[0]
    'rules 301, 302 and the new one'
    """
    return f"rules {', '.join(names[:-1])} and {names[-1]} {CIRCLE}"


class Overruled(NamedTuple):
    """A rule (uid) that answers a question, and the rule that always answers it before."""

    rule: str
    question: str
    by: str


def overruled_answers(play: Play) -> list[Overruled]:
    """Return the answers that are always overruled, as the law in force stands; those of rules that sleep are none."""
    found: list[Overruled] = []
    law, heard = play.law, _heard_all(play)
    for hook, named in law.hooks().items() if heard is not None else ():
        question, declared = hook.removeprefix("decide_"), catalogue("questions").get(hook)
        if question in (hook, *(heard or ())) or (declared and declared.answer == "examined"):
            continue
        uids = law.listeners(hook) if len(named) > 1 else []
        by = next((place for place, uid in enumerate(uids) if _always_answers(play, uid, hook)), len(uids))
        found += [Overruled(uid, question, uids[by]) for uid in uids[by + 1 :]]
    circles = law.paradoxes()  # which are told of themselves
    if law.volatile:  # which rule goes first may be otherwise at another time
        return []
    return [each for each in found if not any({each.rule, each.by} <= {*circle} for circle in circles)]


def overruled_told(play: Play, answer: Overruled, new: Container[str] = ()) -> str:
    """Return a sentence, without a full stop, about such an answer and what helps; `new` rules have no number yet."""
    rule, by = ("the new rule" if uid in new else f"rule {play.law.in_force()[uid][0]['rule']}" for uid in answer[::2])
    claims = play.law.by_default("decide_prevails") and not play.law.in_force()[answer.rule][0].get("precedence")
    said = f"{rule}'s answer to the question {told(answer.question)} is overruled by {by}"
    return f"{said}, which always answers it; amend that one{', or claim precedence' if claims else ''}"


def _always_answers(play: Play, uid: str, hook: str) -> bool:
    """Whether a rule, as far as is known of it, gives an answer whenever a question is put to the law."""
    document, meta = play.law.in_force()[uid][0], play.law.metas()[uid]
    failed = any(each["hook"] in (hook, "load") for each in failures_of_now(meta))
    return not failed and "about" not in document and always_answers(document.get("script") or "", hook)


def _heard_all(play: Play) -> set[str] | None:
    """Return the questions of which a rule hears every answer; None where it may be any."""
    found: set[str] = set()
    for document, _meta in play.law.in_force().values():
        script = document.get("script") or ""
        if EVERY_ANSWER in script:
            named = [call.literal(0) for call in read(script).calls if call.name == EVERY_ANSWER]
            names = (node.id for node in tree_of(script).nodes if isinstance(node, ast.Name))
            if None in named or len(named) != sum(name == EVERY_ANSWER for name in names):
                return None
            found |= {str(each.value) for each in named if each is not None}
    return found
