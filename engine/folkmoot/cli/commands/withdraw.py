"""`moot withdraw`: take back a pull request of one's own."""

from __future__ import annotations

import click

from folkmoot.cli.options import json_option, pull_number
from folkmoot.cli.repositories import remote_option
from folkmoot.cli.sending import next_step, remote_view_of, send, title_of
from folkmoot.cli.terminal import Exit, Terminal
from folkmoot.core.problems import fail
from folkmoot.forges.local import Letter
from folkmoot.player.voting import goes_on
from folkmoot.referee.commands import commands_in


@click.command("withdraw")
@click.argument("pull", type=pull_number, metavar="PULL")
@click.argument("reason", nargs=-1, metavar="[REASON…]")
@remote_option
@json_option
@click.pass_obj
def command(terminal: Terminal, pull: int, reason: tuple[str, ...], remote: str | None) -> int:
    """Close your pull request PULL, saying why if you like: REASON goes before it as a comment.

    Whether a proposal that is voted on goes with it is for the rules of the game: where they know no withdrawing, the
    vote goes on.
    """
    view = remote_view_of(terminal, remote).look()
    found = view.wanted(pull)
    if not view.web and found.author.id != view.person.id:
        hint = f"vote against it: `moot vote {pull} against`"
        raise fail("E-NOT-PLAYER", f"{title_of(found)} is {found.author.handle}'s, not yours", None, hint)
    why = " ".join(reason).strip()
    if commands_in(why):
        hint = "begin none of its lines with a slash"
        raise fail("E-ARGS", "a line of the reason would be read as a command", None, hint)
    if why:
        send(view, Letter(pull=pull, kind="comment", body=why))
    stays = goes_on(view, pull)
    if stays:
        terminal.note(f"Mind: the rules know no withdrawing, so {stays} goes on without its pull request.")
    sent = send(view, Letter(pull=pull, kind="close"))
    terminal.record({"pull": pull, "title": found.title, "letter": sent, "goes_on": stays})
    terminal.say(f"Asked to close {title_of(found)}.")
    terminal.say(next_step(view))
    return Exit.OK
