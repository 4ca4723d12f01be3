"""What came of what a person sent, and why: from the record, and from what the referee said where it was sent."""

from __future__ import annotations

import html
import re
from typing import Any

from engine.pages import GameView, reasons, sentences
from engine.pages.here import Here
from engine.pages.markup import strip
from engine.player.meeting import Meeting
from engine.problems import Problem
from engine.referee.comment import answers_in, flaws_in, obstacles_in
from engine.referee.trust import distrust
from engine.session import Entry, Session

Record = dict[str, Any]
LOOKED_AT = 200  # of the last entries of the journal
MOST = 5  # answers of each kind
_MARKS = re.compile(r"<[^>]*>|(?<!\\)[*`]")
_ESCAPE = re.compile(r"\\(?=[^\w\s])")


def refused_acts(session: Session, player: str | None) -> list[Record]:
    """Return the newest acts of a player that were refused: `entry`, `at`, `do`, `code`, `why` and `rule`."""
    if player is None:
        return []
    last = session.record.entries(max(1, session.head.seq - LOOKED_AT + 1), having=[player, "code"])
    here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
    found = [entry for entry in last if entry.get("by") == player and sentences.refused(entry)]
    return [_refused(here, entry) for entry in found[-MOST:]]


def _refused(here: Here, entry: Entry) -> Record:
    reason = sentences.refusal(entry)
    given = next((each for each in entry.get("reasons") or () if each.get("code") == reason.get("code")), reason)
    kept = {name: entry.get(name) for name in ("at", "do")}
    choice = (entry.get("with") or {}).get("choice")  # one's own, which one may see
    act = f"vote {choice}" if entry.get("do") == "vote" else strip(sentences.act(here, entry))
    why = strip(reasons.said(here, given))
    return {"entry": entry["seq"], **kept, "act": act, "code": reason.get("code"), "why": why}


def answers_on_thread(meeting: Meeting, names: set[str]) -> list[str]:
    """Return what the referee last said on the games' own thread about a person, who goes by these names."""
    named = re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(name) for name in names if name)})(?!\w)", re.IGNORECASE)
    lines = [plain(line) for line in answers_in(meeting.seen.said(0) or "")]
    return [line for line in lines if named.match(line)][-MOST:]


def changed_by_hand(meeting: Meeting, game: str) -> list[Problem]:
    """Return what other hands than a referee's changed in a game since a referee last looked at it."""
    known = meeting.seen.known
    if not known or known == meeting.main or known not in meeting.repo:
        return []
    return list(distrust(meeting.repo, known, meeting.main, game))


def flaws_said(meeting: Meeting, number: int) -> list[str]:
    """Return what the referee's comment on a pull request says is wrong with its scripts and examples, a line each."""
    return [plain(line) for line in flaws_in(meeting.seen.said(number) or "")]


def obstacles_said(meeting: Meeting, number: int) -> list[str]:
    """Return why a pull request was not taken in, as the referee's comment on it says, a line each."""
    return [plain(line) for line in obstacles_in(meeting.seen.said(number) or "")]


def plain(line: str) -> str:
    r"""Return a line of the referee's comment without its Markdown.

    >>> plain(r"It is **not proper**: \*no\* &amp; never (`E-ORDER`).")
    'It is not proper: *no* & never (E-ORDER).'
    """
    return html.unescape(_ESCAPE.sub("", _MARKS.sub("", line))).rstrip()
