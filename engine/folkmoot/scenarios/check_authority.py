"""What a rule's script would change of the law by name, and may not: the law is asked before it is ever run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from folkmoot.core.documents import Change, RuleDocument
from folkmoot.core.problems import Problem
from folkmoot.files.reader import script_position
from folkmoot.kernel.authority import check_change
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.frames import Frame
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_settings import find_setting
from folkmoot.language.calls import Call, read
from folkmoot.language.tree import hook_names, text_in
from folkmoot.scenarios.checked_law import CheckedLaw
from folkmoot.scenarios.examples import uid_in

ANSWER = "decide_may_alter"
CHANGING = ("amend", "repeal", "label", "renumber", "suspend", "wake")


def authority_problems(rule: RuleDocument, law: CheckedLaw, text: str, file: str) -> Iterator[Problem]:
    """Found the law with a rule in it and ask of each change that its script names whether it may make it."""
    within, script = law.beside(rule), str(rule.get("script") or "")
    calls = [call for call in read(script).calls if call.name in CHANGING or _flips(call)]
    if not calls or not any(ANSWER in hook_names(str(each.get("script") or "")) for each in within["rules"]):
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
