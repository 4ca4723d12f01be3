"""What happened: each event in a sentence with what came of it, by turns or days, and all that is recorded of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby, islice

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.ballot_display import public_arguments, voted_on
from folkmoot.core.documents import Document
from folkmoot.core.event_names import makes_law
from folkmoot.core.records import Effect, Entry
from folkmoot.site.forge_links import arrival
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.polls import for_first
from folkmoot.site.sealed_values import proofs
from folkmoot.site.standing import Turn, turn_of, turns
from folkmoot.wording.catalogue import say
from folkmoot.wording.game_view import GameView, effects_in, in_parts, lists_by_key, was_refused
from folkmoot.wording.markup import Html, counted, el, join, sentence
from folkmoot.wording.page_links import ENTRIES_PER_PAGE, Here, humane, journal_path
from folkmoot.wording.prose import phrase, prose
from folkmoot.wording.sentences import act, changed, changes, effect, events, reason, refusal, ruled_by

LATEST, MOST_TURNS = 80, 60
"""How many of the newest entries and turns stand on the page of what happened."""
LONG, SHORT = 120, 280
"""From how many letters on an argument is set as a text, and up to how many what somebody said stands in the line."""
PATH = "journal/index.md"
TELLING = frozenset(
    "award resolve enact amend repeal transmute retitle suspend wake repair win setting announce correct".split()
)
"""Effects that events and feeds tell: what was decided, paid or won."""
LAW = frozenset({"enact", "amend", "repeal", "transmute", "retitle", "renumber"})
VOTES = frozenset({"propose", "open", "resolve"})
ICONS = {"refused": "✕", "law": "§", "proposals": "?", "votes": "✓", "points": "+", "said": "”", "": "→"}
"""What stands before an event of a kind, the kind that counts most first; "" is any other."""
FILTERS = {"l-law": {"law", "proposals"}, "l-say": {"said"}}
"""The kinds of events that each choice of readers shows."""
MOST_EFFECTS, TOGETHER = 4, 12
_PARAGRAPH = re.compile(r'<div class="fm-prose" dir="auto"><p>((?:(?!</?(?:p|div)\b).)*)</p></div>')


class Record(Struct, frozen=True):
    """What is recorded of an entry beside what its event says; effects stand behind the rule by which they came."""

    at: Html
    code: str
    given: tuple[tuple[str, Html], ...]
    effects: tuple[tuple[Html, tuple[Html, ...]], ...]
    raised: Html
    reasons: tuple[Html, ...]
    proofs: Html
    via: tuple[Html, ...]


class Event(Struct, frozen=True):
    """Something that happened: its icon (`tone` is good, bad or none), who said it, a sentence, what came of it.

    `filter` says to which choices of readers it belongs; `seq` is the number of its entry. Ballots that stand together
    are told below the event, each with its record.
    """

    seq: int
    filter: str
    icon: str
    tone: str
    speaker: Person | None
    words: Html
    quote: Html
    refused: bool
    entry: Html
    effects: tuple[Html, ...]
    record: Record | None = None
    ballots: tuple[Event, ...] = ()


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

    `parts` are the pages of entries, each with the day on which it begins.
    """

    count: str
    sections: tuple[Section, ...]
    before: Link | None
    turns: tuple[tuple[str, Link], ...]
    parts: tuple[tuple[Link, Html], ...]


class Entries(PageData, frozen=True, kw_only=True, tag="entries"):
    """A page of entries with all that is recorded of them."""

    sections: tuple[Section, ...]
    newer: Link | None
    older: Link | None


def history_pages(view: GameView) -> Iterator[Sheet]:
    """Return the page of what happened, and the pages of entries."""
    yield Sheet(PATH, _history)
    for number in in_parts(view.entries, ENTRIES_PER_PAGE):
        yield Sheet(journal_path(number * ENTRIES_PER_PAGE + 1), partial(_entries, number), partial(_made_of, number))


def _made_of(number: int, view: GameView) -> object:
    """Return all that a page of entries is made of."""
    first, known = number * ENTRIES_PER_PAGE + 1, turns(view)
    part = view.entries[first - 1 : first - 1 + ENTRIES_PER_PAGE]
    last = first + len(part) - 1
    begin, end = turn_of(known, first), turn_of(known, last)
    turns_then, settled = known[max(begin - 1, 0) : end], view.index(_settled).get(number)
    return [part, settled, bool(known), begin, turns_then, last < len(view.entries)]


def _settled(view: GameView) -> dict[int, list[tuple[int, str, str]]]:
    """Return which duties were struck out, as what, by the page of the entry."""
    settled = view.duties_settled.items()
    return lists_by_key(((seq - 1) // ENTRIES_PER_PAGE, (seq, key, what)) for (seq, key), what in settled)


def _history(view: GameView) -> History:
    here, known, latest, count = Here(view, PATH), turns(view), view.entries[-LATEST:], len(view.entries)
    parts = [*in_parts(view.entries, ENTRIES_PER_PAGE).values()]
    return History(
        path=PATH,
        title="What happened",
        summary=f"What happened in {view.title}",
        count=f"{count} entries in {len(known)} turns, newest first"
        if len(known) > 1 else f"{count} entries, newest first",
        sections=tuple(_sections(here, latest, known, recorded=False)),
        before=Link("What happened before", here.url(journal_path(count - LATEST))) if count > LATEST else None,
        turns=tuple((str(turn.number), Link(view.name(turn.player),
                                            here.url(journal_path(turn.after + 1), f"turn-{place}")))
                    for place, turn in [*enumerate(known, 1)][: -MOST_TURNS - 1 : -1] if turn.after < count),
        parts=tuple((Link(f"{part[0]['seq']} – {part[-1]['seq']}", here.url(journal_path(part[0]["seq"]))),
                     here.day(part[0].get("at"))) for part in reversed(parts)),
    )  # fmt: skip


def _entries(number: int, view: GameView) -> Entries:
    first = number * ENTRIES_PER_PAGE + 1
    here, part = Here(view, journal_path(first)), view.entries[first - 1 : first - 1 + ENTRIES_PER_PAGE]
    last = first + len(part) - 1
    return Entries(
        path=here.path,
        title=f"Entries {first} – {last}",
        at=PATH,
        sections=tuple(_sections(here, part, turns(view), recorded=True)),
        newer=Link("Later entries", here.url(journal_path(last + 1))) if last < len(view.entries) else None,
        older=Link("Earlier entries", here.url(journal_path(first - 1))) if number else None,
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
            id=f"turn-{place}" if turn else f"from-{first}",
            title=f"Turn {turn.number}" if turn else "The beginning" if known else "",
            who=person(here, turn.player) if turn else None,
            day=here.day(several[0].get("at")),
            first=first,
            last=last,
            events=tuple(_event(here, each, recorded=recorded) for each in ballots_together(several)),
        )


# -- the record


def _event(here: Here, several: Sequence[Entry], *, recorded: bool) -> Event:
    """Return what happened; with what is recorded of it, else with the words of ballots that stand together."""
    event = event_of(here, several)
    if len(several) == 1:
        return replace(event, record=_record(here, several[0])) if recorded else event
    ballots = [event_of(here, [each], told=True) for each in several]
    if recorded:
        ballots = [replace(ballot, record=_record(here, each)) for ballot, each in zip(ballots, several, strict=True)]
    return replace(event, ballots=tuple(each for each in ballots if each.record or each.quote))


def _record(here: Here, entry: Entry) -> Record:
    """Return what is recorded of an entry but for effects that its event tells already."""
    told = {id(what) for alike in telling(entry)[0] for what in alike}
    effects = _together(each for each in changes(entry) if id(each) not in told and not _is_said(entry, each))
    via = [(name, value) for name, value in (entry.get("via") or {}).items() if value not in (None, "")]
    return Record(
        at=here.clock(entry.get("at")),
        code=str(entry["code"]) if was_refused(entry) else "",
        given=tuple(_given(here, entry)),
        effects=tuple((here.rule(rule), tuple(changed(here, entry, each) for each in several))
                      for rule, several in groupby(effects, ruled_by)),
        raised=events(here, entry),
        reasons=tuple(reason(here, each) for each in entry.get("reasons") or ()),
        proofs=proofs(here, entry),
        via=(*filter(None, [arrival(here, entry.get("via") or {})]),
             *(join([humane(name), " ", el("code", str(value))]) for name, value in via)),
    )  # fmt: skip


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


# -- events


Days = tuple[tuple[Html, tuple[Event, ...]], ...]
"""What happened by days, the newest first."""


def days_of(here: Here, entries: Iterable[Entry], most: int) -> Days:
    """Return at most so many events of entries, which come the newest first; ballots on one thing are one event."""
    days = groupby(islice(ballots_together(entries), most), lambda several: here.day(several[0].get("at")))
    return tuple((day, tuple(event_of(here, several) for several in each)) for day, each in days)


def worth_telling(view: GameView) -> Iterator[Entry]:
    """Yield the entries of a game, the newest first, without those of the clock that changed nothing."""
    return (entry for entry in reversed(view.entries) if not view.is_silent(entry))


def ballots_together(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield entries in order, each alone, but together ballots on one thing that follow one another."""
    ballots: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.get("do") == "vote" and not was_refused(entry) and (on := voted_on(entry)):
            ballots.setdefault(on, []).append(entry)
            continue
        yield from ballots.values()
        ballots = {}
        yield [entry]
    yield from ballots.values()


def event_of(here: Here, several: Sequence[Entry], *, told: bool = False) -> Event:
    """Return an entry, or ballots together that are on one thing, as an event; its effects may be `told` already."""
    entry = several[0]
    kinds = {kind for each in several for kind in _kinds(each)}
    ends = [str(what.get("to") or what.get("outcome")) for _entry, what in effects_in(several, "resolve")]
    failed = "law" not in kinds and ends and not any(makes_law(end, here.view.outcomes) for end in ends)
    quote = _quote(here, entry) if len(several) == 1 else Html("")
    if several[1:]:
        words = _cast_on(here, several, here.proposal(voted_on(entry)))
    else:
        words = here.player(entry.get("by")) if entry.get("do") == "state" and quote else act(here, entry)
    return Event(
        seq=int(entry.get("seq") or 0),
        filter=" ".join(name for name, of in FILTERS.items() if kinds & of or (name == "l-say" and quote)),
        icon=ICONS["refused"] if failed else next(ICONS[kind] for kind in ICONS if kind in {*kinds, ""}),
        tone="bad" if failed or "refused" in kinds else "good" if "law" in kinds else "",
        speaker=person(here, entry.get("by")) if quote and entry.get("by") else None,
        words=words,
        quote=quote,
        refused="refused" in kinds,
        entry=here.entry(entry.get("seq")),
        effects=tuple(line for each in several for line in _lines(here, each, told=told)),
    )


def _kinds(entry: Entry) -> Iterator[str]:
    """Yield of what kinds an entry is, by which readers choose among entries."""
    if was_refused(entry):
        yield "refused"
        return
    effects = {str(each.get("effect")) for each in entry.get("effects") or ()}
    yield from (kind for kind, of in (("law", LAW), ("proposals", VOTES), ("points", {"award"})) if effects & of)
    yield {"vote": "votes", "state": "said"}.get(str(entry.get("do")), "")


def _quote(here: Here, entry: Entry) -> Html:
    """Return the words that an act was about, a statement or the reason of a ballot; short ones in quotation marks."""
    named = {"vote": "reason", "state": "text"}.get(str(entry.get("do")))
    words = (entry.get("with") or {}).get(named) if named and not here.view.keeps_back(entry) else None
    if not words:
        return Html("")
    said = prose(str(words), f"e{entry.get('seq')}")
    one = _PARAGRAPH.fullmatch(said) if len(str(words)) <= SHORT else None
    return el("q", Html(one[1])) if one else el("blockquote", said)


def telling(entry: Entry) -> tuple[list[list[Effect]], int]:
    """Return the first effects of an entry that an event tells, those of a line together, and how many more it has."""
    effects = () if entry.get("do") == "found" else entry.get("effects") or ()
    found = [each for each in effects if each.get("effect") in TELLING]
    lines = [[*islice(alike, TOGETHER)] for _what, alike in groupby(found, _alike)][:MOST_EFFECTS]
    return lines, len(found) - sum(map(len, lines))


def _lines(here: Here, entry: Entry, *, told: bool) -> Iterator[Html]:
    """Yield what of an entry is worth telling at once: what was proposed, drawn, decided or paid, and why it failed."""
    made = [here.proposal(what.get("of")) for _entry, what in effects_in([entry], "propose")]
    yield from made[:MOST_EFFECTS] if entry.get("do") != "found" else ()
    for draw in [each for each in entry.get("draws") or () if _says_itself(each)][:MOST_EFFECTS]:
        yield join([label(draw), ": ", el("b", here.value(draw.get("result")))])
    shown, more = ([], 0) if told else telling(entry)
    yield from (_told_together(here, entry, alike) for alike in shown)
    if more:
        yield counted(more, "and {count} more", "and {count} more")
    if was_refused(entry):
        yield from (refusal(here, why) for why in (entry.get("reasons") or ())[:MOST_EFFECTS])
    for failure in entry.get("failures") or ():
        hook, error = el("code", str(failure.get("hook", ""))), str(failure.get("error", ""))
        yield sentence("{rule} failed in {hook}: {error}", rule=here.rule(failure.get("rule")), hook=hook, error=error)


def _says_itself(draw: Document) -> bool:
    """Say whether a draw is a die, or a chance that was named: what came of it tells a place in a list, or an order."""
    spec = draw.get("spec") or {}
    low = next(iter(spec.get("integer") or [0]))
    return bool(draw.get("label")) and (low != 0 or "chance" in spec)


def _alike(what: Effect) -> tuple[object, ...]:
    """Return what effects share that are told in one line: changes of several rules, or payments for the same."""
    if what.get("effect") == "award" and what.get("asked") in (None, what.get("applied")):
        return "award", what.get("name"), what.get("why"), what.get("rule")
    is_plain = what.get("effect") in LAW - {"renumber", "retitle"} and not what.get("why") and not what.get("to")
    return (what.get("effect"), what.get("rule")) if is_plain else (id(what),)


def _told_together(here: Here, entry: Entry, several: Sequence[Effect]) -> Html:
    """Return alike effects in one line."""
    first, rule = several[0], ruled_by(several[0])
    if first.get("effect") == "award":
        *others, most = sorted(several, key=lambda each: abs(each["applied"]))
        return join([*(say(here, "award of several", each) for each in others), effect(here, entry, most)], ", ")
    said = join([changed(here, entry, first), *(say(here, "law of several", each) for each in several[1:])], ", ")
    return say(here, "by a rule", {"said": said, "rule": rule}) if rule else said


def label(draw: Document) -> Html:
    """Return what a draw was for."""
    return phrase(str(draw.get("label") or "draw"))


def _cast_on(here: Here, ballots: Sequence[Entry], what: Html) -> Html:
    """Return how many ballots on something went which way, as far as that is displayed."""
    if any(here.view.keeps_back(entry) for entry in ballots):
        said = counted(len(ballots), "{count} ballot", "{count} ballots")
        return sentence("{ballots} on {proposal}, not displayed before the count", ballots=said, proposal=what)
    cast = Counter[str]()
    for entry in ballots:  # what came of it says how it was cast
        of: Document = next((what for _entry, what in effects_in([entry], "ballot")), {})
        cast[str(of.get("choice") or (entry.get("with") or {}).get("choice") or "")] += 1
    told = join((f"{count} {choice}" for choice, count in sorted(cast.items(), key=for_first)), ", ")
    return sentence("Votes on {proposal}: {ballots}", ballots=told, proposal=what)
