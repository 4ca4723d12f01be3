"""Deadlines as calendars to subscribe to: one of the game, and one of what each player owes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import NAMESPACE_OID, uuid5

from icalendar import Calendar, Event

from folkmoot.game.agenda import deadline, duties_in, missing_votes
from folkmoot.site.pages.status import timers_to_come
from folkmoot.wording.game_view import GameView
from folkmoot.wording.invisible import visible
from folkmoot.wording.law_sentence import quotation
from folkmoot.wording.markup import shortened
from folkmoot.wording.page_links import player_path, proposal_path, timer_words
from folkmoot.wording.translation import _


class Deadline(NamedTuple):
    """When something is due, what it is, and the page that tells of it."""

    at: int
    key: str
    what: str
    path: str


def calendar_files(view: GameView) -> dict[str, str]:
    """Return the calendars by their paths below the game's folder."""
    shared = [*_votes(view), *_timers(view)]
    owed = {player: [*_owed(view, player), *_ballots(view, player)] for player in view.present}
    everything = [*shared, *(each for player in view.present for each in _owed(view, player, named=True))]
    files = {"calendar.ics": _calendar(view, view.title, everything)}
    for player, found in owed.items():
        path = player_path(player).removesuffix(".md")
        files[f"{path}.ics"] = _calendar(view, f"{view.title}: {view.name(player)}", found)
    return files


def _votes(view: GameView) -> Iterator[Deadline]:
    for identifier, proposal in view.unresolved.items():
        due = deadline(view.documents, proposal)
        if due:
            title = proposal.get("title") or identifier
            yield Deadline(
                due, f"vote {identifier}", _("The vote on “{title}” ends", title=title), proposal_path(proposal)
            )


def _ballots(view: GameView, player: str) -> Iterator[Deadline]:
    for identifier, proposal in view.unresolved.items():
        due = deadline(view.documents, proposal)
        if due and player in missing_votes(proposal):
            title = proposal.get("title") or identifier
            yield Deadline(due, f"ballot {identifier}", _("Vote on “{title}”", title=title), proposal_path(proposal))


def _timers(view: GameView) -> Iterator[Deadline]:
    for key, timer in timers_to_come(view):
        yield Deadline(int(timer["due"]), f"timer {key}", quotation(timer_words(view, key, timer)), "index.md")


def _owed(view: GameView, player: str, named: bool = False) -> Iterator[Deadline]:
    for duty in duties_in(view.documents, player):
        if duty["by"]:
            what = f"{view.name(player)}: {quotation(duty['what'])}" if named else quotation(duty["what"])
            yield Deadline(duty["by"], f"duty {duty['key']}", what, player_path(player))


def _calendar(view: GameView, title: str, found: list[Deadline]) -> str:
    calendar = Calendar()
    calendar.add("prodid", "-//Folkmoot//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", shortened(title))
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"value": "DURATION"})
    for each in sorted(set(found)):
        event = _event(view, each)
        if event is not None:
            calendar.add_component(event)
    text: bytes = calendar.to_ical()
    return text.decode("utf-8")


def _event(view: GameView, due: Deadline) -> Event | None:
    try:
        start, said = datetime.fromtimestamp(due.at, UTC), datetime.fromtimestamp(view.now or 0, UTC)
    except (OverflowError, OSError, ValueError):  # beyond any calendar
        return None
    event = Event()
    event.add("uid", f"{uuid5(NAMESPACE_OID, f'folkmoot {view.founding} {due.key}')}@folkmoot")
    event.add("dtstamp", said)
    event.add("dtstart", start)
    event.add("summary", visible(shortened(due.what)))
    if view.address:
        event.add("url", view.site_address(f"{due.path.removesuffix('.md')}.html"))
    return event
