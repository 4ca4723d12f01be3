"""`moot log`: what was done and said in a game, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from folkmoot.cli.clones import last_look, looked_at, looked_now
from folkmoot.cli.terminal import Terminal, stamped, without_escapes
from folkmoot.core.ballot_display import shown_entry
from folkmoot.core.calendar import write_moment
from folkmoot.core.problems import fail
from folkmoot.core.records import Shown
from folkmoot.core.sealed_data import told_in, without_boxes
from folkmoot.core.values import in_a_row
from folkmoot.game.status import undecided

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.player.remote_view import RemoteView

INSET = 4
"""Blanks before what belongs to the line above: below the time there would be no room for it."""
REVIEWS = {"approve": " approved", "request_changes": " requested changes"}
MOST_LOOKED_AT = 5_000  # entries, from the newest back


class Wanted(Struct, frozen=True, kw_only=True):
    """What of the log is wanted: by whom, on which pull request, since when (Unix seconds), and whether only talk."""

    by: str | None
    mine: bool
    pull: int | None
    since: int
    talk: bool


def run_log(
    terminal: Terminal,
    /,
    most: int,
    since: int,
    new: bool,
    by: str | None,
    mine: bool,
    offline: bool,
    game: str | None,
    remote: str | None,
    **more: Any,
) -> None:
    """Tell entries."""
    with looked_at(terminal, game, remote, offline=offline) as (view, session):
        name = session.record.name
        since = max(since, last_look(terminal, name) + 1) if new else since
        if mine:
            from folkmoot.cli.sending import player_here

            by = player_here(view, name) if view is not None else None
        wanted = Wanted(since=since, by=by, mine=mine, **more)
        found = log_of(view, session, wanted, most)[-most:]
        if not found:
            _require_known(view, session, wanted)
        terminal.record(stamped({"game": name, "log": found}))
        for each in found if not terminal.json else ():
            first, *rest = _lines(session, each)
            terminal.wrapped(f"{write_moment(each['at'])}  {first.lstrip()}", 0, INSET + 2)
            for line in rest:
                terminal.wrapped(line.lstrip(), max(len(line) - len(line.lstrip()), INSET))
        if not found:
            terminal.say("Nothing new." if new else "Nothing of that kind.")
        if by is None and not wanted.talk and wanted.pull is None:  # who looks at a part has not seen the rest
            looked_now(terminal, name, max([since, *(each["at"] for each in found)]))


def log_of(view: RemoteView | None, session: Session, wanted: Wanted, most: int) -> list[Shown]:
    """Return entries, talk and answers, oldest first; each has `type`, `at` (Unix seconds), and a `key` of its own.

    Entries come in the order of their numbers, also where an administrator took the game's clock back between them.
    """
    found = [] if wanted.talk else list(_entries(session, wanted, most))
    others = [*_said(view, session, wanted)] if view is not None else []
    if view is not None and wanted.mine:
        from folkmoot.player.answers import answers_kept

        for answer in answers_kept(view, session):  # where it is nothing that the record has
            place = str(answer["place"])
            here = wanted.pull is None or place == (f"pull {wanted.pull}" if wanted.pull else "thread")
            if answer["state"] != "refused" and answer["at"] >= wanted.since and here:
                others.append({"type": "answer", "key": f"3 {answer['fact']}", **answer})
    found += [(each["at"], each) for each in others]
    return [each for _, each in sorted(found, key=lambda pair: (pair[0], pair[1]["key"]))]


def _require_known(view: RemoteView | None, session: Session, wanted: Wanted) -> None:
    """Raise E-NO-SUCH where nobody is called so, or no pull request has that number."""
    roster = session.document("roster")
    if wanted.by and wanted.by not in roster:
        raise fail("E-NO-SUCH", f"nobody here is called {wanted.by}", None, f"there are {in_a_row(roster)}")
    if wanted.pull is not None and view is not None and view.pull(wanted.pull) is None:
        view.wanted(wanted.pull)


def _entries(session: Session, wanted: Wanted, most: int) -> Iterator[tuple[int, Shown]]:
    """Yield the newest entries that are wanted, each with its time, or that of one after it which is earlier."""
    from folkmoot.cli.outcomes import here_of
    from folkmoot.player.answers import concerns
    from folkmoot.wording.game_view import seconds

    view = here_of(session).view
    unresolved = {proposal["id"]: proposal for proposal in undecided(session)}
    by, count, order = wanted.by, 0, session.head.at or 0
    for seq in range(session.head.seq, max(0, session.head.seq - MOST_LOOKED_AT), -1):
        entry = session.record.entry(seq)
        at = seconds(entry["at"]) or 0
        order = min(order, at)
        if count >= most or order < wanted.since:
            return
        if view.is_silent(entry) or (by is not None and entry.get("by") != by) or (wanted.mine and by is None):
            continue
        if wanted.pull is not None and not concerns(session, entry, wanted.pull):
            continue
        count += 1
        shown = shown_entry(entry, unresolved)
        found: Shown = {"type": "entry", "key": f"1 {seq:09}", "at": at, "entry": seq, "is": shown}
        if wanted.mine and told_in(entry):  # what its author alone may know, as far as the keys here open it
            from folkmoot.player.hand import detail_of, own_keys

            found["sealed"] = without_escapes(detail_of(entry, str(by), own_keys()))
        yield order, found


def _said(view: RemoteView, session: Session, wanted: Wanted) -> Iterator[Shown]:
    """Yield what was said, but for commands that stand in the journal."""
    from folkmoot.player.answers import is_talk, places, said_in

    for said in said_in(view, session, [wanted.pull] if wanted.pull is not None else places(view)):
        other = wanted.mine and not said["own"]
        if wanted.by is not None:
            other = wanted.by not in (said["player"], said["by"])
        only_commands = not is_talk(said["body"]) and (wanted.talk or said["entries"])
        if said["at"] >= wanted.since and not (other or only_commands):
            yield {"type": "talk", "key": f"2 {said['id']}", **said}


def _lines(session: Session, each: Shown) -> Iterator[str]:
    """Yield one thing of the log as lines."""
    if each["type"] == "entry":
        from folkmoot.cli.outcomes import here_of, told

        entry = session.record.entry(each["entry"])
        yield from told(here_of(session, [entry]), entry)
        yield from (f"    {line}" for line in each.get("sealed", "").split("\n") if line)
    elif each["type"] == "answer":
        from folkmoot.cli.game_status import answer_told

        yield from answer_told(each).split("\n")
    else:
        lines = spoken(each)
        where = f" on pull request {each['pull']}" if each["pull"] else ""
        first = click.style(f"{speaker(each, where)}{':' if lines else ''}", bold=True)
        yield f"{first} {lines[0]}" if len(lines) == 1 else first
        yield from (f"  {line}" for line in (lines if len(lines) > 1 else []))


def speaker(said: Shown, where: str = "") -> str:
    """Return who said something and how, as a comment, a review, or a ballot that is not displayed, and where."""
    kind = " voted" if said["body"] is None else REVIEWS.get(said["kind"], "")
    return f"{said['by']}{kind}{where}" + (f" ({said['state']} later)" if said["state"] else "")


def spoken(said: Shown) -> list[str]:
    """Return the lines of what was said, as far as it is displayed."""
    from folkmoot.wording.catalogue import hidden

    body = without_escapes(without_boxes(str(said["body"]))).strip()
    return [hidden()] if said["body"] is None else body.splitlines()
