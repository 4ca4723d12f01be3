"""Timers that fire without a trace: they have no entries, and after very many an entry carries the clock forward."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from folkmoot.core.calendar import write_stamp
from folkmoot.core.events import Event, Outcome
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.values import told
from folkmoot.kernel import sealed_data
from folkmoot.kernel.chance import Chance, Sealed
from folkmoot.kernel.next_timer import fires_before

if TYPE_CHECKING:
    from folkmoot.kernel.step import Kernel

MOST_SILENT = 1_000
"""So many timers fire without a trace at most: then an entry carries the clock forward, and none of them fires anew."""


def is_silent(outcome: Outcome) -> bool:
    """Whether the firing of a timer came to nothing and needs no entry."""
    traces = (outcome.effects, outcome.draws, outcome.sealed, outcome.failures, outcome.reasons)
    return outcome.accepted and not any(traces)


class Silence(Struct):
    """What came of time that passed: how many timers fired without a trace, and which documents they changed.

    `at` is when the last of them was due (Unix seconds), `edge` whether that was at a deadline or a start.
    `heard` says which timer would leave a trace, was due when, and has not fired; "" where there is none.
    """

    ticks: int = 0
    at: int = 0
    edge: str = ""
    changed: set[str] = field(default_factory=set)
    heard: str = ""


def keep_silent(
    kernel: Kernel,
    event: Event,
    most: int = MOST_SILENT,
    beat: Callable[[], None] = lambda: None,
    after_deadlines: bool = False,
) -> Silence:
    """Fire the timers due before an event as long as they leave no trace; the first that would is left as it was.

    At most so many are fired; `beat` is called before each. The timer that the event itself fires is not among them.
    """
    silence = Silence()
    while silence.ticks < most and fires_before(due := kernel.next_due(), event.at, after_deadlines):
        assert due is not None
        at, edge, key = due
        if event.is_tick and (key, at) == (event.with_.get("timer"), event.at):
            break
        beat()
        outcome = _fired(kernel, Event(seq=event.seq, at=at, do="tick", with_={"timer": key}, prev=event.prev))
        if outcome is None:
            silence.heard = f"{told(key)} was due at {write_stamp(at)}"
            break
        silence.ticks, silence.at, silence.edge = silence.ticks + 1, at, edge
        silence.changed |= outcome.changed
    return silence


def _untouched() -> Any:
    return sealed_data.vaults.untouched()


def _fired(kernel: Kernel, tick: Event) -> Outcome | None:
    """Return what came of a timer, None where it would leave a trace: then it is as if it had not fired."""
    try:
        outcome = kernel.apply(tick, Chance(Sealed()), _untouched)
    except ProblemError:  # it draws, or has to do with what is sealed
        kernel.undo()
        return None
    if is_silent(outcome):
        return outcome
    kernel.undo()
    return None


def fire_silent_timers(event: Event, kernel: Kernel, beat: Callable[[], None] = lambda: None) -> set[str]:
    """Fire the timers due before an event and return the keys of the documents that they changed.

    They came to nothing when the event was recorded, else they had entries of their own; and they are fewer than those
    over which the clock is carried forward by an entry.
    """
    most = _ticks_of(event) if event.is_clock else MOST_SILENT
    silence = keep_silent(kernel, event, most, beat, after_deadlines=event.is_tick or event.is_clock)
    if silence.heard:
        raise fail("E-REPLAY", f"entry {event.seq}: the timer {silence.heard} and has no entry")
    if event.is_clock and (silence.ticks, silence.at) != (most, event.at):
        why = f"{most} timers fire without a trace, the last at {write_stamp(event.at)}"
        raise fail("E-REPLAY", f"entry {event.seq}: it says that {why}, and they do not")
    if not event.is_clock and silence.ticks >= MOST_SILENT:
        why = f"before it {MOST_SILENT:,} timers fire without a trace, and no entry carries the clock forward"
        raise fail("E-REPLAY", f"entry {event.seq}: {why}")
    return silence.changed


def _ticks_of(event: Event) -> int:
    ticks = event.with_.get("ticks")
    if type(ticks) is not int or not 1 <= ticks <= MOST_SILENT:
        raise fail("E-REPLAY", f"entry {event.seq}: it must stand for 1 to {MOST_SILENT:,} timers (`ticks`)")
    return ticks
