"""`moot withdraw`: take back a pull request of one's own."""

from __future__ import annotations

import click

from folkmoot.cli.completion import complete_pulls
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.options import json_option, pull_number, remote_option, trying_options
from folkmoot.cli.terminal import Terminal


@click.command("withdraw")
@click.argument("pull", type=pull_number, metavar="PULL", shell_complete=complete_pulls)
@click.argument("reason", nargs=-1, metavar="[REASON…]")
@trying_options
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal, pull: int, reason: tuple[str, ...], remote: str | None, anyway: bool, dry_run: bool
) -> int:
    """Close your pull request PULL, saying why if you like: REASON goes before it as a comment.

    Whether a proposal that is voted on goes with it is for the rules of the game: where they know no withdrawing, the
    vote goes on.

    Example: moot withdraw 7 "It was too early."
    """
    from folkmoot.cli.dry_run import tried_in
    from folkmoot.cli.sending import next_step, pull_meant, remote_view_of, send, title_of
    from folkmoot.core.problems import fail
    from folkmoot.forges.local.messages import Letter
    from folkmoot.player.voting import game_of_pull, goes_on
    from folkmoot.referee.commands import commands_in

    view = remote_view_of(terminal, remote).look()
    found = pull_meant(terminal, view, pull)
    pull = found.number
    if not view.web and found.author.id != view.person.id:
        hint = f"vote against it: `moot vote {pull} against`"
        raise fail("E-NOT-PLAYER", f"{title_of(found)} is {found.author.handle}'s, not yours", None, hint)
    why = " ".join(reason).strip()
    if commands_in(why):
        hint = "begin none of its lines with a slash"
        raise fail("E-ARGS", "a line of the reason would be read as a command", None, hint)
    stays = goes_on(view, pull)
    if stays:
        terminal.note(f"Mind: the rules know no withdrawing, so {stays} goes on without its pull request.")
    letters = [*([Letter(pull=pull, kind="comment", body=why)] if why else []), Letter(pull=pull, kind="close")]
    game = "" if stays else game_of_pull(view, found)
    trial = tried_in(terminal, view, game, letters, anyway=anyway, dry_run=dry_run)
    done = {"pull": pull, "title": found.title, "goes_on": stays, **trial.record}
    if not trial.sends:
        terminal.record(done)
        return trial.code
    sent = [send(view, letter) for letter in letters]
    terminal.record({**done, "letter": sent[-1]})
    terminal.say(f"Asked to close {title_of(found)}.")
    terminal.say(next_step(view))
    return Exit.OK
