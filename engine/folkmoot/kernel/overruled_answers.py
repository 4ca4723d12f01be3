"""What has no say by precedence: answers that nobody ever hears, and rules that take precedence in a circle.

A rule of higher precedence always answers the same question. That is told before such a rule is made law, and of one
that is. "Always" is read from the script (see `language.definite_answers`): in every state of the game, as long as the
law stays and that rule does not fail.
"""

from __future__ import annotations

import ast
from collections.abc import Container
from typing import NamedTuple

from folkmoot.core.declared_kinds import declared_registers
from folkmoot.core.values import told
from folkmoot.kernel.errors import Fault, failures_of_now
from folkmoot.kernel.play import Play, program
from folkmoot.language.binding import ScriptError
from folkmoot.language.calls import NOTHING, REFUSAL, TEXT, TEXTS, TRUTH, VERDICT, Shapes, read, shapes_of
from folkmoot.language.declarations import catalogue
from folkmoot.language.tree import tree_of

CIRCLE = "take precedence over one another in a circle, so the lower number goes first (PARADOX)"
EVERY_ANSWER = "ask_all"
USABLE = {
    "permission": Shapes([TRUTH, REFUSAL]),
    "switch": Shapes([TRUTH]),
    "words": Shapes([TEXTS]),
    "verdict": Shapes([TRUTH, VERDICT]),
    "counting": Shapes([TRUTH, TEXT, REFUSAL]),
    "examined": Shapes(),
}
"""Which shapes of an answer the kernel can use in every state, by what the catalogue says of the question."""


def circles_of(play: Play) -> dict[tuple[str, ...], list[str]]:
    """Return which rules (uids) take precedence over one another in a circle, each circle with their numbers."""
    law = play.law
    rules = law.in_force()
    for hook in dict.fromkeys(hook for document, _ in rules.values() for hook in law.hooks_of(document)):
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
    heard = _heard_all(play)
    hooks = dict.fromkeys(hook for document, _ in play.law.in_force().values() for hook in play.law.hooks_of(document))
    for hook in hooks if heard is not None else ():
        kind, _, question = hook.partition("_")
        if kind != "decide" or question in (heard or ()) or len(play.law.by_default(hook)) < 2:
            continue
        uids = play.law.listeners(hook)
        by = next((place for place, uid in enumerate(uids) if _always_answers(play, uid, question, uids)), len(uids))
        found += [Overruled(uid, question, uids[by]) for uid in uids[by + 1 :]]
    circles = play.law.paradoxes()  # which are told of themselves
    if play.law.volatile:  # which rule goes first may be otherwise at another time
        return []
    return [each for each in found if not any({each.rule, each.by} <= {*circle} for circle in circles)]


def overruled_told(play: Play, answer: Overruled, new: Container[str] = ()) -> str:
    """Return a sentence, without a full stop, about an answer that is always overruled, and what helps.

    `new` are the uids of rules that have no number yet.
    """
    rule, by = ("the new rule" if uid in new else f"rule {play.law.in_force()[uid][0]['rule']}" for uid in answer[::2])
    claims = play.law.by_default("decide_prevails") and not play.law.in_force()[answer.rule][0].get("precedence")
    said = f"{rule}'s answer to the question {told(answer.question)} is overruled by {by}"
    return f"{said}, which always answers it; amend that one{', or claim precedence' if claims else ''}"


def _always_answers(play: Play, uid: str, question: str, uids: list[str]) -> bool:
    """Whether a rule gives an answer that can be used whenever a question is put to the law."""
    document, meta = play.law.in_force()[uid][0], play.law.metas()[uid]
    script, hook = document.get("script") or "", f"decide_{question}"
    count, shapes = shapes_of(script, hook, play.host)
    if NOTHING in shapes or not shapes <= _usable(play, question, shapes) or document.get("about"):
        return False
    declared = catalogue("questions").get(hook)
    counts = (
        [len(declared.names)] if declared else [shapes_of(_script(play, each), hook, play.host)[0] for each in uids]
    )
    if {*counts} != {count} or any(each["hook"] == hook for each in failures_of_now(meta)):
        return False
    try:
        program(play, uid, script)
    except (ScriptError, Fault):
        return False
    return True


def _script(play: Play, uid: str) -> str:
    return play.law.in_force()[uid][0].get("script") or ""


def _usable(play: Play, question: str, shapes: Shapes) -> Shapes:
    """Return the shapes that whoever asks a question can use; for what follows from other things none are known."""
    registers = (
        found for document, _ in play.law.in_force().values() for found in declared_registers(document).items()
    )
    if any(name == question and (spec or {}).get("derived") for (_owner, name), (_path, spec) in registers):
        return Shapes()
    declared = catalogue("questions").get(f"decide_{question}")
    return USABLE.get(declared.answer, shapes) if declared else shapes


def _heard_all(play: Play) -> set[str] | None:
    """Return the questions of which a rule hears every answer; None where it may be any."""
    found: set[str] = set()
    for uid in play.law.in_force():
        script = _script(play, uid)
        if EVERY_ANSWER in script:
            named = [call.literal(0) for call in read(script).calls if call.name == EVERY_ANSWER]
            names = (node.id for node in tree_of(script).nodes if isinstance(node, ast.Name))
            if None in named or len(named) != sum(name == EVERY_ANSWER for name in names):
                return None
            found |= {str(each.value) for each in named if each is not None}
    return found
