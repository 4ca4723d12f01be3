"""What happened, event by event: a sentence each, and what came of it; ballots on one thing are one event."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice

from msgspec import Struct

from folkmoot.core.ballot_display import voted_on
from folkmoot.core.documents import Document
from folkmoot.core.event_names import makes_law
from folkmoot.core.records import Effect, Entry
from folkmoot.site.page_data import Person, person
from folkmoot.site.polls import for_first
from folkmoot.wording.effects import effect
from folkmoot.wording.entries import effects_in, was_refused
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, counted, el, join, sentence
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import phrase, prose
from folkmoot.wording.reasons import said as reason_said
from folkmoot.wording.sentences import act
from folkmoot.wording.translation import _

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
MOST_EFFECTS = 4
SHORT = 280
"""Up to how many letters what somebody said stands in the line."""
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


class Day(Struct, frozen=True):
    """What happened on a day, the newest first."""

    day: Html
    events: tuple[Event, ...]


def days_of(here: Here, entries: Iterable[Entry], most: int) -> tuple[Day, ...]:
    """Return at most so many events of entries, which come the newest first; ballots on one thing are one event."""
    told = islice(((several[0], event_of(here, on, several)) for on, several in ballots_together(entries)), most)
    days = groupby(told, lambda pair: here.day(pair[0].get("at")))
    return tuple(Day(day, tuple(event for _entry, event in pairs)) for day, pairs in days)


def worth_telling(view: GameView) -> Iterator[Entry]:
    """Yield the entries of a game, the newest first, without those of the clock that changed nothing."""
    return (entry for entry in reversed(view.entries)
            if entry.get("do") not in ("tick", "clock") or entry.get("by") or entry.get("effects"))  # fmt: skip


def ballots_together(entries: Iterable[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    """Yield entries in order, each alone, but ballots that follow one another together with what they are on."""
    ballots: dict[str, list[Entry]] = {}
    for entry in entries:
        on = "" if was_refused(entry) or entry.get("do") != "vote" else voted_on(entry)
        if on:
            ballots.setdefault(on, []).append(entry)
            continue
        yield from ballots.items()
        ballots = {}
        yield "", [entry]
    yield from ballots.items()


def event_of(here: Here, on: str, several: Sequence[Entry], *, told: bool = False) -> Event:
    """Return an entry, or ballots together that are on one thing, as an event; its effects may be `told` already."""
    entry = several[0]
    kinds = {kind for each in several for kind in _kinds(each)}
    ends = [str(what.get("to") or what.get("outcome")) for _entry, what in effects_in(several, "resolve")]
    failed = "law" not in kinds and ends and not any(makes_law(end, here.view.outcomes) for end in ends)
    quote = _quote(here, entry) if len(several) == 1 else Html("")
    words = here.player(entry.get("by")) if entry.get("do") == "state" and quote else act(here, entry)
    return Event(
        seq=int(entry.get("seq") or 0),
        filter=" ".join(name for name, of in FILTERS.items() if kinds & of or (name == "l-say" and quote)),
        icon=ICONS["refused"] if failed else next(ICONS[kind] for kind in ICONS if kind in {*kinds, ""}),
        tone="bad" if failed or "refused" in kinds else "good" if "law" in kinds else "",
        speaker=person(here, entry.get("by")) if quote and entry.get("by") else None,
        words=_cast_on(here, several, here.proposal(on)) if len(several) > 1 else words,
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


def telling(entry: Entry) -> list[Effect]:
    """Return the effects of an entry that an event tells, the first few of them at once."""
    effects = () if entry.get("do") == "found" else entry.get("effects") or ()
    return [each for each in effects if each.get("effect") in TELLING]


def _lines(here: Here, entry: Entry, *, told: bool) -> Iterator[Html]:
    """Yield what of an entry is worth telling at once: what was proposed, drawn, decided or paid, and why it failed."""
    made = [here.proposal(what.get("of")) for _entry, what in effects_in([entry], "propose")]
    yield from made[:MOST_EFFECTS] if entry.get("do") != "found" else ()
    for draw in (entry.get("draws") or ())[:MOST_EFFECTS]:
        yield join([label(draw), ": ", el("b", here.value(draw.get("result")))])
    shown = [] if told else telling(entry)
    yield from (effect(here, entry, each) for each in shown[:MOST_EFFECTS])
    if len(shown) > MOST_EFFECTS:
        yield counted(len(shown) - MOST_EFFECTS, "and {count} more", "and {count} more")
    if was_refused(entry):
        yield from (reason_said(here, why) for why in (entry.get("reasons") or ())[:MOST_EFFECTS])
    for failure in entry.get("failures") or ():
        hook, error = el("code", str(failure.get("hook", ""))), str(failure.get("error", ""))
        yield sentence("{rule} failed in {hook}: {error}", rule=here.rule(failure.get("rule")), hook=hook, error=error)


def label(draw: Document) -> Html:
    """Return what a draw was for."""
    return phrase(str(draw.get("label") or _("draw")))


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
    return sentence("{ballots} on {proposal}", ballots=told, proposal=what)
