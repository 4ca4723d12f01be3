"""Talk: comments on pull requests and on the game's thread, and taking a pull request back."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from typing import Any

import click

from folkmoot.cli.saying import How, Statement, say
from folkmoot.cli.sending import own_pull, played_game, remote_view_of, title_of, to_thread
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import fail
from folkmoot.forges.local.letters import Letter
from folkmoot.player.voting import game_of_pull
from folkmoot.referee.commands import commands_in, unread_in


def run_comment(
    terminal: Terminal,
    text: tuple[str, ...],
    pull: int | None,
    game: str | None,
    remote: str | None,
    **how: Any,
) -> int:
    """Say something."""
    body = " ".join(text).strip()
    if not body:
        raise click.UsageError("Say something.")
    if pull is None and len(text) > 1 and (number := text[0].removeprefix("#")).isdecimal():
        said = f"`moot comment --on {number} {shlex.quote(' '.join(text[1:]))}`"
        raise click.UsageError(f"About pull request {number} that is {said}; else put the text in quotation marks.")
    view = remote_view_of(terminal, remote).look()
    if pull is None:
        name = played_game(view, game)
        letter, where = to_thread(view, name, body), f"the thread of {name}"
    else:
        named = played_game(view, game) if game is not None else None
        found = view.wanted(pull, over=True)
        letter, where = Letter(pull=found.number, kind="comment", body=body), title_of(found)
        name = game_of_pull(view, found, named)
    names = [each.name for each in commands_in(body)]
    if unread := unread_in(body):
        terminal.note(f"Mind: {unread}.")
    statement = Statement(letters=[letter], record={"pull": letter.pull, "commands": names},
                          sentences=[f"Said on {where}."])  # fmt: skip
    with view.session(name) if names and name else nullcontext() as session:
        return say(terminal, view, [session] if session else [], statement, How(**how)).code


def run_withdraw(
    terminal: Terminal, pull: int, reason: tuple[str, ...], remote: str | None, game: str | None = None, **how: Any
) -> int:
    """Close a pull request."""
    view = remote_view_of(terminal, remote).look()
    named = played_game(view, game) if game is not None or not any(map(view.forge_of, view.games())) else None
    found = own_pull(view, pull, "vote against it: `moot vote PULL against`")
    pull = found.number
    why = " ".join(reason).strip()
    if commands_in(why):
        hint = "begin none of its lines with a slash"
        raise fail("E-ARGS", "a line of the reason would be read as a command", None, hint)
    letters = [*([Letter(pull=pull, kind="comment", body=why)] if why else []), Letter(pull=pull, kind="close")]
    name = game_of_pull(view, found, named)
    statement = Statement(letters=letters, record={"pull": pull, "title": found.title},
                          sentences=[f"Asked to close {title_of(found)}."])  # fmt: skip
    with view.session(name) if name else nullcontext() as session:
        return say(terminal, view, [session] if session else [], statement, How(**how)).code
