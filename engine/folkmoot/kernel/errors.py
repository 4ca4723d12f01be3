"""How the judging of an event can be cut short, what does not run in it, and how failures are kept with the law."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct, field

from folkmoot.core.documents import Document, KeptFailure, RuleMeta
from folkmoot.core.events import EVERY, Event
from folkmoot.core.records import ScriptRecord, Shown
from folkmoot.kernel.act_declarations import BEYOND_RULES

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


@contextmanager
def refusing(rule: str | None = None, code: str = "") -> Iterator[None]:
    """Refuse an act by what is wrong with something that a person chose: it is no failure of a rule's script."""
    try:
        yield
    except Fault as fault:
        raise Refusal(code or fault.code, fault.message, rule) from None


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
    """Return the failures of a rule with one more, and whether it is new: it has another hook or other words."""
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


# -- what does not run in an event: rules that died in it, hooks left out of it, in the worst case every script
#
# All of it comes from outside and stands in the record (`deaths` and `left_out` of an entry), so that a replay needs
# neither a clock nor the rules that killed the sandbox.


LISTENER = "on_"
LOAD = "load"
"""As hook of what was left out: the script itself, which was not loaded."""


class Silenced(Struct):
    """Who is not heard in an event.

    `dead` are uids of rules, `left_out` pairs of uid and hook; `silent` means that no script runs at all. `lenient`
    is an act of administrators, which goes through whatever its listeners do, and `ticking` the clock's. `makers` names
    for a rule that a listener made or woke in this event who did so, which then answers for it, and for those that load
    from it; `pardoned` are rules that somebody changed or woke rightfully meanwhile.
    """

    dead: dict[str, str] = field(default_factory=dict)
    left_out: dict[tuple[str, str], str] = field(default_factory=dict)
    silent: bool = False
    lenient: bool = False
    ticking: bool = False
    makers: dict[str, str] = field(default_factory=dict)
    pardoned: set[str] = field(default_factory=set)

    @property
    def anybody(self) -> bool:
        """Whether anybody is silenced."""
        return self.silent or bool(self.dead) or bool(self.left_out)

    @classmethod
    def of(cls, event: Event) -> Silenced:
        """Return who is not heard in an event, by what is recorded of it."""
        out = {(each["rule"], each["hook"]): each["why"] for each in event.left_out}
        return cls(
            dead={death["rule"]: f"the sandbox died in {death['hook']}: {death['how']}" for death in event.deaths},
            left_out=out,
            silent=(EVERY, EVERY) in out,
            lenient=is_lenient(event),
            ticking=event.is_tick,
        )

    def lacks(self, uid: str, hook: str) -> bool:
        """Whether a hook of a rule does not run in this event."""
        return self.silent or uid in self.dead or (bool(self.left_out) and self.why_left_out(uid, hook) is not None)

    def why_left_out(self, uid: str, hook: str) -> str | None:
        """Return why a hook was left out of this event, alone or with its whole script; None where it was not."""
        return self.left_out.get((uid, hook), self.left_out.get((uid, LOAD)))

    def missing(self) -> list[tuple[str, str, str]]:
        """Return (uid, hook, why) of all who had to be heard before this act and were not.

        A listener can be left out of an act. Without an opinion, an answer or who carries it out, an act is refused
        that mends none of them, but for those of administrators and of the clock, which take it as no opinion.
        """
        if self.lenient or self.ticking:
            return []
        return [(uid, hook, why) for (uid, hook), why in self.left_out.items() if uid and is_needed(hook)]


def is_needed(hook: str) -> bool:
    """Whether a hook has to be heard before an act: whatever is no listener."""
    return not hook.startswith((LISTENER, EVERY))


def is_lenient(event: Event) -> bool:
    """Whether an event is an act in whose way no rule stands, as those of administrators."""
    return not event.is_tick and event.do in BEYOND_RULES
