"""Entries of the journal, made from an event and its outcome, and folded back into documents; and timers without one.

A replay takes draws, deaths and who was left out as inputs, recomputes everything else, and stops at the first
difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct, field

from folkmoot.core.calendar import read_stamp, write_stamp
from folkmoot.core.events import Event, Outcome
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.records import Entry
from folkmoot.core.values import told
from folkmoot.kernel import sealed_data
from folkmoot.kernel.chance import Chance, Sealed, recorded_chance
from folkmoot.kernel.next_timer import fires_before

if TYPE_CHECKING:
    from folkmoot.kernel.step import Kernel


NO_BOXES: Mapping[str, list[str]] = {}
COMPUTED = ("code", "draws", "sealed", "effects", "reasons", "failures")


def entry_of(event: Event, outcome: Outcome, boxes: Mapping[str, list[str]] = NO_BOXES) -> Entry:
    """Return the journal entry of an event: what was asked, then what came of it; empty parts are left out.

    `boxes` hold what was sealed in it, by reader.
    """
    asked = {"by": event.by, "as": event.as_, "via": event.via, "do": event.do, "with": event.with_}
    absent = {"deaths": list(event.deaths), "left_out": list(event.left_out)}
    optional = {**asked, **computed_of(outcome), "boxes": dict(boxes), **absent}
    said = {key: value for key, value in optional.items() if value not in (None, "", [], {})}
    return cast(Entry, {"seq": event.seq, "prev": event.prev, "at": write_stamp(event.at), **said})


def computed_of(outcome: Outcome) -> dict[str, Any]:
    """Return the parts of an entry that a replay computes anew."""
    return {part: getattr(outcome, part) for part in COMPUTED}


def event_of(entry: Entry) -> Event:
    """Return the event half of a journal entry."""
    return Event(
        seq=entry["seq"], prev=entry["prev"], at=read_stamp(entry["at"]), by=entry.get("by"), as_=entry.get("as"),
        via=entry.get("via") or {}, do=entry["do"], with_=entry.get("with") or {},
        deaths=tuple(entry.get("deaths") or ()), left_out=tuple(entry.get("left_out") or ()),
    )  # fmt: skip


def replay(entries: Iterable[Entry], kernel: Kernel) -> Kernel:
    """Fold entries into a kernel's documents; raises E-REPLAY at the first difference, naming it."""
    for entry in entries:
        replay_entry(entry, kernel)
        kernel.documents.release()
    return kernel


def replay_entry(entry: Entry, kernel: Kernel, beat: Callable[[], None] = lambda: None, keeper: Any = None) -> Outcome:
    """Judge one recorded event anew and compare what comes of it with what is recorded.

    The documents that silent timers changed before it count as changed by it, because they are written with it; `beat`
    is called before each of them. Of what is sealed all is computed anew that a `keeper` has at hand (see
    `folkmoot.kernel.sealed_data.vaults.DistantKeeper`).
    """
    event = event_of(entry)
    changed = fire_silent_timers(event, kernel, beat)
    chance = recorded_chance(entry.get("draws", []))
    vault = sealed_data.vaults.RecordedVault(entry, keeper) if entry.get("sealed") else None
    try:
        outcome = kernel.apply(event, chance, lambda: vault or sealed_data.vaults.RecordedVault(entry))
        if outcome.accepted:
            chance.source.finish()
            if vault is not None:
                vault.finish()
    except ProblemError as error:
        raise fail("E-REPLAY", f"entry {entry['seq']}: {error.problems[0].message}") from None
    compare(entry, computed_of(outcome))
    outcome.changed |= changed
    return outcome


def compare(recorded: Entry, computed: Mapping[str, Any]) -> None:
    """Raise E-REPLAY with the first part in which a recorded entry differs from the recomputed one; empty is absent."""
    kept: Mapping[str, Any] = recorded
    for part in COMPUTED:
        found, expected = kept.get(part) or None, computed.get(part) or None
        if found != expected:
            where = next(iter(_differences(found, expected, part)), part)
            raise fail("E-REPLAY", f"entry {recorded['seq']}: {where}")


def _differences(recorded: Any, computed: Any, path: str) -> Iterator[str]:
    if isinstance(recorded, list) and isinstance(computed, list):
        for place, (a, b) in enumerate(zip(recorded, computed, strict=False)):
            if a != b:
                yield from _differences(a, b, f"{path}[{place}]")
                return
    if isinstance(recorded, dict) and isinstance(computed, dict):
        for key in dict.fromkeys([*recorded, *computed]):
            if recorded.get(key) != computed.get(key):
                yield from _differences(recorded.get(key), computed.get(key), f"{path}.{key}")
                return
    yield f"{path} is recorded as {_short(recorded)} and replays as {_short(computed)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."


# -- timers that leave no trace: fired many at once, and fired again before the entry that follows them

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
    """Fire the timers due before an event, as many as `most`, that leave no trace; the first that would stays."""
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


def _fired(kernel: Kernel, tick: Event) -> Outcome | None:
    """Return what came of a timer, None where it would leave a trace: then it is as if it had not fired."""
    try:
        outcome = kernel.apply(tick, Chance(Sealed()), lambda: sealed_data.vaults.untouched())  # noqa: PLW0108
    except ProblemError:  # it draws, or has to do with what is sealed
        kernel.undo()
        return None
    if is_silent(outcome):
        return outcome
    kernel.undo()
    return None


def fire_silent_timers(event: Event, kernel: Kernel, beat: Callable[[], None] = lambda: None) -> set[str]:
    """Fire the timers due before a recorded event, which left no trace; return the documents that they changed."""
    most = event.with_.get("ticks") if event.is_clock else MOST_SILENT
    if type(most) is not int or not 1 <= most <= MOST_SILENT:
        raise fail("E-REPLAY", f"entry {event.seq}: it must stand for 1 to {MOST_SILENT:,} timers (`ticks`)")
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
