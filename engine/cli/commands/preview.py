"""`moot preview`: show what a pull request, or a rule file, would do."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import click

from engine.cli.exits import Exit
from engine.cli.forges import remote_option
from engine.cli.meetings import game_name_option, meeting_of, people_of, played_game, pull_number
from engine.cli.options import json_option
from engine.cli.terminal import Terminal
from engine.forge.port import Person
from engine.player.meeting import Meeting
from engine.player.proposing import Draft, branch_content, described
from engine.player.voting import proposal_of
from engine.problems import Problem, fail
from engine.referee.comment import comment
from engine.referee.content import Content, GameContent, read_content, split_requests
from engine.referee.people import player_of
from engine.referee.preview import preview
from engine.referee.sheet import Sheet

_HIDDEN = re.compile(r"<!--.*?-->|</?(?:details|summary|sub|sup|br)\s*/?>", re.DOTALL)


@click.command("preview")
@click.argument("what", nargs=-1, metavar="[PULL | RULE-FILE…]")
@click.option("--said", is_flag=True, help="Print the referee's present comment on PULL instead.")
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal, what: tuple[str, ...], said: bool, game: str | None, remote: str | None
) -> int:  # fmt: skip
    """Show what a pull request would do: its changes, whether they are proper, and what adoption would bring.

    The same stands in the referee's comment. With rule files it shows what a pull request with them would say, without
    anything that shows what your checked-out branch would. Nothing is sent. Exits with 1 where it would be refused.
    """
    meeting = meeting_of(terminal, remote).look()
    number = pull_number(what[0]) if len(what) == 1 and not Path(what[0]).exists() else 0
    if said:
        return _said(terminal, meeting, number)
    head, title, author, content = _content(meeting, game, number, what)
    sheets = _sheets(meeting, number, title, author, content)
    problems = [problem for sheet in sheets for problem in sheet.problems]
    terminal.record({"pull": number or None, "head": head, "title": title, **_record(meeting, content, sheets)})
    for sheet in sheets:
        terminal.say(_plain(comment(sheet)))
    if not sheets:
        terminal.say("This changes nothing of any game.")
    return Exit.PROBLEMS if problems else Exit.OK


def _said(terminal: Terminal, meeting: Meeting, number: int) -> int:
    """Print the referee's comment as it stands."""
    if not number:
        raise click.UsageError("Say whose comment to print: `moot preview PULL --said`.")
    if meeting.pull(number) is None:
        meeting.wanted(number)
    text = meeting.seen.said(number)
    terminal.record({"pull": number, "said": text})
    terminal.say(_plain(text) if text else "The referee has not said anything on it yet.")
    return Exit.OK


def _content(
    meeting: Meeting, game: str | None, number: int, what: tuple[str, ...]
) -> tuple[str, str, Person, Content]:
    """Return head, title, author and content of what is to be shown."""
    if number:
        pull = meeting.wanted(number)
        return pull.head, pull.title, pull.author, read_content(meeting.repo, meeting.main, pull.head)
    if not what:
        found = branch_content(meeting)
        if found is None:
            hint = "name a pull request or rule files: `moot preview 7`, `moot preview tea.yaml`"
            raise fail("E-NO-SUCH", "your checked-out branch changes no rule", None, hint)
        return found[0], "Your branch", meeting.person, found[1]
    draft = Draft(meeting.record(played_game(meeting, game)))
    for name in what:
        if not Path(name).is_file():
            raise fail("E-NO-SUCH", f"there is no file {name}", None, "name a pull request, or files of rules")
        draft.rule(Path(name).read_text("utf-8"), name)
    made = draft.proposal(meeting)
    return made.commit, made.title, meeting.person, made.content


def _sheets(meeting: Meeting, number: int, title: str, author: Person, content: Content) -> list[Sheet]:
    """Return the comments that the games of a pull request would get."""
    if content.problems:
        return [
            Sheet(game=_game_of(content), pull=number, title=title, author=author.handle, problems=content.problems)
        ]
    return [_sheet(meeting, number, title, author, each) for each in content.games]


def _game_of(content: Content) -> str:
    places = [problem.position.file.split("/") for problem in content.problems if problem.position]
    return next((parts[1] for parts in places if len(parts) > 2 and parts[0] == "state"), "")


def _sheet(meeting: Meeting, number: int, title: str, author: Person, content: GameContent) -> Sheet:
    player = player_of(people_of(meeting, content.game), "local", author)
    proposal = proposal_of(meeting, number) or {}
    alive = proposal if proposal and not proposal.get("outcome") else {}
    with meeting.session(content.game) as session:
        _requests, acts = split_requests(content, session.actions())
        shown = None
        if content.changes:
            shown = preview(session, content, title, player, int(time.time()), str(alive.get("id") or ""))
    return Sheet(
        game=content.game,
        pull=number,
        title=title,
        author=player or author.handle,
        state=str(alive.get("state") or ""),
        proposal=str(alive.get("id") or "").replace("/", " "),
        preview=shown,
        acts=tuple(f"{act.do} {act.args or ''}".strip() for act in acts),
        choices=shown.choices if shown and shown.choices else ("for", "against", "abstain"),
    )


def _record(meeting: Meeting, content: Content, sheets: list[Sheet]) -> dict[str, Any]:
    problems: list[Problem] = [problem for sheet in sheets for problem in sheet.problems]
    games = [
        {
            "game": each.game,
            "does": described(each.changes, Draft(meeting.record(each.game)).number),
            "acts": [act.do for act in each.acts],
            "digest": each.digest,
        }
        for each in content.games
    ]
    comments = [comment(sheet) for sheet in sheets]
    return {"games": games, "problems": [problem.as_record() for problem in problems], "comments": comments}


def _plain(text: str) -> str:
    """Return a comment without what only a browser reads."""
    return re.sub(r"\n{3,}", "\n\n", _HIDDEN.sub("", text)).strip()
