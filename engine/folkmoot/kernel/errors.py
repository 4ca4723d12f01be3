"""How the judging of an event can be cut short, and how the failures of a rule's script are kept with the law."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from folkmoot.core.documents import Document, KeptFailure, RuleMeta
from folkmoot.core.events import Event
from folkmoot.core.records import ScriptRecord, Shown

LONGEST_ERROR = 200  # characters of what a script's failure says, in a sentence


def shortened(text: str) -> str:
    """Return what is said of a failure in a sentence: however long the script made it, no longer than this.

    >>> len(shortened("x" * 1_000))
    201
    """
    return text if len(text) <= LONGEST_ERROR else f"{text[:LONGEST_ERROR]}…"


class Refusal(Exception):
    """An act is refused: a code, a reason in words, the uid of the rule that says so; a founding for several items."""

    def __init__(self, code: str, why: str = "", rule: str | None = None, items: Sequence[Shown] = ()) -> None:
        """Keep code, reason and rule; each item has its `part`, `key`, `code` and `why`."""
        super().__init__(f"{code}: {why}" if why else code)
        self.code, self.why, self.rule, self.items = code, why, rule, items


class Held(Exception):
    """An act waits until its label is released: a label, the reason in words, the uid of the rule that holds it."""

    def __init__(self, label: str, why: str, rule: str | None, action: ScriptRecord) -> None:
        """Keep label, reason, rule, and the action as scripts are shown it."""
        super().__init__(label)
        self.label, self.why, self.rule, self.action = label, why, rule, action


class Fault(Exception):
    """A script asked for something impossible: misuse, a bound, a budget, a circle."""

    def __init__(self, message: str, code: str = "E-SCRIPT") -> None:
        """Keep the sentence and the code."""
        super().__init__(message)
        self.message, self.code = message, code


class Overrun(Fault):
    """The budget of the whole event is spent; nothing of it may stand."""

    def __init__(self, what: str) -> None:
        """Say which budget ran out."""
        super().__init__(f"the budget of this event is spent: too many {what}", "E-BUDGET")
        self.what = what
        self.blame: tuple[str, str] | None = None  # uid and script of the rule that spent it
        self.outermost: tuple[str, str] | None = None  # of the rule that everything else was caused by
        self.of_guard = False  # whether it was spent in saying that something may not be done


class TooDeep(Fault):
    """Scripts or events are nested too deeply; all of the chain that led there fails, and nothing of it stands."""

    def __init__(self, message: str, start: int) -> None:
        """Say what is too deep; `start` is how many of the running scripts were there before the chain began."""
        super().__init__(message, "E-BUDGET")
        self.start = start


class PlayEnds(Exception):
    """Somebody has won: what was done stands, the rest is cancelled."""


class FailedGuard(dict[str, Any]):
    """What stands for the answer of a guard that failed: a refusal, which names its rule."""


# -- failures of scripts: each is kept once, with since when, how often and when last

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
