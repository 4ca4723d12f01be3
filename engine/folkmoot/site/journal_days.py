"""Entries as a story by day: ballots that follow one another stand together, and a reader chooses kinds and players.

All of it works without scripts: what opens are details, and what is chosen is hidden by the style sheet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from functools import cached_property

from msgspec import Struct

from folkmoot.core.ballot_display import voted_on
from folkmoot.core.documents import Document
from folkmoot.core.records import Entry
from folkmoot.site.entry_kinds import kind_words, kinds_of
from folkmoot.site.page_model import Page
from folkmoot.site.polls import for_first
from folkmoot.wording.entries import was_refused
from folkmoot.wording.markup import Html, counted, details, el, join, sentence, strip
from folkmoot.wording.moments import zone
from folkmoot.wording.page_links import Here
from folkmoot.wording.stamps import seconds
from folkmoot.wording.translation import _, day_named, term

MOST_CHOSEN = 24
"""Players among whom a reader chooses on a page: as many as the style sheet has classes for."""
Drawn = Callable[[Entry, str], Html]
"""What makes one entry, with the classes by which it is chosen."""


class Story(Struct, frozen=True, dict=True):
    """Entries that are told on a page, and what draws one of them."""

    here: Here
    entries: Sequence[Entry]
    drawn: Drawn
    gist: Callable[[Entry], Html]
    """What came of an entry, in short: it stands below ballots that are folded."""

    def tell(self, page: Page) -> None:
        """Add the entries to a page, a part for each day."""
        known: Counter[str] = Counter()
        for day, several in _by_day(self.here, self.entries):
            name = f"day-{day:%Y-%m-%d}"
            known[name] += 1
            anchor = name if known[name] == 1 else f"{name}-{known[name]}"
            page.add(*self._told(several), heading=day_named(day), anchor=anchor)

    @cached_property
    def people(self) -> dict[str, int]:
        """Who did most of the entries, each with a number from 0."""
        acted = Counter(str(entry["by"]) for entry in self.entries if entry.get("by"))
        return {player: n for n, (player, _count) in enumerate(acted.most_common(MOST_CHOSEN))}

    def choice(self) -> Html:
        """Return two lists in which a reader chooses kinds of entries and players."""
        there = {kind for entry in self.entries for kind in kinds_of(entry)}
        kinds = [(f"k-{name}", words) for name, words in kind_words().items() if name in there]
        people = [(f"w-{n}", self.here.view.name(player)) for player, n in self.people.items()]
        lists = _list(_("Show"), _("everything"), kinds), " ", _list(_("by"), _("everybody"), people)
        return el("p", *lists, class_="fm-sift")

    def classes(self, entries: Sequence[Entry]) -> str:
        """Return the classes by which entries are chosen: their kinds, and who did them."""
        kinds = [f"fm-k-{kind}" for entry in entries for kind in kinds_of(entry)]
        people = [f"fm-w-{self.people[who]}" for entry in entries if (who := str(entry.get("by"))) in self.people]
        return " ".join(dict.fromkeys(["fm-told", *kinds, *people]))

    def _told(self, entries: Sequence[Entry]) -> Iterator[Html]:
        """Yield entries in order; ballots that follow one another are put together by what they are on."""
        for on, several in ballots_together(entries):
            yield self._together(on, several) if len(several) > 1 else self._one(several[0])

    def _one(self, entry: Entry) -> Html:
        return self.drawn(entry, self.classes([entry]))

    def _together(self, on: str, ballots: Sequence[Entry]) -> Html:
        told = cast_on(
            self.here, ballots, strip(self.here.proposal(on))
        )  # without a link: all of it opens what is folded
        folded = details(told, el("p", self.here.proposal(on)), *map(self._one, ballots))
        return el("div", folded, *map(self.gist, ballots), class_=self.classes(ballots))


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


def _by_day(here: Here, entries: Sequence[Entry]) -> Iterator[tuple[datetime, list[Entry]]]:
    """Yield the days of entries in the game's zone, each with those that follow one another on it."""
    place, last = zone(here.view.zone), datetime(1970, 1, 1, tzinfo=UTC)
    several: list[Entry] = []
    for entry in entries:
        day = _day(entry, place) or last
        if several and day.date() != last.date():
            yield last, several
            several = []
        several.append(entry)
        last = day
    if several:
        yield last, several


def _day(entry: Entry, place: tzinfo) -> datetime | None:
    at = seconds(entry.get("at"))
    try:
        return None if at is None else datetime.fromtimestamp(at, UTC).astimezone(place)
    except (OverflowError, OSError, ValueError):
        return None


def cast_on(here: Here, ballots: Sequence[Entry], what: object) -> Html:
    """Return how many ballots on something, as it is to be called, went which way."""
    if any(here.view.keeps_back(entry) for entry in ballots):
        said = counted(len(ballots), "{count} ballot", "{count} ballots")
        return sentence("{ballots} on {proposal}, not displayed before the count", ballots=said, proposal=what)
    cast: Counter[str] = Counter(map(_choice, ballots))
    told = join((f"{count} {term(choice)}" for choice, count in sorted(cast.items(), key=for_first)), ", ")
    return sentence("{ballots} on {proposal}", ballots=told, proposal=what)


def _choice(entry: Entry) -> str:
    """Return how a ballot was cast, as what came of it says."""
    cast: Document = next((each for each in entry.get("effects") or () if each.get("effect") == "ballot"), {})
    return str(cast.get("choice") or (entry.get("with") or {}).get("choice") or "")


def _list(label: str, every: str, choices: Sequence[tuple[str, str]]) -> Html:
    options = [el("option", words, value=value) for value, words in [("", every), *choices]]
    return el("label", label, " ", el("select", *options, autocomplete="off"))
