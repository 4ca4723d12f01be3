"""The pages of history: what happened, turn by turn or day by day, and every entry with all that is recorded of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from itertools import groupby

from msgspec import Struct

from folkmoot.core.ballot_display import public_arguments
from folkmoot.core.records import Entry
from folkmoot.site.forge_links import arrival
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.events import Event, ballots_together, event_of
from folkmoot.site.pagination import Parts
from folkmoot.site.sealed_values import proofs
from folkmoot.site.turns import Turn, turn_of, turns
from folkmoot.wording.effects import changes, effect, events
from folkmoot.wording.entries import was_refused
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import GROWING, growing, indexed
from folkmoot.wording.markup import Html, el, escape, join
from folkmoot.wording.moments import zone
from folkmoot.wording.page_links import ENTRIES_PER_PAGE, Here, humane, journal_path
from folkmoot.wording.prose import prose
from folkmoot.wording.reasons import reason
from folkmoot.wording.stamps import seconds
from folkmoot.wording.translation import _

LATEST = 80
"""How many of the newest entries stand on the page of what happened."""
LISTED = Parts(20)
"""How many pages of entries stand on a list of them."""
MOST_TURNS, LONG = 60, 120
PATH = "journal/index.md"


class Record(Struct, frozen=True):
    """All that is recorded of an entry: with what it was done, what came of it, why, and how it came in."""

    seq: int
    at: Html
    code: str
    given: tuple[tuple[str, Html], ...]
    effects: tuple[Html, ...]
    raised: Html
    reasons: tuple[Html, ...]
    proofs: Html
    via: tuple[Html, ...]


class Told(Struct, frozen=True):
    """An event with its record; ballots that stand together have theirs each."""

    event: Event
    record: Record | None
    ballots: tuple[Told, ...] = ()


class Section(Struct, frozen=True):
    """A turn or a day: whose turn, when it was, from which entry to which, and what happened."""

    id: str
    title: str
    who: Person | None
    day: Html
    entries: str
    told: tuple[Told, ...]


class Listed(Struct, frozen=True):
    """A page of entries in a list: its address, when it begins and ends, how much was refused."""

    link: Link
    begins: Html
    ends: Html
    refused: int


class History(PageData, frozen=True, kw_only=True, tag="history"):
    """What happened of late, and the way to all that happened before."""

    count: str
    sections: tuple[Section, ...]
    before: Link | None
    turns: tuple[tuple[str, Link], ...]
    parts: tuple[Listed, ...]
    older: tuple[Link, ...]


class Entries(PageData, frozen=True, kw_only=True, tag="entries"):
    """A page of entries with all that is recorded of them."""

    sections: tuple[Section, ...]
    newer: Link | None
    older: Link | None


class EntryLists(PageData, frozen=True, kw_only=True, tag="entry_list"):
    """A list of earlier pages of entries."""

    parts: tuple[Listed, ...]


def history_pages(view: GameView) -> Iterator[Sheet]:
    """Return the page of what happened, and the pages of entries."""
    yield Sheet(PATH, _history)
    numbers = [*view.index(journal_parts)]
    for list_number in LISTED.older(numbers):
        yield Sheet(_list_path(list_number), partial(_list, list_number))
    for number in numbers:
        yield entries_sheet(number)


@cache
def entries_sheet(number: int) -> Sheet:
    """Return a page of entries by its number from 0."""
    return Sheet(journal_path(number * ENTRIES_PER_PAGE + 1), partial(_entries, number))


@growing
def journal_parts(_view: GameView, entries: Sequence[Entry]) -> dict[int, list[Entry]]:
    """Return entries by the number, from 0, of the page that `journal_path` gives them."""
    grouped: dict[int, list[Entry]] = {}
    for entry in entries:
        grouped.setdefault((int(entry.get("seq") or 1) - 1) // ENTRIES_PER_PAGE, []).append(entry)
    return {number: grouped[number] for number in sorted(grouped)}


@growing
def journal_refusals(view: GameView, entries: Sequence[Entry]) -> dict[int, int]:
    """Return how many acts were refused on each page of the journal."""
    parts = GROWING["journal_parts"](view, entries)
    return {number: sum(map(was_refused, chunk)) for number, chunk in parts.items()}


@indexed
def journal_lists(view: GameView) -> dict[int, list[tuple[Entry, Entry, int]]]:
    """Return on each list of earlier pages: the first and last entry of each, and how many are refused."""
    known, refusals = [*view.index(journal_parts).items()], view.index(journal_refusals)
    return {number: [(chunk[0], chunk[-1], refusals[n]) for n, chunk in LISTED.of(known, number)]
            for number in LISTED.older(known)}  # fmt: skip


def _history(view: GameView) -> History:
    here, known, latest = Here(view, PATH), turns(view), view.entries[-LATEST:]
    first = int(latest[0].get("seq") or 1) if latest else 1
    numbered, refusals = [*view.index(journal_parts).items()], view.index(journal_refusals)
    parts = [(chunk[0], chunk[-1], refusals[number]) for number, chunk in LISTED.newest(numbered)]
    count = _("{count} entries", count=len(view.entries))
    return History(
        path=PATH,
        title=_("What happened"),
        part="history",
        summary=_("What happened in {game}", game=view.title),
        count=_("{entries} in {count} turns, newest first", entries=count, count=len(known)) if len(known) > 1 else (
            _("{entries}, newest first", entries=count)),
        sections=tuple(_sections(here, latest, known, recorded=False)),
        before=Link(_("What happened before"), here.url(journal_path(first - 1))) if first > 1 else None,
        turns=tuple(_turn_links(here, known)),
        parts=tuple(_listed(here, *each) for each in reversed(parts)),
        older=tuple(Link(_list_title(n), here.url(_list_path(n))) for n in reversed(LISTED.older(numbered))),
    )  # fmt: skip


def _turn_links(here: Here, known: Sequence[Turn]) -> Iterator[tuple[str, Link]]:
    """Yield the newest turns with whose they were, each a link to its entries."""
    ids = _ids(f"turn-{turn.number}" for turn in known)
    last = here.view.entries[-1].get("seq") or 0 if here.view.entries else 0
    for turn, name in [*zip(known, ids, strict=True)][: -MOST_TURNS - 1 : -1]:
        if turn.after < last:
            yield str(turn.number), Link(here.view.name(turn.player), here.url(journal_path(turn.after + 1), name))


def _list(number: int, view: GameView) -> EntryLists:
    here = Here(view, _list_path(number))
    parts = reversed(view.index(journal_lists)[number])
    return EntryLists(
        path=here.path,
        title=_list_title(number),
        part="history",
        at=PATH,
        parts=tuple(_listed(here, *each) for each in parts),
    )


def _list_path(number: int) -> str:
    return f"journal-list/{number + 1:04}.md"


def _list_title(number: int) -> str:
    first, last = LISTED.span(number)
    return _title((first - 1) * ENTRIES_PER_PAGE + 1, last * ENTRIES_PER_PAGE)


def _title(first: int, last: int) -> str:
    return _("Entries {first} – {last}", first=first, last=last)


def _listed(here: Here, first: Entry, last: Entry, refused: int) -> Listed:
    link = Link(f"{first['seq']} – {last['seq']}", here.url(journal_path(first["seq"])))
    return Listed(link, here.day(first.get("at")), here.day(last.get("at")), refused)


def _entries(number: int, view: GameView) -> Entries:
    chunk = view.index(journal_parts)[number]
    first, last = chunk[0]["seq"], chunk[-1]["seq"]
    here = Here(view, journal_path(first))
    newer = journal_path(first + ENTRIES_PER_PAGE) if number + 1 in view.index(journal_parts) else ""
    return Entries(
        path=here.path,
        title=_title(first, last),
        part="history",
        at=PATH,
        sections=tuple(_sections(here, chunk, turns(view), recorded=True)),
        newer=Link(_("Later entries"), here.url(newer)) if newer else None,
        older=Link(_("Earlier entries"), here.url(journal_path(first - 1))) if number else None,
    )


# -- turns and days


def _sections(here: Here, entries: Sequence[Entry], known: Sequence[Turn], *, recorded: bool) -> Iterator[Section]:
    """Yield the turns or days of entries, the newest first, with what happened in them, the oldest first."""
    ids = [*_ids(f"turn-{turn.number}" for turn in known)]
    parts = [(key, [*several]) for key, several in groupby(entries, partial(_part, here, known))]
    names = _ids(ids[place - 1] if place else day or "beginning" for (place, day), _several in parts)
    for ((place, day), several), name in reversed([*zip(parts, names, strict=True)]):
        turn = known[place - 1] if place else None
        first, last = several[0].get("seq"), several[-1].get("seq")
        yield Section(
            id=name,
            title=_("Turn {number}", number=turn.number) if turn else "" if day else _("The beginning"),
            who=person(here, turn.player) if turn else None,
            day=here.day(several[0].get("at")),
            entries=_span(first, last),
            told=tuple(_told(here, on, each, recorded=recorded) for on, each in ballots_together(several)),
        )  # fmt: skip


def _span(first: object, last: object) -> str:
    if first == last:
        return _("entry {seq}", seq=first)
    return _("entries {first} to {last}", first=first, last=last)


def _part(here: Here, known: Sequence[Turn], entry: Entry) -> tuple[int, str]:
    """Return the place of an entry's turn, 0 for before the first; of a game without turns the anchor of its day."""
    return (turn_of(known, int(entry.get("seq") or 0)), "") if known else (0, _day(here, entry))


def _day(here: Here, entry: Entry) -> str:
    """Return the anchor of an entry's day in the game's zone."""
    at = seconds(entry.get("at"))
    try:
        return f"day-{datetime.fromtimestamp(at or 0, UTC).astimezone(zone(here.view.zone)):%Y-%m-%d}"
    except (OverflowError, OSError, ValueError):
        return "day-unknown"


def _ids(names: Iterable[str]) -> Iterator[str]:
    """Yield names of which none is as another: later ones are counted."""
    met = Counter[str]()
    for name in names:
        met[name] += 1
        yield name if met[name] == 1 else f"{name}-{met[name]}"


def _told(here: Here, on: str, several: Sequence[Entry], *, recorded: bool) -> Told:
    together = len(several) > 1
    single = [(each, event_of(here, on, [each])) for each in (several if together else ())]
    ballots = tuple(Told(event, _record(here, each) if recorded else None) for each, event in single
                    if recorded or event.quote)  # fmt: skip
    return Told(event_of(here, on, several), _record(here, several[0]) if recorded and not together else None, ballots)


# -- the record


def _record(here: Here, entry: Entry) -> Record:
    return Record(
        seq=int(entry.get("seq") or 0),
        at=here.clock(entry.get("at")),
        code=str(entry["code"]) if was_refused(entry) else "",
        given=tuple(_given(here, entry)),
        effects=tuple(here.told(effect, entry, each) for each in changes(entry)),
        raised=events(here, entry),
        reasons=tuple(reason(here, each) for each in entry.get("reasons") or ()),
        proofs=proofs(here, entry),
        via=tuple(_via(here, entry)),
    )


def _given(here: Here, entry: Entry) -> Iterator[tuple[str, Html]]:
    """Yield with what an act was done, but for words that stand there already."""
    by_clock = entry.get("do") in ("found", "tick", "clock") and not entry.get("by")
    if by_clock or entry.get("do") in ("vote", "state"):
        return
    given = public_arguments(entry) if here.view.keeps_back(entry) else entry.get("with") or {}
    for name, value in given.items():
        if name not in ("changes", "requests", "title"):
            long = isinstance(value, str) and len(value) > LONG
            yield humane(name), prose(str(value), "argument") if long else here.value(value)


def _via(here: Here, entry: Entry) -> Iterator[Html]:
    """Yield how an act came in."""
    via = entry.get("via") or {}
    if there := arrival(here, via):
        yield there
    for name, value in via.items():
        if value not in (None, ""):
            yield join([escape(humane(name)), " ", el("code", str(value))])
