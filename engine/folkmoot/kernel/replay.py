"""Entries of the journal: made from an event and its outcome, and folded back into documents; pure.

A replay takes draws, deaths and who was left out as inputs, recomputes everything else, and stops at the first
difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from folkmoot.core.calendar import read_stamp, write_stamp
from folkmoot.core.events import Event, Outcome
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.records import Entry
from folkmoot.kernel import sealed_data
from folkmoot.kernel.chance import recorded_chance
from folkmoot.kernel.silent_timers import fire_silent_timers

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
        seq=entry["seq"],
        prev=entry["prev"],
        at=read_stamp(entry["at"]),
        by=entry.get("by"),
        as_=entry.get("as"),
        via=entry.get("via") or {},
        do=entry["do"],
        with_=entry.get("with") or {},
        deaths=tuple(entry.get("deaths") or ()),
        left_out=tuple(entry.get("left_out") or ()),
    )


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
    vault = sealed_data.vaults.recorded_vault(entry, keeper) if entry.get("sealed") else None
    try:
        outcome = kernel.apply(event, chance, lambda: vault or sealed_data.vaults.recorded_vault(entry))
        if outcome.accepted:
            chance.finish()
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
