"""What came of acts, in the same sentences that the site shows."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.terminal import Terminal, without_escapes
from folkmoot.core.ballot_display import shown_entry
from folkmoot.core.calendar import moment_said
from folkmoot.core.documents import Document
from folkmoot.core.keys import ROSTER, rule_in_words
from folkmoot.core.records import Entry
from folkmoot.core.sealed_data import MORE_SEALED, told_in
from folkmoot.core.values import in_a_row
from folkmoot.wording import sentences
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import in_utc
from folkmoot.wording.page_links import Here

if TYPE_CHECKING:
    from folkmoot.game.session import Done, Session

SEEN = frozenset({"settle"})  # from the act itself: a duty done
QUIET = SEEN | {"timer", "cancel"}  # what comes when stands in `moot status`
MOST_TOLD = 25  # entries of timers that are told one by one
FIRST_AND_LAST = 3


def here_of(session: Session, entries: Iterable[Entry] = ()) -> Here:
    """Return the place from which sentences about a game are made."""
    return here_at(session.record.name, session.documents, entries)


def here_at(name: str, documents: dict[str, Any], entries: Iterable[Entry] = ()) -> Here:
    """Return the place from which sentences about a state of a game are made."""
    return Here(GameView(slug=name, documents=documents, entries=list(entries)), "index.md")


def told(here: Here, entry: Entry, *, whole: bool = False) -> list[str]:
    """Return an entry as lines: what was done, what came of it (see `told_effects`), and why."""
    lines = [f"{entry['seq']}  {plain(sentences.act(here, entry))}"]
    lines += [f"    {line}" for line in told_effects(here, entry, whole=whole)]
    lines += [f"    {plain(sentences.reason(here, reason))}" for reason in entry.get("reasons") or ()]
    lines += [f"    {MORE_SEALED}"] if told_in(entry) else []
    lines += [f"    {failed(failure)}" for failure in entry.get("failures") or ()]
    return lines


def told_effects(here: Here, entry: Entry, *, whole: bool = False) -> list[str]:
    """Return what an entry changed as lines, as far as players care.

    The `whole` of it has bookkeeping, timers, and in one line of which events rules told each other.
    """
    changed = [effect for effect in sentences.changes(entry) if effect["effect"] not in (SEEN if whole else QUIET)]
    kept = [effect for effect in changed if whole or not here.view.is_bookkeeping(effect)]
    raised = plain(sentences.events(here, entry)) if whole else ""
    return [plain(sentences.effect(here, entry, effect)) for effect in kept] + ([raised] if raised else [])


def told_in_short(here: Here, entries: Sequence[Entry], most: int = MOST_TOLD) -> list[str]:
    """Return entries as lines; of very many only the first and the last."""
    if len(entries) <= most:
        return [line for entry in entries for line in told(here, entry)]
    rest = entries[FIRST_AND_LAST:-FIRST_AND_LAST]
    began, ended = (moment_said(str(entry["at"])) for entry in (rest[0], rest[-1]))
    lines = [[line for entry in some for line in told(here, entry)]
             for some in (entries[:FIRST_AND_LAST], entries[-FIRST_AND_LAST:])]  # fmt: skip
    return [*lines[0], f"… {len(rest):,} more entries from {began} to {ended} …", *lines[1]]


def failed(failure: Document) -> str:
    """Return a failure of a script as a sentence."""
    from folkmoot.files.reader import where  # and all forms of files with it

    place = failure.get("place") or where(failure, {})
    hook = f": {failure['hook']}" if failure["hook"] else ""
    return f"{rule_in_words(str(failure['rule']))}{hook} failed{f' {place}' if place else ''}: {failure['error']}"


def show_done(terminal: Terminal, session: Session, done: Done) -> int:
    """Show what came of an act and return the exit code."""
    terminal.record(record_of(done, here_of(session)))
    if terminal.json:
        return Exit.OK if done.accepted else Exit.REFUSED
    here = here_of(session, [*done.before, done.entry])
    for line in told_in_short(here, done.before):
        terminal.say(line)
    if not done.accepted:
        return show_refusal(terminal, done, here)
    for line in told(here, done.entry):
        terminal.say(line)
    if done.code == "HELD":
        terminal.say(click.style("It waits until it is released.", fg="yellow"))
    return Exit.OK


def record_of(done: Done, here: Here) -> dict[str, Any]:
    """Return what came of an act for programs."""
    entry, *before = shown_entries([done.entry, *done.before], here)
    return {"accepted": done.accepted, "code": done.code, "entry": entry, "before": before}


def shown_entries(entries: Iterable[Entry], here: Here) -> list[dict[str, Any]]:
    """Return entries as a program is shown them: without what ballots say that are not displayed yet."""
    return [shown_entry(entry, here.view.unresolved) for entry in entries]


def show_refusal(terminal: Terminal, done: Done, here: Here | None = None) -> int:
    """Say why an act was refused, on the error stream, and return the exit code."""
    here = here or here_at("", {})
    for reason in done.entry.get("reasons") or ():
        if reason["code"] == done.code:
            code = click.style(f"[{done.code}]", fg="red")
            terminal.note(f"Refused: {plain(sentences.refusal(here, reason))} {code}")
    if told_in(done.entry):
        terminal.note(f"  hint: {MORE_SEALED}")
    players = here.view.kept(ROSTER) if done.code == "E-NOT-PLAYER" else ()
    if players:
        terminal.note(f"  hint: the players are {in_a_row(players)}")
    return Exit.REFUSED


# -- words of the pages as a terminal prints them

TAG = re.compile(r"<[^>]*>")


def plain(markup: str) -> str:
    """Return the words of a piece of a page, its moments as the terminal says them.

    >>> plain("<a href='x'>rule 5</a> &lt; 6")
    'rule 5 < 6'
    """
    return without_escapes(html.unescape(TAG.sub("", in_utc(markup))).replace("\n", " ").strip())
