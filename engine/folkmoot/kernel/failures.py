"""How the failures of a rule's script are kept with the law: each once, with since when, how often and when last."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from folkmoot.core.documents import Document, KeptFailure, RuleMeta
from folkmoot.core.events import Event, Outcome

if TYPE_CHECKING:
    from folkmoot.kernel.event_state import EventState

MOST_KEPT = 20
LEFT_OUT = "E-LEFT-OUT"
WAKING = "it runs again once an administrator wakes it (the act wake) or a proposal amends it"
NUMBER = re.compile(r"[0-9]+")


def with_failure(meta: RuleMeta, failure: Document, event: Event) -> tuple[list[KeptFailure], bool]:
    """Return the failures of a rule with one more, and whether it is new; else the one kept of its kind is counted.

    The same failure is that of the same hook in the same revision, in the same words whatever numbers they hold.
    """
    known: list[KeptFailure] = list(meta.get("failures", ()))
    hook, error = failure["hook"], failure["error"]
    made: KeptFailure = {"hook": hook, "error": error, "seq": event.seq, "revision": meta["revision"]}
    if failure.get("code") == LEFT_OUT:
        made["code"] = LEFT_OUT
    for place, each in enumerate(known):
        if _kind(each) == _kind(made):
            known[place] = {**each, "times": each.get("times", 1) + 1, "last": event.at}
            return known, False
    return [*known, made][-MOST_KEPT:], True


def failures_of_now(meta: RuleMeta) -> list[KeptFailure]:
    """Return the failures of a rule's script in its present revision."""
    return [each for each in meta.get("failures", ()) if each["revision"] == meta["revision"]]


def _kind(failure: KeptFailure) -> tuple[str, int, str]:
    return failure["hook"], failure["revision"], NUMBER.sub("0", failure["error"])


def is_only_failing(event: Event, outcome: Outcome, play: EventState) -> bool:
    """Whether nothing came of a timer but failures of scripts, so that it needs no entry where they are known."""
    heard = event.is_tick and not (event.deaths or event.left_out)
    return heard and outcome.accepted and not (play.effects or play.reasons or play.chance.records)
