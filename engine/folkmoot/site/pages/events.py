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
from folkmoot.core.records import Entry
from folkmoot.site.entry_kinds import TELLING, kinds_of
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

MOST_EFFECTS = 4
SHORT = 280
"""Up to how many letters what somebody said stands in the line."""
_PARAGRAPH = re.compile(r'<div class="fm-prose" dir="auto"><p>((?:(?!</?(?:p|div)\b).)*)</p></div>')
ICONS = {"refused": "✕", "law": "§", "proposals": "?", "votes": "✓", "points": "+", "said": "”", "rest": "→"}
"""What stands before an event of a kind (see `entry_kinds`)."""


class Event(Struct, frozen=True):
    """Something that happened: its icon (`tone` is good, bad or none), who said it, a sentence, what came of it.

    `filter` says to which choices of readers it belongs; `seq` is the number of its entry.
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


def event_of(here: Here, on: str, several: Sequence[Entry]) -> Event:
    """Return an entry, or ballots together that are on one thing, as an event."""
    entry = several[0]
    kinds = {kind for each in several for kind in kinds_of(each)}
    icon, tone = _icon(here.view, kinds, several)
    quote = _said(here, entry) if len(several) == 1 else Html("")
    stated = entry.get("do") == "state" and bool(quote)
    words = here.player(entry.get("by")) if stated else act(here, entry)
    return Event(
        seq=int(entry.get("seq") or 0),
        filter=" ".join(name for name, of in _FILTERS.items() if kinds & of or (name == "l-say" and quote)),
        icon=icon,
        tone=tone,
        speaker=person(here, entry.get("by")) if quote and entry.get("by") else None,
        words=cast_on(here, several, here.proposal(on)) if len(several) > 1 else words,
        quote=quote,
        refused="refused" in kinds,
        entry=here.entry(entry.get("seq")),
        effects=tuple(line for each in several for line in _effects(here, each)),
    )


_FILTERS = {"l-law": {"law", "proposals"}, "l-say": {"said"}}


def _icon(view: GameView, kinds: set[str], several: Sequence[Entry]) -> tuple[str, str]:
    """Return what stands before an event, and in which colour: of law that was made, of what failed."""
    if "refused" in kinds:
        return ICONS["refused"], "bad"
    if "law" in kinds:
        return ICONS["law"], "good"
    ends = [str(what.get("to") or what.get("outcome")) for _entry, what in effects_in(several, "resolve")]
    if ends and not any(makes_law(end, view.outcomes) for end in ends):
        return ICONS["refused"], "bad"
    return next((icon for kind, icon in ICONS.items() if kind in kinds), ICONS["rest"]), ""


def _said(here: Here, entry: Entry) -> Html:
    """Return the words that an act was about, a statement or the reason of a ballot; short ones in quotation marks."""
    named = {"vote": "reason", "state": "text"}.get(str(entry.get("do")))
    words = (entry.get("with") or {}).get(named) if named and not here.view.keeps_back(entry) else None
    if not words:
        return Html("")
    said = prose(str(words), f"e{entry.get('seq')}")
    one = _PARAGRAPH.fullmatch(said) if len(str(words)) <= SHORT else None
    return el("q", Html(one[1])) if one else el("blockquote", said)


def _effects(here: Here, entry: Entry) -> Iterator[Html]:
    """Yield what of an entry is worth telling at once: what was proposed, drawn, decided or paid, and why it failed."""
    effects = () if entry.get("do") == "found" else entry.get("effects") or ()
    made = [here.proposal(each.get("of")) for each in effects if each.get("effect") == "propose"]
    shown = [each for each in effects if each.get("effect") in TELLING]
    yield from made[:MOST_EFFECTS]
    for draw in (entry.get("draws") or ())[:MOST_EFFECTS]:
        yield join([label(draw), ": ", el("b", here.value(draw.get("result")))])
    for each in shown[:MOST_EFFECTS]:
        yield here.told(effect, entry, each)
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


def cast_on(here: Here, ballots: Sequence[Entry], what: object) -> Html:
    """Return how many ballots on something, as it is to be called, went which way."""
    if any(here.view.keeps_back(entry) for entry in ballots):
        said = counted(len(ballots), "{count} ballot", "{count} ballots")
        return sentence("{ballots} on {proposal}, not displayed before the count", ballots=said, proposal=what)
    cast: Counter[str] = Counter(map(_choice, ballots))
    told = join((f"{count} {choice}" for choice, count in sorted(cast.items(), key=for_first)), ", ")
    return sentence("{ballots} on {proposal}", ballots=told, proposal=what)


def _choice(entry: Entry) -> str:
    """Return how a ballot was cast, as what came of it says."""
    cast: Document = next((each for each in entry.get("effects") or () if each.get("effect") == "ballot"), {})
    return str(cast.get("choice") or (entry.get("with") or {}).get("choice") or "")
