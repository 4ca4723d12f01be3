"""The pages of history: what happened, turn by turn or day by day, and every entry with all that is recorded of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.ballot_display import public_arguments
from folkmoot.core.records import Effect, Entry
from folkmoot.site.forge_links import arrival
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.events import MOST_EFFECTS, Event, Record, ballots_together, event_of, telling
from folkmoot.site.sealed_values import proofs
from folkmoot.site.turns import Turn, turn_of, turns
from folkmoot.wording.effects import changed, changes, events, ruled_by
from folkmoot.wording.entries import was_refused
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import in_parts
from folkmoot.wording.markup import Html, el, escape, join
from folkmoot.wording.page_links import ENTRIES_PER_PAGE, Here, humane, journal_path
from folkmoot.wording.prose import prose
from folkmoot.wording.reasons import reason
from folkmoot.wording.translation import _

LATEST = 80
"""How many of the newest entries stand on the page of what happened."""
MOST_TURNS, LONG = 60, 120
PATH = "journal/index.md"


class Section(Struct, frozen=True):
    """A turn or a day: whose turn, when it was, from which entry to which, and what happened."""

    id: str
    title: str
    who: Person | None
    day: Html
    first: int
    last: int
    events: tuple[Event, ...]


class History(PageData, frozen=True, kw_only=True, tag="history"):
    """What happened of late, and the way to all that happened before.

    `parts` are the pages of entries: each a link, the days on which it begins and ends, and how much was refused.
    """

    count: str
    sections: tuple[Section, ...]
    before: Link | None
    turns: tuple[tuple[str, Link], ...]
    parts: tuple[tuple[Link, Html, Html, int], ...]


class Entries(PageData, frozen=True, kw_only=True, tag="entries"):
    """A page of entries with all that is recorded of them."""

    sections: tuple[Section, ...]
    newer: Link | None
    older: Link | None


def history_pages(view: GameView) -> Iterator[Sheet]:
    """Return the page of what happened, and the pages of entries."""
    yield Sheet(PATH, _history)
    for number in in_parts(view.entries, ENTRIES_PER_PAGE):
        yield Sheet(journal_path(number * ENTRIES_PER_PAGE + 1), partial(_entries, number))


def _history(view: GameView) -> History:
    here, known, latest, count = Here(view, PATH), turns(view), view.entries[-LATEST:], len(view.entries)
    parts = reversed(in_parts(view.entries, ENTRIES_PER_PAGE).values())
    return History(
        path=PATH,
        title=_("What happened"),
        part="history",
        summary=_("What happened in {game}", game=view.title),
        count=_("{count} entries in {turns} turns, newest first", count=count, turns=len(known))
        if len(known) > 1 else _("{count} entries, newest first", count=count),
        sections=tuple(_sections(here, latest, known, recorded=False)),
        before=Link(_("What happened before"), here.url(journal_path(count - LATEST))) if count > LATEST else None,
        turns=tuple(_turn_links(here, known)),
        parts=tuple(_listed(here, part) for part in parts),
    )  # fmt: skip


def _turn_links(here: Here, known: Sequence[Turn]) -> Iterator[tuple[str, Link]]:
    """Yield the newest turns with whose they were, each a link to its entries."""
    for place in range(len(known), max(0, len(known) - MOST_TURNS), -1):
        turn = known[place - 1]
        if turn.after < len(here.view.entries):
            path, anchor = journal_path(turn.after + 1), _anchor(known, place)
            yield str(turn.number), Link(here.view.name(turn.player), here.url(path, anchor))


def _listed(here: Here, part: Sequence[Entry]) -> tuple[Link, Html, Html, int]:
    first, last = part[0], part[-1]
    link = Link(f"{first['seq']} – {last['seq']}", here.url(journal_path(first["seq"])))
    return link, here.day(first.get("at")), here.day(last.get("at")), sum(map(was_refused, part))


def _entries(number: int, view: GameView) -> Entries:
    first = number * ENTRIES_PER_PAGE + 1
    here, part = Here(view, journal_path(first)), view.entries[first - 1 : first - 1 + ENTRIES_PER_PAGE]
    last = first + len(part) - 1
    return Entries(
        path=here.path,
        title=_("Entries {first} – {last}", first=first, last=last),
        part="history",
        at=PATH,
        sections=tuple(_sections(here, part, turns(view), recorded=True)),
        newer=Link(_("Later entries"), here.url(journal_path(last + 1))) if last < len(view.entries) else None,
        older=Link(_("Earlier entries"), here.url(journal_path(first - 1))) if number else None,
    )


def _sections(here: Here, entries: Sequence[Entry], known: Sequence[Turn], *, recorded: bool) -> Iterator[Section]:
    """Yield the turns or days of entries, the newest first, with what happened in them, the oldest first."""

    def part(entry: Entry) -> tuple[int, Html]:
        """Return the place of an entry's turn, 0 for before the first; its day in a game without turns."""
        return (turn_of(known, int(entry.get("seq") or 0)), Html("")) if known else (0, here.day(entry.get("at")))

    for (place, _day), several in reversed([(key, [*group]) for key, group in groupby(entries, part)]):
        first, last = (int(each.get("seq") or 0) for each in (several[0], several[-1]))
        turn = known[place - 1] if place else None
        yield Section(
            id=_anchor(known, place) if turn else f"from-{first}",
            title=_("Turn {number}", number=turn.number) if turn else _("The beginning") if known else "",
            who=person(here, turn.player) if turn else None,
            day=here.day(several[0].get("at")),
            first=first,
            last=last,
            events=tuple(_event(here, on, each, recorded=recorded) for on, each in ballots_together(several)),
        )


def _anchor(known: Sequence[Turn], place: int) -> str:
    """Return the anchor of a turn by its place: its number, which other turns may have had, too."""
    number = known[place - 1].number
    return f"turn-{number}" if number == place else f"turn-{number}-{place}"


# -- the record


def _event(here: Here, on: str, several: Sequence[Entry], *, recorded: bool) -> Event:
    """Return what happened; with what is recorded of it, else with the words of ballots that stand together."""
    event = event_of(here, on, several)
    if len(several) == 1:
        return (
            replace(event, record=_record(here, several[0], telling(several[0])[:MOST_EFFECTS])) if recorded else event
        )
    ballots = [event_of(here, on, [each], told=True) for each in several]
    if recorded:
        ballots = [replace(ballot, record=_record(here, each)) for ballot, each in zip(ballots, several, strict=True)]
    return replace(event, ballots=tuple(each for each in ballots if each.record or each.quote))


def _record(here: Here, entry: Entry, told: Sequence[Effect] = ()) -> Record:
    """Return what is recorded of an entry but for effects that are `told` already."""
    effects = _together(
        each for each in changes(entry) if not _is_said(entry, each) and not any(each is t for t in told)
    )
    return Record(
        at=here.clock(entry.get("at")),
        code=str(entry["code"]) if was_refused(entry) else "",
        given=tuple(_given(here, entry)),
        effects=tuple(
            (here.rule(rule) if rule else Html(""), tuple(changed(here, entry, each) for each in several))
            for rule, several in groupby(effects, ruled_by)
        ),
        raised=events(here, entry),
        reasons=tuple(reason(here, each) for each in entry.get("reasons") or ()),
        proofs=proofs(here, entry),
        via=tuple(_via(here, entry)),
    )


def _is_said(entry: Entry, what: Effect) -> bool:
    """Say whether an effect is what the sentence of its entry says: the ballot that was cast, the words on record."""
    if what.get("effect") != "ballot":
        return what.get("effect") == "state" == entry.get("do")
    more = what.get("rule") or what.get("deemed") or what.get("sealed") or what.get("counts") is False
    return not more and what.get("voter") == entry.get("by")


def _together(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield effects, as one those in a row by which several players owe the same."""

    def owed(what: Effect) -> object:
        return (what.get("what"), what.get("by"), what.get("rule")) if what.get("effect") == "owe" else id(what)

    for _key, group in groupby(effects, owed):
        first, *others = group
        yield {**first, "players": [str(each.get("of")) for each in (first, *others)]} if others else first


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
