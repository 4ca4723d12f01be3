"""How an event is tried again after the sandbox died over it: who is blamed, who is left out, how long it may take.

A slow moment never puts law to sleep. An event that takes too long is tried again with ten times the time; if it is
still too slow, the listener that was running is left out of it, and an act that needs the missing opinion is refused,
unless it is on the way of its mending. So that many that are slow can be mended together, what was left out before is
left out with them.
A rule in which the sandbox dies otherwise (memory, abort, panic) sleeps only if that happens twice over one event. Acts
of administrators do not wait for anybody: who dies or is slow is left out at once, and after a few everybody is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.events import EVERY, Event
from folkmoot.core.problems import fail
from folkmoot.core.records import Death, LeftOut
from folkmoot.kernel.errors import is_lenient
from folkmoot.sandbox.worker_process import Died

PATIENCE = 10  # times the seconds of an event, when it is tried again
MOST_PATIENCE = 60  # times the seconds of an event that it may take with all its slow listeners
MOST_DROPPED = 3  # listeners left out of an act of administrators before everybody is
LIBRARY = "library"
PEOPLE_A_SECOND = 50  # players whom a founding may take in for each second
RULES_A_SECOND = 50


class Trying(Struct):
    """One event on its way: as it is to be judged next, and how many seconds that may take."""

    event: Event
    seconds: float
    slower: bool = False
    waited: float = 0.0
    once: set[str] = field(default_factory=set)
    slow_before: Callable[[], Iterable[tuple[str, str]]] = tuple

    @classmethod
    def of(cls, event: Event, seconds: float, slow_before: Callable[[], Iterable[tuple[str, str]]] = tuple) -> Trying:
        """Begin with an event; a founding has time in proportion to its size."""
        return cls(event, seconds * size_of_founding(event), slow_before=slow_before)

    def again(self, died: Died) -> None:
        """Take in that the sandbox died; raises E-JUDGE where nothing is left to try."""
        if died.slow:
            self.waited += self.seconds
        if is_lenient(self.event):
            self._drop(died)
        elif died.slow:
            self._wait(died)
        else:
            self._blame(died)

    def _drop(self, died: Died) -> None:
        """Let an act of administrators go on without whoever was running."""
        dropped = len(self.event.left_out)
        if _named(died) and dropped < MOST_DROPPED:
            self._leave_out(*died.running, died.how)
        elif not any(out["rule"] == EVERY for out in self.event.left_out):
            self._leave_out(EVERY, EVERY, died.how)
        else:
            self._last_try(died)

    def _wait(self, died: Died) -> None:
        """Try once more with ten times the time, then without who was running."""
        if not self.slower:
            self._last_try(died)
        elif self._is_spent() and self.event.is_tick:
            self._leave_out(EVERY, EVERY, died.how)
        elif _named(died) and not self._is_spent():
            self._leave_out(*died.running, died.how)
            self._leave_out_with(died)
        else:
            self._leave_out("", "", died.how)

    def _leave_out_with(self, died: Died) -> None:
        """Leave out with a hook that was left out before, too, all others that were."""
        before = list(self.slow_before()) if not self.event.is_tick else []
        out = {(each["rule"], each["hook"]) for each in self.event.left_out}
        for running in before if died.running in before else ():
            if running not in out:
                self._leave_out(*running, died.how)

    def _blame(self, died: Died) -> None:
        """Put a rule to sleep in which the sandbox dies a second time over the same event."""
        if died.rule not in self.once:
            self.once.add(died.rule)
        elif not _named(died) or any(death["rule"] == died.rule for death in self.event.deaths):
            self._leave_out("", "", died.how)
        else:
            death: Death = {"rule": died.rule, "hook": died.hook, "how": died.how}
            self.event = replace(self.event, deaths=(*self.event.deaths, death))

    def _last_try(self, died: Died) -> None:
        if self.slower:
            raise fail("E-JUDGE", f"the sandbox {died.how} over entry {self.event.seq}, outside of every rule")
        self.slower = True
        self.seconds *= PATIENCE

    def _is_spent(self) -> bool:
        return self.waited >= self.seconds / PATIENCE * MOST_PATIENCE

    def _leave_out(self, rule: str, hook: str, why: str) -> None:
        known = {(out["rule"], out["hook"]) for out in self.event.left_out}
        if (rule, hook) in known:  # it was left out, and yet the sandbox died there
            rule = hook = EVERY if is_lenient(self.event) or self.event.is_tick else ""
        if (rule, hook) in known:
            raise fail("E-JUDGE", f"the sandbox {why} over entry {self.event.seq}, outside of every rule")
        out: LeftOut = {"rule": rule, "hook": hook, "why": why}
        self.event = replace(self.event, left_out=(*self.event.left_out, out))


def _named(died: Died) -> bool:
    return bool(died.rule) and died.rule != LIBRARY


def size_of_founding(event: Event) -> float:
    """Return how many times the seconds of an event its judging may take: more than once for a large founding."""
    if event.do != "found" or event.by is not None:
        return 1.0
    people, rules = (event.with_.get(name) for name in ("players", "rules"))
    counts = [len(found) if isinstance(found, list) else 0 for found in (people, rules)]
    return 1.0 + counts[0] / PEOPLE_A_SECOND + counts[1] / RULES_A_SECOND
