"""One pull request in the terminal: how it stands, what it would do, and its thread with what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from folkmoot.cli.drawing.printing import hanging, heading, indented, words
from folkmoot.cli.log import speaker, spoken
from folkmoot.cli.outcomes import here_of, told
from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.calendar import write_moment
from folkmoot.core.keys import GAME, ROSTER, forge_kind
from folkmoot.core.problems import ProblemError
from folkmoot.core.proposal_numbers import called
from folkmoot.core.records import Shown
from folkmoot.game.session import Session
from folkmoot.game.status import deadline, missing_votes, standing_of
from folkmoot.player.answers import dangers_said, flaws_said, obstacles_said, said_in
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.player.voting import proposal_of
from folkmoot.referee.people import whose
from folkmoot.referee.preview import ADDED, STRUCK, Redline, proposal_redlines, redlines_in
from folkmoot.wording.catalogue import hidden
from folkmoot.wording.law_sentence import quotation

if TYPE_CHECKING:
    from rich.console import RenderableType

INSET = 4
"""Blanks before a line of a redline."""
SIGNS = {ADDED: "green", STRUCK: "red"}
INSIDE = {"[-": "strike red reverse", "{+": "bold green reverse"}
CHANGED = re.compile(r"(\[-.*?-\]|\{\+.*?\+\})")


def pull_shown(view: RemoteView, session: Session, pull: PullSeen) -> Shown:
    """Return all that is shown of a pull request: how it stands, its votes, what it changes, and its thread."""
    forge = forge_kind(session.kept(GAME)) or "local"
    proposal: Any = proposal_of(view, pull.number, forge, session.record.name) or {}
    return {
        "pull": pull.number,
        "title": pull.title,
        "author": whose(pull.author, session.kept(ROSTER), forge),
        "state": pull.state,
        "head": pull.head,
        "newer_content": not pull.observed,
        "body": pull.body,
        "link": view.link(pull.number),
        "proposal": _proposal(session, proposal) if proposal else None,
        "changes": [as_record(change) for change in _redlines(view, session, pull, proposal)],
        "why": [] if proposal else obstacles_said(view, pull.number),
        "flaws": flaws_said(view, pull.number),
        "later": dangers_said(view, pull.number),
        "thread": said_in(view, session, [pull.number]),
    }


def _proposal(session: Session, proposal: Any) -> Shown:
    """Return how a proposal stands, with its ballots as far as they are displayed."""
    shown = is_displayed(proposal)
    return {
        "id": proposal["id"],
        "called": called(proposal),
        "state": proposal["outcome"] or proposal["state"],
        "why": (proposal["verdict"] or {"why": ""})["why"] or proposal["why"] or "",
        "until": None if proposal["outcome"] else deadline(session.documents, proposal),
        "standing": standing_of(session, proposal),
        "votes": {who: ballot["choice"] if shown else None for who, ballot in proposal["ballots"].items()},
        "missing": missing_votes(proposal),
    }


def _redlines(view: RemoteView, session: Session, pull: PullSeen, proposal: Any) -> list[Redline]:
    if proposal:
        return list(proposal_redlines(session, proposal))
    from folkmoot.referee.content import read_content  # and all that a pull request may hold

    try:
        content = read_content(view.repo, view.main, pull.head)
    except ProblemError:  # it cannot be read: the referee's answer says why
        return []
    here = (game for game in content.games if game.game == session.record.name)
    return [change for game in here for change in redlines_in(session, game)]


def as_record(change: Redline) -> Shown:
    """Return what one change strikes and adds for programs."""
    return {"does": change.head, "title": change.title, "parts": {part: list(lines) for part, lines in change.parts}}


def drawn_pull(session: Session, shown: Shown) -> Iterator[RenderableType]:
    """Yield a pull request."""
    yield heading(f"Pull request {shown['pull']}, “{shown['title']}”, by {shown['author']}: {shown['state']}")
    if shown["link"]:
        yield words(shown["link"], "dim")
    if shown["proposal"]:
        yield from _drawn_proposal(shown["proposal"])
    if shown["newer_content"]:
        yield words("Its newest content was not looked at by a referee yet.", "yellow")
    yield from (words(f"Not taken in: {why}", "yellow") for why in shown["why"])
    yield from (words(f"Faulty: {flaw}", "red") for flaw in shown["flaws"])
    yield from (words(f"Beware of later: {danger}", "yellow") for danger in shown["later"])
    if shown["body"]:
        yield ""
        yield words(shown["body"])
    for change in shown["changes"]:
        yield ""
        yield from drawn_change(change)
    yield from drawn_thread(session, shown["thread"])


def _drawn_proposal(proposal: Shown) -> Iterator[RenderableType]:
    until = f" until {write_moment(proposal['until'])}" if proposal["until"] else ""
    why = f": {quotation(proposal['why'])}" if proposal["why"] else ""
    yield words(f"It is {proposal['called']}, {proposal['state']}{until}{why}")
    if proposal["standing"]:
        yield words(proposal["standing"])
    voted = [f"{who} ({hidden() if choice is None else choice})" for who, choice in proposal["votes"].items()]
    if voted:
        yield words(f"Voted: {', '.join(voted)}")
    if proposal["missing"]:
        yield words(f"Not yet: {', '.join(proposal['missing'])}")


def drawn_change(change: Shown) -> Iterator[RenderableType]:
    """Yield what one change strikes and adds."""
    yield words(f"It {change['does']}" + (f" · {change['title']}" if change["title"] else ""), "bold")
    for part, lines in change["parts"].items():
        yield words(f"  {part}:", "cyan")
        for line in lines:  # in its colour, with the words that are struck and added inside of it set off
            style = SIGNS.get(line[:2], "")
            marked = (words(each, INSIDE.get(each[:2], style)) for each in CHANGED.split(line))
            yield indented(hanging(words().join(marked), len(ADDED)), INSET)


def drawn_thread(session: Session, thread: list[Shown]) -> Iterator[RenderableType]:
    """Yield what was said, each with what came of it."""
    for said in thread:
        yield ""
        yield words(f"{write_moment(said['at'])}  {speaker(said)}", "bold")
        yield from (indented(words(line)) for line in spoken(said))
        for entry in map(session.record.entry, said["entries"]):
            came = told(here_of(session, [entry]), entry)
            yield from (indented(words(f"→ {line.strip()}", "dim")) for line in came)
