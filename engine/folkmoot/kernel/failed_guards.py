"""Guards that fail or are too slow: what they guard is refused, but for what only mends them.

A guard says whether something may be done. One that cannot be heard must not let it pass, or every fault in a rule
would be a hole in the law; so it is where anything that an act needs took too long and was left out of it. So that the
fault can be mended, an act on the way of a proposal that changes nothing but rules at fault goes on without them. Which
proposal that is, is told by what the act does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME, proposal_key
from folkmoot.kernel.errors import LEFT_OUT, FailedGuard, Fault, Refusal, failures_of_now, shortened
from folkmoot.kernel.event_state import EventState
from folkmoot.kernel.skipped_hooks import is_needed
from folkmoot.language.binding import ScriptError

OF_AN_ACT = ("decide_law_for", "decide_may_alter", "decide_may_put", "decide_may_do")
OF_A_PROPOSAL = ("decide_proper", "decide_may_change", "decide_ballot_counts")  # which is the first that is asked
QUESTIONS = (*OF_AN_ACT, *OF_A_PROPOSAL)
ON_THE_WAY = ("propose", "revise", "freeze", "open", "enrol", "ballot", "strike", "weigh", "close", "resolve")
MENDING = ("amend", "repeal", "transmute")
TO_MEND = "propose a change of that rule alone, which goes on without it; an administrator may let it sleep (suspend)"


def is_guard(hook: str) -> bool:
    """Whether a hook says that something may not be done, so that `require` in it is an opinion.

    >>> [hook for hook in ("forbid", "forbid_go", "decide_proper", "decide_proper_time") if is_guard(hook)]
    ['forbid', 'forbid_go', 'decide_proper']
    """
    return hook == "forbid" or hook.startswith("forbid_") or hook in QUESTIONS


def stands_for(
    play: EventState, uid: str, hook: str, arguments: list[Any], error: ScriptError | Fault
) -> FailedGuard | None:
    """Return what stands for the answer of a hook that failed: nothing, but where a guard failed, its refusal."""
    if not _refuses(play, uid, hook, arguments):
        return None
    line = f" (line {error.line} of its script)" if isinstance(error, ScriptError) and error.line else ""
    number = play.law.in_force(play.view)[uid][0]["rule"]
    why = f"rule {number} failed in its {hook}{line}, so this is refused until a proposal mends the rule"
    return FailedGuard(refused="E-SCRIPT", why=f"{why}: {shortened(error.message)}")


def stands_for_absent(play: EventState, uid: str, hook: str, arguments: list[Any]) -> FailedGuard | None:
    """Return what stands for the answer of a hook that is not heard: nothing, but where a guard was left out."""
    why = play.silenced.why_left_out(uid, hook)
    return left_out(play, uid, hook, why) if why is not None and _refuses(play, uid, hook, arguments) else None


def left_out(play: EventState, uid: str, hook: str, why: str) -> FailedGuard:
    """Return the refusal of what needed a hook that was left out, and what is to be done."""
    version = play.law.in_force(play.view).get(uid)
    rule = f"rule {version[0]['rule']}" if version else "a rule on trial"
    said = f"{rule} was left out of this, because its {hook} {why}, so this is refused; try again"
    return FailedGuard(refused="E-BUDGET", why=f"{said}, or {TO_MEND}" if version else said)


def _refuses(play: EventState, uid: str, hook: str, arguments: list[Any]) -> bool:
    """Whether something is refused where a hook cannot be heard: what it guards, unless that is its own mending."""
    if not is_guard(hook) or play.silenced.lenient:
        return False
    proposal = _find(play, arguments[0]) if hook in QUESTIONS and arguments else None
    return proposal is None or not mends(play, proposal, uid)


def _find(play: EventState, shown: Any) -> Proposal | None:
    identifier = shown.get("id", shown.get("of")) if isinstance(shown, dict) else None
    if play.draft is not None and identifier == play.draft["id"]:
        return play.draft
    found: Proposal | None = play.documents.get(proposal_key(identifier)) if isinstance(identifier, str) else None
    return found


def mends(play: EventState, proposal: Proposal, uid: str) -> bool:
    """Whether a proposal changes a rule that failed, and beside it only others that did."""
    if any(change["kind"] not in MENDING for change in proposal["changes"]):
        return False
    targets = {change["rule"] for change in proposal["changes"]}
    return uid in targets and all(target == uid or _is_at_fault(play, target) for target in targets)


def _is_at_fault(play: EventState, uid: str | None) -> bool:
    """Whether a guard of a rule failed, or what was needed of it was left out, as the rule is now."""
    meta = play.law.metas().get(uid or "")
    kept = failures_of_now(meta) if meta is not None else []
    return any(refuses_acts(each) for each in [*kept, *(f for f in play.failures if f["rule"] == uid)])


def refuses_acts(failure: Mapping[str, object]) -> bool:
    """Whether acts are refused for a failure: that of a guard, or that something they need was left out."""
    hook = str(failure["hook"])
    return is_guard(hook) or (failure.get("code") == LEFT_OUT and is_needed(hook))


class Doubt:
    """The refusals of failed guards in one act, which stand unless the act proves to be on the way of their mending."""

    def __init__(self, play: EventState, *, proposes: bool) -> None:
        """`proposes` says that the act may bring a proposal of its own."""
        self._play, self._proposes = play, proposes
        self._start = len(play.effects)
        self._refusals: list[Refusal] = []
        self._mending: dict[str, list[str]] = {}

    def add(self, guard: FailedGuard, uid: str) -> None:
        """Note that a guard failed; raises its Refusal where no proposal is undecided that mends its rule."""
        refusal = Refusal(guard["refused"], guard["why"], uid)
        play = self._play
        undecided = [(each, _find(play, {"id": each})) for each in play.documents[GAME]["open"]]
        self._mending[uid] = [each for each, found in undecided if found is not None and mends(play, found, uid)]
        if not (self._mending[uid] or self._proposes):
            raise refusal
        self._refusals.append(refusal)

    def settle(self) -> None:
        """Raise the first Refusal of which what was done is not on the way of the mending."""
        done = (e["of"] for e in self._play.effects[self._start :] if e["effect"] in ON_THE_WAY)
        first = next(done, self._only_of()) if self._refusals else None
        for refusal in self._refusals:
            if first is None or not self._is_mending(str(first), str(refusal.rule)):
                raise refusal

    def _only_of(self) -> str | None:
        """Return what all that was done is of, None where that is not one thing."""
        of = {str(e.get("of")) for e in self._play.effects[self._start :] if e["effect"] != "announce"}
        return of.pop() if len(of) == 1 else None

    def _is_mending(self, identifier: str, uid: str) -> bool:
        if identifier in self._mending[uid]:
            return True
        new = any(e["effect"] == "propose" and e["of"] == identifier for e in self._play.effects[self._start :])
        found = _find(self._play, {"id": identifier})
        return new and found is not None and mends(self._play, found, uid)
