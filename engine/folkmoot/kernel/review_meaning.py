"""What the law makes of a review, and of new content of a pull request: the act that it stands for."""

from __future__ import annotations

from typing import Any

from folkmoot.core.records import Arguments, ProposedChange, Review, ScriptRecord
from folkmoot.core.values import told
from folkmoot.kernel.act_declarations import ADMINISTRATIVE, KERNEL_DECLARATIONS
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_changes import normalise
from folkmoot.kernel.shown_proposals import change_record, refusal_of

PERSONAL = "is for people to do in person, a rule does not do it for them"
OF_A_BALLOT = {"choice", "reason"}


def read_review(play: Play, asked: list[Any]) -> Review | None:
    """Return what the law makes of a review, None where it has no answer; `asked` are the question's arguments.

    `rule` is the uid of the rule that answers, `do`, `args` and `as` the act it names; where that can be no act of a
    review, `why` says so instead.
    """
    return _read(play, "review", asked)


def read_push(play: Play, shown: ScriptRecord, changes: list[ProposedChange]) -> Review | None:
    """Return what the law makes of new content of a pull request whose proposal is undecided, as `read_review` does.

    With `code` it is refused, and `why` says why; so is what no rule-change can be.
    """
    try:
        proposed = [change_record(play, change) for change in normalise(play, changes)]
    except Refusal as refusal:
        return {"code": refusal.code, "why": refusal.why}
    return _read(play, "push", [shown, proposed])


def _read(play: Play, what: str, asked: list[Any]) -> Review | None:
    """Return the act that the law makes of something, which is none of its own."""
    uid, answer = play.ask_whose(what, *asked)
    if uid is None:
        return None
    refused = refusal_of(answer, "") if what == "push" else None
    if refused:
        return {"rule": uid, "code": refused[0], "why": refused[1]}
    why = _flaw_of_meaning(play, what, answer)
    if why:
        return {"rule": uid, "why": f"what a {what} stands for cannot be this: {why}"}
    args = {name: value for name, value in (answer.get("args") or {}).items() if name != "$"}
    return {"rule": uid, "do": answer["do"], "args": args, "as": answer.get("as") or None}


def _flaw_of_meaning(play: Play, what: str, answer: Any) -> str:
    """Return why an answer is nothing that a review or push can stand for, "" if it is."""
    if not isinstance(answer, dict) or not isinstance(answer.get("do"), str):
        return "it must be a map with `do`, the name of an action, and `args` and `as` where it needs them"
    if not isinstance(answer.get("args"), (dict, type(None))):
        return "`args` must be a map"
    if not isinstance(answer.get("as"), (str, type(None))):
        return "`as` must be the name of an office"
    return _flaw_of_act(play, what, answer["do"], answer.get("args") or {})


def _flaw_of_act(play: Play, what: str, do: str, args: Arguments) -> str:
    """Return why this may not become of a review or push: a review may be a ballot, both what a rule declares."""
    if do in ADMINISTRATIVE:
        return f"{do} is for administrators to do, not for rules"
    if do in play.law.declared("actions", play.view):
        return ""
    if do == "vote" and what == "review":
        beside = min(set(args) - OF_A_BALLOT - {"$"}, default="")
        return f"a ballot has a choice and a reason, not {told(beside)}" if beside else ""
    return f"{do} {PERSONAL}" if do in KERNEL_DECLARATIONS else f"no rule in force knows an action {told(do)}"
