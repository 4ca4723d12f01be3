"""Deadlines as calendars to subscribe to: one of the game, and one of what each player owes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_OID, uuid5

from icalendar import Calendar, Event

from folkmoot.game.status import deadline, duties_in, missing_votes
from folkmoot.site.pages.status import timers_to_come
from folkmoot.wording.game_view import GameView
from folkmoot.wording.law_sentence import quotation
from folkmoot.wording.markup import shortened, visible
from folkmoot.wording.page_links import player_path, proposal_path, timer_words

Deadline = tuple[int, str, str, str]
"""When something is due (Unix seconds), its key, what it is, and the page that tells of it."""


def calendar_files(view: GameView) -> dict[str, str]:
    """Return the calendars by their paths below the game's folder."""
    owed = {player: [*_owed(view, player)] for player in view.present}
    everyones = [(at, key, f"{view.name(player)}: {what}", path)
                 for player, duties in owed.items() for at, key, what, path in duties]  # fmt: skip
    files = {"calendar.ics": _calendar(view, view.title, [*_votes(view), *_timers(view), *everyones])}
    for player, duties in owed.items():
        title = f"{view.title}: {view.name(player)}"
        path = f"{player_path(player).removesuffix('.md')}.ics"
        files[path] = _calendar(view, title, [*duties, *_votes(view, player)])
    return files


def _votes(view: GameView, player: str = "") -> Iterator[Deadline]:
    """Yield the ends of open votes, for a player of those in which they have not voted."""
    for identifier, proposal in view.unresolved.items():
        due, title = deadline(view.documents, proposal), proposal.get("title") or identifier
        if due and not player:
            yield due, f"vote {identifier}", f"The vote on “{title}” ends", proposal_path(proposal)
        elif due and player in missing_votes(proposal):
            yield due, f"ballot {identifier}", f"Vote on “{title}”", proposal_path(proposal)


def _timers(view: GameView) -> Iterator[Deadline]:
    for key, timer in timers_to_come(view):
        yield int(timer["due"]), f"timer {key}", quotation(timer_words(view, key, timer)), "index.md"


def _owed(view: GameView, player: str) -> Iterator[Deadline]:
    for duty in duties_in(view.documents, player):
        if duty["by"]:
            yield duty["by"], f"duty {duty['key']}", quotation(duty["what"]), player_path(player)


def _calendar(view: GameView, title: str, deadlines: Iterable[Deadline]) -> str:
    calendar = Calendar()
    calendar.add("prodid", "-//Folkmoot//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", shortened(title))
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"value": "DURATION"})
    for at, key, what, path in sorted(set(deadlines)):
        try:
            start, stamp = datetime.fromtimestamp(at, UTC), datetime.fromtimestamp(view.now or 0, UTC)
        except (OverflowError, OSError, ValueError):  # beyond any calendar
            continue
        event = Event()
        event.add("uid", f"{uuid5(NAMESPACE_OID, f'folkmoot {view.founding} {key}')}@folkmoot")
        event.add("dtstamp", stamp)
        event.add("dtstart", start)
        event.add("summary", visible(shortened(what)))
        if view.address:
            event.add("url", view.site_address(f"{path.removesuffix('.md')}.html"))
        calendar.add_component(event)
    return str(calendar.to_ical(), "utf-8")
