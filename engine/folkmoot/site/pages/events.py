"""What happened of late, day by day: one sentence an event, and below it what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice

from msgspec import Struct

from folkmoot.core.records import Entry
from folkmoot.site.entry_kinds import TELLING, kinds_of
from folkmoot.site.journal_days import ballots_together, cast_on
from folkmoot.wording.effects import effect
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, counted
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import act

MOST_EFFECTS = 4
ICONS = {"refused": "✕", "law": "§", "proposals": "?", "votes": "✓", "points": "+", "said": "”", "rest": "→"}
"""What stands before an event of a kind (see `entry_kinds`)."""


class Event(Struct, frozen=True):
    """Something that happened: of which kind, in a sentence, with its entry, and what came of it."""

    kind: str
    icon: str
    words: Html
    entry: Html
    effects: tuple[Html, ...]


class Day(Struct, frozen=True):
    """What happened on a day, the newest first."""

    day: Html
    events: tuple[Event, ...]


def days_of(here: Here, entries: Iterable[Entry], most: int) -> tuple[Day, ...]:
    """Return at most so many events of entries, which come the newest first; ballots on one thing are one event."""
    told = islice(((several[0], _event(here, on, several)) for on, several in ballots_together(entries)), most)
    days = groupby(told, lambda pair: here.day(pair[0].get("at")))
    return tuple(Day(day, tuple(event for _entry, event in pairs)) for day, pairs in days)


def worth_telling(view: GameView) -> Iterator[Entry]:
    """Yield the entries of a game, the newest first, without those of the clock that changed nothing."""
    return (entry for entry in reversed(view.entries)
            if entry.get("do") not in ("tick", "clock") or entry.get("by") or entry.get("effects"))  # fmt: skip


def _event(here: Here, on: str, several: Sequence[Entry]) -> Event:
    entry = several[0]
    kind = kinds_of(entry)[0]
    words = act(here, entry) if len(several) == 1 else cast_on(here, several, here.proposal(on))
    effects = [line for each in several for line in _effects(here, each)]
    return Event(kind, ICONS[kind], words, here.entry(entry.get("seq")), tuple(effects))


def _effects(here: Here, entry: Entry) -> list[Html]:
    """Return what of an entry is worth telling at once: what was proposed, decided, paid or won."""
    if entry.get("do") == "found":
        return []
    made = [here.proposal(e.get("of")) for e in entry.get("effects") or () if e.get("effect") == "propose"]
    shown = [e for e in entry.get("effects") or () if e.get("effect") in TELLING]
    rest = len(shown) - MOST_EFFECTS
    lines = [here.told(effect, entry, each) for each in shown[:MOST_EFFECTS]]
    return [
        *made[:MOST_EFFECTS],
        *lines,
        *([counted(rest, "and {count} more", "and {count} more")] if rest > 0 else []),
    ]
